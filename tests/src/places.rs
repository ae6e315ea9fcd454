//! Which schemas of a document speak of which part of a value.

use std::fmt;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// A schema document, in which refs are followed.
#[derive(Clone, Copy)]
pub struct Document<'s> {
    root: &'s Value,
    holds: Option<Holds<'s>>,
}

/// Whether a schema of the document holds of a value.
pub type Holds<'s> = &'s dyn Fn(&Value, &Value) -> bool;

impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Document").field(self.root).finish()
    }
}

/// More schemas than this for one place of a value are a circle of definitions.
const MAX_IN_PLACE: usize = 200;

/// Keywords whose schemas apply to the same value.
const IN_PLACE: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];

impl<'s> Document<'s> {
    /// The document of a root schema.
    #[must_use]
    pub fn new(root: &'s Value) -> Self {
        Self { root, holds: None }
    }

    /// The same, in which branches of `anyOf` and `oneOf` count only where they hold.
    #[must_use]
    pub fn holding(self, holds: Holds<'s>) -> Self {
        Self {
            holds: Some(holds),
            ..self
        }
    }

    /// The schemas that speak of the whole value: the root, and all that it applies in place.
    #[must_use]
    pub fn whole(&self, value: &Value) -> Vec<&'s Value> {
        self.in_place(vec![self.root], value)
    }

    /// The schemas that speak of a member, given those that speak of its object.
    #[must_use]
    pub fn member(&self, of: &[&'s Value], name: &str, value: &Value) -> Vec<&'s Value> {
        let mut found = Vec::new();
        for schema in of {
            let named = schema
                .pointer("/properties")
                .and_then(|named| named.get(name));
            let patterns = members(schema, "patternProperties").values();
            let rest = ["additionalProperties", "unevaluatedProperties"]
                .into_iter()
                .filter_map(|key| schema.get(key));
            found.extend(named.into_iter().chain(patterns));
            if named.is_none() {
                found.extend(rest);
            }
        }
        self.in_place(found, value)
    }

    /// The schemas that speak of an item, given those that speak of its array.
    #[must_use]
    pub fn item(&self, of: &[&'s Value], index: usize, value: &Value) -> Vec<&'s Value> {
        let mut found = Vec::new();
        for schema in of {
            let tuple = schema
                .get("prefixItems")
                .or(schema.get("items"))
                .and_then(Value::as_array);
            let own = tuple.and_then(|tuple| tuple.get(index));
            let rest = ["items", "additionalItems", "contains", "unevaluatedItems"]
                .into_iter()
                .filter_map(|key| schema.get(key))
                .filter(|rest| !rest.is_array());
            found.extend(own.into_iter().chain(rest));
        }
        self.in_place(found, value)
    }

    fn in_place(&self, schemas: Vec<&'s Value>, value: &Value) -> Vec<&'s Value> {
        let mut found: Vec<&Value> = Vec::new();
        let mut pending = schemas;
        while let Some(schema) = pending.pop() {
            if found.len() >= MAX_IN_PLACE || found.iter().any(|known| std::ptr::eq(*known, schema))
            {
                continue;
            }
            found.push(schema);
            for reference in ["$ref", "$dynamicRef"] {
                let target = schema.get(reference).and_then(Value::as_str);
                pending.extend(target.and_then(|target| self.target(target)));
            }
            for keyword in IN_PLACE {
                match schema.get(keyword) {
                    Some(Value::Array(branches)) if *keyword == "allOf" => pending.extend(branches),
                    Some(Value::Array(branches)) => {
                        let holds =
                            |branch: &&Value| self.holds.is_none_or(|holds| holds(branch, value));
                        pending.extend(branches.iter().filter(holds));
                    }
                    Some(Value::Object(branches)) if keyword.starts_with("dependen") => {
                        pending.extend(branches.values().filter(|branch| !branch.is_array()));
                    }
                    Some(branch) => pending.push(branch),
                    None => {}
                }
            }
        }
        found
    }

    /// Where a ref leads, so far as a walk by names finds it: the scopes of `$id` are not kept.
    #[must_use]
    pub fn target(&self, reference: &str) -> Option<&'s Value> {
        if let Some(pointer) = reference
            .strip_prefix('#')
            .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        {
            let decoded = pointer
                .replace("%25", "%")
                .replace("%20", " ")
                .replace("%22", "\"");
            return self.root.pointer(&decoded);
        }
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let last = base.rsplit('/').next().unwrap_or_default();
        let is_target = |schema: &Value| {
            let id = schema
                .get("$id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let anchors = ["$anchor", "$dynamicAnchor"];
            let is_anchor = !fragment.is_empty()
                && (anchors
                    .iter()
                    .any(|key| schema.get(key).and_then(Value::as_str) == Some(fragment))
                    || id == format!("#{fragment}"));
            is_anchor || (!last.is_empty() && id.rsplit('/').next() == Some(last))
        };
        find(self.root, &is_target)
    }
}

fn find<'s>(at: &'s Value, is_target: &dyn Fn(&Value) -> bool) -> Option<&'s Value> {
    if at.is_object() && is_target(at) {
        return Some(at);
    }
    match at {
        Value::Object(members) => members.values().find_map(|member| find(member, is_target)),
        Value::Array(items) => items.iter().find_map(|item| find(item, is_target)),
        _ => None,
    }
}

static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// The members of an object that is a keyword's argument; none if it has no such.
#[must_use]
pub fn members<'s>(schema: &'s Value, keyword: &str) -> &'s Map<String, Value> {
    schema
        .get(keyword)
        .and_then(Value::as_object)
        .unwrap_or(&NOTHING)
}

/// Whether one of the schemas speaks of a member, be it by its name or by a rule for all.
#[must_use]
pub fn speak_of(schemas: &[&Value], name: &str) -> bool {
    let lists = |value: &Value| {
        value
            .as_array()
            .is_some_and(|names| names.iter().any(|known| known == name))
    };
    let has_object = |value: Option<&Value>| match value {
        Some(Value::Array(values)) => values.iter().any(Value::is_object),
        value => value.is_some_and(Value::is_object),
    };
    schemas.iter().any(|schema| {
        let dependents = ["dependentRequired", "dependentSchemas", "dependencies"];
        let depends = dependents
            .iter()
            .flat_map(|keyword| members(schema, keyword));
        let rules = [
            "patternProperties",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
        ];
        members(schema, "properties").contains_key(name)
            || schema.get("required").is_some_and(lists)
            || depends
                .into_iter()
                .any(|(key, value)| key == name || lists(value))
            || rules.iter().any(|keyword| schema.get(keyword).is_some())
            || has_object(schema.get("const"))
            || has_object(schema.get("enum"))
    })
}

/// All member names that a schema speaks of, for values that come near it.
#[must_use]
pub fn names_of<'s>(schemas: &[&'s Value]) -> Vec<&'s str> {
    let named = schemas.iter().flat_map(|schema| {
        let keys = [
            "properties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
        ];
        keys.into_iter()
            .flat_map(|keyword| members(schema, keyword).keys())
    });
    let mut names: Vec<&str> = named.map(|name| &**name).collect();
    let required = schemas
        .iter()
        .filter_map(|schema| schema.get("required"))
        .filter_map(Value::as_array);
    names.extend(required.flatten().filter_map(Value::as_str));
    names.sort_unstable();
    names.dedup();
    names
}
