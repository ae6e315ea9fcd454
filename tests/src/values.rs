//! Values made for a schema: most of them valid, by what the schema asks for.

use serde_json::{Map, Number, Value, json};

use crate::Rng;
use crate::places::Document;

/// Makes values for the schemas of one document.
#[derive(Debug)]
pub struct Values<'s, 'r> {
    document: Document<'s>,
    rng: &'r mut Rng,
    depth: usize,
}

/// Deeper parts of a value are kept as small as they can be.
const MAX_DEPTH: usize = 6;

/// Texts that some pattern or format asks for.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "abc",
    "foo",
    "foobar",
    "Foo",
    "12",
    "1234",
    "=A1",
    "😀",
    "é",
    "名前",
    "a b",
    "x-1",
    "a@b.example",
    "2026-07-28",
    "2026-07-28T10:00:00Z",
    "https://example.com/a?b=c",
    "SlicerStyleDark1",
    "6f1c2f6e-8f4a-4b5e-9d6a-0c1d2e3f4a5b",
    "127.0.0.1",
    "\u{0}\n\t\"\\",
    "null",
    "-",
    "A_1",
];

impl<'s, 'r> Values<'s, 'r> {
    /// A maker of values.
    pub fn new(root: &'s Value, rng: &'r mut Rng) -> Self {
        Self {
            document: Document::new(root),
            rng,
            depth: 0,
        }
    }

    /// A value for a schema.
    pub fn value(&mut self, schema: &'s Value) -> Value {
        self.depth += 1;
        let flat = self.flat(schema);
        let value = self.of_flat(&flat);
        self.depth -= 1;
        value
    }

    /// The schema with what it refers to and one branch of each choice, as one list of keywords.
    fn flat(&mut self, schema: &'s Value) -> Vec<(&'s str, &'s Value)> {
        let mut found = Vec::new();
        let mut pending = vec![schema];
        for _ in 0..40 {
            let Some(schema) = pending.pop() else { break };
            if *schema == Value::Bool(false) {
                found.push(("not", schema));
            }
            for (key, value) in schema.as_object().into_iter().flatten() {
                match (&**key, value) {
                    ("$ref" | "$dynamicRef", Value::String(target)) => {
                        pending.extend(self.document.target(target))
                    }
                    ("allOf", Value::Array(branches)) => pending.extend(branches),
                    ("anyOf" | "oneOf", Value::Array(branches)) if !branches.is_empty() => {
                        let branch = if self.depth > MAX_DEPTH {
                            0
                        } else {
                            self.rng.below(branches.len())
                        };
                        pending.push(&branches[branch]);
                    }
                    ("then" | "else", branch) if self.rng.below(2) == 0 => pending.push(branch),
                    ("dependentSchemas" | "dependencies", Value::Object(of)) => {
                        pending.extend(of.values().filter(|branch| !branch.is_array()));
                    }
                    _ => found.push((&**key, value)),
                }
            }
        }
        found
    }

    fn of_flat(&mut self, flat: &[(&'s str, &'s Value)]) -> Value {
        let all = |keyword: &str| {
            flat.iter()
                .filter(|(key, _)| *key == keyword)
                .map(|(_, value)| *value)
                .collect::<Vec<_>>()
        };
        if let Some(value) = all("const").first() {
            return (*value).clone();
        }
        if let Some(values) = all("enum")
            .first()
            .and_then(|values| values.as_array())
            .filter(|values| !values.is_empty())
        {
            return self.rng.pick(values).clone();
        }
        let mut kinds = Vec::new();
        for (number, list) in all("type").into_iter().enumerate() {
            let list: Vec<&str> = match list {
                Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                one => one.as_str().into_iter().collect(),
            };
            if number == 0 {
                kinds = list;
            } else {
                kinds.retain(|kind| {
                    list.contains(kind) || (*kind == "number" && list.contains(&"integer"))
                });
            }
        }
        if kinds.is_empty() {
            kinds = hinted(flat);
        }
        let kind = if self.depth > MAX_DEPTH && kinds.contains(&"null") {
            "null"
        } else {
            self.rng.pick(&kinds)
        };
        match kind {
            "null" => Value::Null,
            "boolean" => json!(self.rng.below(2) == 0),
            "string" => self.string(&all),
            "array" => self.array(flat, &all),
            "object" => self.object(flat, &all),
            kind => self.number(kind == "integer", &all),
        }
    }

