//! What of a schema is left to ask of the values of a type, once what the type says is taken away.
//!
//! A keyword is taken away only where the walk would find every value of the type valid. What is
//! left is walked with each value; of most schemas without limits, that is nothing.

use std::cell::{Cell, RefCell};
use std::slice;

use super::super::table::{Keyword, List, Literal, OBJECT, STRING, Schema, Table, Text, Types};
use super::{Checked, MAX_DEPTH, Rest};

/// A member of a struct: its name in JSON, whether it is always there, and what is left of its
/// schema.
pub type Declared = (
    &'static str,
    bool,
    fn(&Schema, reduce: &Reduce<'_>) -> Option<Schema>,
);

/// The way along a table with a type, but without a value.
#[derive(Debug, Clone, Copy)]
pub struct Reduce<'t> {
    table: &'t Table,
    /// Keywords that may still be looked at; those beyond are left as they are.
    steps: &'t Cell<usize>,
    /// The targets on the way here: one that leads back to itself is left as it is.
    targets: &'t RefCell<Vec<u32>>,
    /// Values on their way out: what a struct does not hold is not there.
    pub(super) outward: bool,
    depth: usize,
}

/// What is done once for a table takes no longer than a value that is walked.
const MAX_STEPS: usize = 10_000;

/// What has to be known of a type. The way along a table is compiled once, not for each type.
#[derive(Clone, Copy)]
struct Kind {
    left_of: fn(&Keyword, &[Keyword], &Reduce<'_>) -> Option<Keyword>,
    keeps_what_is_written: fn() -> bool,
}

impl Kind {
    fn of<T: Checked>() -> Self {
        Self {
            left_of: T::left_of,
            keeps_what_is_written: T::keeps_what_is_written,
        }
    }
}

impl Reduce<'_> {
    /// What the root of a table still asks of the values of a type, `None` if nothing; `outward` if
    /// they are on their way out.
    pub(crate) fn root<T: Checked>(table: &Table, outward: bool) -> Option<Schema> {
        Reduce {
            table,
            steps: &Cell::new(MAX_STEPS),
            targets: &RefCell::default(),
            outward,
            depth: 0,
        }
        .schema_of(Kind::of::<T>(), &[Keyword::Ref(0)])
    }

    /// What a schema still asks of the values of a type, `None` if nothing.
    #[must_use]
    pub fn schema<T: Checked>(&self, schema: &Schema) -> Option<Schema> {
        self.schema_of(Kind::of::<T>(), schema)
    }

    fn schema_of(&self, kind: Kind, schema: &[Keyword]) -> Option<Schema> {
        let steps = self.steps.get().checked_sub(1 + schema.len());
        let (Some(steps), true) = (steps, self.depth < MAX_DEPTH) else {
            return Some(schema.to_vec().into());
        };
        self.steps.set(steps);
        let below = Self {
            depth: self.depth + 1,
            ..*self
        };
        let left = schema
            .iter()
            .filter_map(|keyword| below.keyword(kind, keyword, schema));
        let left: Vec<Keyword> = left.collect();
        match &*left {
            [] if self.outward || (kind.keeps_what_is_written)() => None,
            // A list of one need not stand in a list of its own.
            [Keyword::AllOf(schemas)] if schemas.len() == 1 => Some(schemas[0].clone()),
            _ => Some(left.into()),
        }
    }

    fn keyword(&self, kind: Kind, keyword: &Keyword, siblings: &[Keyword]) -> Option<Keyword> {
        match keyword {
            Keyword::Ref(index) => self.target(kind, *index),
            Keyword::AllOf(schemas) => self.all_of(kind, schemas),
            Keyword::Never
            | Keyword::AnyOf(_)
            | Keyword::OneOf(_)
            | Keyword::Not(_)
            | Keyword::If(..)
            | Keyword::DynamicRef(..)
            | Keyword::Scope(_)
            | Keyword::UnevaluatedItems(_)
            | Keyword::UnevaluatedProperties(_) => Some(keyword.clone()),
            keyword => (kind.left_of)(keyword, siblings, self),
        }
    }

    fn target(&self, kind: Kind, index: u32) -> Option<Keyword> {
        let target = self.table.0.get(index as usize);
        let Some(target) = target.filter(|_| !self.targets.borrow().contains(&index)) else {
            return Some(Keyword::Ref(index));
        };
        self.targets.borrow_mut().push(index);
        let left = self.all_of(kind, slice::from_ref(&target.1));
        self.targets.borrow_mut().pop();
        left
    }

    fn all_of(&self, kind: Kind, schemas: &[Schema]) -> Option<Keyword> {
        let left = schemas
            .iter()
            .filter_map(|schema| self.schema_of(kind, schema));
        let left: Vec<Schema> = left.collect();
        (!left.is_empty()).then(|| Keyword::AllOf(left.into()))
    }
}

/// A keyword, unless it is implied.
#[inline(never)]
pub(super) fn unless(is_implied: bool, keyword: &Keyword) -> Option<Keyword> {
    (!is_implied).then(|| keyword.clone())
}

