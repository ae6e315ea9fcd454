//! `null`, booleans, numbers and strings.

use std::cmp::Ordering;

use super::super::decimal::Decimal;
use super::super::table::{BOOLEAN, INTEGER, Keyword, Literal, NULL, NUMBER, STRING};
use super::super::value::characters;
use super::reduce::{self, Reduce, unless};
use super::{Checked, Unknown, Valid, Verdict, Walk, has};

impl Checked for () {
    fn keyword(&self, keyword: &Keyword, _: &[Keyword], _: &Walk<'_>) -> Verdict {
        let is_null = |literal: &Literal| matches!(literal, Literal::Null);
        match keyword {
            Keyword::Type(types) => has(*types, NULL),
            Keyword::Const(literal) => Verdict::is(is_null(literal)),
            Keyword::Enum(literals) => Verdict::is(literals.iter().any(is_null)),
            _ => Valid,
        }
    }
}

impl Checked for bool {
    fn left_of(keyword: &Keyword, _: &[Keyword], _: &Reduce<'_>) -> Option<Keyword> {
        let is_implied = match keyword {
            Keyword::Type(types) => reduce::has(*types, BOOLEAN),
            Keyword::Const(_) | Keyword::Enum(_) => false,
            _ => true,
        };
        unless(is_implied, keyword)
    }

    fn is_same(&self, other: &Self) -> Option<bool> {
        Some(self == other)
    }

    fn keyword(&self, keyword: &Keyword, _: &[Keyword], _: &Walk<'_>) -> Verdict {
        let is_self = |literal: &Literal| matches!(literal, Literal::Bool(value) if value == self);
        match keyword {
            Keyword::Type(types) => has(*types, BOOLEAN),
            Keyword::Const(literal) => Verdict::is(is_self(literal)),
            Keyword::Enum(literals) => Verdict::is(literals.iter().any(is_self)),
            _ => Valid,
        }
    }
}

impl Checked for i64 {
    fn left_of(keyword: &Keyword, _: &[Keyword], _: &Reduce<'_>) -> Option<Keyword> {
        let is_implied = matches!(keyword, Keyword::I64) || integer_implies(keyword);
        unless(is_implied, keyword)
    }

    fn is_same(&self, other: &Self) -> Option<bool> {
        Some(self == other)
    }

    fn keyword(&self, keyword: &Keyword, _: &[Keyword], _: &Walk<'_>) -> Verdict {
        integer((*self).into(), keyword)
    }
}

impl Checked for u64 {
    fn left_of(keyword: &Keyword, _: &[Keyword], _: &Reduce<'_>) -> Option<Keyword> {
        let is_implied = matches!(keyword, Keyword::U64) || integer_implies(keyword);
        unless(is_implied, keyword)
    }

    fn is_same(&self, other: &Self) -> Option<bool> {
        Some(self == other)
    }

    fn keyword(&self, keyword: &Keyword, _: &[Keyword], _: &Walk<'_>) -> Verdict {
        integer((*self).into(), keyword)
    }
}

/// Whether an integer of any kind satisfies a keyword.
fn integer_implies(keyword: &Keyword) -> bool {
    match keyword {
        Keyword::Type(types) => reduce::has(*types, INTEGER | NUMBER),
        Keyword::I64 | Keyword::U64 | Keyword::Const(_) | Keyword::Enum(_) => false,
        keyword => !limits_numbers(keyword),
    }
}

fn limits_numbers(keyword: &Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Minimum(_)
            | Keyword::Maximum(_)
            | Keyword::ExclusiveMinimum(_)
            | Keyword::ExclusiveMaximum(_)
            | Keyword::MultipleOf(_)
    )
}

fn integer(value: i128, keyword: &Keyword) -> Verdict {
    let compare = |bound: &str| match bound.parse::<i128>() {
        Ok(bound) => value.cmp(&bound),
        Err(_) => Decimal::compare(&value.to_string(), bound),
    };
    let is_self =
        |literal: &Literal| matches!(literal, Literal::Number(number) if compare(number).is_eq());
    Verdict::is(match keyword {
        Keyword::Type(types) => return has(*types, INTEGER | NUMBER),
        // It is an integer all the same, and only the checker knows whether that of a type.
        Keyword::I64 if i64::try_from(value).is_err() => return Unknown,
        Keyword::U64 if u64::try_from(value).is_err() => return Unknown,
        Keyword::Const(literal) => is_self(literal),
        Keyword::Enum(literals) => literals.iter().any(is_self),
        Keyword::Minimum(bound) => compare(bound).is_ge(),
        Keyword::Maximum(bound) => compare(bound).is_le(),
        Keyword::ExclusiveMinimum(bound) => compare(bound).is_gt(),
        Keyword::ExclusiveMaximum(bound) => compare(bound).is_lt(),
        Keyword::MultipleOf(step) => match step.parse::<i128>() {
            Ok(step) if step > 0 => value % step == 0,
            _ => return Unknown,
        },
        _ => return Valid,
    })
}

impl Checked for f64 {
    fn left_of(keyword: &Keyword, _: &[Keyword], reduce: &Reduce<'_>) -> Option<Keyword> {
        let is_implied = match keyword {
            // What is read is finite; what is written need not be.
            _ if reduce.outward => false,
            Keyword::Type(types) => reduce::has(*types, NUMBER),
            Keyword::I64 | Keyword::U64 | Keyword::Const(_) | Keyword::Enum(_) => false,
            keyword => !limits_numbers(keyword),
        };
        unless(is_implied, keyword)
    }

