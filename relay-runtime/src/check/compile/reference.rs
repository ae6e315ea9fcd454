//! Where a `$ref` leads inside its document.

use super::super::value::Value;
use super::super::words::push_token;
use super::Compiler;

impl<'d> Compiler<'d> {
    /// The index of the target that a `$ref` names.
    pub(super) fn reference(&mut self, value: &'d Value<'d>) -> Option<u32> {
        let Value::String(reference) = value else {
            self.error(
                "$ref",
                "is no string",
                "write a reference such as \"#/$defs/name\"",
            );
            return None;
        };
        let found = match reference.strip_prefix('#') {
            Some(pointer) if pointer.is_empty() || pointer.starts_with('/') => {
                decode_percent(pointer).and_then(|pointer| self.target(&pointer))
            }
            Some(anchor) => {
                let found =
                    decode_percent(anchor).and_then(|anchor| self.anchors.get(&anchor).cloned());
                found.map(|(pointer, schema)| self.target_of(&pointer, schema))
            }
            None => None,
        };
        if found.is_none() {
            let message = format!("leads to `{reference}`, which is not in this document");
            self.error("$ref", &message, "name a schema of the same document");
        }
        found
    }

    /// Notes every `$anchor` of the document; in draft-07 an `$id` that is a fragment is one.
    pub(super) fn read_anchors(&mut self) {
        let mut pending = vec![(String::new(), self.document)];
        while let Some((pointer, value)) = pending.pop() {
            if let Some(name) = anchor(value, self.draft_07) {
                self.anchors.entry(name).or_insert((pointer.clone(), value));
            }
            let child = |token: &str| {
                let mut pointer = pointer.clone();
                push_token(&mut pointer, token);
                pointer
            };
            match value {
                Value::Object(members) => {
                    let data = |key: &str| matches!(key, "const" | "enum" | "default" | "examples");
                    pending.extend(
                        members
                            .iter()
                            .filter(|(key, _)| !data(key))
                            .map(|(key, value)| (child(key), value)),
                    );
                }
                Value::Array(items) => {
                    pending.extend(
                        items
                            .iter()
                            .enumerate()
                            .map(|(index, item)| (child(&index.to_string()), item)),
                    );
                }
                _ => {}
            }
        }
    }
}

fn anchor(value: &Value<'_>, draft_07: bool) -> Option<String> {
    match value.get(if draft_07 { "$id" } else { "$anchor" }) {
        Some(Value::String(id)) if draft_07 => id.strip_prefix('#').map(Into::into),
        Some(Value::String(name)) => Some(name.to_string()),
        _ => None,
    }
}

/// What a JSON Pointer leads to.
pub(super) fn at<'d>(document: &'d Value<'d>, pointer: &str) -> Option<&'d Value<'d>> {
    pointer
        .split('/')
        .skip(1)
        .try_fold(document, |value, token| {
            let token = token.replace("~1", "/").replace("~0", "~");
            match value {
                Value::Array(items) => items.get(token.parse::<usize>().ok()?),
                value => value.get(&token),
            }
        })
}

fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = tail;
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}
