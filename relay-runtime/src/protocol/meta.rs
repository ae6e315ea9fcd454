//! The members of a request's `_meta` that every era knows.

use std::borrow::Cow;
use std::sync::Arc;

use super::envelope::{Request, member, string};
use super::refusal::Refusal;
use super::scan::Members;
use crate::client::{ClientInfo, Said};
use crate::request_id::RequestId;

const IDEMPOTENCY_KEY: &str = "io.github.gleam-dream/idempotency-key";
const CORRELATION: &str = "io.github.gleam-dream/correlation";
const PROGRESS_TOKEN: &str = "progressToken";

/// Reads what every era knows; nothing, if nothing of that is there.
pub(super) fn said(meta: &Members<'_>) -> Result<Option<Box<Said>>, Refusal> {
    let mut said: Option<Box<Said>> = None;
    for (name, json) in meta.iter() {
        // Handed to the handler as it stands; what is no string counts as not given.
        let text = || string(json).map(Cow::into_owned);
        match &*name {
            PROGRESS_TOKEN => {
                said.get_or_insert_default().progress_token = Some(progress_token(json)?);
            }
            IDEMPOTENCY_KEY => {
                said.get_or_insert_default().idempotency_key = Some(idempotency_key(json)?);
            }
            CORRELATION => said.get_or_insert_default().correlation = token(json),
            "traceparent" => said.get_or_insert_default().trace_context.traceparent = text(),
            "tracestate" => said.get_or_insert_default().trace_context.tracestate = text(),
            "baggage" => said.get_or_insert_default().trace_context.baggage = text(),
            _ => {}
        }
    }
    Ok(said)
}

/// `params` and its `_meta` are objects, where they are there.
pub(super) fn check_objects(request: &Request<'_>) -> Result<(), Refusal> {
    match request.raw_params {
        Some(params) if !params.starts_with('{') => {
            Err(Refusal::invalid_params("`params` must be an object"))
        }
        _ => match request.params.get("_meta") {
            Some(meta) if !meta.starts_with('{') => {
                Err(Refusal::invalid_params("`params._meta` must be an object"))
            }
            _ => Ok(()),
        },
    }
}

pub(super) fn wrong_type(key: &str, wanted: &str) -> Refusal {
    Refusal::invalid_params(format!("`params._meta[\"{key}\"]` must be {wanted}"))
}

/// The client's name and version; of a wrong type, they count as not given.
pub(super) fn client_info(json: &str) -> Option<Arc<ClientInfo>> {
    let text = |name| string(member(json, name)?).map(Cow::into_owned);
    Some(Arc::new(ClientInfo {
        name: text("name")?,
        version: text("version")?,
    }))
}

/// A progress token follows the rules of an id.
fn progress_token(json: &str) -> Result<RequestId, Refusal> {
    RequestId::parse(json).ok_or_else(|| {
        wrong_type(
            PROGRESS_TOKEN,
            "a string or an integer of at most 1024 bytes",
        )
    })
}

/// A key that is not understood must not be taken for none: the call would run twice.
fn idempotency_key(json: &str) -> Result<String, Refusal> {
    token(json).ok_or_else(|| wrong_type(IDEMPOTENCY_KEY, "1 to 128 visible ASCII characters"))
}

/// A string of 1 to 128 visible ASCII characters.
fn token(json: &str) -> Option<String> {
    const MAX: usize = 128;
    let is_token = |text: &str| {
        (1..=MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    string(json)
        .filter(|text| is_token(text))
        .map(Cow::into_owned)
}
