//! A JSON value as the checker sees it: strings borrowed, numbers as they are written.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Deref;

#[cfg(feature = "server")]
use serde_json::Value as Json;

use super::decimal::Decimal;
use super::table::Literal;
use crate::sorted::sorted_places;

/// A parsed JSON value.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Value<'a>>),
    Object(Members<'a>),
}

/// The members of an object, in the order of the text.
#[derive(Debug, Clone)]
pub(crate) struct Members<'a> {
    list: Vec<(Cow<'a, str>, Value<'a>)>,
    /// The places of the members in the order of their names.
    sorted: Vec<usize>,
}

impl<'a> Members<'a> {
    pub(super) fn new(list: Vec<(Cow<'a, str>, Value<'a>)>) -> Self {
        let sorted = sorted_places(list.len(), &|one, other| list[one].0.cmp(&list[other].0));
        Self { list, sorted }
    }

    /// The first name that occurs twice.
    pub(super) fn duplicate(&self) -> Option<&str> {
        let mut names = self
            .sorted
            .windows(2)
            .map(|pair| (&self.list[pair[0]].0, &self.list[pair[1]].0));
        names
            .find(|(one, other)| one == other)
            .map(|(name, _)| &**name)
    }

    /// The place of a member.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let found = self
            .sorted
            .binary_search_by(|at| (*self.list[*at].0).cmp(name));
        found.ok().map(|at| self.sorted[at])
    }

    fn in_order(&self) -> impl Iterator<Item = &(Cow<'a, str>, Value<'a>)> {
        self.sorted.iter().map(|at| &self.list[*at])
    }
}

impl<'a> Deref for Members<'a> {
    type Target = [(Cow<'a, str>, Value<'a>)];

    fn deref(&self) -> &Self::Target {
        &self.list
    }
}

impl Value<'_> {
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Value::Object(members) => members.find(name).map(|at| &members[at].1),
            _ => None,
        }
    }

    /// A total order that calls equal what JSON Schema calls equal.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
            (Value::Number(one), Value::Number(other)) => Decimal::compare(one, other),
            (Value::String(one), Value::String(other)) => one.cmp(other),
            (Value::Array(one), Value::Array(other)) => compare_all(one.iter(), other.iter()),
            (Value::Object(one), Value::Object(other)) => {
                let names = |members: &Members<'_>| {
                    members
                        .in_order()
                        .map(|(name, _)| name.to_string())
                        .collect::<Vec<_>>()
                };
                let values = || {
                    compare_all(
                        one.in_order().map(|(_, v)| v),
                        other.in_order().map(|(_, v)| v),
                    )
                };
                names(one).cmp(&names(other)).then_with(values)
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

    /// The value as serde_json holds it, without the members and items that are numbers it holds none
    /// of, such as `1e400`.
    #[cfg(feature = "server")]
    pub(crate) fn to_json(&self) -> Option<Json> {
        Some(match self {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(text) => Json::Number(text.parse().ok()?),
            Value::String(text) => Json::String(text.to_string()),
            Value::Array(items) => items.iter().filter_map(Self::to_json).collect(),
            Value::Object(members) => members
                .iter()
                .filter_map(|(name, value)| Some((name.to_string(), value.to_json()?)))
                .collect(),
        })
    }

    /// Whether an integer in it is written as serde reads none: `5.0`, `5e0`, `-0`.
    pub(crate) fn has_odd_integers(&self) -> bool {
        match self {
            Value::Number(text) => {
                *text == "-0"
                    || (text.contains(['.', 'e', 'E']) && Decimal::parse(text).is_integer())
            }
            Value::Array(items) => items.iter().any(Self::has_odd_integers),
            Value::Object(members) => members.iter().any(|(_, value)| value.has_odd_integers()),
            _ => false,
        }
    }

    /// Writes the value as JSON, integers without fraction or exponent (`5.0` as `5`).
    pub(crate) fn write_plain(&self, out: &mut String) {
        self.write(&plain, out);
    }

    /// Writes the value as JSON, in which numbers stand for an `f64` each: integers in all their
    /// digits, so that none is rounded by its notation.
    pub(crate) fn write_exact(&self, out: &mut String) {
        self.write(&exact, out);
    }

    fn write(&self, number: &dyn Fn(&str) -> String, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::Number(text) => out.push_str(&number(text)),
            Value::String(text) => write_string(text, out),
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    item.write(number, out);
                }
                out.push(']');
            }
            Value::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    write_string(name, out);
                    out.push(':');
                    value.write(number, out);
                }
                out.push('}');
            }
        }
    }
}

fn plain(text: &str) -> String {
    Decimal::parse(text)
        .to_i128()
        .map_or_else(|| text.into(), |integer| integer.to_string())
}

/// The characters of a text. Outlined: to count them fast, the standard library takes much code.
#[inline(never)]
pub(in crate::check) fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "an integer in range, and rounded as it is when the number is read"
)]
fn exact(text: &str) -> String {
    // Every f64 below this is an integer that i128 holds.
    const MOST: f64 = 1e38;
    match Decimal::parse(text).to_i128().map(|integer| integer as f64) {
        Some(number) if text.contains(['.', 'e', 'E']) && number.abs() < MOST => {
            (number as i128).to_string()
        }
        _ => text.into(),
    }
}

impl<'m, 'a> IntoIterator for &'m Members<'a> {
    type Item = &'m (Cow<'a, str>, Value<'a>);
    type IntoIter = std::slice::Iter<'m, (Cow<'a, str>, Value<'a>)>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
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
            Literal::Object(members) => {
                let members = members
                    .iter()
                    .map(|(name, value)| (Cow::Borrowed(&**name), value.into()));
                Value::Object(Members::new(members.collect()))
            }
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

fn write_string(text: &str, out: &mut String) {
    // A string always serialises.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}
