//! The messages that are written.

use serde::Serialize;

use super::line::seal;
use super::older;
use super::refusal::Refusal;
use super::revision::Revision;
use crate::buffers;
use crate::input::InputRequest;
use crate::request_id::RequestId;

/// A response whose result is being written.
pub(super) struct Response {
    message: Vec<u8>,
    /// Where the result starts.
    start: usize,
}

impl Response {
    /// `size` is about how long the result will be.
    pub(super) fn open(id: &RequestId, size: usize) -> Self {
        let id = id.json();
        let mut message = buffers::take(size + id.len() + 64);
        message.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        message.extend_from_slice(id.as_bytes());
        message.extend_from_slice(br#","result":"#);
        let start = message.len();
        Self { message, start }
    }

    /// Where the result is appended, as JSON text.
    pub(super) fn result(&mut self) -> &mut Vec<u8> {
        &mut self.message
    }

    /// How much of the result there is.
    pub(super) fn result_bytes(&self) -> usize {
        self.message.len() - self.start
    }

    pub(super) fn close(mut self) -> Vec<u8> {
        self.message.push(b'}');
        seal(self.message)
    }
}

/// A response with a result, given as JSON text.
pub(crate) fn success(id: &RequestId, result: &[u8]) -> Vec<u8> {
    let mut response = Response::open(id, result.len());
    response.result().extend_from_slice(result);
    response.close()
}

/// A response with an error. Without an id where none could be read.
pub(crate) fn failure(id: Option<&RequestId>, refusal: &Refusal) -> Vec<u8> {
    let mut message = br#"{"jsonrpc":"2.0""#.to_vec();
    if let Some(id) = id {
        message.extend_from_slice(br#","id":"#);
        message.extend_from_slice(id.json().as_bytes());
    }
    message.extend_from_slice(br#","error":{"code":"#);
    message.extend_from_slice(refusal.code.to_string().as_bytes());
    message.extend_from_slice(br#","message":"#);
    write_string(&mut message, &refusal.message);
    if let Some(data) = &refusal.data {
        message.extend_from_slice(br#","data":"#);
        message.extend_from_slice(data.as_bytes());
    }
    message.extend_from_slice(b"}}");
    seal(message)
}

/// What is asked of a client, but for the id.
pub(crate) struct Wording(Vec<u8>);

impl Wording {
    /// In bytes of JSON.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A request of ours as a client of this older revision reads it; `None` where the revision cannot
/// say what is asked.
pub(crate) fn wording(request: &InputRequest, revision: Revision) -> Option<Wording> {
    let params = older::request_params(request, revision)?;
    let mut wording = br#","method":"#.to_vec();
    write_string(&mut wording, request.method.wire_name());
    if !params.is_empty() {
        wording.extend_from_slice(br#","params":"#);
        write_json(&mut wording, &request.ordered(&params));
    }
    wording.push(b'}');
    Some(Wording(wording))
}

/// A request of ours.
pub(crate) fn request(id: &RequestId, wording: &Wording) -> Vec<u8> {
    let mut message = br#"{"jsonrpc":"2.0","id":"#.to_vec();
    message.extend_from_slice(id.json().as_bytes());
    message.extend_from_slice(&wording.0);
    seal(message)
}

/// A notification that a request of ours needs no answer any more.
pub(crate) fn cancelled(id: &RequestId) -> Vec<u8> {
    let mut message =
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"#.to_vec();
    message.extend_from_slice(id.json().as_bytes());
    message.extend_from_slice(b"}}");
    seal(message)
}

/// A notification of how far a request has come.
pub(crate) fn progress(
    revision: Revision,
    token: &RequestId,
    progress: f64,
    total: Option<f64>,
    words: Option<&str>,
) -> Vec<u8> {
    let mut message =
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"#
            .to_vec();
    message.extend_from_slice(token.json().as_bytes());
    message.extend_from_slice(br#","progress":"#);
    write_json(&mut message, &progress);
    if let Some(total) = total {
        message.extend_from_slice(br#","total":"#);
        write_json(&mut message, &total);
    }
    if let Some(words) = words.filter(|_| revision >= Revision::V2025_03_26) {
        message.extend_from_slice(br#","message":"#);
        write_string(&mut message, words);
    }
    message.extend_from_slice(b"}}");
    seal(message)
}

/// Appends a text as a JSON string.
// Outlined, since it stands in many places.
#[inline(never)]
pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    write_json(out, text);
}

/// The JSON text of a value whose serialisation cannot fail.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    write_json(&mut out, value);
    out
}

/// Appends the JSON text of a value whose serialisation cannot fail: no map in it has keys other
/// than strings.
pub(super) fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    if serde_json::to_writer(&mut *out, value).is_err() {
        debug_assert!(false, "a value that is no JSON");
        out.extend_from_slice(b"null");
    }
}
