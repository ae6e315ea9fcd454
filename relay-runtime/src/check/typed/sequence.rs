//! Arrays, values that may be `null`, and values of any type.

use serde_json::Value;

use super::super::checker::prefix;
use super::super::table::{ARRAY, Keyword, NULL};
use super::reduce::{self, Reduce, unless};
use super::{Checked, Invalid, Unknown, Valid, Verdict, Walk, has};

impl<T: Checked> Checked for Vec<T> {
    fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict {
        let length = self.len() as u64;
        match keyword {
            Keyword::Type(types) => has(*types, ARRAY),
            Keyword::Items(schema) => {
                let rest = self.iter().skip(prefix(siblings));
                Verdict::all(rest.map(|item| walk.schema(schema, item)))
            }
            Keyword::MinItems(least) => Verdict::is(length >= *least),
            Keyword::MaxItems(most) => Verdict::is(length <= *most),
            Keyword::UniqueItems => unique(self),
            Keyword::PrefixItems(_)
            | Keyword::Contains(..)
            | Keyword::Const(_)
            | Keyword::Enum(_) => Unknown,
            _ => Valid,
        }
    }

    fn is_as_written(&self) -> bool {
        self.iter().all(Checked::is_as_written)
    }

    fn keeps_what_is_written() -> bool {
        T::keeps_what_is_written()
    }

    fn left_of(keyword: &Keyword, _: &[Keyword], reduce: &Reduce<'_>) -> Option<Keyword> {
        let is_implied = match keyword {
            Keyword::Type(types) => reduce::has(*types, ARRAY),
            Keyword::Items(schema) => return reduce.schema::<T>(schema).map(Keyword::Items),
            Keyword::MinItems(_)
            | Keyword::MaxItems(_)
            | Keyword::UniqueItems
            | Keyword::PrefixItems(_)
            | Keyword::Contains(..)
            | Keyword::Const(_)
            | Keyword::Enum(_) => false,
            _ => true,
        };
        unless(is_implied, keyword)
    }
}

/// Whether no item is there twice. Of many, the checker can tell in less time.
fn unique<T: Checked>(items: &[T]) -> Verdict {
    const FEW: usize = 32;
    if items.len() > FEW {
        return Unknown;
    }
    let pairs = items
        .iter()
        .enumerate()
        .flat_map(|(index, item)| items[..index].iter().map(move |other| (item, other)));
    Verdict::all(pairs.map(|(item, other)| match item.is_same(other) {
        Some(same) => Verdict::is(!same),
        None => Unknown,
    }))
}

/// What is known of a tuple.
fn tuple(
    items: &[&dyn Checked],
    keyword: &Keyword,
    siblings: &[Keyword],
    walk: &Walk<'_>,
) -> Verdict {
    let length = items.len() as u64;
    match keyword {
        Keyword::Type(types) => has(*types, ARRAY),
        Keyword::PrefixItems(schemas) => Verdict::all(
            schemas
                .iter()
                .zip(items)
                .map(|(schema, item)| walk.schema(schema, *item)),
        ),
        Keyword::Items(schema) => {
            let rest = items.iter().skip(prefix(siblings));
            Verdict::all(rest.map(|item| walk.schema(schema, *item)))
        }
        Keyword::MinItems(least) => Verdict::is(length >= *least),
        Keyword::MaxItems(most) => Verdict::is(length <= *most),
        Keyword::UniqueItems | Keyword::Contains(..) | Keyword::Const(_) | Keyword::Enum(_) => {
            Unknown
        }
        _ => Valid,
    }
}

macro_rules! tuples {
    ($($($item:ident)+,)*) => {$(
        impl<$($item: Checked),+> Checked for ($($item,)+) {
            fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict {
                #[expect(non_snake_case, reason = "each item is named like its type")]
                let ($($item,)+) = self;
                tuple(&[$($item as &dyn Checked),+], keyword, siblings, walk)
            }

            fn is_as_written(&self) -> bool {
                #[expect(non_snake_case, reason = "each item is named like its type")]
                let ($($item,)+) = self;
                $($item.is_as_written() &&)+ true
            }

            fn keeps_what_is_written() -> bool {
                $($item::keeps_what_is_written() &&)+ true
            }
        }
    )*};
}

tuples! {
    A, A B, A B C, A B C D, A B C D E, A B C D E F, A B C D E F G, A B C D E F G H, A B C D E F G H I,
    A B C D E F G H I J, A B C D E F G H I J K, A B C D E F G H I J K L,
}

impl<T: Checked> Checked for Option<T> {
    fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict {
        match self {
            Some(value) => value.keyword(keyword, siblings, walk),
            None => ().keyword(keyword, siblings, walk),
        }
    }

    fn is_as_written(&self) -> bool {
        self.as_ref().is_none_or(Checked::is_as_written)
    }

    fn keeps_what_is_written() -> bool {
        T::keeps_what_is_written()
    }

    fn left_of(keyword: &Keyword, siblings: &[Keyword], reduce: &Reduce<'_>) -> Option<Keyword> {
        match keyword {
            Keyword::Type(types) if !reduce::has(*types, NULL) => Some(keyword.clone()),
            Keyword::Const(_) | Keyword::Enum(_) => Some(keyword.clone()),
            keyword => T::left_of(keyword, siblings, reduce),
        }
    }
}

impl<T: Checked + ?Sized> Checked for Box<T> {
    fn keyword(&self, keyword: &Keyword, siblings: &[Keyword], walk: &Walk<'_>) -> Verdict {
        (**self).keyword(keyword, siblings, walk)
    }

    fn is_as_written(&self) -> bool {
        (**self).is_as_written()
    }

    /// What is boxed contains itself: that is left to the walk.
    fn keeps_what_is_written() -> bool {
        false
    }
}

/// Its numbers are no longer those that were written: any keyword is left to the checker.
impl Checked for Value {
    fn keyword(&self, _: &Keyword, _: &[Keyword], _: &Walk<'_>) -> Verdict {
        Unknown
    }

    fn is_as_written(&self) -> bool {
        match self {
            Value::Object(members) => members.is_empty(),
            Value::Array(items) => items.iter().all(Checked::is_as_written),
            // It may have been an integer that an f64 does not hold.
            Value::Number(number) => !number.is_f64(),
            _ => true,
        }
    }

    fn keeps_what_is_written() -> bool {
        false
    }
}

/// Content blocks have no schema.
impl Checked for crate::content::ContentBlock {
    fn keyword(&self, _: &Keyword, _: &[Keyword], _: &Walk<'_>) -> Verdict {
        Invalid
    }
}

#[cfg(test)]
mod tests {
    use crate::codec::Codec;
    use crate::codegen::table;

    #[test]
    fn items_are_those_after_the_prefix() {
        let of_rest = table!([Not[PrefixItems[[Type(STRING)]], Items[MinLength(2)]]]);
        let codec = Codec::<Vec<String>>::checked(Some(of_rest));
        for (fits, json) in [(false, r#"["a"]"#), (true, r#"["a","b"]"#)] {
            assert_eq!(codec.decode(json).is_ok(), fits, "{json}");
        }
    }
}
