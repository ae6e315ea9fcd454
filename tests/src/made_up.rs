//! Schemas made up from a seed: every keyword of both drafts, alone and combined.

mod scalar;

use serde_json::{Map, Value, json};

use crate::Rng;
use scalar::PATTERNS;

/// Makes schemas.
#[derive(Debug)]
pub struct MadeUp {
    rng: Rng,
    draft07: bool,
    /// Refs that lead somewhere in the document that is being made.
    refs: Vec<String>,
}

const NAMES: &[&str] = &[
    "a", "b", "name", "kind", "type", "self", "Self", "fooBar", "foo_bar", "$x", "é", "a/b", "a~1",
    "", "items", "value", "2",
];

const REFS: &[&str] = &["node", "leaf", "tree", "choice", "a%20b"];

impl MadeUp {
    /// A maker, for the draft 2020-12 or for draft-07.
    #[must_use]
    pub fn new(seed: u64, draft07: bool) -> Self {
        Self {
            rng: Rng::new(seed),
            draft07,
            refs: Vec::new(),
        }
    }

    /// A whole document.
    pub fn document(&mut self) -> Value {
        let dialect = if self.draft07 {
            "http://json-schema.org/draft-07/schema#"
        } else {
            "https://json-schema.org/draft/2020-12/schema"
        };
        self.refs.clear();
        let with_defs = self.rng.below(2) == 0;
        if with_defs {
            let at = self.definitions_keyword();
            self.refs
                .extend(REFS.iter().map(|name| format!("#/{at}/{name}")));
            if self.draft07 {
                self.refs
                    .extend(["#anchored", "https://example.com/own"].map(str::to_owned));
            } else {
                self.refs.extend(
                    ["#anchored", "own", "own#inner", "own#/$defs/deep"].map(str::to_owned),
                );
            }
        }
        let mut root = match self.rng.below(3) {
            0 => self.schema(3),
            _ => self.object(3),
        };
        if !root.is_object() || (self.draft07 && root.get("$ref").is_some()) {
            root = json!({"allOf": [root]});
        }
        root["$schema"] = json!(dialect);
        if with_defs {
            root[self.definitions_keyword()] = self.definitions();
        }
        root
    }

