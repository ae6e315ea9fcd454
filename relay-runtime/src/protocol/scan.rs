//! One pass over a line: is it JSON, and where are the members that decide what it asks for?
//!
//! The pass checks the grammar, the surrogates of strings, the nesting and the uniqueness of keys,
//! and keeps the members of the root, of its `params` and of their `_meta`. It does not recurse,
//! and its memory is bounded by the line's length.

mod plain;

use std::borrow::Cow;

use self::plain::plain_length;

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
#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    pub(super) top: Members<'a>,
    pub(super) params: Members<'a>,
    pub(super) meta: Members<'a>,
    /// A key that some object of the line has twice.
    pub(super) duplicate: Option<String>,
    /// The line is nested deeper than allowed; what is deeper was skipped unchecked.
    pub(super) too_deep: bool,
}

/// The members of one object.
#[derive(Debug, Default)]
pub(crate) struct Members<'a>(Vec<Member<'a>>);

/// A name, and the JSON text of its value.
type Member<'a> = (Cow<'a, str>, &'a str);

impl<'a> Members<'a> {
    /// All of them, in the order of the text.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, value)| (&**name, *value))
    }

    /// The JSON text of the member with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    }

    #[cfg(test)]
    pub(super) fn push(&mut self, name: &'a str, value: &'a str) {
        self.0.push((Cow::Borrowed(name), value));
    }

    /// How often the name is there.
    pub(super) fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|(key, _)| key == name).count()
    }
}

/// Scans a line.
pub(super) fn scan(text: &str, max_depth: usize) -> Result<Root<'_>, Broken> {
    let scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        max_depth,
        levels: Vec::with_capacity(8),
        members: Vec::with_capacity(16),
        outline: Outline::default(),
    };
    scanner.run()
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    max_depth: usize,
    levels: Vec<Level>,
    /// The members of all open objects, the innermost last.
    members: Vec<Member<'a>>,
    outline: Outline<'a>,
}

/// An open object or array.
#[derive(Clone, Copy)]
struct Level {
    object: bool,
    first_member: usize,
    /// Where the value of its last member starts.
    value: usize,
}

/// What comes next.
enum Next {
    Value,
    Key,
    AfterValue,
}

