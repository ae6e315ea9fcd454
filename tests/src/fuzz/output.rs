//! What a server has written, line by line: each has to be a message of JSON-RPC, and one that is
//! expected of a server.

use super::json::{Kind, Node, parse};

/// A message of the server's.
#[derive(Debug)]
pub(super) enum Message {
    Reply {
        /// The text of the id.
        id: Option<String>,
        body: Body,
    },
    Progress {
        /// The text of the token.
        token: String,
        progress: f64,
    },
}

#[derive(Debug)]
pub(super) enum Body {
    Result(Option<Word>),
    Error { code: i64, message: String },
}

impl Body {
    /// It says that a line is no JSON.
    pub(super) fn is_to_garbage(&self) -> bool {
        matches!(self, Self::Error { code: -32700, .. })
    }

    /// It says that a line is too long.
    pub(super) fn is_to_length(&self) -> bool {
        matches!(self, Self::Error { code: -32600, message } if message.contains("longer than"))
    }

    /// It says that the id of a request is in flight.
    pub(super) fn is_refused_in_flight(&self) -> bool {
        matches!(self, Self::Error { code: -32600, message } if message.contains("in flight"))
    }

    /// It says that a line is JSON, but no request.
    pub(super) fn is_refused_envelope(&self) -> bool {
        matches!(self, Self::Error { code: -32600, .. }) && !self.is_refused_in_flight()
    }
}

/// What a tool of ours has answered: why it has ended, and the nonce of its call.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) why: String,
    pub(super) nonce: u64,
}

/// Reads all that was written.
pub(super) fn messages(output: &[u8]) -> Result<Vec<Message>, String> {
    let text = str::from_utf8(output).map_err(|error| format!("no UTF-8 is written: {error}"))?;
    let Some(lines) = text.strip_suffix('\n') else {
        return if text.is_empty() {
            Ok(Vec::new())
        } else {
            Err("the last line that is written has no end".into())
        };
    };
    lines
        .split('\n')
        .map(|line| message(line).ok_or_else(|| format!("no message of a server: {line}")))
        .collect()
}

fn message(line: &str) -> Option<Message> {
    const DEEPEST: usize = 200;
    if line.contains(['\u{2028}', '\u{2029}', '\r']) {
        return None;
    }
    let parsed = parse(line, DEEPEST)?;
    let root = &parsed.root;
    if parsed.twice || parsed.deep || root.get("jsonrpc")?.text != r#""2.0""# {
        return None;
    }
    let mut names = root.names();
    names.sort_unstable();
    match names.as_slice() {
        ["id", "jsonrpc", "result"] => Some(Message::Reply {
            id: Some(id(root)?),
            body: Body::Result(result(root.get("result")?)?),
        }),
        ["error", "id", "jsonrpc"] => Some(Message::Reply {
            id: Some(id(root)?),
            body: error(root.get("error")?)?,
        }),
        ["error", "jsonrpc"] => Some(Message::Reply {
            id: None,
            body: error(root.get("error")?)?,
        }),
        ["jsonrpc", "method", "params"] => {
            notification(root.get("method")?.string()?, root.get("params")?)
        }
        // A request of the server's has an id beside these; none is sent so far.
        _ => None,
    }
}

/// The notifications that a server may send.
fn notification(method: &str, params: &Node<'_>) -> Option<Message> {
    match method {
        "notifications/progress" => Some(Message::Progress {
            token: params.get("progressToken")?.text.to_owned(),
            progress: params.get("progress")?.text.parse().ok()?,
        }),
        _ => None,
    }
}

fn id(root: &Node<'_>) -> Option<String> {
    let text = root.get("id")?.text;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_id = text.starts_with('"') || digits.bytes().all(|digit| digit.is_ascii_digit());
    is_id.then(|| text.to_owned())
}

fn result(result: &Node<'_>) -> Option<Option<Word>> {
    let Kind::Object(_) = result.kind else {
        return None;
    };
    Some(word(result))
}

/// What a tool of ours writes.
fn word(result: &Node<'_>) -> Option<Word> {
    let Kind::Array(blocks) = &result.get("content")?.kind else {
        return None;
    };
    // The text of a structured result, which every era has.
    let said = parse(blocks.first()?.get("text")?.string()?, 2)?.root;
    Some(Word {
        why: said.get("why")?.string()?.to_owned(),
        nonce: said.get("nonce")?.text.parse().ok()?,
    })
}

fn error(error: &Node<'_>) -> Option<Body> {
    Some(Body::Error {
        code: error.get("code")?.text.parse().ok()?,
        message: error.get("message")?.string()?.to_owned(),
    })
}
