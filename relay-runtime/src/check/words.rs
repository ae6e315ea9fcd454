//! How a violation is put: one voice, for a model to act on.

use super::table::{ARRAY, BOOLEAN, INTEGER, Literal, NULL, NUMBER, OBJECT, STRING, Types};
use super::value::Value;

/// Longer values are cut: a message is read by a model, and repeated in its context.
const MAX_SHOWN: usize = 60;

/// More alternatives than this are counted rather than listed.
const MAX_LISTED: usize = 40;

pub(super) fn types(types: Types) -> String {
    let names = [
        (STRING, "a string"),
        (INTEGER, "an integer"),
        (NUMBER, "a number"),
        (BOOLEAN, "true or false"),
        (ARRAY, "an array"),
        (OBJECT, "an object"),
        (NULL, "null"),
    ];
    let names: Vec<_> = names
        .iter()
        .filter(|(bit, _)| types & bit != 0)
        .map(|(_, name)| *name)
        .collect();
    names.join(" or ")
}

/// What came: its kind, and the value itself where it is short.
pub(super) fn value(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) => format!("the number {}", shortened(text)),
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Array(items) => format!("an array of {}", count(items.len() as u64, "item")),
        Value::Object(members) => format!("an object of {}", count(members.len() as u64, "member")),
    }
}

pub(super) fn literal(literal: &Literal) -> String {
    let mut text = String::new();
    Value::from(literal).write_plain(&mut text);
    shortened(&text)
}

pub(super) fn literals(literals: &[Literal]) -> String {
    let listed: Vec<_> = literals.iter().take(MAX_LISTED).map(literal).collect();
    let rest = literals.len().saturating_sub(MAX_LISTED);
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("{}{more}", listed.join(", "))
}

/// The text in quotes, escaped as JSON, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let cut = shortened(text);
    // A string always serialises.
    serde_json::to_string(&cut).unwrap_or_default()
}

pub(super) fn shortened(text: &str) -> String {
    clipped(text, MAX_SHOWN)
}

/// The text, or its first characters where it is longer.
pub(super) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[inline(never)]
pub(crate) fn count(number: u64, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

pub(super) fn range(least: u64, most: Option<u64>) -> String {
    match most {
        Some(most) if most == least => format!("exactly {}", count(least, "item")),
        Some(most) => format!("from {least} to {}", count(most, "item")),
        None => format!("at least {}", count(least, "item")),
    }
}

/// Appends a reference token to a JSON Pointer (RFC 6901).
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for letter in token.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            letter => pointer.push(letter),
        }
    }
}
