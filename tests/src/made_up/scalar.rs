//! Schemas of values without parts.

use serde_json::{Value, json};

use super::{MadeUp, NAMES};
use crate::Rng;

pub(super) const PATTERNS: &[&str] = &[
    "^[a-z]+$",
    "^a",
    "b$",
    "\\d{2,4}",
    "^\\p{L}+$",
    "^[^@]+@[^@]+$",
    "^(foo|bar)",
    "^.$",
    "\\w",
    "^\\S+$",
    "a|b",
    "",
    "^x-",
    "^[a-zA-Z_][a-zA-Z0-9_]*$",
    "(ab)*c?",
    "^\\u0061",
    "[\\s\\S]",
    "^(?:a(?:b|c)){1,2}$",
    "\\.",
    "^.{0,3}$",
    "[^0-9]$",
];

impl MadeUp {
    pub(super) fn scalar(&mut self) -> Value {
        match self.rng.below(9) {
            0 | 1 => self.string(),
            2 | 3 => self.number("integer"),
            4 => self.number("number"),
            5 => json!({"type": "boolean"}),
            6 => json!({"type": "null"}),
            7 => self.constant(),
            _ => self.types(),
        }
    }

    pub(super) fn may(
        &mut self,
        schema: &mut Value,
        keyword: &str,
        value: impl FnOnce(&mut Rng) -> Value,
    ) {
        if self.rng.below(3) == 0 {
            schema[keyword] = value(&mut self.rng);
        }
    }

    fn string(&mut self) -> Value {
        let mut schema = json!({"type": "string"});
        self.may(&mut schema, "minLength", |rng| json!(rng.below(4)));
        self.may(&mut schema, "maxLength", |rng| json!(2 + rng.below(6)));
        self.may(&mut schema, "pattern", |rng| json!(*rng.pick(PATTERNS)));
        self.may(&mut schema, "format", |rng| {
            json!(*rng.pick(&["uuid", "date-time", "ipv4", "uri", "made-up"]))
        });
        self.may(&mut schema, "default", |rng| {
            json!(*rng.pick(&["", "a", "abcdefgh"]))
        });
        schema
    }

    fn number(&mut self, kind: &str) -> Value {
        let bounds = [
            json!(0),
            json!(-1),
            json!(1),
            json!(5),
            json!(0.5),
            json!(-0.25),
            json!(100),
            json!(2.0),
            json!(1e10),
            json!(9_007_199_254_740_993_i64),
            json!(i64::MIN),
            json!(i64::MAX),
            json!(u64::MAX),
            json!(1e300),
            json!(-1e300),
        ];
        let mut schema = json!({"type": kind});
        for keyword in ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"] {
            if self.rng.below(4) == 0 {
                schema[keyword] = self.rng.pick(&bounds).clone();
            }
        }
        if self.rng.below(5) == 0 {
            schema["multipleOf"] = self
                .rng
                .pick(&[
                    json!(2),
                    json!(0.1),
                    json!(0.01),
                    json!(1.5),
                    json!(1e-5),
                    json!(7),
                ])
                .clone();
        }
        schema
    }

    fn any_value(&mut self) -> Value {
        let values = [
            json!(null),
            json!(true),
            json!(false),
            json!(0),
            json!(1),
            json!(1.0),
            json!(-2.5),
            json!("a"),
            json!("A"),
            json!(""),
            json!("="),
            json!("!="),
            json!([]),
            json!({}),
            json!([1, "a", {"b": null}]),
            json!({"a": 1, "b": [2]}),
            json!({"a": {"b": 1.0}}),
            json!(9_007_199_254_740_993_i64),
            json!(u64::MAX),
            json!("😀"),
            json!("type"),
        ];
        self.rng.pick(&values).clone()
    }

    fn constant(&mut self) -> Value {
        let count = 1 + self.rng.below(4);
        match self.rng.below(6) {
            0 => json!({"const": self.any_value()}),
            1 => json!({"const": *self.rng.pick(NAMES)}),
            2 => {
                let mut values: Vec<Value> = (0..count).map(|_| self.any_value()).collect();
                values.dedup();
                json!({"enum": values})
            }
            3 => json!({"enum": (["a", "A", "b-c", "b_c", "1", "", "+"][..count])}),
            4 => json!({"type": ["string", "null"], "enum": ["x", "y", null]}),
            _ => json!({"type": "string", "enum": (["asc", "desc", "type", "self"][..count])}),
        }
    }

    pub(super) fn types(&mut self) -> Value {
        let all = [
            "string", "integer", "number", "boolean", "null", "array", "object",
        ];
        let mut types: Vec<&str> = all.into_iter().filter(|_| self.rng.below(3) == 0).collect();
        if types.is_empty() {
            types = vec!["string", "null"];
        }
        let mut schema = json!({"type": types});
        self.may(&mut schema, "minimum", |rng| json!(rng.below(3)));
        self.may(&mut schema, "minLength", |_| json!(1));
        self.may(&mut schema, "maxItems", |_| json!(2));
        schema
    }
}
