//! Messages as lines: what must not stand in a line is written another way.

/// Ends a message: one line, with nothing in it that some reader takes for the end of a line.
///
/// A line break in JSON text is white space between tokens; U+2028 and U+2029 stand only in
/// strings, where an escape means the same.
pub(super) fn seal(mut message: Vec<u8>) -> Vec<u8> {
    if let Some(first) = memchr::memchr3(b'\n', b'\r', SEPARATOR, &message) {
        message = rewritten(&message, first);
    }
    message.push(b'\n');
    message
}

/// What U+2028 and U+2029 start with.
const SEPARATOR: u8 = 0xE2;

fn rewritten(message: &[u8], mut next: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len() + 64);
    let mut rest = message;
    loop {
        let (before, from) = rest.split_at(next);
        out.extend_from_slice(before);
        let (written, passed): (&[u8], usize) = match from {
            [0xE2, 0x80, 0xA8, ..] => (b"\\u2028", 3),
            [0xE2, 0x80, 0xA9, ..] => (b"\\u2029", 3),
            [other @ 0xE2, ..] => (std::slice::from_ref(other), 1),
            _ => (b" ", 1),
        };
        out.extend_from_slice(written);
        rest = &from[passed..];
        match memchr::memchr3(b'\n', b'\r', SEPARATOR, rest) {
            Some(found) => next = found,
            None => break,
        }
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::seal;

    fn sealed(text: &str) -> String {
        String::from_utf8(seal(text.into())).unwrap()
    }

    #[test]
    fn what_ends_lines_is_written_another_way() {
        assert_eq!(sealed("{\"a\":1}"), "{\"a\":1}\n");
        assert_eq!(sealed("{\r\n \"a\":1\n}"), "{   \"a\":1 }\n");
        assert_eq!(sealed("\"\u{2028}x\u{2029}\""), "\"\\u2028x\\u2029\"\n");
        assert_eq!(sealed("\"€ \u{2027}\u{202a}\""), "\"€ \u{2027}\u{202a}\"\n");
    }
}
