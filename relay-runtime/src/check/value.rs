//! A JSON value as the checker sees it: strings borrowed, numbers as they are written.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt::Write;

use super::decimal::Decimal;
use super::table::Literal;

/// A parsed JSON value.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Value<'a>>),
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl Value<'_> {
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Value::Object(members) => members
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// A total order that calls equal what JSON Schema calls equal.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
            (Value::Number(one), Value::Number(other)) => {
                Decimal::parse(one).cmp(&Decimal::parse(other))
            }
            (Value::String(one), Value::String(other)) => one.cmp(other),
            (Value::Array(one), Value::Array(other)) => compare_all(one.iter(), other.iter()),
            (Value::Object(one), Value::Object(other)) => {
                let (one, other) = (sorted(one), sorted(other));
                let keys = one
                    .iter()
                    .map(|(key, _)| key)
                    .cmp(other.iter().map(|(key, _)| key));
                keys.then_with(|| {
                    compare_all(one.iter().map(|(_, v)| v), other.iter().map(|(_, v)| v))
                })
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Bool(_) => 1,
            Value::Number(_) => 2,
            Value::String(_) => 3,
            Value::Array(_) => 4,
            Value::Object(_) => 5,
        }
    }

    /// Writes the value as JSON, integers without fraction or exponent (`5.0` as `5`).
    pub(crate) fn write_plain(&self, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::Number(text) => match Decimal::parse(text).to_i128() {
                Some(integer) => drop(write!(out, "{integer}")),
                None => out.push_str(text),
            },
            Value::String(text) => write_string(text, out),
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write_plain(out);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(key, out);
                    out.push(':');
                    value.write_plain(out);
                }
                out.push('}');
            }
        }
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

impl<'a> From<&'a Literal> for Value<'a> {
    fn from(literal: &'a Literal) -> Self {
        match literal {
            Literal::Null => Value::Null,
            Literal::Bool(value) => Value::Bool(*value),
            Literal::Number(text) => Value::Number(text),
            Literal::String(text) => Value::String(Cow::Borrowed(text)),
            Literal::Array(items) => Value::Array(items.iter().map(Into::into).collect()),
            Literal::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(key, value)| (Cow::Borrowed(&**key), value.into()))
                    .collect(),
            ),
        }
    }
}

fn compare_all<'v, 'a: 'v>(
    mut one: impl Iterator<Item = &'v Value<'a>>,
    mut other: impl Iterator<Item = &'v Value<'a>>,
) -> Ordering {
    loop {
        match (one.next(), other.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(one), Some(other)) => match one.compare(other) {
                Ordering::Equal => {}
                unequal => return unequal,
            },
        }
    }
}

fn sorted<'v, 'a>(members: &'v [(Cow<'a, str>, Value<'a>)]) -> Vec<&'v (Cow<'a, str>, Value<'a>)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    members
}

fn write_string(text: &str, out: &mut String) {
    // A string always serialises.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// The first key that occurs twice.
pub(super) fn duplicate<'m>(members: &'m [(Cow<'_, str>, Value<'_>)]) -> Option<&'m str> {
    let mut seen = HashSet::with_capacity(members.len());
    members
        .iter()
        .map(|(key, _)| &**key)
        .find(|key| !seen.insert(*key))
}
