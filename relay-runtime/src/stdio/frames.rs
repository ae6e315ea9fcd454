//! Bytes into frames.

use std::ops::Range;
use std::sync::Arc;

use crate::engine::Frame;
use crate::protocol::IdFinder;
use crate::request_id::RequestId;

/// Splits a stream into lines, in memory that is bounded by the longest line allowed.
///
/// What is read goes straight into the buffer that the lines are then taken from.
pub(super) struct Frames {
    max_bytes: usize,
    chunk: usize,
    /// Shared with those who still use lines that were taken.
    buffer: Arc<Vec<u8>>,
    /// What is read and not taken yet.
    unread: Range<usize>,
    /// No newline stands before this.
    searched: usize,
    /// Set while a line that is too long passes.
    discarding: Option<IdFinder>,
    /// No line has been taken yet.
    at_start: bool,
}

/// A buffer that has grown beyond this is given back once it is empty.
const KEPT_CAPACITY: usize = 2 << 20;

/// Room beside a chunk, for the start of a line that the last one has left.
const STARTED_LINE: usize = 4 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A frame, or where it stands in the buffer.
pub(super) enum Taken {
    Line(Range<usize>),
    TooLong(Option<RequestId>),
}

impl Taken {
    /// The frame, in the [buffer](Frames::buffer) that it was taken from.
    pub(super) fn frame<'a>(&'a self, buffer: &'a [u8]) -> Frame<'a> {
        match self {
            Self::Line(place) => Frame::Line(&buffer[place.clone()]),
            Self::TooLong(id) => Frame::TooLong(id.as_ref()),
        }
    }
}

/// A buffer for what is read in chunks of this size.
///
/// It has more room than that. What is as large allocators take from the system, whose memory is
/// none before it is written to; what is smaller they would write zeros to.
fn fresh(chunk: usize) -> Arc<Vec<u8>> {
    let mut buffer = vec![0; 2 * chunk];
    buffer.resize(chunk + STARTED_LINE, 0);
    Arc::new(buffer)
}

impl Frames {
    /// Frames of at most so many bytes, of a stream that is read in chunks of at most so many.
    pub(super) fn new(max_bytes: usize, chunk: usize) -> Self {
        Self {
            max_bytes,
            chunk,
            buffer: fresh(chunk),
            unread: 0..0,
            searched: 0,
            discarding: None,
            at_start: true,
        }
    }

