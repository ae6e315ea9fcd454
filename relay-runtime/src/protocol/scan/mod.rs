//! One pass over a line: is it JSON, and where are the members that decide what it asks for?
//!
//! The pass checks the grammar, the surrogates of strings, the nesting and the uniqueness of keys,
//! and keeps the members of the root, of its `params` and of their `_meta`. It does not recurse,
//! and its memory, which is used again for the next line, is bounded by the line's length.

mod members;
mod plain;
mod tokens;

use self::members::{Span, duplicate};
use self::tokens::{literal, number, skip_unchecked, space, string};

pub(crate) use self::members::Members;

/// Why a line is no JSON, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) at: usize,
    pub(super) what: &'static str,
}

/// What the root of a line is.
#[derive(Debug)]
pub(super) enum Root<'a> {
    Object(Outline<'a>),
    Array,
    Scalar,
}

/// The members that matter of a line whose root is an object.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    pub(super) top: Members<'a>,
    pub(super) params: Members<'a>,
    pub(super) meta: Members<'a>,
    pub(super) meta_text: Option<TextNumber>,
    /// A key that some object of the line has twice.
    pub(super) duplicate: Option<String>,
    /// The line is nested deeper than allowed; what is deeper was skipped unchecked.
    pub(super) too_deep: bool,
}

/// Tells a text from others: a later one with the same number is the same.
pub(super) type TextNumber = u64;

/// Where a scan notes what it has found.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The members of all open objects, the innermost last.
    open: Vec<Span>,
    levels: Vec<Level>,
    /// The members of the objects that matter, once those are closed.
    top: Vec<Span>,
    params: Vec<Span>,
    meta: Vec<Span>,
    /// The last `_meta`, and its members' places in it: the next request has the same, as a rule.
    last_meta: (String, Vec<Span>),
    last_number: TextNumber,
    /// That of this line's `_meta`, if it is the last one.
    meta_text: Option<TextNumber>,
}

/// An open object or array.
#[derive(Debug, Clone, Copy)]
struct Level {
    object: bool,
    place: Place,
    /// Where its members start among the open ones.
    first: usize,
}

/// Where an object stands, if it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Params,
    Meta,
    Elsewhere,
}

/// Scans a line.
pub(super) fn scan<'a>(
    text: &'a str,
    max_depth: usize,
    notes: &'a mut Notes,
) -> Result<Root<'a>, Broken> {
    notes.clear();
    let mut scanner = Scanner {
        text,
        max_depth,
        notes,
        duplicate: None,
        too_deep: false,
    };
    let end = scanner.run()?;
    if end < text.len() {
        return Err(broken(end, "something follows the message"));
    }
    Ok(match text.as_bytes().get(space(text.as_bytes(), 0)) {
        Some(b'{') => Root::Object(scanner.outline()),
        Some(b'[') => Root::Array,
        _ => Root::Scalar,
    })
}

struct Scanner<'a> {
    text: &'a str,
    max_depth: usize,
    notes: &'a mut Notes,
    duplicate: Option<String>,
    too_deep: bool,
}

/// How far a value has been passed.
enum Step {
    /// One within it starts here.
    Value(usize),
    /// It has ended.
    End(usize),
}

impl<'a> Scanner<'a> {
    /// Passes the one value that the text should be; says where it and the space after it end.
    fn run(&mut self) -> Result<usize, Broken> {
        let bytes = self.text.as_bytes();
        let mut at = space(bytes, 0);
        loop {
            match self.value(at)? {
                Step::Value(first) => {
                    at = first;
                    continue;
                }
                Step::End(end) => at = end,
            }
            match self.after_value(at)? {
                Step::Value(next) => at = next,
                Step::End(end) => return Ok(end),
            }
        }
    }

    #[inline]
    fn value(&mut self, at: usize) -> Result<Step, Broken> {
        let bytes = self.text.as_bytes();
        let end = match bytes.get(at) {
            Some(b'"') => string(bytes, at)?.0,
            Some(b'{' | b'[') if self.notes.levels.len() >= self.max_depth => {
                self.too_deep = true;
                skip_unchecked(bytes, at)?
            }
            Some(b'{') => return self.object(at),
            Some(b'[') => {
                let first = space(bytes, at + 1);
                if bytes.get(first) != Some(&b']') {
                    self.open(false, Place::Elsewhere);
                    return Ok(Step::Value(first));
                }
                first + 1
            }
            Some(b'-' | b'0'..=b'9') => number(bytes, at)?,
            Some(b't') => literal(bytes, at, b"true")?,
            Some(b'f') => literal(bytes, at, b"false")?,
            Some(b'n') => literal(bytes, at, b"null")?,
            Some(_) => return Err(broken(at, "no JSON value starts here")),
            None => return Err(broken(at, "the message ends too early")),
        };
        Ok(Step::End(end))
    }

    fn object(&mut self, at: usize) -> Result<Step, Broken> {
        let place = self.place();
        if place == Place::Meta
            && let Some(end) = self.notes.same_meta(self.text, at)
        {
            return Ok(Step::End(end));
        }
        let first = space(self.text.as_bytes(), at + 1);
        if self.text.as_bytes().get(first) == Some(&b'}') {
            return Ok(Step::End(first + 1));
        }
        self.open(true, place);
        self.key(first).map(Step::Value)
    }

