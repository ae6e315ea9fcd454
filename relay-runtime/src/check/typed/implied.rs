//! What the type of a value says already, whatever the value: then there is nothing to walk.
//!
//! Each answer is `true` only where the walk would find every value of the type valid.

use std::cell::Cell;

use super::super::table::{Keyword, Literal, OBJECT, STRING, Schema, Table, Types};
use super::{Checked, MAX_DEPTH, Rest};

/// A member of a struct: its name in JSON, whether it is always there, and what its type implies.
pub type Declared = (
    &'static str,
    bool,
    fn(&Schema, implied: &Implied<'_>) -> bool,
);

/// The way along a table with a type, but without a value.
#[derive(Debug, Clone, Copy)]
pub struct Implied<'t> {
    table: &'t Table,
    /// Keywords that may still be looked at.
    steps: &'t Cell<usize>,
    /// Values on their way out: what a struct does not hold is not there.
    pub(super) outward: bool,
    depth: usize,
}

/// A table that takes longer is walked with each value.
const MAX_STEPS: usize = 10_000;

impl Implied<'_> {
    /// Whether every value of a type satisfies the root of a table; `outward` if it is on its way
    /// out.
    pub(crate) fn root<T: Checked>(table: &Table, outward: bool) -> bool {
        let steps = Cell::new(MAX_STEPS);
        let root = Implied {
            table,
            steps: &steps,
            outward,
            depth: 0,
        };
        root.target::<T>(0)
    }

    fn target<T: Checked>(&self, index: u32) -> bool {
        let target = self.table.0.get(index as usize);
        target.is_some_and(|target| self.schema::<T>(&target.1))
    }

    /// Whether every value of a type satisfies a schema.
    #[must_use]
    pub fn schema<T: Checked>(&self, schema: &Schema) -> bool {
        let Some(steps) = self.steps.get().checked_sub(1 + schema.len()) else {
            return false;
        };
        self.steps.set(steps);
        let below = Self {
            depth: self.depth + 1,
            ..*self
        };
        self.depth < MAX_DEPTH
            && (self.outward || T::keeps_what_is_written())
            && schema
                .iter()
                .all(|keyword| below.keyword::<T>(keyword, schema))
    }

    fn keyword<T: Checked>(&self, keyword: &Keyword, siblings: &[Keyword]) -> bool {
        match keyword {
            Keyword::Ref(index) => self.target::<T>(*index),
            Keyword::AllOf(schemas) => schemas.iter().all(|schema| self.schema::<T>(schema)),
            Keyword::Never
            | Keyword::AnyOf(_)
            | Keyword::OneOf(_)
            | Keyword::Not(_)
            | Keyword::If(..)
            | Keyword::DynamicRef(..)
            | Keyword::Scope(_)
            | Keyword::UnevaluatedItems(_)
            | Keyword::UnevaluatedProperties(_) => false,
            keyword => T::is_implied(keyword, siblings, self),
        }
    }
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
    /// Whether a keyword holds for every struct of this shape.
    #[must_use]
    pub fn is_implied(
        &self,
        keyword: &Keyword,
        siblings: &[Keyword],
        implied: &Implied<'_>,
    ) -> bool {
        let is_whole =
            self.rest == Rest::Refused || (implied.outward && self.rest == Rest::Ignored);
        match keyword {
            Keyword::Type(types) => self.rest != Rest::Kept && has(*types, OBJECT),
            Keyword::Properties(members) => {
                members.iter().all(|(name, schema)| match self.field(name) {
                    Some((_, _, holds)) => holds(schema, implied),
                    None => is_whole || (self.rest == Rest::Ignored && schema.is_empty()),
                })
            }
            Keyword::Required(names) => names
                .iter()
                .all(|name| self.field(name).is_some_and(|(_, required, _)| *required)),
            Keyword::AdditionalProperties(schema) => {
                let named = |name: &str| {
                    siblings.iter().any(|keyword| match keyword {
                        Keyword::Properties(members) => {
                            members.iter().any(|(known, _)| **known == *name)
                        }
                        _ => false,
                    })
                };
                (is_whole || (self.rest == Rest::Ignored && schema.is_empty()))
                    && self.fields.iter().all(|(name, ..)| named(name))
            }
            Keyword::PatternProperties(_)
            | Keyword::PropertyNames(_)
            | Keyword::MinProperties(_)
            | Keyword::MaxProperties(_)
            | Keyword::DependentRequired(_)
            | Keyword::DependentSchemas(_)
            | Keyword::Const(_)
            | Keyword::Enum(_) => false,
            _ => true,
        }
    }

    fn field(&self, name: &str) -> Option<&Declared> {
        self.fields.iter().find(|(known, ..)| *known == name)
    }
}

