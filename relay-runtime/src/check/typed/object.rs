//! Objects: generated structs, and maps.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::table::{Keyword, OBJECT, Schema, Text};
use super::{Checked, Unknown, Valid, Verdict, Walk, has};

/// A member of a struct: its name in JSON, and its value if it is there.
pub type Member<'v> = (&'static str, Option<&'v dyn Checked>);

/// What became of members that a struct has no field for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// There were none: decoding refuses them.
    Refused,
    /// Decoding passed over them.
    Ignored,
    /// They are kept apart.
    Kept,
}

/// The members of an object, in the order of its schema where it is a struct.
#[derive(Clone, Copy)]
pub struct Members<'v> {
    /// Those that have a field.
    pub fields: &'v [Member<'v>],
    /// What became of the others.
    pub rest: Rest,
}

impl Members<'_> {
    /// What is known of the object and one keyword.
    #[must_use]
    pub fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict {
        // On the way out, there is nothing but what is here.
        let is_whole = self.rest == Rest::Refused || (walk.outward && self.rest == Rest::Ignored);
        match keyword {
            // What is kept may hold a name twice, or that of a field.
            Keyword::Type(_) if self.rest == Rest::Kept => Unknown,
            Keyword::Type(types) => has(*types, OBJECT),
            Keyword::Properties(members) => self.properties(members, is_whole, walk),
            Keyword::Required(names) => {
                Verdict::all(names.iter().map(|name| self.has(name, is_whole)))
            }
            Keyword::AdditionalProperties(schema) => {
                self.additional(schema, siblings, is_whole, walk)
            }
            Keyword::DependentRequired(dependents) => {
                let dependents = dependents
                    .iter()
                    .flat_map(|(name, needed)| needed.iter().map(move |needed| (name, needed)));
                Verdict::all(
                    dependents.map(|(name, needed)| match self.has(name, is_whole) {
                        Verdict::Invalid => Valid,
                        Valid => self.has(needed, is_whole),
                        Unknown => Unknown,
                    }),
                )
            }
            Keyword::PatternProperties(_)
            | Keyword::PropertyNames(_)
            | Keyword::MinProperties(_)
            | Keyword::MaxProperties(_)
            | Keyword::DependentSchemas(_)
            | Keyword::Const(_)
            | Keyword::Enum(_) => Unknown,
            _ => Valid,
        }
    }

    fn properties(&self, members: &[(Text, Schema)], is_whole: bool, walk: &Walk<'_>) -> Verdict {
        let mut next = 0;
        Verdict::all(
            members
                .iter()
                .map(|(name, schema)| match self.find(name, next) {
                    Some((place, value)) => {
                        next = place + 1;
                        value.map_or(Valid, |value| walk.schema(schema, value))
                    }
                    None if is_whole => Valid,
                    None => Unknown,
                }),
        )
    }

    fn additional(
        &self,
        schema: &Schema,
        siblings: &[Keyword],
        is_whole: bool,
        walk: &Walk<'_>,
    ) -> Verdict {
        if !is_whole && !schema.is_empty() {
            return Unknown;
        }
        let named = siblings.iter().find_map(|keyword| match keyword {
            Keyword::Properties(members) => Some(&**members),
            _ => None,
        });
        let named = named.unwrap_or_default();
        if siblings
            .iter()
            .any(|keyword| matches!(keyword, Keyword::PatternProperties(_)))
        {
            return Unknown;
        }
        let is_named = |place: usize, name: &str| {
            named.get(place).is_some_and(|(known, _)| **known == *name)
                || named.iter().any(|(known, _)| **known == *name)
        };
        let others = self
            .fields
            .iter()
            .enumerate()
            .filter(|(place, (name, _))| !is_named(*place, name));
        Verdict::all(
            others
                .filter_map(|(_, (_, value))| *value)
                .map(|value| walk.schema(schema, value)),
        )
    }

    fn has(&self, name: &str, is_whole: bool) -> Verdict {
        match self.find(name, 0) {
            Some((_, value)) => Verdict::is(value.is_some()),
            None if is_whole => Verdict::Invalid,
            None => Unknown,
        }
    }

    /// The place of a member's field, and its value; looked for from the place that it is expected
    /// at, since most stand in the order of the schema.
    fn find(&self, name: &str, expected: usize) -> Option<(usize, Option<&dyn Checked>)> {
        let (before, after) = self.fields.split_at_checked(expected)?;
        let is_it = |(known, _): &Member<'_>| *known == name;
        let place = match after.iter().position(is_it) {
            Some(place) => expected + place,
            None => before.iter().position(is_it)?,
        };
        Some((place, self.fields[place].1))
    }
}

