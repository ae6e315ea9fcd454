//! Damage to a frame.

use crate::Rng;

/// Values where others stood.
const ODD: [&str; 35] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1.0",
    "1.5",
    "1e2",
    "1e400",
    "-1E-400",
    "01",
    "+1",
    "-",
    "NaN",
    "Infinity",
    "18446744073709551616",
    "123456789012345678901234567890",
    "\"\"",
    "\"a\"",
    "\"\\u0061\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\udc00\"",
    "\"\u{2028}\"",
    "\"\\u2029\"",
    "\"\\u0000\"",
    "[]",
    "{}",
    "[1,]",
    "{\"a\":1,\"a\":2}",
    "\"2026-07-28\"",
    "\"2025-11-25\"",
    "\"tools/call\"",
    "\"notifications/cancelled\"",
];

/// Bytes that mean something, or nothing.
const BYTES: &[u8] = b"{}[]\",:\\/0-19.eEutn \t\r\0\x0b\x0c\x1f\x7f\x80\xa8\xc2\xe2\xed\xf4\xff";

/// A frame with a few faults; the other one gives it parts.
pub(super) fn damage(
    rng: &mut Rng,
    mut frame: Vec<u8>,
    other: &[u8],
    frame_bytes: usize,
) -> Vec<u8> {
    for _ in 0..=rng.below(3) {
        frame = fault(rng, frame, other, frame_bytes);
    }
    frame
}

/// Bytes that nobody meant.
pub(super) fn garbage(rng: &mut Rng) -> Vec<u8> {
    let length = rng.below(60);
    let mut bytes = Vec::with_capacity(length);
    let any = rng.below(2) == 0;
    for _ in 0..length {
        bytes.push(if any {
            rng.number().to_le_bytes()[0]
        } else {
            *rng.pick(BYTES)
        });
    }
    bytes
}

fn fault(rng: &mut Rng, mut frame: Vec<u8>, other: &[u8], frame_bytes: usize) -> Vec<u8> {
    let at = rng.below(frame.len() + 1);
    match rng.below(15) {
        0 => {
            if let Some(byte) = frame.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        1 => {
            if let Some(byte) = frame.get_mut(at) {
                *byte = *rng.pick(BYTES);
            }
        }
        2 => frame.insert(at, *rng.pick(BYTES)),
        3 => drop(frame.drain(at..frame.len().min(at + 1 + rng.below(8)))),
        4 => frame.truncate(at),
        5 => {
            frame.truncate(at);
            frame.extend_from_slice(&other[rng.below(other.len() + 1)..]);
        }
        6 => {
            // Often a member that is there twice.
            let piece = frame[at..frame.len().min(at + rng.below(40))].to_vec();
            frame.splice(at..at, piece);
        }
        7 => twice(rng, &mut frame),
        8..11 => {
            let odd = *rng.pick(&ODD);
            replace_value(rng, &mut frame, odd.as_bytes());
        }
        11 => {
            let levels = *rng.pick(&[3, 7, 60, 64, 70, 130, 1000]);
            let nested = nest(rng, levels);
            replace_value(rng, &mut frame, &nested);
        }
        12 => {
            let length = rng.below(frame_bytes * 2);
            let text = format!("\"{}\"", "é".repeat(length / 2));
            replace_value(rng, &mut frame, text.as_bytes());
        }
        13 => {
            // The same text, written another way; outside of a string it is a fault.
            if let Some(byte) = frame.get(at).copied().filter(u8::is_ascii_graphic) {
                frame.splice(at..=at, format!("\\u{byte:04x}").into_bytes());
            }
        }
        _ => {
            let blank = *rng.pick(&[" ", "\t", "\r", "\r\n", "\u{feff}", "\u{2028}", "\u{c}"]);
            frame.splice(at..at, blank.bytes());
        }
    }
    frame
}

/// Puts the members of some object there a second time.
fn twice(rng: &mut Rng, frame: &mut Vec<u8>) {
    let Some(start) = some(rng, frame, b"{,") else {
        return;
    };
    let rest = &frame[start + 1..];
    let Some(length) = rest.iter().position(|byte| b",}".contains(byte)) else {
        return;
    };
    let mut member = rest[..length].to_vec();
    member.push(b',');
    frame.splice(start + 1..start + 1, member);
}

/// Puts a value in the place of another.
fn replace_value(rng: &mut Rng, frame: &mut Vec<u8>, value: &[u8]) {
    let Some(colon) = some(rng, frame, b":") else {
        return;
    };
    let rest = &frame[colon + 1..];
    // The end of a scalar; of an object or array it is somewhere inside, which is damage too.
    let length = rest.iter().position(|byte| b",}".contains(byte));
    let end = colon + 1 + length.unwrap_or(rest.len());
    frame.splice(colon + 1..end, value.iter().copied());
}

/// The place of one of these bytes.
fn some(rng: &mut Rng, frame: &[u8], wanted: &[u8]) -> Option<usize> {
    let places = frame.iter().enumerate();
    let found: Vec<usize> = places
        .filter(|(_, byte)| wanted.contains(byte))
        .map(|(place, _)| place)
        .collect();
    if found.is_empty() {
        return None;
    }
    Some(*rng.pick(&found))
}

fn nest(rng: &mut Rng, levels: usize) -> Vec<u8> {
    let (open, close): (&[u8], &[u8]) = match rng.below(3) {
        0 => (b"[", b"]"),
        1 => (b"{\"a\":", b"}"),
        _ => (b"[{\"b\":", b"}]"),
    };
    let mut nested = open.repeat(levels);
    nested.push(b'1');
    // Some are not closed as they should be.
    let closed = if rng.below(8) == 0 {
        levels - 1
    } else {
        levels
    };
    nested.extend_from_slice(&close.repeat(closed));
    nested
}
