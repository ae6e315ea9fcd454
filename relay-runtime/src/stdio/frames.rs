//! Bytes into frames.

use crate::engine::Frame;
use crate::protocol::IdFinder;

/// Splits a stream into lines, in memory that is bounded by the longest line allowed.
pub(super) struct Frames {
    max_bytes: usize,
    /// The start of a line whose end is not there yet.
    partial: Vec<u8>,
    /// Set while a line that is too long passes.
    discarding: Option<IdFinder>,
    /// Nothing has been read yet.
    at_start: bool,
}

/// A buffer that has grown beyond this is given back after its line.
const KEPT_CAPACITY: usize = 64 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Frames {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            partial: Vec::new(),
            discarding: None,
            at_start: true,
        }
    }

    /// Reads on, and hands out every line that ends in this chunk.
    pub(super) fn feed(&mut self, chunk: &[u8], mut take: impl FnMut(Frame<'_>)) {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.end_line(&rest[..end], &mut take);
            rest = &rest[end + 1..];
        }
        self.keep(rest);
    }

    /// Hands out what stands after the last newline, if anything.
    pub(super) fn finish(mut self, mut take: impl FnMut(Frame<'_>)) {
        if self.discarding.is_some() || !self.partial.is_empty() {
            self.end_line(b"", &mut take);
        }
    }

    fn end_line(&mut self, tail: &[u8], take: &mut impl FnMut(Frame<'_>)) {
        if self.discarding.is_none() && self.partial.is_empty() && tail.len() <= self.max_bytes {
            // The usual case: a whole line in one chunk, which is not copied.
            let line = self.without_mark(tail);
            return take(Frame::Line(line));
        }
        self.keep(tail);
        match self.discarding.take() {
            Some(finder) => {
                self.at_start = false;
                take(Frame::TooLong(finder.id()));
            }
            None => {
                let mut partial = std::mem::take(&mut self.partial);
                take(Frame::Line(self.without_mark(&partial)));
                if partial.capacity() <= KEPT_CAPACITY {
                    partial.clear();
                    self.partial = partial;
                }
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if let Some(finder) = &mut self.discarding {
            finder.feed(bytes);
        } else if self.partial.len() + bytes.len() > self.max_bytes {
            // A mark may stand at the start of either, or across the two.
            let mut start = std::mem::take(&mut self.partial);
            let (more, rest) = bytes.split_at(bytes.len().min(BYTE_ORDER_MARK.len()));
            start.extend_from_slice(more);
            let mut finder = IdFinder::default();
            finder.feed(self.without_mark(&start));
            finder.feed(rest);
            self.discarding = Some(finder);
        } else {
            self.partial.extend_from_slice(bytes);
        }
    }

    /// A line without the mark that some writers put at the very start of a stream.
    fn without_mark<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        if std::mem::take(&mut self.at_start) {
            return line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(input: &[u8], chunk: usize, max_bytes: usize) -> Vec<String> {
        let mut seen = Vec::new();
        let mut take = |frame: Frame<'_>| {
            seen.push(match frame {
                Frame::Line(line) => String::from_utf8_lossy(line).into_owned(),
                Frame::TooLong(id) => format!("too long: {id:?}"),
            });
        };
        let mut frames = Frames::new(max_bytes);
        for bytes in input.chunks(chunk) {
            frames.feed(bytes, &mut take);
        }
        frames.finish(&mut take);
        seen
    }

    #[test]
    fn lines_are_the_same_however_they_are_read() {
        let long = format!("{{\"x\":\"{}\",\"id\":7}}", "y".repeat(100));
        let input = format!("\u{feff}one\n\ntwo\r\n{long}\n\u{feff}three\nfour");
        for chunk in 1..input.len() + 1 {
            assert_eq!(
                frames(input.as_bytes(), chunk, 50),
                [
                    "one",
                    "",
                    "two\r",
                    "too long: Some(RequestId(7))",
                    "\u{feff}three",
                    "four"
                ],
                "chunks of {chunk}"
            );
        }
    }

    #[test]
    fn a_mark_before_a_long_line_is_skipped_too() {
        let long = format!("\u{feff}{{\"x\":\"{}\",\"id\":7}}", "y".repeat(100));
        for chunk in 1..long.len() + 1 {
            assert_eq!(
                frames(long.as_bytes(), chunk, 50),
                ["too long: Some(RequestId(7))"],
                "chunks of {chunk}"
            );
        }
    }

    #[test]
    fn the_limit_is_exact() {
        for chunk in 1..8 {
            assert_eq!(frames(b"12345\n123456\n12345", chunk, 5).len(), 3);
            assert_eq!(
                frames(b"12345\n123456\n123456", chunk, 5),
                ["12345", "too long: None", "too long: None"]
            );
        }
    }

    #[test]
    fn the_memory_of_a_long_line_is_given_back() {
        let mut frames = Frames::new(1 << 20);
        frames.feed(&[b'x'; 1 << 19], |_| {});
        frames.feed(b"\n", |_| {});
        assert_eq!(frames.partial.capacity(), 0);
        frames.feed(&[b'x'; 1 << 20], |_| {});
        frames.feed(b"x", |_| {});
        assert_eq!(frames.partial.capacity(), 0);
    }
}
