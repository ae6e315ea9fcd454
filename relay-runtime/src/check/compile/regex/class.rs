//! Classes of characters.

use regex_syntax::hir::{Class as Hir, HirKind};

use super::super::super::pattern::Part;
use super::super::super::table::Text;
use super::Parser;

/// Ranges of characters, both ends included.
#[derive(Debug, Clone, Default)]
pub(super) struct Class(Vec<(char, char)>);

impl Class {
    pub(super) fn digits() -> Self {
        Self(vec![('0', '9')])
    }

    pub(super) fn word() -> Self {
        Self(vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')])
    }

    /// ECMA-262, `WhiteSpace` and `LineTerminator`.
    pub(super) fn space() -> Self {
        let spaces = [
            ('\t', '\r'),
            (' ', ' '),
            ('\u{a0}', '\u{a0}'),
            ('\u{1680}', '\u{1680}'),
            ('\u{2000}', '\u{200a}'),
            ('\u{2028}', '\u{2029}'),
            ('\u{202f}', '\u{202f}'),
            ('\u{205f}', '\u{205f}'),
            ('\u{3000}', '\u{3000}'),
            ('\u{feff}', '\u{feff}'),
        ];
        Self(spaces.into())
    }

    pub(super) fn line_ends() -> Self {
        Self(vec![('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')])
    }

    /// The characters of a Unicode property: `L`, `Letter`, `Script=Greek`, `Emoji`.
    pub(super) fn property(name: &str) -> Option<Self> {
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '=');
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let parsed = regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?;
        match parsed.kind() {
            HirKind::Class(Hir::Unicode(class)) => Some(Self(
                class
                    .ranges()
                    .iter()
                    .map(|range| (range.start(), range.end()))
                    .collect(),
            )),
            _ => None,
        }
    }

    fn add(&mut self, first: char, last: char) {
        self.0.push((first, last));
    }

    /// Every other character.
    pub(super) fn negated(&self) -> Self {
        let mut gaps = Vec::new();
        let mut next = Some('\0');
        for (first, last) in self.merged() {
            if let Some(start) = next.filter(|start| *start < first) {
                gaps.extend(before(first).map(|end| (start, end)));
            }
            next = after(last);
        }
        gaps.extend(next.map(|start| (start, char::MAX)));
        Self(gaps)
    }

    /// The ranges in rising order, those that touch as one.
    fn merged(&self) -> Vec<(char, char)> {
        let mut ranges = self.0.clone();
        ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(range) if after(range.1).is_none_or(|next| first <= next) => {
                    range.1 = range.1.max(last)
                }
                _ => merged.push((first, last)),
            }
        }
        merged
    }

    pub(super) fn into_part(self) -> Part {
        let ranges: String = self
            .merged()
            .into_iter()
            .flat_map(|(first, last)| [first, last])
            .collect();
        Part::Class(Text::from(ranges.as_str()))
    }
}

fn after(letter: char) -> Option<char> {
    (letter..=char::MAX).nth(1)
}

fn before(letter: char) -> Option<char> {
    ('\0'..letter).next_back()
}

/// What stands in a class: a character, which may begin a range, or a class of its own.
pub(super) enum Member {
    Char(char),
    Class(Class),
}

impl Parser<'_> {
    /// `[…]` and `[^…]`.
    pub(super) fn class(&mut self) -> Result<Class, String> {
        let is_negated = self.eat("[^") || !self.eat("[");
        let mut class = Class::default();
        loop {
            match self.peek() {
                None => return Err(self.wrong("`[` without `]`")),
                Some(']') => break,
                Some(_) => self.range(&mut class)?,
            }
        }
        self.next();
        Ok(if is_negated { class.negated() } else { class })
    }

    fn range(&mut self, class: &mut Class) -> Result<(), String> {
        let first = match self.member()? {
            Member::Char(first) => first,
            Member::Class(inner) => {
                class.0.extend(inner.0);
                return Ok(());
            }
        };
        let is_range =
            self.text[self.at..].starts_with('-') && !self.text[self.at..].starts_with("-]");
        if !is_range {
            class.add(first, first);
            return Ok(());
        }
        self.next();
        match self.member()? {
            Member::Char(last) if last < first => Err(self.wrong("a range is out of order")),
            Member::Char(last) => {
                class.add(first, last);
                Ok(())
            }
            Member::Class(_) => Err(self.wrong("a range ends in a class")),
        }
    }

    fn member(&mut self) -> Result<Member, String> {
        match self.peek() {
            Some('\\') => self.class_escape(),
            Some(letter) => Ok(self.take(Member::Char(letter))),
            None => Err(self.wrong("`[` without `]`")),
        }
    }
}
