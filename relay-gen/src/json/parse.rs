//! Reading: `serde_json` decides what is JSON, addresses of its raw values say where things stand.
//!
//! The whole text is scanned once as one raw value, which `serde_json` does without recursion. Then
//! each level is taken apart into raw values that borrow from the text, so that a value's address
//! less the text's is its place.

use std::collections::HashMap;

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Json, Member, Node};
use crate::source::{FileId, Source, Span};

/// How deep a document may nest: as deep as the runtime reads.
pub const MAX_DEPTH: usize = relay_runtime::check::MAX_DEPTH;

/// Why a text could not be read.
#[derive(Debug, Clone)]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Where.
    pub span: Span,
}

/// What can be wrong with a text.
#[derive(Debug, Clone)]
pub enum ParseErrorKind {
    /// It is not JSON; the text says why.
    Syntax(String),
    /// It nests deeper than [`MAX_DEPTH`].
    TooDeep,
    /// A key stands twice in one object; the place of the first.
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it stands first.
        first: Span,
    },
}

/// A text that could not be read, or not without doubt.
#[derive(Debug, Clone)]
pub struct Unsound {
    /// What is wrong: one syntax error, or every duplicate key.
    pub errors: Vec<ParseError>,
    /// The value in which the first of each duplicate key counts, if nothing else is wrong. It serves
    /// to find more mistakes.
    pub node: Option<Node>,
}

/// Reads a text.
///
/// # Errors
/// If the text is not JSON, nests too deeply or repeats a key.
pub fn parse(file: FileId, source: &Source) -> Result<Node, Unsound> {
    let mut parser = Parser {
        file,
        source,
        errors: Vec::new(),
    };
    let node = parser.document();
    match node {
        Some(node) if parser.errors.is_empty() => Ok(node),
        node => Err(Unsound {
            errors: parser.errors,
            node,
        }),
    }
}

struct Parser<'a> {
    file: FileId,
    source: &'a Source,
    errors: Vec<ParseError>,
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Option<Node> {
        let text = self.source.text();
        let whole: &RawValue = self.read(text, serde_json::from_str(text))?;
        if let Some(bracket) = first_too_deep(text, MAX_DEPTH) {
            self.error(ParseErrorKind::TooDeep, self.span(bracket, bracket + 1));
            return None;
        }
        self.value(whole)
    }

    /// Recursion is safe here: the depth was checked before.
    fn value(&mut self, raw: &'a RawValue) -> Option<Node> {
        let text = raw.get();
        let span = self.span_of(text);
        let value = match text.as_bytes().first()? {
            b'n' => Json::Null,
            b't' => Json::Bool(true),
            b'f' => Json::Bool(false),
            b'"' => Json::String(self.read(text, serde_json::from_str(text))?),
            b'[' => Json::Array(self.elements(text)?),
            b'{' => Json::Object(self.members(text)?),
            _ => Json::Number(text.to_owned()),
        };
        Some(Node { span, value })
    }

    fn elements(&mut self, text: &'a str) -> Option<Vec<Node>> {
        let elements: Vec<&RawValue> = self.read(text, serde_json::from_str(text))?;
        elements
            .into_iter()
            .map(|element| self.value(element))
            .collect()
    }

    fn members(&mut self, text: &'a str) -> Option<Vec<Member>> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let pairs = deserializer.deserialize_map(PairsVisitor);
        let pairs: Vec<(String, &RawValue)> = self.read(text, pairs)?;

        let mut firsts: HashMap<&str, Span> = HashMap::new();
        let mut members = Vec::with_capacity(pairs.len());
        let mut whole = true;
        let mut after = self.offset_of(text) + 1;
        for (key, raw) in &pairs {
            let value_start = self.offset_of(raw.get());
            let key_span = self.key_span(after, value_start);
            after = value_start + raw.get().len();
            if let Some(first) = firsts.get(key.as_str()) {
                let (key, first) = (key.clone(), *first);
                self.error(ParseErrorKind::DuplicateKey { key, first }, key_span);
                whole &= self.value(raw).is_some();
                continue;
            }
            firsts.insert(key, key_span);
            match self.value(raw) {
                Some(value) => members.push(Member {
                    key: key.clone(),
                    key_span,
                    value,
                }),
                None => whole = false,
            }
        }
        whole.then_some(members)
    }

    /// Between the end of the value before and the start of its own value, a key has only white
    /// space, a comma and a colon around it.
    fn key_span(&self, from: usize, to: usize) -> Span {
        let between = &self.source.text()[from..to];
        let start = between.find('"').unwrap_or(0);
        let end = between.rfind('"').map_or(between.len(), |at| at + 1);
        self.span(from + start, from + end)
    }

    /// A result of `serde_json` on a piece of the text; its error's line and column count from there.
    fn read<T>(&mut self, piece: &str, result: serde_json::Result<T>) -> Option<T> {
        result
            .map_err(|error| {
                let span = self.error_span(piece, &error);
                let found = self.source.text()[span.start as usize..].chars().next();
                self.error(ParseErrorKind::Syntax(reason(&error, found)), span);
            })
            .ok()
    }

    fn error_span(&self, piece: &str, error: &serde_json::Error) -> Span {
        let line_start = match error.line() {
            0 | 1 => 0,
            line => piece
                .match_indices('\n')
                .nth(line - 2)
                .map_or(piece.len(), |(at, _)| at + 1),
        };
        let offset = self.offset_of(piece) + line_start + error.column().saturating_sub(1);
        let start = self.source.floor_char(offset);
        let width = self.source.text()[start..]
            .chars()
            .next()
            .filter(|character| *character != '\n')
            .map_or(0, char::len_utf8);
        self.span(start, start + width)
    }

    fn error(&mut self, kind: ParseErrorKind, span: Span) {
        self.errors.push(ParseError { kind, span });
    }

    fn offset_of(&self, piece: &str) -> usize {
        piece.as_ptr() as usize - self.source.text().as_ptr() as usize
    }

    fn span_of(&self, piece: &str) -> Span {
        let start = self.offset_of(piece);
        self.span(start, start + piece.len())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            file: self.file,
            start: clamp(start),
            end: clamp(end),
        }
    }
}

