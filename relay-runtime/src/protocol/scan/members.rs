//! The members of an object, as places in the text.

use std::borrow::Cow;

use crate::check;
use crate::sorted::sorted_places;

/// The members of one object.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Members<'a> {
    text: &'a str,
    spans: &'a [Span],
}

/// Where a member stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Of its key, without the quotes.
    pub(super) key: (usize, usize),
    /// The key has an escape.
    pub(super) escaped: bool,
    /// Of its value.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    /// The key, with its escapes resolved.
    #[inline(never)]
    pub(super) fn name<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let (start, end) = self.key;
        if self.escaped
            // What was scanned can be read.
            && let Some(name) = check::string(&text[start - 1..end + 1])
        {
            return name;
        }
        Cow::Borrowed(&text[start..end])
    }

    /// With a name that is known where this is called, a few instructions.
    #[inline(always)]
    pub(super) fn is_named(&self, name: &str, text: &str) -> bool {
        // Most names differ in their length already; an escape makes a key longer than its name.
        if self.length() == name.len() {
            self.key(text) == name.as_bytes()
        } else {
            self.escaped && self.name(text) == name
        }
    }

    /// The same member of an object that starts elsewhere.
    pub(super) fn moved(&self, from: usize, to: usize) -> Self {
        let moved = |at: usize| at - from + to;
        Self {
            key: (moved(self.key.0), moved(self.key.1)),
            escaped: self.escaped,
            start: moved(self.start),
            end: moved(self.end),
        }
    }

    #[inline(always)]
    fn length(&self) -> usize {
        self.key.1 - self.key.0
    }

    /// The key as it stands there: bytes need not be looked at for where a character begins.
    #[inline(always)]
    fn key<'a>(&self, text: &'a str) -> &'a [u8] {
        &text.as_bytes()[self.key.0..self.key.1]
    }
}

impl<'a> Members<'a> {
    pub(super) fn new(text: &'a str, spans: &'a [Span]) -> Self {
        Self { text, spans }
    }

    /// All of them, in the order of the text: a name, and the JSON text of its value.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Cow<'a, str>, &'a str)> {
        let Self { text, spans } = *self;
        spans
            .iter()
            .map(|span| (span.name(text), &text[span.start..span.end]))
    }

    /// The JSON text of the first member with this name.
    #[inline(always)]
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        // A closure would be outlined, and the name not known there.
        for span in self.spans {
            if span.is_named(name, self.text) {
                return Some(&self.text[span.start..span.end]);
            }
        }
        None
    }

    /// As [`get`](Self::get), for what few messages have: outlined.
    #[inline(never)]
    pub(crate) fn find(&self, name: &str) -> Option<&'a str> {
        self.get(name)
    }

    /// How often the name is there.
    #[inline]
    pub(crate) fn count(&self, name: &str) -> usize {
        let spans = self.spans.iter();
        spans.filter(|span| span.is_named(name, self.text)).count()
    }
}

/// A key that is there twice.
pub(super) fn duplicate(text: &str, members: &[Span]) -> Option<String> {
    const FEW: usize = 8;
    if members.len() > FEW || members.iter().any(|member| member.escaped) {
        return duplicate_of_many(text, members);
    }
    for (index, member) in members.iter().enumerate() {
        for earlier in &members[..index] {
            if earlier.length() == member.length() && earlier.key(text) == member.key(text) {
                return Some(member.name(text).into_owned());
            }
        }
    }
    None
}

fn duplicate_of_many(text: &str, members: &[Span]) -> Option<String> {
    let keys: Vec<_> = members.iter().map(|member| member.name(text)).collect();
    let places = sorted_places(keys.len(), &|one, other| keys[one].cmp(&keys[other]));
    let mut pairs = places.windows(2);
    let twice = pairs.find(|pair| keys[pair[0]] == keys[pair[1]])?;
    Some(keys[twice[0]].clone().into_owned())
}