    fn string(&mut self, all: &dyn Fn(&str) -> Vec<&'s Value>) -> Value {
        let text = *self.rng.pick(TEXTS);
        let least = bound(&all("minLength")).fold(0, usize::max);
        let most = bound(&all("maxLength")).fold(usize::MAX, usize::min);
        let mut letters: Vec<char> = text.chars().collect();
        if most > 0 && least < 2000 {
            let filler = *self.rng.pick(&['a', '😀', '1']);
            while letters.len() < least {
                letters.push(filler);
            }
        }
        letters.truncate(most);
        Value::from(letters.into_iter().collect::<String>())
    }

    fn number(&mut self, is_integer: bool, all: &dyn Fn(&str) -> Vec<&'s Value>) -> Value {
        let numbers = |keyword: &str| {
            all(keyword)
                .into_iter()
                .filter_map(Value::as_f64)
                .collect::<Vec<_>>()
        };
        let least = numbers("minimum")
            .into_iter()
            .chain(numbers("exclusiveMinimum"))
            .fold(f64::NEG_INFINITY, f64::max);
        let most = numbers("maximum")
            .into_iter()
            .chain(numbers("exclusiveMaximum"))
            .fold(f64::INFINITY, f64::min);
        let step = numbers("multipleOf").first().copied();
        let from = if least.is_finite() {
            least
        } else if most.is_finite() {
            most - 20.0
        } else {
            -3.0
        };
        #[allow(clippy::cast_precision_loss, reason = "a small number")]
        let mut number = from + self.rng.below(24) as f64;
        if !is_integer && step.is_none() && self.rng.below(2) == 0 {
            number += 0.5;
        }
        if let Some(step) = step {
            number = (number / step).ceil() * step;
        }
        if number > most {
            number = (from + most) / 2.0;
        }
        if is_integer {
            number = number.ceil();
        }
        number_of(number)
    }

    fn array(
        &mut self,
        flat: &[(&'s str, &'s Value)],
        all: &dyn Fn(&str) -> Vec<&'s Value>,
    ) -> Value {
        let least = bound(&all("minItems"))
            .chain(bound(&all("minContains")))
            .fold(0, usize::max)
            .min(40);
        let most = bound(&all("maxItems")).fold(usize::MAX, usize::min);
        let tuple = all("prefixItems")
            .into_iter()
            .chain(all("items"))
            .find_map(Value::as_array);
        let rest = flat.iter().find(|(key, value)| {
            matches!(*key, "items" | "additionalItems" | "unevaluatedItems") && !value.is_array()
        });
        let is_closed = rest.is_some_and(|(_, rest)| **rest == Value::Bool(false));
        let mut length = least
            + if self.depth > MAX_DEPTH {
                0
            } else {
                self.rng.below(4)
            };
        if let (Some(tuple), true) = (tuple, self.rng.below(4) > 0) {
            length = length.max(tuple.len());
        }
        if is_closed {
            length = length.min(tuple.map_or(0, Vec::len));
        }
        let contains = all("contains");
        let mut items = Vec::new();
        for index in 0..length.min(most) {
            let own = tuple
                .and_then(|tuple| tuple.get(index))
                .or(rest.map(|(_, rest)| *rest));
            let own = match contains.first() {
                Some(contains) if own.is_none() || self.rng.below(3) == 0 => Some(*contains),
                _ => own,
            };
            items.push(match own {
                Some(own) => self.value(own),
                None => json!(index),
            });
        }
        Value::Array(items)
    }

