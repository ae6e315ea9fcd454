//! What the keywords of a schema say of a value: how it looks, what narrows it, what is in it.

use std::collections::HashSet;

use super::view::View;
use crate::contracts::vocabulary::{Applies, keyword};
use crate::contracts::{Contracts, subschemas};
use crate::json::{Json, Node};
use crate::source::Span;

/// Keywords that say what a value looks like.
const SHAPING: &[&str] = &[
    "type",
    "properties",
    "patternProperties",
    "additionalProperties",
    "items",
    "prefixItems",
    "enum",
    "const",
    "anyOf",
    "oneOf",
];

/// Keywords that narrow a value down without a word on its members or items.
const FLAT: &[&str] = &[
    "type",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
];

/// Keywords that say nothing of a value themselves: what stands in them is looked at by itself.
const SILENT: &[&str] = &[
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "$schema",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$comment",
    "$defs",
    "definitions",
    "$vocabulary",
    "title",
    "description",
    "default",
    "examples",
    "readOnly",
    "writeOnly",
    "deprecated",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

/// Whether a schema says what a value looks like.
pub(super) fn shapes(schema: &Node) -> bool {
    SHAPING.iter().any(|key| schema.get(key).is_some())
}

/// Whether `type` is all that a schema says of how a value looks.
pub(super) fn is_bare_type(schema: &Node) -> bool {
    SHAPING
        .iter()
        .all(|key| *key == "type" || schema.get(key).is_none())
}

/// Whether a schema says nothing at all of a value, and so allows anything.
pub(super) fn is_silent(schema: &Node) -> bool {
    let members = schema.as_object().unwrap_or_default();
    let is_union = |key: &str| matches!(key, "anyOf" | "oneOf");
    let is_silent = members
        .iter()
        .all(|member| is_silent_key(&member.key) && !is_union(&member.key));
    is_silent && schema.as_bool() != Some(false)
}

/// Whether a schema says nothing of what is in a value but that it has members that are known.
pub(super) fn is_plain(schema: &Node, has_member: &dyn Fn(&str) -> bool) -> bool {
    schema
        .as_object()
        .unwrap_or_default()
        .iter()
        .all(|member| match &*member.key {
            "required" => member
                .value
                .as_array()
                .unwrap_or_default()
                .iter()
                .filter_map(Node::as_str)
                .all(has_member),
            "enum" | "const" => !has_container(&member.value),
            key => is_silent_key(key) || FLAT.contains(&key),
        })
}

/// Whether a schema may speak of what is in a value.
fn goes_deep(schema: &Node) -> bool {
    let leads_on = ["$ref", "allOf", "anyOf", "oneOf"]
        .iter()
        .any(|key| schema.get(key).is_some());
    leads_on || !is_plain(schema, &|_| false)
}

fn is_silent_key(key: &str) -> bool {
    // What no dialect knows is an annotation.
    let is_unknown = || {
        use crate::contracts::Dialect::{Draft07, Draft2020_12};
        keyword(key, Draft2020_12).is_none() && keyword(key, Draft07).is_none()
    };
    SILENT.contains(&key) || is_unknown()
}

/// Whether a value, or one in a list of values, is an object or an array.
fn has_container(value: &Node) -> bool {
    let is_container = |value: &Node| matches!(value.value, Json::Object(_) | Json::Array(_));
    matches!(value.value, Json::Object(_))
        || value
            .as_array()
            .is_some_and(|values| values.iter().any(is_container))
}

/// What a schema says of the inside of a value besides what its parts say by `properties`, `items`
/// and `additionalProperties`: the rest of the parts, and what applies in place beside them, such
/// as the branches of a union or of a condition.
#[derive(Default)]
pub(super) struct Asides<'c> {
    /// Members that are spoken of by their names.
    pub(super) members: Vec<&'c str>,
    /// Members of which it is said what is in them.
    pub(super) deep: HashSet<&'c str>,
    /// Whether members are spoken of that have no name.
    pub(super) others: bool,
    /// Whether it is said of such members, or of any at all, what is in them.
    pub(super) all_deep: bool,
    /// Whether it is said what is in the items.
    pub(super) items: bool,
}

impl<'c> Asides<'c> {
    pub(super) fn of(contracts: &'c Contracts, view: &View<'c>) -> Self {
        let mut asides = Self::default();
        let mut seen: HashSet<Span> = view.nodes().map(|part| part.span).collect();
        let mut pending: Vec<&'c Node> = Vec::new();
        for part in view.nodes() {
            asides.read(part, true);
            pending.extend(beside(contracts, part));
        }
        while let Some(schema) = pending.pop() {
            if seen.insert(schema.span) {
                asides.read(schema, false);
                pending.extend(beside(contracts, schema));
            }
        }
        asides
    }

    fn read(&mut self, schema: &'c Node, is_part: bool) {
        let members = |keyword: &str| {
            schema
                .get(keyword)
                .and_then(Node::as_object)
                .unwrap_or_default()
        };
        for member in members("properties") {
            self.members.push(&member.key);
            if !is_part && goes_deep(&member.value) {
                self.deep.insert(&member.key);
            }
        }
        self.read_names(schema);
        let says = |keyword: &str| {
            schema
                .get(keyword)
                .filter(|value| value.as_bool() != Some(false))
        };
        self.others |= ["propertyNames", "minProperties", "maxProperties"]
            .iter()
            .any(|key| schema.get(key).is_some());
        let patterns: Vec<&Node> = members("patternProperties")
            .iter()
            .map(|member| &member.value)
            .collect();
        let additional = says("additionalProperties").filter(|_| !is_part);
        let unnamed: Vec<&Node> = patterns
            .into_iter()
            .chain(additional)
            .chain(says("unevaluatedProperties"))
            .collect();
        self.others |= !unnamed.is_empty();
        let values = [schema.get("const"), schema.get("enum")];
        let whole = !is_part && values.into_iter().flatten().any(has_container);
        self.others |= whole;
        self.all_deep |= whole || unnamed.into_iter().any(goes_deep);
        let items = ["items", "prefixItems"]
            .iter()
            .filter_map(|key| schema.get(key).filter(|_| !is_part));
        let items = items
            .chain(says("contains"))
            .chain(says("unevaluatedItems"));
        self.items |= whole
            || items
                .into_iter()
                .any(|items| items.as_array().is_some() || goes_deep(items));
    }

    /// Members that are named without a word on their values.
    fn read_names(&mut self, schema: &'c Node) {
        let members = |keyword: &str| {
            schema
                .get(keyword)
                .and_then(Node::as_object)
                .unwrap_or_default()
        };
        let dependents = members("dependentRequired")
            .iter()
            .chain(members("dependencies"))
            .map(|member| &member.value);
        let names = dependents
            .chain(schema.get("required"))
            .filter_map(Node::as_array)
            .flatten();
        self.members.extend(names.filter_map(Node::as_str));
        let keys = ["dependentRequired", "dependentSchemas", "dependencies"]
            .into_iter()
            .flat_map(members);
        self.members.extend(keys.map(|member| &*member.key));
    }
}

/// The schemas that a schema applies in place.
fn beside<'c>(contracts: &'c Contracts, schema: &'c Node) -> impl Iterator<Item = &'c Node> {
    let subschemas = subschemas(schema, contracts.dialect(schema.span)).into_iter();
    let in_place = subschemas
        .filter(|sub| sub.keyword.applies == Applies::InPlace)
        .map(|sub| sub.node);
    let target = schema
        .get("$ref")
        .and_then(|reference| contracts.resolve(reference).ok());
    in_place.chain(target.map(|target| target.node))
}