/// The first bracket of JSON text that opens more levels than these.
pub(crate) fn first_too_deep(text: &str, levels: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                if depth > levels {
                    return Some(at);
                }
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What `serde_json` says is wrong, in the words of the other messages and without the place.
fn reason(error: &serde_json::Error, found: Option<char>) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or(&text);
    let expects_more = text.starts_with("key must") || text.starts_with("expected");
    match text {
        _ if expects_more && found == Some('/') => "JSON has no comments",
        _ if expects_more && matches!(found, Some('}' | ']')) => {
            "a comma needs another item after it"
        }
        "expected value" if found.is_some_and(char::is_alphabetic) => {
            "text goes in double quotes; only `true`, `false` and `null` go without"
        }
        "expected value" => "a value is expected here",
        "expected ident" => "only `true`, `false`, `null` and numbers go without quotes",
        "trailing characters" => "there is more text after the value",
        "trailing comma" => "a comma needs another item after it",
        "key must be a string" => "a key must be a string in double quotes",
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "a surrogate must be one of a pair"
        }
        "EOF while parsing a value" => "the text ends where a value is expected",
        "EOF while parsing an object" => "the text ends inside an object",
        "EOF while parsing a list" => "the text ends inside an array",
        "EOF while parsing a string" => "the text ends inside a string",
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "a control character in a string must be escaped, a line break as `\\n`"
        }
        other => other,
    }
    .to_owned()
}

/// All members of one object, repeated keys included.
struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> (Sources, Result<Node, Unsound>) {
        let mut sources = Sources::default();
        let file = sources.add(Source::new("t.json", text));
        let result = parse(file, sources.get(file));
        (sources, result)
    }

    #[test]
    fn every_value_and_key_knows_its_place() {
        let (sources, node) =
            read("\u{feff} {\n \"a\\\"b\" : [1.50, {\"é\":null}] , \"c\":\"\\u0041\" }");
        let node = node.unwrap();
        let member = node.member("a\"b").unwrap();
        assert_eq!(sources.text(member.key_span), r#""a\"b""#);
        assert_eq!(sources.text(member.value.span), r#"[1.50, {"é":null}]"#);
        let inner = node.pointer("/a\"b/1").unwrap();
        assert_eq!(sources.text(inner.member("é").unwrap().key_span), "\"é\"");
        assert_eq!(sources.text(node.member("c").unwrap().key_span), "\"c\"");
        assert_eq!(node.to_string(), r#"{"a\"b":[1.50,{"é":null}],"c":"A"}"#);
    }

    #[test]
    fn numbers_keep_their_text() {
        let text = r#"[1.0,1e400,-0,9007199254740993,123456789012345678901234567890]"#;
        assert_eq!(read(text).1.unwrap().to_string(), text);
    }

    #[test]
    fn depth_is_limited_and_never_overflows() {
        for depth in [MAX_DEPTH + 1, 10_000, 1_000_000] {
            let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let errors = read(&text).1.unwrap_err().errors;
            assert!(matches!(errors[0].kind, ParseErrorKind::TooDeep));
            assert_eq!(errors[0].span.start as usize, MAX_DEPTH);
        }
        let text = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert!(read(&text).1.is_ok());
        assert!(read(&"[".repeat(1_000_000)).1.is_err());
    }

    #[test]
    fn all_duplicate_keys_are_found() {
        let errors = read(r#"{"a":1,"b":{"c":1,"c":2},"\u0061":2,"a":3}"#)
            .1
            .unwrap_err()
            .errors;
        let keys: Vec<_> = errors.iter().map(|error| error.span.start).collect();
        assert_eq!(keys, [18, 25, 36]);
    }

    #[test]
    fn a_syntax_error_is_where_it_is() {
        for (text, at) in [
            ("{\n  \"a\": tru\n}", 13),
            ("{\"a\": 1,}", 8),
            ("{\"a\": 1} x", 9),
            ("[\"\\ud800\"]", 8),
            ("", 0),
            ("[\"é\", é]", 7),
        ] {
            let errors = read(text).1.unwrap_err().errors;
            assert_eq!(errors[0].span.start, at, "{text}: {:?}", errors[0]);
        }
    }
}
