//! URI templates of RFC 6570.

use super::uri::{is_encoded, is_private, is_ucschar};

pub(super) fn is_template(text: &str) -> bool {
    let mut parts = text.split('{');
    let is_plain = |text: &str| is_encoded(text, is_literal);
    parts.next().is_none_or(is_plain)
        && parts.all(|part| match part.split_once('}') {
            Some((expression, literals)) => is_expression(expression) && is_plain(literals),
            None => false,
        })
}

/// Section 2.1; an erratum allows the apostrophe.
fn is_literal(letter: char) -> bool {
    match letter {
        '"' | '%' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => false,
        '!'..='~' => true,
        letter => is_ucschar(letter) || is_private(letter),
    }
}

/// What stands between braces: perhaps an operator, then variables.
fn is_expression(text: &str) -> bool {
    const OPERATORS: [char; 12] = ['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|'];
    text.strip_prefix(OPERATORS)
        .unwrap_or(text)
        .split(',')
        .all(is_variable)
}

/// A name, perhaps with `*`, or with `:` and the length of a prefix.
fn is_variable(text: &str) -> bool {
    match text.split_once(':') {
        Some((name, length)) => is_name(name) && is_length(length),
        None => is_name(text.strip_suffix('*').unwrap_or(text)),
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && is_encoded(part, |letter| {
                letter.is_ascii_alphanumeric() || letter == '_'
            })
    };
    text.split('.').all(is_part)
}

/// From 1 to 9999.
fn is_length(text: &str) -> bool {
    (1..=4).contains(&text.len())
        && !text.starts_with('0')
        && text.bytes().all(|digit| digit.is_ascii_digit())
}