    fn definitions_keyword(&self) -> &'static str {
        if self.draft07 { "definitions" } else { "$defs" }
    }

    fn definitions(&mut self) -> Value {
        let (key, anchor) = if self.draft07 {
            ("$id", "#anchored")
        } else {
            ("$anchor", "anchored")
        };
        let at = self.definitions_keyword();
        let tree = json!({
            "type": "object",
            "properties": {"value": self.schema(1), "children": {"type": "array", "items": {"$ref": format!("#/{at}/tree")}}},
            "required": ["value"],
        });
        let node = json!({"type": ["object", "null"], "properties": {"next": {"$ref": format!("#/{at}/node")}, "of": self.scalar()}});
        let own = if self.draft07 {
            json!({"$id": "https://example.com/own", "type": "object", "properties": {"o": self.scalar(), "again": {"$ref": "own"}}})
        } else {
            json!({
                "$id": "own", "type": "object",
                "properties": {"o": {"$ref": "#/$defs/deep"}, "again": {"$ref": "own"}},
                "$defs": {"deep": self.scalar(), "inner": {"$anchor": "inner", "type": ["integer", "string"]}},
            })
        };
        let mut anchored = json!({"type": "array", "items": self.scalar(), "maxItems": 3});
        anchored[key] = json!(anchor);
        let refs = std::mem::take(&mut self.refs);
        let defs = json!({
            "leaf": self.scalar(), "tree": tree, "node": node, "choice": self.tagged(1), "a b": self.object(1),
            "named": anchored, "scope": own,
        });
        self.refs = refs;
        defs
    }

    /// Any schema.
    fn schema(&mut self, depth: usize) -> Value {
        if depth == 0 {
            return self.scalar();
        }
        match self.rng.below(26) {
            0 => json!(true),
            1 => json!({"description": "anything"}),
            2 if self.rng.below(4) == 0 => json!(false),
            3..=6 => self.object(depth),
            7..=9 => self.array(depth),
            10 => self.union("anyOf", depth),
            11 => self.union("oneOf", depth),
            12 => json!({"allOf": [self.object(depth - 1), self.object(depth - 1)]}),
            13 => {
                let mut schema = self.object(depth - 1);
                schema["not"] = self.schema(depth - 1);
                schema
            }
            14 => self.conditional(depth),
            15 => self.types(),
            16 => self.tagged(depth),
            17 => self.mixed(depth),
            18 | 19 if !self.refs.is_empty() => self.reference(depth),
            _ => self.scalar(),
        }
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut schema = json!({"type": "array"});
        if self.rng.below(4) > 0 {
            schema["items"] = self.schema(depth - 1);
        }
        self.may(&mut schema, "minItems", |rng| json!(rng.below(3)));
        self.may(&mut schema, "maxItems", |rng| json!(2 + rng.below(4)));
        self.may(&mut schema, "uniqueItems", |_| json!(true));
        if self.rng.below(4) == 0 {
            let tuple = json!([self.schema(depth - 1), self.scalar()]);
            if self.draft07 {
                schema["items"] = tuple;
                schema["additionalItems"] = self.schema(depth - 1);
            } else {
                schema["prefixItems"] = tuple;
            }
        }
        if self.rng.below(5) == 0 {
            schema["contains"] = self.schema(depth - 1);
            if !self.draft07 {
                self.may(&mut schema, "minContains", |rng| json!(rng.below(3)));
                self.may(&mut schema, "maxContains", |rng| json!(1 + rng.below(3)));
            }
        }
        if !self.draft07 && self.rng.below(8) == 0 {
            if let Some(schema) = schema.as_object_mut() {
                schema.remove("items");
            }
            schema["unevaluatedItems"] = self.schema(depth - 1);
        }
        schema
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        for _ in 0..self.rng.below(5) {
            let schema = self.schema(depth.saturating_sub(1));
            properties.insert((*self.rng.pick(NAMES)).to_owned(), schema);
        }
        let names: Vec<String> = properties.keys().cloned().collect();
        let mut schema = json!({"type": "object"});
        if !names.is_empty() {
            schema["properties"] = Value::Object(properties);
            let required: Vec<_> = names.iter().filter(|_| self.rng.below(2) == 0).collect();
            schema["required"] = json!(required);
        }
        if self.rng.below(12) == 0 {
            schema["required"] = json!(["elsewhere"]);
        }
        self.other_members(&mut schema, depth.saturating_sub(1));
        self.may(&mut schema, "title", |_| json!("Same Title"));
        if self.rng.below(8) == 0 {
            schema["propertyNames"] = json!({"maxLength": 5, "pattern": *self.rng.pick(PATTERNS)});
        }
        if self.rng.below(8) == 0 {
            schema["minProperties"] = json!(1);
            schema["maxProperties"] = json!(3);
        }
        if self.rng.below(8) == 0 {
            let (one, other) = (*self.rng.pick(NAMES), *self.rng.pick(NAMES));
            let keyword = if self.draft07 {
                "dependencies"
            } else {
                "dependentRequired"
            };
            schema[keyword] = json!({one: [other]});
        }
        if self.rng.below(8) == 0 {
            let one = *self.rng.pick(NAMES);
            let keyword = if self.draft07 {
                "dependencies"
            } else {
                "dependentSchemas"
            };
            schema[keyword] = json!({one: self.object(depth.saturating_sub(2))});
        }
        schema
    }

    fn other_members(&mut self, schema: &mut Value, depth: usize) {
        match self.rng.below(9) {
            0 | 1 => schema["additionalProperties"] = json!(false),
            2 => schema["additionalProperties"] = json!(true),
            3 => schema["additionalProperties"] = self.schema(depth),
            4 => {
                schema["patternProperties"] = json!({*self.rng.pick(PATTERNS): self.schema(depth)})
            }
            5 => {
                schema["patternProperties"] =
                    json!({"^x-": self.schema(depth), *self.rng.pick(PATTERNS): self.scalar()});
                schema["additionalProperties"] = self.schema(depth);
            }
            6 if !self.draft07 => {
                schema["unevaluatedProperties"] = self.schema(depth);
                let keyword = *self.rng.pick(&["allOf", "anyOf", "oneOf"]);
                schema[keyword] = json!([self.object(depth), self.object(depth)]);
            }
            _ => {}
        }
    }

    fn union(&mut self, keyword: &str, depth: usize) -> Value {
        let branches: Vec<Value> = (0..1 + self.rng.below(3))
            .map(|_| self.schema(depth - 1))
            .collect();
        json!({keyword: branches})
    }

    /// Objects that a member tells apart.
    fn tagged(&mut self, depth: usize) -> Value {
        let tag = *self.rng.pick(&["kind", "type"]);
        let mut branch = |of: &str| {
            let mut schema = self.object(depth.saturating_sub(1));
            schema["properties"][tag] = json!({"const": of});
            schema["required"] = json!([tag]);
            schema
        };
        json!({"oneOf": [branch("one"), branch("two"), branch("three")]})
    }

    fn conditional(&mut self, depth: usize) -> Value {
        let mut schema = if self.rng.below(2) == 0 {
            self.object(depth - 1)
        } else {
            json!({})
        };
        schema["if"] = self.schema(depth - 1);
        schema["then"] = self.schema(depth - 1);
        self.may(&mut schema, "else", |_| json!({"required": ["a"]}));
        schema
    }

    /// Members beside a union, or a union of demands alone.
    fn mixed(&mut self, depth: usize) -> Value {
        let mut schema = self.object(depth);
        let keyword = *self.rng.pick(&["anyOf", "oneOf"]);
        schema[keyword] = match self.rng.below(3) {
            0 => {
                json!([{"required": [*self.rng.pick(NAMES)]}, {"required": [*self.rng.pick(NAMES)]}])
            }
            1 => json!([{"type": "object"}, {"type": "null"}]),
            _ => json!([self.object(depth - 1), self.object(depth - 1)]),
        };
        schema
    }

    fn reference(&mut self, depth: usize) -> Value {
        let target = self.rng.pick(&self.refs).clone();
        match self.rng.below(5) {
            0 => json!({"$ref": target, "description": "beside"}),
            1 => json!({"$ref": target, "type": ["object", "string"]}),
            2 => json!({"anyOf": [{"$ref": target}, {"type": "null"}]}),
            3 => json!({"allOf": [{"$ref": target}, self.object(depth - 1)]}),
            _ => json!({"$ref": target}),
        }
    }
}