impl<'a> Scanner<'a> {
    fn run(mut self) -> Result<Root<'a>, Broken> {
        self.skip_space();
        let first = self.peek();
        let mut next = Next::Value;
        loop {
            self.skip_space();
            next = match next {
                Next::Value => self.value()?,
                Next::Key => self.key()?,
                Next::AfterValue if self.levels.is_empty() => break,
                Next::AfterValue => self.after_value()?,
            };
        }
        if self.at < self.bytes.len() {
            return Err(self.broken("something follows the message"));
        }
        Ok(match first {
            Some(b'{') => Root::Object(self.outline),
            Some(b'[') => Root::Array,
            _ => Root::Scalar,
        })
    }

    fn value(&mut self) -> Result<Next, Broken> {
        if let Some(level) = self.levels.last_mut() {
            level.value = self.at;
        }
        match self.peek() {
            Some(b'{') => return self.open(true),
            Some(b'[') => return self.open(false),
            Some(b'"') => drop(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal("true")?,
            Some(b'f') => self.literal("false")?,
            Some(b'n') => self.literal("null")?,
            Some(_) => return Err(self.broken("no JSON value starts here")),
            None => return Err(self.broken("the message ends too early")),
        }
        Ok(self.end_value())
    }

    fn open(&mut self, object: bool) -> Result<Next, Broken> {
        if self.levels.len() >= self.max_depth {
            self.outline.too_deep = true;
            self.skip_unchecked()?;
            return Ok(self.end_value());
        }
        self.at += 1;
        self.levels.push(Level {
            object,
            first_member: self.members.len(),
            value: self.at,
        });
        self.skip_space();
        match (object, self.peek()) {
            (true, Some(b'}')) | (false, Some(b']')) => Ok(self.close()),
            (true, _) => Ok(Next::Key),
            (false, _) => Ok(Next::Value),
        }
    }

    fn key(&mut self) -> Result<Next, Broken> {
        if self.peek() != Some(b'"') {
            return Err(self.broken("a key in quotes is expected"));
        }
        let start = self.at;
        let escaped = self.string()?;
        let key = if escaped {
            let text = serde_json::from_str(&self.text[start..self.at]);
            Cow::Owned(text.map_err(|_| Broken {
                at: start,
                what: "the key is no string",
            })?)
        } else {
            Cow::Borrowed(&self.text[start + 1..self.at - 1])
        };
        self.members.push((key, ""));
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.broken("a colon is expected"));
        }
        self.at += 1;
        Ok(Next::Value)
    }

    fn after_value(&mut self) -> Result<Next, Broken> {
        let object = self.levels.last().is_some_and(|level| level.object);
        match (object, self.peek()) {
            (true, Some(b',')) => {
                self.at += 1;
                Ok(Next::Key)
            }
            (false, Some(b',')) => {
                self.at += 1;
                Ok(Next::Value)
            }
            (true, Some(b'}')) | (false, Some(b']')) => Ok(self.close()),
            (_, Some(_)) => Err(self.broken("a comma or the closing bracket is expected")),
            (_, None) => Err(self.broken("the message ends too early")),
        }
    }

    fn end_value(&mut self) -> Next {
        if let Some(Level {
            object: true,
            value,
            ..
        }) = self.levels.last()
            && let Some(member) = self.members.last_mut()
        {
            member.1 = &self.text[*value..self.at];
        }
        Next::AfterValue
    }

    fn close(&mut self) -> Next {
        self.at += 1;
        if let Some(level) = self.levels.last().copied() {
            if level.object {
                self.close_object(level.first_member);
            }
            self.levels.pop();
        }
        self.end_value()
    }

    fn close_object(&mut self, first: usize) {
        if self.outline.duplicate.is_none() {
            self.outline.duplicate = duplicate(&self.members[first..]).map(str::to_owned);
        }
        let place = match self.levels.len() {
            1 => Some(&mut self.outline.top),
            2 if self.is_path(&["params"]) => Some(&mut self.outline.params),
            3 if self.is_path(&["params", "_meta"]) => Some(&mut self.outline.meta),
            _ => None,
        };
        match place {
            Some(place) => place.0 = self.members.split_off(first),
            None => self.members.truncate(first),
        }
    }

    /// Whether the innermost open object stands at this path from the root.
    fn is_path(&self, path: &[&str]) -> bool {
        path.iter()
            .zip(&self.levels)
            .zip(self.levels.iter().skip(1))
            .all(|((name, outer), inner)| {
                outer.object
                    && inner
                        .first_member
                        .checked_sub(1)
                        .and_then(|at| self.members.get(at))
                        .is_some_and(|(key, _)| key == *name)
            })
    }

    /// Passes a string; says whether it has an escape.
    fn string(&mut self) -> Result<bool, Broken> {
        self.at += 1;
        let mut escaped = false;
        loop {
            self.at += plain_length(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => {
                    return Err(self.broken("a control character in a string must be escaped"));
                }
                None => return Err(self.broken("a string is not closed")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Broken> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => match self.unit(self.at)? {
                0xD800..=0xDBFF => match self.unit(self.at + 6) {
                    Ok(0xDC00..=0xDFFF) => {
                        self.at += 12;
                        Ok(())
                    }
                    _ => Err(self.broken("a lone surrogate is no character")),
                },
                0xDC00..=0xDFFF => Err(self.broken("a lone surrogate is no character")),
                _ => {
                    self.at += 6;
                    Ok(())
                }
            },
            _ => Err(self.broken("this escape does not exist")),
        }
    }

    /// The code unit of the `\uXXXX` at a place.
    fn unit(&self, at: usize) -> Result<u32, Broken> {
        let broken = Broken {
            at,
            what: "`\\u` needs four hexadecimal digits",
        };
        match self.bytes.get(at..at + 6) {
            Some([b'\\', b'u', digits @ ..]) => digits.iter().try_fold(0, |unit, digit| {
                let digit = char::from(*digit).to_digit(16).ok_or(broken)?;
                Ok(unit * 16 + digit)
            }),
            _ => Err(broken),
        }
    }

    fn number(&mut self) -> Result<(), Broken> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Broken> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            Err(self.broken("a digit is expected"))
        } else {
            Ok(())
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), Broken> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.broken("no JSON value starts here"));
        }
        self.at += word.len();
        Ok(())
    }

    /// Passes what is nested too deep, by its brackets and strings alone, in constant memory.
    fn skip_unchecked(&mut self) -> Result<(), Broken> {
        let mut open = 0_usize;
        loop {
            match self.peek() {
                Some(b'{' | b'[') => open += 1,
                Some(b'}' | b']') => open -= 1,
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(_) => {}
                None => return Err(self.broken("the message ends too early")),
            }
            self.at += 1;
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn broken(&self, what: &'static str) -> Broken {
        Broken { at: self.at, what }
    }
}

/// A key that is there twice.
fn duplicate<'m>(members: &'m [Member<'_>]) -> Option<&'m str> {
    const FEW: usize = 8;
    if members.len() <= FEW {
        return members.iter().enumerate().find_map(|(index, (key, _))| {
            let mut earlier = members[..index].iter();
            earlier.any(|(other, _)| other == key).then_some(&**key)
        });
    }
    let mut keys: Vec<&str> = members.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    keys.windows(2)
        .find(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
}

#[cfg(test)]
mod tests;
