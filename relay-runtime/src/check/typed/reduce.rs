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
        let has_field = |name: &str| self.fields.iter().any(|(known, ..)| *known == name);
        members
            .iter()
            .all(|(name, schema)| self.passes_over(schema, reduce) || has_field(name))
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

    /// Whether nothing is left of a table, on the way in and on the way out.
    fn both<T: Checked>(table: &Table) -> (bool, bool) {
        let [inward, outward] =
            [false, true].map(|outward| Reduce::root::<T>(table, outward).is_none());
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
        let deep = format!("{:?}", Reduce::root::<String>(&wide, false));
        assert!(deep.len() < 200, "{deep}");
    }

    crate::__relay_object! {
        pub struct Node { pub name: String, pub size?: Size, pub below: Vec<Node>, }
    }

    #[test]
    fn what_is_left_is_what_the_type_does_not_say() {
        let table = table!({
            "": [Type(OBJECT), Properties{"name": [Ref(1)], "size": [Enum["s", "l"]], "below": [Ref(2)]},
                Required["name", "below"], AdditionalProperties[Never()]],
            "/$defs/name": [AllOf[[Type(STRING)], [Type(STRING), MinLength(2)]]],
            "/$defs/below": [Type(ARRAY), MaxItems(3), Items[Ref(0)]],
        });
        let left = "S([Fields(S([Some(S([MinLength(2)])), None, Some(S([MaxItems(3), Items(S([Ref(0)]))]))]))])";
        let codec = Codec::<Node>::checked(Some(table.clone()));
        // However a list is held.
        let as_written = |schema: &Schema| format!("{schema:?}").replace("Shared(", "S(");
        for outward in [false, true] {
            let reduced = Reduce::root::<Node>(&table, outward).unwrap();
            assert_eq!(as_written(&reduced), left);
        }
        for (fits, json) in [
            (true, r#"{"name":"ab","below":[{"name":"cd","below":[]}]}"#),
            (false, r#"{"name":"a","below":[]}"#),
            (false, r#"{"name":"ab","below":[{"name":"c","below":[]}]}"#),
        ] {
            assert_eq!(codec.decode(json).is_ok(), fits, "{json}");
        }
    }

    #[test]
    fn names_stay_where_another_keyword_speaks_of_those_that_have_none() {
        let table = table!([
            Properties{"name": [Type(STRING)]}, AdditionalProperties[Enum["l"]],
        ]);
        let codec = Codec::<Strict>::checked(Some(table));
        assert!(codec.decode(r#"{"name":"a","size":"l"}"#).is_ok());
        let refused = codec.decode(r#"{"name":"a","size":"s"}"#).unwrap_err();
        assert!(refused.to_string().contains("size"), "{refused}");
    }
}
