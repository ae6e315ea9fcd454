//! The JSON-RPC envelope, the same in every era: what is a request, and what gets no answer.

use std::borrow::Cow;

use super::id_finder::IdFinder;
use super::refusal::Refusal;
use super::scan::{Broken, Members, Notes, Outline, Root, TextNumber, scan};
use crate::check;
use crate::request_id::RequestId;

/// What a line is.
#[derive(Debug)]
pub(crate) enum Incoming<'a> {
    /// A notification that changes nothing, or nothing: no answer.
    Silent,
    /// The client is ready for requests of the server.
    Initialized,
    /// A response, to a request of the server or to none.
    Response(RequestId, Answer<'a>),
    /// The client wants no answer to the request with this id.
    Cancelled(RequestId),
    /// No request; `garbage` when it is not even JSON.
    Refused {
        id: Option<RequestId>,
        refusal: Refusal,
        garbage: bool,
    },
    /// A request, whose parameters nobody has judged yet.
    Request(Request<'a>),
}

/// What a response says.
#[derive(Debug)]
pub(crate) enum Answer<'a> {
    /// The JSON text of its result.
    Result(&'a str),
    /// The client refuses, or its response cannot be read: why.
    Error(Cow<'static, str>),
}

/// A request with a readable id and method.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: RequestId,
    pub(crate) method: Cow<'a, str>,
    /// The JSON text of `params`, whatever it is.
    pub(super) raw_params: Option<&'a str>,
    /// Its members, if it is an object.
    pub(super) params: Members<'a>,
    /// The members of its `_meta`, if that is an object.
    pub(super) meta: Members<'a>,
    /// Which text that is, if it has a number.
    pub(super) meta_text: Option<TextNumber>,
}

/// Reads a line.
pub(crate) fn read<'a>(line: &'a [u8], max_depth: usize, notes: &'a mut Notes) -> Incoming<'a> {
    // JSON's white space; a form feed, which `u8::is_ascii_whitespace` knows too, is none.
    if line.iter().all(|byte| b" \t\r\n".contains(byte)) {
        return Incoming::Silent;
    }
    let Ok(text) = str::from_utf8(line) else {
        return garbage(line, "the line is not UTF-8".into());
    };
    match scan(text, max_depth, notes) {
        Ok(Root::Object(outline)) => classify(outline, max_depth),
        Ok(Root::Array) => refused(
            None,
            "a batch is not served: send each request as a message of its own",
        ),
        Ok(Root::Scalar) => refused(None, "a message must be a JSON object"),
        Err(Broken { at, what }) => garbage(line, format!("{what} (byte {at})")),
    }
}

fn classify(outline: Outline<'_>, max_depth: usize) -> Incoming<'_> {
    let Outline {
        top,
        params,
        meta,
        meta_text,
        duplicate,
        too_deep,
    } = outline;
    let method = top.get("method");
    let Some(raw_id) = top.get("id") else {
        return match method {
            None if !is_response(&top) => {
                refused(None, "a message needs `method`, and a request `id`")
            }
            Some(method) if duplicate.is_none() => notification(method, &top, &params),
            _ => Incoming::Silent,
        };
    };
    if method.is_none() && is_response(&top) {
        let sound = duplicate.is_none() && !too_deep && is_version_2(&top);
        return match RequestId::parse(raw_id) {
            Some(id) => Incoming::Response(id, answer(&top, sound)),
            None => Incoming::Silent,
        };
    }
    // With the id itself there twice, nobody can say which one the client waits for.
    let id = if duplicate.is_some() && top.count("id") > 1 {
        None
    } else {
        RequestId::parse(raw_id)
    };
    if let Some(key) = duplicate {
        return refused(
            id,
            format!("the key `{}` is there twice in one object", shortened(&key)),
        );
    }
    let Some(id) = id else {
        return refused(
            None,
            format!(
                "`id` must be a string or an integer of at most {} bytes",
                RequestId::MAX_BYTES
            ),
        );
    };
    if !is_version_2(&top) {
        return refused(Some(id), r#"`jsonrpc` must be "2.0""#);
    }
    let Some(method) = method.and_then(string) else {
        return refused(Some(id), "`method` must be a string");
    };
    if too_deep {
        let message = format!("the request is nested deeper than {max_depth} levels");
        return Incoming::Refused {
            id: Some(id),
            refusal: Refusal::invalid_params(message),
            garbage: false,
        };
    }
    Incoming::Request(Request {
        id,
        method,
        raw_params: top.get("params"),
        params,
        meta,
        meta_text,
    })
}

/// Two notifications matter; one that is malformed is ignored, like an unknown one.
fn notification(method: &str, top: &Members<'_>, params: &Members<'_>) -> Incoming<'static> {
    if !is_version_2(top) {
        return Incoming::Silent;
    }
    match string(method).as_deref() {
        Some("notifications/initialized") => Incoming::Initialized,
        Some("notifications/cancelled") => {
            let id = params.find("requestId").and_then(RequestId::parse);
            id.map_or(Incoming::Silent, Incoming::Cancelled)
        }
        _ => Incoming::Silent,
    }
}

fn answer<'a>(top: &Members<'a>, sound: bool) -> Answer<'a> {
    if !sound {
        return Answer::Error("a response that is malformed".into());
    }
    match (top.find("result"), top.find("error")) {
        (Some(result), None) => Answer::Result(result),
        (_, error) => {
            let message = error
                .and_then(|error| string(member(error, "message")?))
                .map(|text| shortened(&text).into_owned());
            Answer::Error(
                message
                    .unwrap_or_else(|| "an error without a message".into())
                    .into(),
            )
        }
    }
}

fn is_version_2(top: &Members<'_>) -> bool {
    let version = top.get("jsonrpc");
    version == Some(r#""2.0""#) || version.and_then(string).is_some_and(|text| text == "2.0")
}

fn is_response(top: &Members<'_>) -> bool {
    top.find("result").is_some() || top.find("error").is_some()
}

fn refused(id: Option<RequestId>, message: impl Into<Cow<'static, str>>) -> Incoming<'static> {
    Incoming::Refused {
        id,
        refusal: Refusal::invalid_request(message),
        garbage: false,
    }
}

/// The answer to what is no JSON; with the id where the line is at least a closed object.
fn garbage(line: &[u8], what: String) -> Incoming<'static> {
    let mut finder = IdFinder::default();
    finder.feed(line);
    Incoming::Refused {
        id: finder.id_of_whole(),
        refusal: Refusal::parse(format!("Parse error: {what}")),
        garbage: true,
    }
}

/// The value of a JSON text that is a string.
pub(super) fn string(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_some() {
        return check::string(json);
    }
    Some(Cow::Borrowed(inner))
}

/// The JSON text of a member of an object; where the name is there twice, of the last.
pub(super) fn member<'a>(object: &'a str, wanted: &str) -> Option<&'a str> {
    let mut members = check::members(object)?.into_iter();
    let (_, json) = members.rfind(|(name, _)| name == wanted)?;
    Some(json)
}

/// The JSON text of a parameter that is an object; `null` is as good as none.
pub(super) fn object<'a>(json: Option<&'a str>, name: &str) -> Result<Option<&'a str>, Refusal> {
    match json {
        None | Some("null") => Ok(None),
        Some(object) if object.starts_with('{') => Ok(Some(object)),
        Some(_) => {
            let what = format!("`params.{name}` must be an object");
            Err(Refusal::invalid_params(what))
        }
    }
}

/// A text of the client's as it may stand in a message: its start, if it is long.
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    const MAX: usize = 128;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
