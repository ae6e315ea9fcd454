//! Values that a schema lists, and the integers that it bounds.

use super::lower::{Slot, Types, no_exact_type, nullable};
use super::model::{Body, Type, Variant};
use super::names::{Scope, type_name};
use super::typify;
use super::view::{View, types_of};
use relay_runtime::check::is_natural;

use crate::json::{Json, Node};

impl<'c> Types<'c> {
    /// The type of `const` and `enum`: an enumeration of strings, or the scalar type of the values.
    pub(super) fn enumeration(&mut self, view: &View<'c>, values: &[&'c Node], slot: Slot) -> Type {
        let types = view.types();
        let fitting = values
            .iter()
            .copied()
            .filter(|value| types.as_ref().is_none_or(|types| has_type(value, types)));
        let (null, values): (Vec<_>, Vec<_>) =
            fitting.partition(|value| matches!(value.value, Json::Null));
        let of = match &values[..] {
            [] if null.is_empty() => return no_exact_type("the schema allows no value"),
            [] => return Type::Null,
            values => match strings(values) {
                Some(strings) => self.strings(&strings, view, &slot),
                None => scalar(values),
            },
        };
        if null.is_empty() { of } else { nullable(of) }
    }

    fn strings(&mut self, values: &[String], view: &View<'c>, slot: &Slot) -> Type {
        let id = self.item(slot, view.text("description").unwrap_or_default());
        let names =
            typify::variants(&self.items[id].name, values).unwrap_or_else(|| numbered(values));
        let variant = |(name, value): (String, &String)| Variant {
            name,
            doc: String::new(),
            of: value.clone(),
        };
        self.items[id].body = Body::Strings(names.into_iter().zip(values).map(variant).collect());
        Type::Item(id)
    }
}

/// The values, each once, if all of them are strings.
fn strings(values: &[&Node]) -> Option<Vec<String>> {
    let mut strings: Vec<String> = Vec::new();
    for value in values {
        let text = value.as_str()?;
        if !strings.iter().any(|seen| seen == text) {
            strings.push(text.into());
        }
    }
    Some(strings)
}

/// Names for values that come to the same identifier: the later ones are numbered.
fn numbered(values: &[String]) -> Vec<String> {
    let mut scope = Scope::for_variants();
    values
        .iter()
        .map(|value| scope.unique(&type_name(value), ""))
        .collect()
}

fn scalar(values: &[&Node]) -> Type {
    let all = |fits: fn(&Node) -> bool| values.iter().all(|value| fits(value));
    let number = |fits: fn(&str) -> bool| {
        values
            .iter()
            .all(|value| value.as_number().is_some_and(fits))
    };
    if all(|value| value.as_bool().is_some()) {
        Type::Bool
    } else if number(|text| text.parse::<i64>().is_ok()) {
        Type::I64
    } else if number(|text| text.parse::<u64>().is_ok()) {
        Type::U64
    } else if number(is_exact) {
        Type::F64
    } else if all(|value| value.as_number().is_some()) {
        no_exact_type("the schema lists numbers that no Rust type holds exactly")
    } else {
        no_exact_type("the values that the schema lists are of several types")
    }
}

/// Whether an f64 gives the number back as it is: so many digits always survive.
fn is_exact(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    mantissa.bytes().filter(u8::is_ascii_digit).count() <= 15
        && text.parse().is_ok_and(f64::is_finite)
}

fn has_type(value: &Node, types: &[&str]) -> bool {
    types.iter().any(|name| match &value.value {
        Json::Null => *name == "null",
        Json::Bool(_) => *name == "boolean",
        Json::Number(_) => matches!(*name, "number" | "integer"),
        Json::String(_) => *name == "string",
        Json::Array(_) => *name == "array",
        Json::Object(_) => *name == "object",
    })
}

/// `u64` where the schema that says `integer` allows nothing below zero, else `i64`: the rule by
/// which the table bounds it.
pub(super) fn integer(view: &View<'_>) -> Type {
    let says_integer =
        |part: &&Node| types_of(part).is_some_and(|types| types.contains(&"integer"));
    let Some(schema) = view.nodes().find(says_integer) else {
        return Type::I64;
    };
    let bound = |keyword: &str| schema.get(keyword).and_then(Node::as_number);
    if is_natural(bound("minimum"), bound("exclusiveMinimum")) {
        Type::U64
    } else {
        Type::I64
    }
}