    fn keyword(&self, keyword: &Keyword, _: &[Keyword], _: &Walk<'_>) -> Verdict {
        if !self.is_finite() {
            // JSON has no such number.
            return Unknown;
        }
        match keyword {
            Keyword::Type(types) if types & NUMBER != 0 => Valid,
            Keyword::Type(types) if types & INTEGER == 0 => Verdict::Invalid,
            // Whether what was written is an integer, or one of the values, its text decides.
            Keyword::Type(_) | Keyword::I64 | Keyword::U64 => Unknown,
            Keyword::Const(_) | Keyword::Enum(_) | Keyword::MultipleOf(_) => Unknown,
            Keyword::Minimum(bound) | Keyword::ExclusiveMinimum(bound) => {
                beyond(*self, bound, Ordering::Greater)
            }
            Keyword::Maximum(bound) | Keyword::ExclusiveMaximum(bound) => {
                beyond(*self, bound, Ordering::Less)
            }
            _ => Valid,
        }
    }
}

/// Rounding keeps the order, so that numbers that differ as `f64` differ as they were written; of
/// those that are equal, the text decides. The bound is read as the value was, by serde_json: the
/// standard library's reading of floats would be linked beside it.
fn beyond(value: f64, bound: &str, wanted: Ordering) -> Verdict {
    match serde_json::from_str(bound)
        .ok()
        .and_then(|bound: f64| value.partial_cmp(&bound))
    {
        Some(Ordering::Equal) | None => Unknown,
        Some(order) => Verdict::is(order == wanted),
    }
}

impl Checked for str {
    fn keyword(&self, keyword: &Keyword, _: &[Keyword], walk: &Walk<'_>) -> Verdict {
        let is_self =
            |literal: &Literal| matches!(literal, Literal::String(text) if **text == *self);
        Verdict::is(match keyword {
            Keyword::Type(types) => return has(*types, STRING),
            Keyword::Const(literal) => is_self(literal),
            Keyword::Enum(literals) => literals.iter().any(is_self),
            // A character has from one byte to four.
            Keyword::MinLength(least) => {
                self.len() as u64 >= least.saturating_mul(4) || characters(self) >= *least
            }
            Keyword::MaxLength(most) => self.len() as u64 <= *most || characters(self) <= *most,
            Keyword::Pattern(_, parts) => {
                return walk.matches(parts, self);
            }
            Keyword::Format(format) => format.fits(self),
            _ => return Valid,
        })
    }
}

impl Checked for String {
    fn left_of(keyword: &Keyword, _: &[Keyword], _: &Reduce<'_>) -> Option<Keyword> {
        unless(reduce::text_implies(keyword), keyword)
    }

    fn is_same(&self, other: &Self) -> Option<bool> {
        Some(self == other)
    }

    fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict {
        self.as_str().keyword(keyword, siblings, walk)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::Table;
    use crate::codec::Codec;
    use crate::codegen::table;

    /// By JSON Schema, and by whether the type of the value holds it.
    #[test]
    fn an_integer_beyond_a_type_is_one_where_it_is_only_tried() {
        const BEYOND_I64: &str = "9223372036854775808";
        const BEYOND_U64: &str = "18446744073709551616";
        let integer = || table!([Type(INTEGER), I64()]);
        for (fits, table, json) in [
            (false, integer(), BEYOND_I64),
            (false, table!([Not[Type(INTEGER), I64()]]), BEYOND_I64),
            (
                true,
                table!([Not[Type(INTEGER), I64(), Maximum("5")]]),
                BEYOND_I64,
            ),
            (
                false,
                table!([If([Type(INTEGER), I64()], [Never()], [])]),
                BEYOND_I64,
            ),
            (
                true,
                table!([If([Type(INTEGER), I64()], [], [Never()])]),
                BEYOND_I64,
            ),
            (
                true,
                table!([AnyOf[[Type(INTEGER), I64(), Maximum("5")], [Type(INTEGER), U64()]]]),
                BEYOND_I64,
            ),
            (
                true,
                table!([AnyOf[[Type(INTEGER), I64()], [Type(INTEGER), U64()]]]),
                BEYOND_I64,
            ),
            (
                false,
                table!([AnyOf[[Type(INTEGER), I64()], [Type(STRING)]]]),
                BEYOND_I64,
            ),
            (
                true,
                table!([OneOf[[Type(INTEGER), I64(), Maximum("5")], [Type(INTEGER), U64()]]]),
                BEYOND_I64,
            ),
            (
                false,
                table!([OneOf[[Type(INTEGER), I64()], [Type(INTEGER), U64()]]]),
                BEYOND_I64,
            ),
            (
                false,
                table!([OneOf[[Type(INTEGER), I64()], [Type(STRING)]]]),
                BEYOND_I64,
            ),
            (
                false,
                table!([AnyOf[[Type(INTEGER), I64()], [Type(INTEGER), U64()]]]),
                BEYOND_U64,
            ),
        ] {
            let checked = |table: &Table| table.check(json).is_ok();
            let typed = Codec::<u64>::checked(Some(table.clone()))
                .decode(json)
                .is_ok();
            assert_eq!((checked(&table), typed), (fits, fits), "{table:?} {json}");
        }
        let contains = table!([Contains([Type(INTEGER), I64()], 1, Some(1))]);
        let both = format!("[{BEYOND_I64},1]");
        assert!(contains.check(&both).is_err());
        assert!(contains.check(&both.replace(",1", ",0.5")).is_ok());
    }
}
