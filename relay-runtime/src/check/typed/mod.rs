//! The fast path: a value that serde has decoded already, along the table of its schema.
//!
//! It is the same table as the checker's, walked without the JSON. Where a type has not kept what
//! a keyword asks about (members that the struct ignored, the text of a number that equals a bound
//! as an `f64`), the answer is [`Verdict::Unknown`], and the checker decides. It answers
//! [`Verdict::Valid`] only where the checker would find nothing.
//!
//! That rests on what holds of all that `relay-gen` writes: no `$ref` leads round in a circle for
//! one value (a `$dynamicRef` may, so that nothing is known beside one); and each field of a struct
//! is named by a `properties` that applies to it, so that nothing in it goes unseen.

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
    /// Keywords that may still be looked at, `None` once that was too few. Then nothing is known: the
    /// checker has more patience, but what exceeds that makes it refuse all.
    steps: &'t Cell<Option<usize>>,
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
        let steps = Cell::new(Some(MAX_STEPS));
        let walk = Walk {
            table,
            steps: &steps,
            outward,
            depth: 0,
        };
        let verdict = walk.schema(left, value);
        steps.get().map_or(Unknown, |_| verdict)
    }

    /// Whether the text matches, if that is known in the steps that are left.
    fn matches(&self, expression: &Expression, text: &str) -> Verdict {
        let Some(mut steps) = self.steps.get() else {
            return Unknown;
        };
        let matches = expression.is_match(text, &mut steps).ok();
        self.steps.set(matches.map(|_| steps));
        matches.map_or(Unknown, Verdict::is)
    }

    fn target(&self, index: u32, value: &dyn Checked) -> Verdict {
        self.table
            .0
            .get(index as usize)
            .map_or(Unknown, |target| self.schema(&target.1, value))
    }

    fn schema(&self, schema: &Schema, value: &dyn Checked) -> Verdict {
        if !(self.outward || value.is_as_written()) {
            return Unknown;
        }
        let left = self.steps.get().filter(|_| self.depth < MAX_DEPTH);
        let left = left.and_then(|left| left.checked_sub(1 + schema.len()));
        self.steps.set(left);
        if left.is_none() {
            return Unknown;
        }
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
            Keyword::DynamicRef(..) => {
                // It may lead round in a circle, which the checker refuses as a whole.
                self.steps.set(None);
                Unknown
            }
            Keyword::Scope(_)
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

#[cfg(test)]
mod tests {
    use crate::codec::Codec;
    use crate::codegen::table;

    /// relay-gen refuses them; whoever writes one by hand has every value refused.
    #[test]
    fn what_leads_round_in_a_circle_makes_nothing_valid() {
        for table in [
            table!({"": [Ref(1)], "/a": [Ref(2)], "/b": [Ref(1)]}),
            table!({"": [Not[Ref(1)]], "/a": [AllOf[[Ref(1)]]]}),
            table!({"": [AnyOf[[Ref(1)], []]], "/a": [Ref(2)], "/b": [Ref(1)]}),
            table!({"": [Not[Ref(1), Type(STRING)]], "/a": [AnyOf[[Ref(1)]]]}),
            table!({"": [Not[OneOf[[Ref(1)], [], []]]], "/a": [Not[Ref(1)]]}),
            table!({"": [If([Ref(1), Type(STRING)], [Never()], [])], "/a": [Ref(1)]}),
        ] {
            let refused = table.check("true").unwrap_err().to_string();
            assert!(
                refused.contains("inside each other"),
                "{table:?}: {refused}"
            );
            let codec = Codec::<bool>::checked(Some(table.clone()));
            assert_eq!(
                codec.decode("true").map_err(|it| it.to_string()),
                Err(refused)
            );
            assert!(codec.encode(&true).is_err(), "{table:?}");
        }
    }
}