    /// What comes after a value, which may be the last of what it stands in.
    #[inline]
    fn after_value(&mut self, mut at: usize) -> Result<Step, Broken> {
        let bytes = self.text.as_bytes();
        while let Some(level) = self.notes.levels.last() {
            let object = level.object;
            if object && let Some(member) = self.notes.open.last_mut() {
                member.end = at;
            }
            at = space(bytes, at);
            match (bytes.get(at), object) {
                (Some(b','), true) => return self.key(space(bytes, at + 1)).map(Step::Value),
                (Some(b','), false) => return Ok(Step::Value(space(bytes, at + 1))),
                (Some(b'}'), true) | (Some(b']'), false) => at += 1,
                (Some(_), _) => {
                    return Err(broken(at, "a comma or the closing bracket is expected"));
                }
                (None, _) => return Err(broken(at, "the message ends too early")),
            }
            self.close(at);
        }
        Ok(Step::End(space(bytes, at)))
    }

    /// Passes a key and its colon; says where the value starts.
    fn key(&mut self, at: usize) -> Result<usize, Broken> {
        let bytes = self.text.as_bytes();
        if bytes.get(at) != Some(&b'"') {
            return Err(broken(at, "a key in quotes is expected"));
        }
        let (end, escaped) = string(bytes, at)?;
        let colon = space(bytes, end);
        if bytes.get(colon) != Some(&b':') {
            return Err(broken(colon, "a colon is expected"));
        }
        let start = space(bytes, colon + 1);
        self.notes.open.push(Span {
            key: (at + 1, end - 1),
            escaped,
            start,
            end: start,
        });
        Ok(start)
    }

    /// Where the object stands that starts.
    fn place(&self) -> Place {
        match self.notes.levels.last().map(|level| level.place) {
            None => Place::Top,
            Some(Place::Top) if self.is_in("params") => Place::Params,
            Some(Place::Params) if self.is_in("_meta") => Place::Meta,
            _ => Place::Elsewhere,
        }
    }

    fn open(&mut self, object: bool, place: Place) {
        let first = self.notes.open.len();
        self.notes.levels.push(Level {
            object,
            place,
            first,
        });
    }

    /// Whether the value that starts is that of a member of this name.
    #[inline(always)]
    fn is_in(&self, name: &str) -> bool {
        let member = self.notes.open.last();
        member.is_some_and(|member| member.is_named(name, self.text))
    }

    /// Closes what is open innermost, which ends here.
    fn close(&mut self, end: usize) {
        let notes = &mut *self.notes;
        let Some(level) = notes.levels.pop().filter(|level| level.object) else {
            return;
        };
        let members = &notes.open[level.first..];
        if self.duplicate.is_none() {
            self.duplicate = duplicate(self.text, members);
        }
        let kept = match level.place {
            Place::Top => &mut notes.top,
            Place::Params => &mut notes.params,
            Place::Meta => &mut notes.meta,
            Place::Elsewhere => return notes.open.truncate(level.first),
        };
        kept.clear();
        kept.extend_from_slice(members);
        notes.open.truncate(level.first);
        if level.place == Place::Meta && self.duplicate.is_none() && !self.too_deep {
            notes.remember_meta(self.text, end);
        }
    }

    fn outline(self) -> Outline<'a> {
        let (text, notes) = (self.text, &*self.notes);
        Outline {
            top: Members::new(text, &notes.top),
            params: Members::new(text, &notes.params),
            meta: Members::new(text, &notes.meta),
            meta_text: notes.meta_text,
            duplicate: self.duplicate,
            too_deep: self.too_deep,
        }
    }
}

impl Notes {
    /// Forgets the last line; what many members have grown is given back.
    fn clear(&mut self) {
        const KEPT: usize = 1 << 10;
        for spans in [
            &mut self.open,
            &mut self.top,
            &mut self.params,
            &mut self.meta,
        ] {
            spans.clear();
            spans.shrink_to(KEPT);
        }
        self.levels.clear();
        self.meta_text = None;
    }

    /// Passes a `_meta` that is, byte for byte, the last one.
    fn same_meta(&mut self, text: &str, at: usize) -> Option<usize> {
        let (last, spans) = &self.last_meta;
        if last.is_empty() || !text.as_bytes()[at..].starts_with(last.as_bytes()) {
            return None;
        }
        self.meta.clear();
        self.meta.extend(spans.iter().map(|span| span.moved(0, at)));
        self.meta_text = Some(self.last_number);
        Some(at + last.len())
    }

    /// Keeps the `_meta` that ends here, if it is short.
    fn remember_meta(&mut self, text: &str, end: usize) {
        const LONGEST: usize = 4 << 10;
        // It is the value of the member that is still open.
        let start = self.open.last().map_or(end, |member| member.start);
        let (last, spans) = &mut self.last_meta;
        last.clear();
        spans.clear();
        if end - start <= LONGEST {
            last.push_str(&text[start..end]);
            spans.extend(self.meta.iter().map(|span| span.moved(start, 0)));
            self.last_number += 1;
            self.meta_text = Some(self.last_number);
        }
    }
}

fn broken(at: usize, what: &'static str) -> Broken {
    Broken { at, what }
}

#[cfg(test)]
mod tests;