    fn object(
        &mut self,
        flat: &[(&'s str, &'s Value)],
        all: &dyn Fn(&str) -> Vec<&'s Value>,
    ) -> Value {
        let mut object = Map::new();
        let required: Vec<&str> = all("required")
            .into_iter()
            .filter_map(Value::as_array)
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let chance = 1 + self.rng.below(4);
        for (name, schema) in all("properties")
            .into_iter()
            .filter_map(Value::as_object)
            .flatten()
        {
            let is_required = required.contains(&&**name);
            let is_wanted = *schema != Value::Bool(false)
                && self.depth <= MAX_DEPTH
                && self.rng.below(4) < chance;
            if (is_required || is_wanted) && !object.contains_key(name) && self.depth < 40 {
                let value = self.value(schema);
                object.insert(name.clone(), value);
            }
        }
        let others = flat
            .iter()
            .find(|(key, _)| matches!(*key, "additionalProperties" | "unevaluatedProperties"));
        let is_closed = others.is_some_and(|(_, schema)| **schema == Value::Bool(false));
        let patterns = all("patternProperties")
            .into_iter()
            .filter_map(Value::as_object)
            .flatten();
        let any = patterns.map(|(_, schema)| schema).next();
        let least = bound(&all("minProperties")).fold(0, usize::max).min(20);
        let mut wanted: Vec<String> = required
            .iter()
            .filter(|name| !object.contains_key(**name))
            .map(|name| (*name).to_owned())
            .collect();
        if self.depth <= MAX_DEPTH && (!is_closed || any.is_some()) {
            for _ in 0..self.rng.below(3) {
                wanted
                    .push((*self.rng.pick(&["extra", "a1", "b", "x-y", "é", "", "2"])).to_owned());
            }
        }
        for number in 0..least.saturating_sub(object.len() + wanted.len()) {
            wanted.push(format!("a{number}"));
        }
        for name in wanted {
            let schema = any
                .filter(|_| self.rng.below(2) == 0)
                .or(others.map(|(_, schema)| *schema));
            let value = match schema.filter(|schema| schema.is_object() && self.depth < 40) {
                Some(schema) => self.value(schema),
                None => json!({"any": [1, null]}),
            };
            object.entry(name).or_insert(value);
        }
        Value::Object(object)
    }
}

/// The types for which a schema without `type` has keywords.
fn hinted(flat: &[(&str, &Value)]) -> Vec<&'static str> {
    let of = |keys: &[&str]| flat.iter().any(|(key, _)| keys.contains(key));
    if of(&[
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "minProperties",
        "propertyNames",
    ]) {
        vec!["object", "object", "object", "string"]
    } else if of(&[
        "items",
        "prefixItems",
        "contains",
        "uniqueItems",
        "minItems",
        "maxItems",
        "unevaluatedItems",
    ]) {
        vec!["array", "array", "array", "integer"]
    } else if of(&["minLength", "maxLength", "pattern", "format"]) {
        vec!["string", "string", "null"]
    } else if of(&[
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
    ]) {
        vec!["number", "integer", "boolean"]
    } else {
        vec![
            "null", "boolean", "string", "integer", "number", "array", "object",
        ]
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounds of made-up schemas are small"
)]
fn bound<'v>(values: &[&'v Value]) -> impl Iterator<Item = usize> + use<'v> {
    values
        .iter()
        .filter_map(|value| value.as_f64())
        .map(|bound| bound as usize)
        .collect::<Vec<_>>()
        .into_iter()
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// The number, as an integer where it is one.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    reason = "checked to be an integer in range"
)]
pub fn number_of(number: f64) -> Value {
    if number.fract() == 0.0 && (-TWO_TO_63..TWO_TO_63).contains(&number) {
        return json!(number as i64);
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}
