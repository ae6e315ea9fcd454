//! The subschemas of a schema.

use super::vocabulary::{Dialect, Holds, Keyword, keyword};
use crate::json::{Json, Member, Node, encode_token};

/// A subschema and how its parent holds it.
#[derive(Debug, Clone)]
pub struct Subschema<'a> {
    /// The keyword that holds it.
    pub keyword: &'static Keyword,
    /// The JSON Pointer from the parent, such as `/properties/name`.
    pub pointer: String,
    /// The subschema.
    pub node: &'a Node,
}

/// The subschemas of a schema in one dialect, in the order written. What is not shaped as its keyword
/// wants it is left out.
#[must_use]
pub fn subschemas(schema: &Node, dialect: Dialect) -> Vec<Subschema<'_>> {
    let mut found = Vec::new();
    for member in effective(schema, dialect) {
        if let Some(keyword) = keyword(&member.key, dialect) {
            collect(member, keyword, &mut found);
        }
    }
    found
}

/// The members of a schema that its dialect heeds: in draft-07, beside a `$ref`, nothing but the
/// definitions, since refs may lead there.
pub(crate) fn effective(schema: &Node, dialect: Dialect) -> impl Iterator<Item = &Member> {
    let alone = dialect == Dialect::Draft07 && schema.get("$ref").is_some();
    let members = schema.as_object().unwrap_or_default().iter();
    members.filter(move |member| !alone || matches!(&*member.key, "$ref" | "$defs" | "definitions"))
}

fn collect<'a>(member: &'a Member, keyword: &'static Keyword, found: &mut Vec<Subschema<'a>>) {
    let mut add = |tokens: &[&str], node: &'a Node| {
        let pointer = tokens
            .iter()
            .map(|token| format!("/{}", encode_token(token)))
            .collect();
        found.push(Subschema {
            keyword,
            pointer,
            node,
        });
    };
    let name = keyword.name;
    match (keyword.holds, &member.value.value) {
        (Holds::Schema, _) => add(&[name], &member.value),
        (Holds::List | Holds::SchemaOrList, Json::Array(elements)) => {
            for (at, element) in elements.iter().enumerate() {
                add(&[name, &at.to_string()], element);
            }
        }
        (Holds::SchemaOrList, _) => add(&[name], &member.value),
        (Holds::Map, Json::Object(entries)) => {
            for entry in entries {
                add(&[name, &entry.key], &entry.value);
            }
        }
        (Holds::MapOrNames, Json::Object(entries)) => {
            for entry in entries
                .iter()
                .filter(|entry| entry.value.as_array().is_none())
            {
                add(&[name, &entry.key], &entry.value);
            }
        }
        _ => {}
    }
}
