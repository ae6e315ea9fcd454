//! The tokens of JSON: each function passes one that starts at a byte, and says where it ends.

use super::plain::plain_length;
use super::{Broken, broken};

/// White space, if any.
#[inline]
pub(super) fn space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// A string; says also whether it has an escape.
#[inline]
pub(super) fn string(bytes: &[u8], at: usize) -> Result<(usize, bool), Broken> {
    let end = at + 1 + plain_length(&bytes[at + 1..]);
    match bytes.get(end) {
        Some(b'"') => Ok((end + 1, false)),
        _ => odd_string(bytes, end),
    }
}

/// A string that is plain up to a byte, which is no quote.
#[inline(never)]
fn odd_string(bytes: &[u8], mut at: usize) -> Result<(usize, bool), Broken> {
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok((at + 1, true)),
            Some(b'\\') => at = escape(bytes, at)?,
            Some(_) => {
                return Err(broken(
                    at,
                    "a control character in a string must be escaped",
                ));
            }
            None => return Err(broken(at, "a string is not closed")),
        }
        at += plain_length(&bytes[at..]);
    }
}

fn escape(bytes: &[u8], at: usize) -> Result<usize, Broken> {
    const LONE: &str = "a lone surrogate is no character";
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match unit(bytes, at)? {
            0xD800..=0xDBFF => match unit(bytes, at + 6) {
                Ok(0xDC00..=0xDFFF) => Ok(at + 12),
                _ => Err(broken(at, LONE)),
            },
            0xDC00..=0xDFFF => Err(broken(at, LONE)),
            _ => Ok(at + 6),
        },
        _ => Err(broken(at, "this escape does not exist")),
    }
}

/// The code unit of the `\uXXXX` at a place.
fn unit(bytes: &[u8], at: usize) -> Result<u32, Broken> {
    let broken = broken(at, "`\\u` needs four hexadecimal digits");
    match bytes.get(at..at + 6) {
        Some([b'\\', b'u', digits @ ..]) => digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit).to_digit(16).ok_or(broken)?;
            Ok(unit * 16 + digit)
        }),
        _ => Err(broken),
    }
}

pub(super) fn number(bytes: &[u8], mut at: usize) -> Result<usize, Broken> {
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    at = match bytes.get(at) {
        Some(b'0') => at + 1,
        _ => digits(bytes, at)?,
    };
    if bytes.get(at) == Some(&b'.') {
        at = digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits(bytes, at)?;
    }
    Ok(at)
}

fn digits(bytes: &[u8], start: usize) -> Result<usize, Broken> {
    let mut at = start;
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    if at == start {
        return Err(broken(at, "a digit is expected"));
    }
    Ok(at)
}

pub(super) fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Broken> {
    if !bytes[at..].starts_with(word) {
        return Err(broken(at, "no JSON value starts here"));
    }
    Ok(at + word.len())
}

/// What is nested too deep, by its brackets and strings alone, in constant memory.
pub(super) fn skip_unchecked(bytes: &[u8], mut at: usize) -> Result<usize, Broken> {
    let mut open = 0_usize;
    loop {
        match bytes.get(at) {
            Some(b'{' | b'[') => open += 1,
            Some(b'}' | b']') => open -= 1,
            Some(b'"') => {
                at = string(bytes, at)?.0;
                continue;
            }
            Some(_) => {}
            None => return Err(broken(at, "the message ends too early")),
        }
        at += 1;
        if open == 0 {
            return Ok(at);
        }
    }
}
