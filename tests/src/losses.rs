//! What a value has lost on its way through a type and back.

use serde_json::{Number, Value};

use crate::places::{Document, Holds, members, speak_of};

/// A difference between a value and what came of it.
#[derive(Debug, PartialEq)]
pub enum Loss {
    /// Something else stands at this pointer.
    Changed(String),
    /// A member is missing of which the schema speaks: the pointer of the object, and the name.
    Spoken(String, String),
    /// A member is missing of which the schema does not speak.
    Unspoken(String, String),
}

/// All that differs, numbers compared by value; `holds` says whether a branch of a union holds.
#[must_use]
pub fn losses<'s>(schema: &'s Value, holds: Holds<'s>, before: &Value, after: &Value) -> Vec<Loss> {
    let document = Document::new(schema).holding(holds);
    let mut found = Vec::new();
    compare(
        document,
        &document.whole(before),
        before,
        after,
        "",
        &mut found,
    );
    found
}

fn compare(
    document: Document<'_>,
    schemas: &[&Value],
    before: &Value,
    after: &Value,
    at: &str,
    found: &mut Vec<Loss>,
) {
    match (before, after) {
        (Value::Number(one), Value::Number(other)) if same(one, other) => {}
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                let schemas = document.item(schemas, index, one);
                compare(
                    document,
                    &schemas,
                    one,
                    other,
                    &format!("{at}/{index}"),
                    found,
                );
            }
        }
        (Value::Object(one), Value::Object(other)) => {
            for (name, one) in one {
                let token = name.replace('~', "~0").replace('/', "~1");
                match other.get(name) {
                    Some(other) => {
                        let schemas = document.member(schemas, name, one);
                        compare(
                            document,
                            &schemas,
                            one,
                            other,
                            &format!("{at}/{token}"),
                            found,
                        );
                    }
                    // Where no member is named, all of them are kept, but for a tool without arguments.
                    None if speak_of(schemas, name) || !(are_named(schemas) || at.is_empty()) => {
                        found.push(Loss::Spoken(at.into(), name.clone()));
                    }
                    None => found.push(Loss::Unspoken(at.into(), name.clone())),
                }
            }
            let added = other.keys().filter(|name| !one.contains_key(*name));
            found.extend(added.map(|name| Loss::Changed(format!("{at}/{name}"))));
        }
        (one, other) if one == other => {}
        _ => found.push(Loss::Changed(at.into())),
    }
}

fn are_named(schemas: &[&Value]) -> bool {
    schemas
        .iter()
        .any(|schema| !members(schema, "properties").is_empty())
}

/// Whether both are the same number; beyond the integers of Rust, the nearest f64 counts.
#[allow(clippy::float_cmp, reason = "the very same value is wanted")]
fn same(one: &Number, other: &Number) -> bool {
    match (one.is_f64(), other.is_f64()) {
        (false, false) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}