/// Whether a keyword holds for each of these strings.
#[must_use]
pub fn strings_imply(strings: &[&str], keyword: &Keyword) -> bool {
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
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::*;
    use crate::codec::Codec;
    use crate::codegen::table;

    crate::__relay_strings! {
        pub enum Size { Small = "s", Large = "l" }
    }

    crate::__relay_object! {
        pub struct Strict { pub name: String, pub size?: Size, }
    }

    crate::__relay_object! {
        pub struct Loose { pub any: Value, }
    }

    crate::__relay_object! {
        pub struct Open { pub at: Vec<Option<f64>>, .. }
    }

    /// Whether a type implies a table, on the way in and on the way out.
    fn both<T: Checked>(table: &Table) -> (bool, bool) {
        let [inward, outward] = [false, true].map(|outward| Implied::root::<T>(table, outward));
        (inward, outward)
    }

    #[test]
    fn what_a_type_says_need_not_be_looked_at() {
        const YES: (bool, bool) = (true, true);
        let strict = table!([
            Type(OBJECT),
            Properties{"name": [Type(STRING)], "size": [Type(STRING), Enum["l", "m", "s"]]},
            Required["name"],
            AdditionalProperties[Never()],
        ]);
        assert_eq!(both::<Strict>(&strict), YES);
        let open = table!({
            "": [Type(OBJECT), Properties{"at": [Ref(1)]}, Required["at"], AdditionalProperties[]],
            "/$defs/at": [Type(ARRAY), Items[Type(NUMBER | NULL)], Minimum("3")],
        });
        assert_eq!(both::<Open>(&open), (true, false));
        assert_eq!(both::<u64>(&table!([AllOf[[Type(INTEGER)], [U64()]]])), YES);
        assert_eq!(
            both::<Vec<bool>>(&table!([Type(ARRAY | NULL), Items[Type(BOOLEAN)]])),
            YES
        );
    }

    #[test]
    fn what_a_type_leaves_open_is_looked_at() {
        const NO: (bool, bool) = (false, false);
        for table in [
            table!([Type(OBJECT), Properties{"name": [MinLength(1)]}]),
            table!([Type(OBJECT), Properties{"name": [Type(STRING | NULL), Const("a")]}]),
            table!([Type(OBJECT), Properties{"size": [Enum["s"]]}]),
            table!([Type(OBJECT), Required["size"]]),
            table!([Type(OBJECT), AdditionalProperties[Type(STRING)]]),
            table!([Type(OBJECT), MinProperties(2)]),
            table!([Type(OBJECT), AnyOf[[Required["name"]], [Type(OBJECT)]]]),
            table!([Type(ARRAY)]),
            table!([Never()]),
            table!([Ref(0)]),
            table!([Ref(7)]),
        ] {
            assert_eq!(both::<Strict>(&table), NO, "{table:?}");
        }
        assert_eq!(
            both::<Open>(&table!([Properties{"other": [Type(STRING)]}])),
            (false, true)
        );
        assert_eq!(
            both::<Open>(&table!([Properties{"at": []}, AdditionalProperties[Never()]])),
            (false, true)
        );
        assert_eq!(both::<i64>(&table!([U64()])), NO);
        assert_eq!(both::<i64>(&table!([Minimum("0")])), NO);
        assert_eq!(both::<Vec<i64>>(&table!([UniqueItems()])), NO);
        assert_eq!(both::<Option<bool>>(&table!([Type(BOOLEAN)])), NO);
        assert_eq!(both::<Value>(&table!([Type(STRING)])), NO);
        // A name that was written twice is in none of them.
        assert_eq!(both::<Value>(&table!([])), (false, true));
        assert_eq!(
            both::<Vec<Option<Value>>>(&table!([Type(ARRAY)])),
            (false, true)
        );
        assert_eq!(both::<Box<i64>>(&table!([])), (false, true));
        assert_eq!(both::<BTreeMap<String, bool>>(&table!([Type(OBJECT)])), NO);
    }

    #[test]
    fn what_is_not_kept_as_it_was_written_is_looked_at() {
        let any = table!([Type(OBJECT), Properties{"any": []}, AdditionalProperties[Never()]]);
        assert_eq!(both::<Loose>(&any), (false, true));
        for table in [table!([Type(ARRAY)]), table!([Type(ARRAY), Items[]])] {
            assert_eq!(both::<Vec<Value>>(&table), (false, true));
            assert_eq!(both::<Vec<BTreeMap<String, bool>>>(&table), (false, true));
            assert_eq!(both::<Vec<String>>(&table), (true, true));
        }
        let codec = Codec::<Loose>::checked(Some(any));
        assert_eq!(
            codec.decode(r#"{"any":1e2}"#).unwrap().any.as_i64(),
            Some(100)
        );
        assert!(codec.decode(r#"{"any":{"a":1,"a":2}}"#).is_err());
    }

    #[test]
    fn a_table_without_an_end_is_not_followed_for_ever() {
        let wide = table!({"": [AllOf[[Ref(0)], [Ref(0)], [Ref(0)]]]});
        assert_eq!(both::<String>(&wide), (false, false));
    }
}
