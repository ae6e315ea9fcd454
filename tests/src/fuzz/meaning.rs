//! What a line that is sent must lead to, read from its bytes alone and apart from the runtime.

use super::json::{Kind, Node, parse};

/// What a line is owed.
#[derive(Debug)]
pub(super) enum Meaning {
    /// No answer.
    Nothing,
    /// No answer; and none any more to the call with this id.
    Cancel(Key),
    /// It is no JSON: -32700, with an id where one can be read.
    Garbage,
    /// It is over the limit: -32600, with an id where one can be found.
    TooLong,
    /// An error with this code and id.
    Refusal { code: i64, id: Option<String> },
    /// One answer.
    Request(Ask),
}

/// An id by its value, as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    Number(String),
    Text(String),
}

/// A well-formed request.
#[derive(Debug)]
pub(super) struct Ask {
    /// The text of its id, as an answer has it.
    pub(super) id: String,
    pub(super) key: Key,
    pub(super) call: Option<ToolCall>,
}

/// A call of a tool, by what our tools know it by.
#[derive(Debug)]
pub(super) struct ToolCall {
    pub(super) tool: String,
    /// The number that tells the call from all others.
    pub(super) nonce: Option<u64>,
    /// Of a `release`: the nonce of the call that it ends.
    pub(super) target: Option<u64>,
    /// The text of its token, as a report has it.
    pub(super) token: Option<String>,
}

/// What bounds a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineLimits {
    pub(super) bytes: usize,
    pub(super) depth: usize,
}

const MARK: &[u8] = b"\xEF\xBB\xBF";
const MAX_ID_BYTES: usize = 1024;

/// Reads a line; the first of a stream may have a byte order mark.
pub(super) fn meaning(line: &[u8], is_first: bool, limits: LineLimits) -> Meaning {
    if line.len() > limits.bytes {
        return Meaning::TooLong;
    }
    let line = match line.strip_prefix(MARK) {
        Some(rest) if is_first => rest,
        _ => line,
    };
    if line.iter().all(|byte| b" \t\r".contains(byte)) {
        return Meaning::Nothing;
    }
    let Some(parsed) = str::from_utf8(line)
        .ok()
        .and_then(|text| parse(text, limits.depth))
    else {
        return Meaning::Garbage;
    };
    let root = &parsed.root;
    let refusal = |code, id: Option<(String, Key)>| Meaning::Refusal {
        code,
        id: id.map(|(text, _)| text),
    };
    let Kind::Object(members) = &root.kind else {
        return refusal(-32600, None);
    };
    let method = root.get("method");
    let is_response =
        method.is_none() && (root.get("result").is_some() || root.get("error").is_some());
    let Some(raw_id) = root.get("id") else {
        if method.is_none() && !is_response {
            return refusal(-32600, None);
        }
        return if parsed.twice {
            Meaning::Nothing
        } else {
            notification(root)
        };
    };
    if is_response {
        return Meaning::Nothing;
    }
    let is_one = members.iter().filter(|(name, _)| name == "id").count() == 1;
    let id = id(raw_id).filter(|_| is_one);
    let is_version_2 = root.get("jsonrpc").and_then(Node::string) == Some("2.0");
    let method = method.and_then(Node::string);
    match (id, method) {
        (Some((id, key)), Some(method)) if is_version_2 && !parsed.twice => {
            if parsed.deep {
                return refusal(-32602, Some((id, key)));
            }
            let call = (method == "tools/call").then(|| tool_call(root)).flatten();
            Meaning::Request(Ask { id, key, call })
        }
        (id, _) => refusal(-32600, id),
    }
}

fn notification(root: &Node<'_>) -> Meaning {
    let is_cancel = root.get("jsonrpc").and_then(Node::string) == Some("2.0")
        && root.get("method").and_then(Node::string) == Some("notifications/cancelled");
    let named = root
        .get("params")
        .and_then(|params| params.get("requestId"))
        .and_then(id);
    match named {
        Some((_, key)) if is_cancel => Meaning::Cancel(key),
        _ => Meaning::Nothing,
    }
}

/// The text of an id as it is echoed, and its value; `None` for what is no id.
fn id(node: &Node<'_>) -> Option<(String, Key)> {
    if node.text.len() > MAX_ID_BYTES {
        return None;
    }
    let key = match &node.kind {
        Kind::String(value) => Key::Text(value.clone()),
        Kind::Other if node.text == "-0" => Key::Number("0".into()),
        Kind::Other => {
            let digits = node.text.strip_prefix('-').unwrap_or(node.text);
            let is_integer = digits.bytes().all(|digit| digit.is_ascii_digit());
            is_integer.then(|| Key::Number(node.text.into()))?
        }
        _ => return None,
    };
    Some((escaped(node.text), key))
}

/// A text of the client's, as it stands in a line that is written.
fn escaped(text: &str) -> String {
    text.replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// A number without sign and fraction, however it is written.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is checked to be one"
)]
fn natural(node: &Node<'_>) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number: f64 = node.text.parse().ok()?;
    (number.fract() == 0.0 && (0.0..EXACT).contains(&number)).then_some(number as u64)
}

fn tool_call(root: &Node<'_>) -> Option<ToolCall> {
    let params = root.get("params")?;
    let argument = |name| natural(params.get("arguments")?.get(name)?);
    let token = params
        .get("_meta")
        .and_then(|meta| meta.get("progressToken"))
        .and_then(id);
    Some(ToolCall {
        tool: params.get("name")?.string()?.to_owned(),
        nonce: argument("nonce"),
        target: argument("target"),
        token: token.map(|(text, _)| text),
    })
}
