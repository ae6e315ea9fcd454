//! Values that are close to a valid one: one place changed, in a way that some keyword cares about.

use serde_json::{Value, json};

use crate::places::{Document, members, names_of};
use crate::values::number_of;

/// One place of a value, and what is to stand there.
#[derive(Debug)]
pub struct Edit {
    pointer: String,
    other: Value,
}

impl Edit {
    /// The text of the value with this change.
    #[must_use]
    pub fn of(self, value: &Value) -> String {
        let mut whole = value.clone();
        if let Some(place) = whole.pointer_mut(&self.pointer) {
            *place = self.other;
        }
        spelt(&whole.to_string())
    }
}

/// All changes of one place of a value that some keyword may care about.
#[must_use]
pub fn near(root: &Value, value: &Value) -> Vec<Edit> {
    let document = Document::new(root);
    let mut near = Near {
        document,
        found: Vec::new(),
    };
    near.at(value, "", &document.whole(value));
    near.found
}

/// What stands for a number in a text until it is written as no [`Value`] writes it.
const MARK: &str = "\u{1}number:";

struct Near<'s> {
    document: Document<'s>,
    found: Vec<Edit>,
}

impl<'s> Near<'s> {
    fn at(&mut self, value: &Value, pointer: &str, schemas: &[&'s Value]) {
        for other in others(value) {
            self.put(pointer, other);
        }
        self.keywords(value, pointer, schemas);
        match value {
            Value::Number(_) => self.number(value, pointer, schemas),
            Value::String(text) => self.string(text, pointer),
            Value::Array(items) => {
                self.array(items, pointer);
                for (index, item) in items.iter().enumerate().take(3) {
                    let schemas = self.document.item(schemas, index, item);
                    self.at(item, &format!("{pointer}/{index}"), &schemas);
                }
            }
            Value::Object(object) => {
                self.object(value, pointer, schemas);
                for (name, member) in object {
                    let token = name.replace('~', "~0").replace('/', "~1");
                    let schemas = self.document.member(schemas, name, member);
                    self.at(member, &format!("{pointer}/{token}"), &schemas);
                }
            }
            _ => {}
        }
    }

    /// Another value in this place.
    fn put(&mut self, pointer: &str, other: Value) {
        let pointer = pointer.to_owned();
        self.found.push(Edit { pointer, other });
    }

    /// A number that is written in a way of its own.
    fn spell(&mut self, pointer: &str, text: &str) {
        self.put(pointer, json!(format!("{MARK}{text}")));
    }

    /// What the keywords in this place name or bound.
    fn keywords(&mut self, value: &Value, pointer: &str, schemas: &[&'s Value]) {
        for schema in schemas {
            let listed = schema
                .get("enum")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            let mut named: Vec<&Value> = schema
                .get("const")
                .into_iter()
                .chain(listed)
                .take(6)
                .collect();
            named.extend(schema.get("default"));
            for named in named {
                self.put(pointer, named.clone());
                match named {
                    Value::String(text) => self.put(pointer, json!(format!("{text}x"))),
                    Value::Number(_) => self.number(named, pointer, &[]),
                    Value::Array(items) => {
                        self.put(pointer, Value::Array([&items[..], &[json!(0)]].concat()))
                    }
                    Value::Object(_) => {
                        let mut more = named.clone();
                        more["more"] = json!(1);
                        self.put(pointer, more);
                    }
                    _ => {}
                }
            }
            for keyword in ["minLength", "maxLength"] {
                if let (Some(bound), true) = (small(schema, keyword), value.is_string()) {
                    for length in [bound.saturating_sub(1), bound, bound + 1] {
                        self.put(pointer, json!("😀".repeat(length)));
                        self.put(pointer, json!("a".repeat(length)));
                    }
                }
            }
            for keyword in ["minItems", "maxItems", "minContains", "maxContains"] {
                if let (Some(bound), Some(items)) = (small(schema, keyword), value.as_array()) {
                    for length in [bound.saturating_sub(1), bound, bound + 1] {
                        let items =
                            items
                                .iter()
                                .cycle()
                                .take(if items.is_empty() { 0 } else { length });
                        self.put(pointer, items.cloned().collect());
                    }
                }
            }
            for keyword in ["minProperties", "maxProperties"] {
                if let (Some(bound), Some(object)) = (small(schema, keyword), value.as_object()) {
                    for length in [bound.saturating_sub(1), bound, bound + 1] {
                        let mut object = object.clone();
                        let filler = object.values().next().cloned().unwrap_or(json!(1));
                        while object.len() > length {
                            let last = object.keys().next_back().cloned().unwrap_or_default();
                            object.remove(&last);
                        }
                        for number in 0..length.saturating_sub(object.len()) {
                            object.insert(format!("more{number}"), filler.clone());
                        }
                        self.put(pointer, Value::Object(object));
                    }
                }
            }
        }
    }

    fn number(&mut self, value: &Value, pointer: &str, schemas: &[&'s Value]) {
        let number = value.as_f64().unwrap_or_default();
        for other in [
            number + 1.0,
            number - 1.0,
            number + 0.5,
            -number,
            number * 1000.0,
        ] {
            self.put(pointer, number_of(other));
        }
        if number.fract() == 0.0 && number != 0.0 && number.abs() < 1e15 {
            for text in [
                format!("{number:.1}"),
                format!("{number}e2"),
                format!("{number}E-0"),
                format!("{number}00e-2"),
            ] {
                self.spell(pointer, &text);
            }
        }
        for text in [
            "-0",
            "0e2",
            "-0.0",
            "1e2",
            "1E400",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "1e300",
            "0.1",
            "-1",
            "9223372036854775807.0",
            "1.7976931348623157e308",
        ] {
            self.spell(pointer, text);
        }
        let bounds = [
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ];
        for (schema, keyword) in schemas
            .iter()
            .flat_map(|schema| bounds.map(|keyword| (schema, keyword)))
        {
            let Some(bound) = schema.get(keyword).filter(|bound| bound.is_number()) else {
                continue;
            };
            self.put(pointer, bound.clone());
            let bound = bound.as_f64().unwrap_or_default();
            for other in [
                bound + 1.0,
                bound - 1.0,
                bound * 2.0,
                bound * 1.5,
                bound * 3.0,
                bound + 0.25,
                bound - 0.25,
            ] {
                self.put(pointer, number_of(other));
            }
        }
    }

    fn string(&mut self, text: &str, pointer: &str) {
        let letters: Vec<char> = text.chars().collect();
        let shorter: String = letters.iter().skip(1).collect();
        let emoji = "😀".repeat(letters.len());
        let longest = "x".repeat(5000);
        let others = [
            "",
            &shorter,
            &emoji,
            &text.to_uppercase(),
            &format!("{text}x"),
            &format!(" {text}\n"),
            &format!("{text}é😀"),
            &longest,
            "2026-07-28",
            "é\u{301}",
        ];
        for other in others {
            self.put(pointer, json!(other));
        }
    }

    fn array(&mut self, items: &[Value], pointer: &str) {
        let mut others = vec![
            items.get(1..).unwrap_or_default().to_vec(),
            items.iter().rev().cloned().collect(),
        ];
        for more in [
            json!(null),
            json!(0),
            json!("x"),
            json!({}),
            items.first().cloned().unwrap_or(json!([])),
        ] {
            others.push([items, std::slice::from_ref(&more)].concat());
        }
        others.push(
            items
                .iter()
                .cycle()
                .take(if items.is_empty() { 0 } else { 300 })
                .cloned()
                .collect(),
        );
        for other in others {
            self.put(pointer, Value::Array(other));
        }
    }

    fn object(&mut self, value: &Value, pointer: &str, schemas: &[&'s Value]) {
        for name in value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
        {
            let mut other = value.clone();
            let taken = other
                .as_object_mut()
                .and_then(|object| object.remove(&name))
                .unwrap_or_default();
            self.put(pointer, other.clone());
            other[format!("{name}x")] = taken;
            self.put(pointer, other);
        }
        let mut add = |name: &str, member: Value| {
            let mut other = value.clone();
            other[name] = member;
            self.put(pointer, other);
        };
        for name in ["extra", "", "a", "b1", "x-y", "__proto__", "é😀", "type"] {
            if value.get(name).is_none() {
                add(name, json!(1));
                add(name, json!({"in": [null, {"deep": 1.5}]}));
                add(name, json!("a"));
            }
        }
        for name in names_of(schemas) {
            if value.get(name).is_some() {
                continue;
            }
            for member in [
                json!(null),
                json!("a"),
                json!(1),
                json!(true),
                json!([]),
                json!({}),
                json!({"b": 1, "z": [{"q": null}]}),
            ] {
                add(name, member);
            }
        }
        let crowd: serde_json::Map<String, Value> = (0..200)
            .map(|number| (format!("k{number}"), json!(number)))
            .collect();
        let is_open = schemas
            .iter()
            .all(|schema| members(schema, "properties").is_empty());
        if is_open {
            self.put(pointer, Value::Object(crowd));
        }
    }
}

/// One value of each type, but for the type that the value has, of which there are two.
fn others(value: &Value) -> Vec<Value> {
    let all = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1.5),
        json!(-7),
        json!(""),
        json!("a"),
        json!([]),
        json!({}),
        json!([1, "a", null]),
        json!({"a": {"b": [1, {"c": null}]}}),
    ];
    all.into_iter().filter(|other| other != value).collect()
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only small bounds are taken"
)]
fn small(schema: &Value, keyword: &str) -> Option<usize> {
    let bound = schema.get(keyword)?.as_f64()?;
    (0.0..=300.0).contains(&bound).then_some(bound as usize)
}

/// The text with its marked numbers written as they are.
fn spelt(text: &str) -> String {
    let marked = "\"\\u0001number:";
    let mut parts = text.split(marked);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('"').unwrap_or((part, ""));
        out += number;
        out += rest;
    }
    out
}
