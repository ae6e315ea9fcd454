//! What `$id` and anchors name in a document.

use std::collections::HashMap;

use super::super::value::Value;
use super::super::words::push_token;
use super::uri::{resolve, split_fragment};
use super::vocabulary::{Dialect, Holds, keywords};

/// The base of a document without an `$id`: no network address, and nobody's.
const BASE: &str = "relay:///document.json";

/// A schema with a URI of its own, and all below it up to the next one.
#[derive(Debug, Default)]
pub(super) struct Resource {
    pub(super) uri: String,
    /// JSON Pointer to it.
    pub(super) pointer: String,
    /// The JSON Pointer of each `$anchor` and `$dynamicAnchor`.
    pub(super) anchors: HashMap<String, String>,
    /// Which of them are dynamic, in the order of the document.
    pub(super) dynamic: Vec<String>,
}

/// The resources of a document, the root first.
#[derive(Debug, Default)]
pub(super) struct Resources {
    list: Vec<Resource>,
    dialect: Option<Dialect>,
    /// Whether `unevaluated…` asks which keywords have spoken.
    pub(super) counts_evaluated: bool,
}

impl Resources {
    pub(super) fn read(document: &Value<'_>, dialect: Dialect) -> Self {
        let root = Resource {
            uri: BASE.into(),
            ..Resource::default()
        };
        let mut resources = Self {
            list: vec![root],
            dialect: Some(dialect),
            counts_evaluated: false,
        };
        resources.visit(document, "", 0);
        resources
    }

    /// The innermost resource round a schema.
    pub(super) fn at(&self, pointer: &str) -> Option<&Resource> {
        let is_round = |resource: &&Resource| {
            pointer
                .strip_prefix(&*resource.pointer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.list
            .iter()
            .filter(is_round)
            .max_by_key(|resource| resource.pointer.len())
    }

    /// The resource that a reference from another one names.
    pub(super) fn named(&self, reference: &str, from: &Resource) -> Option<&Resource> {
        let uri = resolve(&from.uri, reference);
        self.list.iter().find(|resource| resource.uri == uri)
    }

    fn visit(&mut self, schema: &Value<'_>, pointer: &str, outer: usize) {
        let Value::Object(members) = schema else {
            return;
        };
        let Some(dialect) = self.dialect else { return };
        let at = self.enter(schema, pointer, outer, dialect);
        self.anchors(schema, pointer, at, dialect);
        for (name, value) in members {
            let Some(keyword) = keywords(dialect).find(|keyword| keyword.name == name) else {
                continue;
            };
            self.counts_evaluated |= name.starts_with("unevaluated");
            let below = |tokens: &[&str]| {
                let mut pointer = pointer.to_owned();
                tokens
                    .iter()
                    .for_each(|token| push_token(&mut pointer, token));
                pointer
            };
            match (keyword.holds, value) {
                (Holds::Nothing, _) => {}
                (Holds::List | Holds::SchemaOrList, Value::Array(items)) => {
                    for (index, item) in items.iter().enumerate() {
                        self.visit(item, &below(&[name, &index.to_string()]), at);
                    }
                }
                (Holds::Map | Holds::MapOrNames, Value::Object(entries)) => {
                    for (key, entry) in entries {
                        self.visit(entry, &below(&[name, key]), at);
                    }
                }
                (_, value) => self.visit(value, &below(&[name]), at),
            }
        }
    }

    /// The resource that a schema belongs to: one of its own if it has an `$id`.
    fn enter(
        &mut self,
        schema: &Value<'_>,
        pointer: &str,
        outer: usize,
        dialect: Dialect,
    ) -> usize {
        let Some(Value::String(id)) = schema.get("$id") else {
            return outer;
        };
        let (path, fragment) = split_fragment(id);
        let is_ignored = dialect == Dialect::Draft07 && schema.get("$ref").is_some();
        if is_ignored || (path.is_empty() && !fragment.is_empty()) {
            return outer;
        }
        let uri = resolve(&self.list[outer].uri, path);
        if pointer.is_empty() {
            self.list[outer].uri = uri;
            return outer;
        }
        self.list.push(Resource {
            uri,
            pointer: pointer.into(),
            ..Resource::default()
        });
        self.list.len() - 1
    }

    fn anchors(&mut self, schema: &Value<'_>, pointer: &str, at: usize, dialect: Dialect) {
        let resource = &mut self.list[at];
        if dialect == Dialect::Draft07 {
            // There, an `$id` that is but a fragment is what later became `$anchor`.
            if let (Some(Value::String(id)), None) = (schema.get("$id"), schema.get("$ref")) {
                let (_, anchor) = split_fragment(id);
                if !anchor.is_empty() {
                    resource.anchors.insert(anchor.into(), pointer.into());
                }
            }
            return;
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let Some(Value::String(anchor)) = schema.get(keyword) else {
                continue;
            };
            resource.anchors.insert(anchor.to_string(), pointer.into());
            if keyword == "$dynamicAnchor" {
                resource.dynamic.push(anchor.to_string());
            }
        }
    }
}
