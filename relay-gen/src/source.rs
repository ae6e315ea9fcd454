//! The texts that were read, and places in them.

use std::fmt;

/// Which of the [`Sources`] a place is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A stretch of one file, as byte offsets into its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that the stretch is in.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The empty stretch at the start of a file.
    #[must_use]
    pub fn file_start(file: FileId) -> Self {
        Self {
            file,
            start: 0,
            end: 0,
        }
    }

    /// Whether all of `inner` lies within this stretch.
    #[must_use]
    pub fn contains(&self, inner: &Span) -> bool {
        self.file == inner.file && self.start <= inner.start && inner.end <= self.end
    }
}

/// A line and a column, both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One text with the path under which messages show it.
#[derive(Debug, Clone)]
pub struct Source {
    path: String,
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// A text shown as `path`. A byte order mark at its start is left out.
    #[must_use]
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Self {
            path: path.into(),
            text,
            line_starts,
        }
    }

    /// The path as messages show it: the root as it was given, then `/` between the parts.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The text, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line (from 0) that holds an offset.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// The byte offsets of a line (from 0), its newline not included.
    #[must_use]
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts.get(line).copied();
        let start = start.unwrap_or(self.text.len());
        let end = match self.line_starts.get(line + 1) {
            Some(next) => next - 1,
            None => self.text.len(),
        };
        let line = &self.text[start..end];
        start..start + line.strip_suffix('\r').unwrap_or(line).len()
    }

    /// Where an offset is, for people. An offset past the end is at the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor_char(offset);
        let line = self.line_of(offset);
        let start = self.line_starts[line];
        Position {
            line: line + 1,
            column: self.text[start..offset].chars().count() + 1,
        }
    }

    /// The nearest offset at or before `offset` that does not split a character.
    pub(crate) fn floor_char(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// Every text that was read, by [`FileId`].
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a text.
    ///
    /// # Panics
    /// With more than `u32::MAX` texts.
    pub fn add(&mut self, source: Source) -> FileId {
        let id = u32::try_from(self.files.len()).expect("fewer than 2^32 files");
        self.files.push(source);
        FileId(id)
    }

    /// The text with this id.
    ///
    /// # Panics
    /// If the id belongs to other `Sources`.
    #[must_use]
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file.0 as usize]
    }

    /// All texts with their ids, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The text that a place covers.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.file).text[span.start as usize..span.end as usize]
    }

    /// Where a place starts, for people.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        self.get(span.file).position(span.start as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_a_bom_counts_nothing() {
        let source = Source::new("a.json", "\u{feff}{\r\n \"é\": 1}\n");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        let one = source.text().find('1').unwrap();
        assert_eq!(source.position(one), Position { line: 2, column: 7 });
        assert_eq!(source.line_range(0), 0..1);
        assert_eq!(source.position(999), Position { line: 3, column: 1 });
    }
}