    /// What the lines that are taken stand in, until there is more [space](Self::space): who still
    /// has it then keeps it as it is.
    pub(super) fn buffer(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.buffer)
    }

    /// Takes the next line whose end has been read.
    pub(super) fn next(&mut self) -> Option<Taken> {
        let rest = &self.buffer[self.searched..self.unread.end];
        let Some(length) = memchr::memchr(b'\n', rest) else {
            self.searched = self.unread.end;
            self.discard_if_long();
            return None;
        };
        let newline = self.searched + length;
        let line = self.unread.start..newline;
        self.unread.start = newline + 1;
        self.searched = newline + 1;
        Some(self.take(line))
    }

    /// Takes what stands after the last newline, if anything.
    pub(super) fn last(&mut self) -> Option<Taken> {
        let line = self.unread.clone();
        self.unread.start = self.unread.end;
        (self.discarding.is_some() || !line.is_empty()).then(|| self.take(line))
    }

    /// Where to read more: never empty, and never more than a chunk.
    pub(super) fn space(&mut self) -> &mut [u8] {
        if self.unread.is_empty() {
            self.unread = 0..0;
            self.searched = 0;
            if self.buffer.len() > KEPT_CAPACITY.max(self.chunk + STARTED_LINE) {
                self.buffer = fresh(self.chunk);
            }
        }
        let room = self.buffer.len() - self.unread.end;
        // A short start is moved rather than a short chunk read.
        let is_cramped = room < self.chunk && self.unread.len() <= STARTED_LINE;
        if room == 0 || is_cramped || Arc::get_mut(&mut self.buffer).is_none() {
            self.make_space();
        }
        let end = self.unread.end;
        // It was made one's own above.
        let buffer =
            Arc::get_mut(&mut self.buffer).map_or(&mut [][..], |buffer| &mut buffer[end..]);
        let length = buffer.len().min(self.chunk);
        &mut buffer[..length]
    }

    /// So many bytes of the space are read now.
    pub(super) fn filled(&mut self, length: usize) {
        self.unread.end += length;
    }

    /// Moves what is left to the front of a buffer that nobody else uses and that has room.
    fn make_space(&mut self) {
        let kept = self.unread.clone();
        let length = kept.len();
        let has_room = length <= self.buffer.len() / 2;
        match Arc::get_mut(&mut self.buffer) {
            Some(buffer) if has_room => buffer.copy_within(kept, 0),
            _ => {
                let size = if has_room {
                    self.buffer.len()
                } else {
                    (self.buffer.len() + 1).next_power_of_two()
                };
                let mut buffer = vec![0; size];
                buffer[..length].copy_from_slice(&self.buffer[kept]);
                self.buffer = Arc::new(buffer);
            }
        }
        self.searched -= self.unread.start;
        self.unread = 0..length;
    }

    fn take(&mut self, line: Range<usize>) -> Taken {
        if let Some(mut finder) = self.discarding.take() {
            finder.feed(&self.buffer[line]);
            self.at_start = false;
            return Taken::TooLong(finder.id());
        }
        let line = self.without_mark(line);
        if line.len() > self.max_bytes {
            let mut finder = IdFinder::default();
            finder.feed(&self.buffer[line]);
            return Taken::TooLong(finder.id());
        }
        Taken::Line(line)
    }

    /// Of a line that is too long, only the id is looked for, in constant memory.
    fn discard_if_long(&mut self) {
        let mark = if self.at_start {
            BYTE_ORDER_MARK.len()
        } else {
            0
        };
        if self.discarding.is_none() && self.unread.len() <= self.max_bytes + mark {
            return;
        }
        let bytes = self.unread.clone();
        let bytes = if self.discarding.is_none() {
            self.without_mark(bytes)
        } else {
            bytes
        };
        self.discarding
            .get_or_insert_default()
            .feed(&self.buffer[bytes]);
        self.unread.start = self.unread.end;
    }

    /// A line without the mark that some writers put at the very start of a stream.
    fn without_mark(&mut self, line: Range<usize>) -> Range<usize> {
        let marked = std::mem::take(&mut self.at_start)
            && self.buffer[line.clone()].starts_with(BYTE_ORDER_MARK);
        let mark = if marked { BYTE_ORDER_MARK.len() } else { 0 };
        line.start + mark..line.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(frames: &mut Frames, mut bytes: &[u8], mut take: impl FnMut(&Taken, Arc<Vec<u8>>)) {
        while !bytes.is_empty() {
            let space = frames.space();
            let length = space.len().min(bytes.len());
            space[..length].copy_from_slice(&bytes[..length]);
            frames.filled(length);
            bytes = &bytes[length..];
            while let Some(taken) = frames.next() {
                take(&taken, frames.buffer());
            }
        }
    }

    fn frames(input: &[u8], chunk: usize, max_bytes: usize) -> Vec<String> {
        let mut seen = Vec::new();
        let mut take = |taken: &Taken, buffer: Arc<Vec<u8>>| {
            seen.push(match taken.frame(&buffer) {
                Frame::Line(line) => String::from_utf8_lossy(line).into_owned(),
                Frame::TooLong(id) => format!("too long: {id:?}"),
            });
        };
        let mut frames = Frames::new(max_bytes, chunk);
        read(&mut frames, input, &mut take);
        if let Some(last) = frames.last() {
            take(&last, frames.buffer());
        }
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
    fn a_mark_before_a_line_that_is_too_long_is_no_part_of_it() {
        let long = format!("\u{feff}{{\"id\":7,\"x\":\"{}\"}}\nnext", "y".repeat(100));
        for chunk in 1..long.len() + 1 {
            assert_eq!(
                frames(long.as_bytes(), chunk, 50),
                ["too long: Some(RequestId(7))", "next"],
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
            assert_eq!(frames("\u{feff}12345\n".as_bytes(), chunk, 5), ["12345"]);
            assert_eq!(
                frames("\u{feff}123456\n".as_bytes(), chunk, 5),
                ["too long: None"]
            );
        }
    }

    #[test]
    fn a_line_that_is_in_use_stays_as_it_is() {
        let mut frames = Frames::new(50, 4);
        let mut taken = Vec::new();
        for line in 0..10_000 {
            read(
                &mut frames,
                format!("{line}\n").as_bytes(),
                |line, buffer| {
                    if let Taken::Line(place) = line {
                        taken.push((buffer, place.clone()));
                    }
                },
            );
        }
        for (line, (buffer, place)) in taken.into_iter().enumerate() {
            assert_eq!(buffer[place], *line.to_string().as_bytes());
        }
    }

    #[test]
    fn the_start_of_a_line_shortens_no_chunk() {
        let mut frames = Frames::new(1 << 20, 1 << 10);
        for _ in 0..10 {
            let space = frames.space();
            assert_eq!(space.len(), 1 << 10);
            space.fill(b'x');
            space[1000] = b'\n';
            frames.filled(1 << 10);
            while frames.next().is_some() {}
        }
    }

    #[test]
    fn the_memory_of_a_long_line_is_given_back() {
        let mut frames = Frames::new(8 << 20, 1 << 10);
        read(&mut frames, &vec![b'x'; 5 << 20], |_, _| {});
        assert!(frames.buffer.len() > 5 << 20);
        read(&mut frames, b"\n", |_, _| {});
        frames.space();
        assert_eq!(frames.buffer.len(), (1 << 10) + STARTED_LINE);
        read(&mut frames, &vec![b'x'; 64 << 20], |_, _| {});
        assert!(frames.buffer.len() <= 16 << 20);
        frames.space();
        assert_eq!(frames.buffer.len(), (1 << 10) + STARTED_LINE);
    }
}
