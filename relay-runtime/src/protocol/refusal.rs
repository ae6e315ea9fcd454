//! The JSON-RPC errors that Relay answers with.

use std::borrow::Cow;

use super::capabilities::Missing;
use super::message::{write_json, write_string};
use super::revision::{Revision, names};

/// A request that is answered with an error instead of a result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(super) code: i32,
    pub(super) message: Cow<'static, str>,
    /// JSON text.
    pub(super) data: Option<String>,
}

impl Refusal {
    /// The line is no JSON.
    pub(super) fn parse(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(-32700, message)
    }

    /// The message is JSON, but no request.
    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(-32600, message)
    }

    /// The method does not exist.
    pub(super) fn unknown_method(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(-32601, message)
    }

    /// The parameters are not what the method takes.
    pub(super) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(-32602, message)
    }

    /// The server cannot take the request now.
    pub(crate) fn overloaded(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(-32603, message)
    }

    /// The tool needs capabilities that the client did not declare.
    pub(super) fn missing_capabilities(tool: &str, missing: &Missing) -> Self {
        let required = text(|out| missing.write(out));
        Self {
            data: Some(format!("{{\"requiredCapabilities\":{required}}}")),
            ..Self::new(
                -32021,
                format!(
                    "Tool {tool} needs client capabilities that the client does not declare: {required}"
                ),
            )
        }
    }

    /// The protocol version is not served.
    pub(super) fn unsupported_version(requested: &str) -> Self {
        Self {
            data: Some(format!(
                "{{\"requested\":{},\"supported\":{}}}",
                text(|out| write_string(out, requested)),
                text(|out| write_json(
                    out,
                    &Revision::modern().map(Revision::name).collect::<Vec<_>>()
                )),
            )),
            ..Self::new(
                -32022,
                format!(
                    "Unsupported protocol version; served: {}",
                    names(Revision::modern())
                ),
            )
        }
    }

    fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }
}

/// What is written as JSON text.
fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    // JSON is UTF-8.
    String::from_utf8(out).unwrap_or_default()
}
