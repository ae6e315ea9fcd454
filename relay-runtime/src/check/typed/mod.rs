//! The fast path: a value that serde has decoded already, along the table of its schema.
//!
//! It is the same table as the checker's, walked without the JSON. Where a type has not kept what
//! a keyword asks about (members that the struct ignored, the text of a number that equals a bound
//! as an `f64`), the answer is [`Verdict::Unknown`], and the checker decides. It answers
//! [`Verdict::Valid`] only where the checker would find nothing.

mod object;
mod reduce;
mod scalar;
mod sequence;

use std::cell::Cell;

use super::pattern::Expression;
use super::table::{Keyword, Schema, Table, Types};

pub use object::{Fields, Member, Members, Rest};
pub use reduce::{Declared, Reduce, Shape, left_of_strings};

/// What is known of a value and a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The value is valid.
    Valid,
    /// The value is not valid.
    Invalid,
    /// The value alone does not tell.
    Unknown,
}

use Verdict::{Invalid, Unknown, Valid};

impl Verdict {
    fn is(valid: bool) -> Self {
        if valid { Valid } else { Invalid }
    }

    /// Whether all of several hold.
    #[inline]
    fn all(verdicts: impl Iterator<Item = Verdict>) -> Self {
        let mut all = Valid;
        for verdict in verdicts {
            match verdict {
                Invalid => return Invalid,
                Unknown => all = Unknown,
                Valid => {}
            }
        }
        all
    }
}

/// A value that can be walked along a schema.
pub trait Checked {
    /// What is known of this value and one keyword. The keywords beside it tell, for some, what they
    /// apply to.
    fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict;

    /// Whether the value is as it was written. A map is not where a name was written twice: the
    /// checker refuses that, and serde takes the last.
    fn is_as_written(&self) -> bool {
        true
    }

    /// Whether every value of this type is [as it was written](Self::is_as_written).
    fn keeps_what_is_written() -> bool
    where
        Self: Sized,
    {
        true
    }

    /// What a keyword still asks of values of this type, `None` if it holds for all of them.
    fn left_of(keyword: &Keyword, _siblings: &[Keyword], _: &Reduce<'_>) -> Option<Keyword>
    where
        Self: Sized,
    {
        Some(keyword.clone())
    }

    /// Whether the other is the same value in JSON; `None` where this alone does not tell.
    fn is_same(&self, _other: &Self) -> Option<bool>
    where
        Self: Sized,
    {
        None
    }
}

/// The way along a table.
#[derive(Debug, Clone, Copy)]
pub struct Walk<'t> {
    table: &'t Table,
    /// Keywords that may still be looked at; the checker has the patience for more.
    steps: &'t Cell<usize>,
    /// The value is on its way out: what a struct does not hold is not there.
    outward: bool,
    depth: usize,
}

/// Deeper schemas are left to the checker, which has limits of its own.
const MAX_DEPTH: usize = 64;

/// Keywords and steps of patterns for one value.
const MAX_STEPS: usize = 5_000_000;

impl<'t> Walk<'t> {
    /// What is known of a value and what [`Reduce::root`] has left of a table; `outward` if it is on
    /// its way out.
    pub(crate) fn root(
        table: &Table,
        left: &Schema,
        outward: bool,
        value: &dyn Checked,
    ) -> Verdict {
        let walk = Walk {
            table,
            steps: &Cell::new(MAX_STEPS),
            outward,
            depth: 0,
        };
        walk.schema(left, value)
    }

    /// Whether the text matches, if that is known in the steps that are left.
    fn matches(&self, expression: &Expression, text: &str) -> Verdict {
        let mut steps = self.steps.get();
        let matches = expression.is_match(text, &mut steps);
        self.steps.set(steps);
        matches.map_or(Unknown, Verdict::is)
    }

    fn target(&self, index: u32, value: &dyn Checked) -> Verdict {
        self.table
            .0
            .get(index as usize)
            .map_or(Unknown, |target| self.schema(&target.1, value))
    }

    fn schema(&self, schema: &Schema, value: &dyn Checked) -> Verdict {
        if self.depth >= MAX_DEPTH || !(self.outward || value.is_as_written()) {
            return Unknown;
        }
        let Some(steps) = self.steps.get().checked_sub(1 + schema.len()) else {
            return Unknown;
        };
        self.steps.set(steps);
        let below = Self {
            depth: self.depth + 1,
            ..*self
        };
        Verdict::all(
            schema
                .iter()
                .map(|keyword| below.keyword(keyword, schema, value)),
        )
    }

    /// The keywords that are the same for values of every type; the rest is the value's own.
    fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], value: &dyn Checked) -> Verdict {
        match keyword {
            Keyword::Never => Invalid,
            Keyword::Ref(index) => self.target(*index, value),
            Keyword::AllOf(schemas) => {
                Verdict::all(schemas.iter().map(|schema| self.schema(schema, value)))
            }
            Keyword::AnyOf(schemas) => self.any_of(schemas, value),
            Keyword::OneOf(schemas) => self.one_of(schemas, value),
            Keyword::Not(schema) => match self.schema(schema, value) {
                Valid => Invalid,
                Invalid => Valid,
                Unknown => Unknown,
            },
            Keyword::If(condition, then, otherwise) => match self.schema(condition, value) {
                Valid => self.schema(then, value),
                Invalid => self.schema(otherwise, value),
                Unknown => Unknown,
            },
            Keyword::DynamicRef(..)
            | Keyword::Scope(_)
            | Keyword::UnevaluatedItems(_)
            | Keyword::UnevaluatedProperties(_) => Unknown,
            keyword => value.keyword(keyword, siblings, self),
        }
    }

    fn any_of(&self, schemas: &[Schema], value: &dyn Checked) -> Verdict {
        let mut any = Invalid;
        for schema in schemas {
            match self.schema(schema, value) {
                Valid => return Valid,
                Unknown => any = Unknown,
                Invalid => {}
            }
        }
        any
    }

    fn one_of(&self, schemas: &[Schema], value: &dyn Checked) -> Verdict {
        let (mut valid, mut unknown) = (0, false);
        for schema in schemas {
            match self.schema(schema, value) {
                Valid => valid += 1,
                Unknown => unknown = true,
                Invalid => {}
            }
        }
        match (valid, unknown) {
            (2.., _) => Invalid,
            (_, true) => Unknown,
            (valid, false) => Verdict::is(valid == 1),
        }
    }
}

/// Whether the argument of `type` has one of these types.
fn has(types: Types, wanted: Types) -> Verdict {
    Verdict::is(types & wanted != 0)
}