/// The members of a struct, whatever their values.
#[derive(Clone, Copy)]
pub struct Shape<'s> {
    /// Those that have a field.
    pub fields: &'s [Declared],
    /// What becomes of the others.
    pub rest: Rest,
}

impl Shape<'_> {
    /// What a keyword still asks of structs of this shape, `None` if nothing.
    #[must_use]
    pub fn left_of(
        &self,
        keyword: &Keyword,
        siblings: &[Keyword],
        reduce: &Reduce<'_>,
    ) -> Option<Keyword> {
        let is_implied = match keyword {
            Keyword::Properties(members) if self.is_settled(members, siblings, reduce) => {
                return self.fields_left(members, reduce).map(Keyword::Fields);
            }
            Keyword::Properties(_) => false,
            Keyword::Type(types) => self.rest != Rest::Kept && has(*types, OBJECT),
            Keyword::Required(names) => names
                .iter()
                .all(|name| self.field(name).is_some_and(|(_, required, _)| *required)),
            Keyword::AdditionalProperties(schema) => self.has_no_others(schema, siblings, reduce),
            Keyword::PatternProperties(_)
            | Keyword::PropertyNames(_)
            | Keyword::MinProperties(_)
            | Keyword::MaxProperties(_)
            | Keyword::DependentRequired(_)
            | Keyword::DependentSchemas(_)
            | Keyword::Const(_)
            | Keyword::Enum(_) => false,
            _ => true,
        };
        unless(is_implied, keyword)
    }

    /// Whether `properties` asks only of fields, and nothing else asks for its names.
    fn is_settled(
        &self,
        members: &[(Text, Schema)],
        siblings: &[Keyword],
        reduce: &Reduce<'_>,
    ) -> bool {
        members
            .iter()
            .all(|(name, schema)| self.field(name).is_some() || self.passes_over(schema, reduce))
            && siblings.iter().all(|keyword| match keyword {
                Keyword::AdditionalProperties(schema) => {
                    self.has_no_others(schema, siblings, reduce)
                }
                _ => true,
            })
    }

    /// What is left of the schema of each field, `None` if nothing is of any.
    fn fields_left(
        &self,
        members: &[(Text, Schema)],
        reduce: &Reduce<'_>,
    ) -> Option<List<Option<Schema>>> {
        let left = self.fields.iter().map(|(name, _, left)| {
            let (_, schema) = members.iter().find(|(known, _)| **known == **name)?;
            left(schema, reduce)
        });
        let left: Vec<Option<Schema>> = left.collect();
        left.iter().any(Option::is_some).then(|| left.into())
    }

    /// Whether `additionalProperties` speaks of nothing that a struct holds or could have lost.
    fn has_no_others(&self, schema: &Schema, siblings: &[Keyword], reduce: &Reduce<'_>) -> bool {
        let is_named = |name: &str| {
            siblings.iter().any(|keyword| match keyword {
                Keyword::Properties(members) => members.iter().any(|(known, _)| **known == *name),
                _ => false,
            })
        };
        self.passes_over(schema, reduce) && self.fields.iter().all(|(name, ..)| is_named(name))
    }

    /// Whether a schema need not be asked of members without a field.
    fn passes_over(&self, schema: &Schema, reduce: &Reduce<'_>) -> bool {
        match self.rest {
            Rest::Refused => true,
            Rest::Ignored => reduce.outward || schema.is_empty(),
            Rest::Kept => false,
        }
    }

    fn field(&self, name: &str) -> Option<&Declared> {
        self.fields.iter().find(|(known, ..)| *known == name)
    }
}

/// What a keyword still asks of these strings, `None` if it holds for each of them.
#[must_use]
pub fn left_of_strings(strings: &[&str], keyword: &Keyword) -> Option<Keyword> {
    unless(strings_imply(strings, keyword), keyword)
}

fn strings_imply(strings: &[&str], keyword: &Keyword) -> bool {
    let is = |literal: &Literal, text: &str| matches!(literal, Literal::String(known) if **known == *text);
    match keyword {
        Keyword::Type(types) => has(*types, STRING),
        Keyword::Const(literal) => strings.iter().all(|text| is(literal, text)),
        Keyword::Enum(literals) => strings
            .iter()
            .all(|text| literals.iter().any(|literal| is(literal, text))),
        Keyword::MinLength(_) | Keyword::MaxLength(_) => false,
        Keyword::Pattern(..) | Keyword::Format(_) => false,
        _ => true,
    }
}

/// Whether a text of any kind satisfies a keyword.
pub(super) fn text_implies(keyword: &Keyword) -> bool {
    match keyword {
        Keyword::Const(_) | Keyword::Enum(_) => false,
        keyword => strings_imply(&[], keyword),
    }
}

/// Whether the argument of `type` has one of these types.
pub(super) fn has(types: Types, wanted: Types) -> bool {
    types & wanted != 0
}

#[cfg(test)]
mod tests;
