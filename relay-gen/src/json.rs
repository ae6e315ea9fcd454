//! JSON in which every value knows its place in the file, and numbers and key order stay as written.

mod parse;
mod pointer;

use std::fmt;

use crate::source::Span;

pub(crate) use parse::first_too_deep;
pub use parse::{MAX_DEPTH, ParseError, ParseErrorKind, Unsound, parse};
pub(crate) use pointer::step;
pub use pointer::{decode_token, encode_token};

/// A value and its place.
#[derive(Debug, Clone)]
pub struct Node {
    /// Where the value stands.
    pub span: Span,
    /// The value.
    pub value: Json,
}

/// A JSON value as written.
#[derive(Debug, Clone)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as the text that was written.
    Number(String),
    /// A string, its escapes resolved.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object, its members in the order written. No two have the same key.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Debug, Clone)]
pub struct Member {
    /// The key, its escapes resolved.
    pub key: String,
    /// Where the key stands, quotes included.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value of a member, if this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|member| &member.value)
    }

    /// A member, if this is an object that has it.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.as_object()?.iter().find(|member| member.key == key)
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&[Member]> {
        match &self.value {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Json::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean, if this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number's text, if this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&str> {
        match &self.value {
            Json::Number(text) => Some(text),
            _ => None,
        }
    }

    /// What sort of value this is, as messages name it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }

    /// The value at a JSON Pointer (RFC 6901, not percent-encoded).
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Node> {
        pointer::find(self, pointer)
    }
}

/// Compact JSON: key order and number text as written.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(text) => f.write_str(text),
            Json::String(text) => write_string(text, f),
            Json::Array(elements) => {
                f.write_str("[")?;
                for (at, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if at == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (at, member) in members.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { "," })?;
                    write_string(&member.key, f)?;
                    write!(f, ":{}", member.value)?;
                }
                f.write_str("}")
            }
        }
    }
}

fn write_string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let quoted = serde_json::to_string(text).map_err(|_| fmt::Error)?;
    f.write_str(&quoted)
}
