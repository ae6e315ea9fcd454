//! JSON text into a [`Value`], strictly by RFC 8259, in bounded depth.

use std::borrow::Cow;
use std::fmt;

use super::escape::unescaped;
use super::value::{Members, Value};

/// Deeper values are refused: serde_json reads no more than 127 levels, and the server's own limit
/// is lower.
pub const MAX_DEPTH: usize = 120;

/// Why a text is no JSON value that Relay reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseError {
    /// Byte offset into the text.
    offset: usize,
    reason: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no valid JSON at byte {}: {}", self.offset, self.reason)
    }
}

/// Parses one JSON value that fills the whole text.
pub(crate) fn parse(text: &str) -> Result<Value<'_>, ParseError> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.error("text after the end of the value"));
    }
    Ok(value)
}

/// The members of the object that fills the text, each value as its text; `None` for anything else.
/// A name may stand twice.
#[cfg(feature = "server")]
pub(crate) fn members(text: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
    let mut parser = Parser { text, at: 0 };
    let mut members = Vec::new();
    parser.skip_space();
    if parser.peek() != Some(b'{') {
        return None;
    }
    let mut add = |name, _, value| members.push((name, value));
    parser.each_member(0, &mut add).ok()?;
    parser.skip_space();
    (parser.at == text.len()).then_some(members)
}

/// The text that a JSON string stands for; `None` for anything else.
#[cfg(feature = "server")]
pub(crate) fn string(json: &str) -> Option<Cow<'_, str>> {
    let mut parser = Parser { text: json, at: 0 };
    if parser.peek() != Some(b'"') {
        return None;
    }
    let string = parser.string().ok()?;
    (parser.at == json.len()).then_some(string)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn value(&mut self, depth: usize) -> Result<Value<'a>, ParseError> {
        if depth > MAX_DEPTH {
            return Err(self.error(&format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) => Err(self.error("expected a value")),
            None => Err(self.error("the text ends where a value is expected")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value<'a>, ParseError> {
        let start = self.at;
        let mut members = Vec::new();
        self.each_member(depth, &mut |name, value, _| members.push((name, value)))?;
        let members = Members::new(members);
        match members.duplicate() {
            Some(name) => Err(ParseError {
                offset: start,
                reason: format!("the member `{name}` stands twice"),
            }),
            None => Ok(Value::Object(members)),
        }
    }

    /// Gives each member of the object that starts here: its name, its value, and the value's text.
    fn each_member(
        &mut self,
        depth: usize,
        add: &mut dyn FnMut(Cow<'a, str>, Value<'a>, &'a str),
    ) -> Result<(), ParseError> {
        self.at += 1;
        self.skip_space();
        if self.eat(b'}') {
            return Ok(());
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a member name in quotes"));
            }
            let name = self.string()?;
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.error("expected `:` after the member name"));
            }
            self.skip_space();
            let start = self.at;
            let value = self.value(depth + 1)?;
            add(name, value, &self.text[start..self.at]);
            self.skip_space();
            if self.eat(b'}') {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.error("expected `,` or `}` after the member"));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value<'a>, ParseError> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.eat(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.eat(b']') {
                return Ok(Value::Array(items));
            }
            if !self.eat(b',') {
                return Err(self.error("expected `,` or `]` after the item"));
            }
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, ParseError> {
        let start = self.at;
        let mut escaped = false;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 2;
                }
                Some(0..=0x1f) => return Err(self.error("a control character in a string")),
                Some(_) => self.at += 1,
                None => {
                    return Err(ParseError {
                        offset: start,
                        reason: "a string that does not end".into(),
                    });
                }
            }
        }
        self.at += 1;
        if !escaped {
            return Ok(Cow::Borrowed(&self.text[start + 1..self.at - 1]));
        }
        match unescaped(&self.text[start + 1..self.at - 1]) {
            Some(text) => Ok(Cow::Owned(text)),
            None => Err(ParseError {
                offset: start,
                reason: "a string with a bad escape".into(),
            }),
        }
    }

    fn number(&mut self) -> Result<Value<'a>, ParseError> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(Value::Number(&self.text[start..self.at]))
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            Err(self.error("expected a digit"))
        } else {
            Ok(())
        }
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, ParseError> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.error("expected a value"))
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, reason: &str) -> ParseError {
        ParseError {
            offset: self.at.min(self.text.len()),
            reason: reason.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever serde_json accepts is accepted, and nothing else.
    #[test]
    fn as_strict_as_serde_json() {
        let texts = [
            "{}",
            "[]",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            ".5",
            "-",
            "-0",
            "1e",
            "1e+5",
            "\"\\u00e9\"",
            "\"\\ud800\"",
            "\"\\ud83d\\ude00\"",
            "\"a\nb\"",
            "\"\\x\"",
            "\"",
            "\"\\",
            "tru",
            "nulls",
            "true false",
            "",
            " ",
            "[",
            "{\"a\"",
            "{\"a\":",
            "{a:1}",
            "\"\u{2028}\"",
            "[1 2]",
            "1e999",
            "+1",
            "NaN",
            "{\"a\" : [ 1 , {} ] }",
            "\u{feff}1",
            "'a'",
        ];
        for text in texts {
            let ours = parse(text).is_ok();
            // serde_json reads no number beyond f64; to the checker it is a number like any other.
            let theirs = serde_json::from_str::<serde_json::Value>(text).is_ok() || text == "1e999";
            assert_eq!(ours, theirs, "{text:?}");
        }
    }

    #[test]
    fn duplicate_members_and_deep_nesting_are_refused() {
        assert!(
            parse(r#"{"a":1,"\u0061":2}"#)
                .unwrap_err()
                .to_string()
                .contains("`a` stands twice")
        );
        let deep = "[".repeat(100_000);
        assert!(
            parse(&deep)
                .unwrap_err()
                .to_string()
                .contains("nested deeper")
        );
    }

    #[cfg(feature = "server")]
    #[test]
    fn members_keep_their_text() {
        let object = r#" {"a" : [1.0, "\u0061"], "\u0062":{"c":1e2} ,"a":null} "#;
        let members = super::members(object).unwrap();
        let members: Vec<_> = members
            .iter()
            .map(|(name, json)| (&**name, *json))
            .collect();
        assert_eq!(
            members,
            [
                ("a", r#"[1.0, "\u0061"]"#),
                ("b", r#"{"c":1e2}"#),
                ("a", "null")
            ]
        );
        for none in ["[]", "7", "{", r#"{"a":1}x"#, r#"{"a":1,}"#, ""] {
            assert!(super::members(none).is_none(), "{none}");
        }
    }
}