/// A struct's fields, one after the other, along what its type leaves of their schemas.
pub struct Fields<'w> {
    left: std::slice::Iter<'w, Option<Schema>>,
    walk: &'w Walk<'w>,
    verdict: Verdict,
}

impl<'w> Fields<'w> {
    /// Before the first field.
    #[must_use]
    pub fn new(left: &'w [Option<Schema>], walk: &'w Walk<'_>) -> Self {
        Self {
            left: left.iter(),
            walk,
            verdict: Valid,
        }
    }

    /// The next field, and its value if it is there.
    #[inline]
    pub fn next(&mut self, value: Option<&dyn Checked>) {
        if let (Some(Some(schema)), Some(value)) = (self.left.next(), value)
            && self.verdict == Valid
        {
            self.verdict = self.walk.schema(schema, value);
        }
    }

    /// What is known of all of them.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        self.verdict
    }
}

/// Maps of every kind are walked alike.
macro_rules! checked_map {
    ([$($parameters:tt)*] $map:ty) => {
        impl $($parameters)* Checked for $map {
            fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict {
                let members = || {
                    self.iter()
                        .map(|(name, value)| (name.as_str(), value as &dyn Checked))
                };
                map(
                    keyword,
                    siblings,
                    walk,
                    self.len(),
                    &|name| self.get(name).map(|value| value as _),
                    members(),
                )
            }

            fn is_as_written(&self) -> bool {
                self.is_empty()
            }

            fn keeps_what_is_written() -> bool {
                false
            }
        }
    };
}

checked_map!([<T: Checked>] BTreeMap<String, T>);
checked_map!([] Map<String, Value>);

fn map<'v>(
    keyword: &Keyword,
    siblings: &[Keyword],
    walk: &Walk<'_>,
    length: usize,
    get: &dyn Fn(&str) -> Option<&'v dyn Checked>,
    members: impl Iterator<Item = (&'v str, &'v dyn Checked)>,
) -> Verdict {
    match keyword {
        Keyword::Type(types) => has(*types, OBJECT),
        Keyword::Properties(named) => {
            let there = named
                .iter()
                .filter_map(|(name, schema)| Some((get(name)?, schema)));
            Verdict::all(there.map(|(value, schema)| walk.schema(schema, value)))
        }
        Keyword::Required(names) => Verdict::is(names.iter().all(|name| get(name).is_some())),
        Keyword::MinProperties(least) => Verdict::is(length as u64 >= *least),
        Keyword::MaxProperties(most) => Verdict::is(length as u64 <= *most),
        Keyword::PropertyNames(schema) => {
            Verdict::all(members.map(|(name, _)| walk.schema(schema, &name.to_owned())))
        }
        Keyword::PatternProperties(patterns) => Verdict::all(members.flat_map(|(name, value)| {
            patterns
                .iter()
                .map(move |(_, parts, schema)| match walk.matches(parts, name) {
                    Valid => walk.schema(schema, value),
                    Verdict::Invalid => Valid,
                    Unknown => Unknown,
                })
        })),
        Keyword::AdditionalProperties(schema) => {
            let is_named = |name: &str| {
                siblings.iter().any(|keyword| match keyword {
                    Keyword::Properties(named) => named.iter().any(|(known, _)| **known == *name),
                    Keyword::PatternProperties(patterns) => patterns
                        .iter()
                        .any(|(_, parts, _)| walk.matches(parts, name) == Valid),
                    _ => false,
                })
            };
            Verdict::all(
                members
                    .filter(|(name, _)| !is_named(name))
                    .map(|(_, value)| walk.schema(schema, value)),
            )
        }
        Keyword::DependentRequired(_)
        | Keyword::DependentSchemas(_)
        | Keyword::Const(_)
        | Keyword::Enum(_) => Unknown,
        _ => Valid,
    }
}
