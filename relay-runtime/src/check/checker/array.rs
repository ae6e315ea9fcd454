//! Arrays.

use super::super::table::Keyword;
use super::super::value::Value;
use super::super::words;
use super::{Checker, Found, is_full};
use crate::sorted::sorted_places;

impl<'t> Checker<'t> {
    /// Keywords for arrays; says whether the keyword was one.
    pub(super) fn array(
        &mut self,
        keyword: &Keyword,
        siblings: &[Keyword],
        value: &Value<'_>,
        items: &[Value<'_>],
        found: &mut Found,
    ) -> bool {
        let length = items.len() as u64;
        match keyword {
            Keyword::PrefixItems(schemas) => {
                for (index, (schema, item)) in schemas.iter().zip(items).enumerate() {
                    self.below("prefixItems", &index.to_string(), |at| {
                        at.item(index, schema, item, found)
                    });
                }
            }
            Keyword::Items(schema) => {
                for (index, item) in items.iter().enumerate().skip(prefix(siblings)) {
                    if is_full(found) {
                        break;
                    }
                    self.within("items", |at| at.item(index, schema, item, found));
                }
            }
            Keyword::UnevaluatedItems(schema) => {
                let spoken = self.spoken_items(siblings, value);
                for (index, item) in items
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| !spoken.has(*index))
                {
                    self.within("unevaluatedItems", |at| at.item(index, schema, item, found));
                }
            }
            Keyword::Contains(schema, least, most) => {
                let fitting = items.iter().filter(|item| self.fits(schema, item)).count() as u64;
                if fitting < *least || most.is_some_and(|most| fitting > most) {
                    let wanted = words::range(*least, *most);
                    self.broken(
                        found,
                        "contains",
                        &format_args!(
                            "must have {wanted} of the form asked for, but has {fitting}"
                        ),
                    );
                }
            }
            Keyword::MinItems(least) if length < *least => {
                let wanted = words::count(*least, "item");
                self.broken(
                    found,
                    "minItems",
                    &format_args!("must have at least {wanted}, but has {length}"),
                );
            }
            Keyword::MaxItems(most) if length > *most => {
                let wanted = words::count(*most, "item");
                self.broken(
                    found,
                    "maxItems",
                    &format_args!("must have at most {wanted}, but has {length}"),
                );
            }
            Keyword::UniqueItems => {
                if let Some((first, second)) = equal_items(items) {
                    let message = format!(
                        "must have no item twice, but items {first} and {second} are equal"
                    );
                    self.broken(found, "uniqueItems", &message);
                }
            }
            _ => return false,
        }
        true
    }
}

/// How many items `prefixItems` speaks of.
pub(in super::super) fn prefix(siblings: &[Keyword]) -> usize {
    siblings
        .iter()
        .find_map(|k| {
            if let Keyword::PrefixItems(items) = k {
                Some(items.len())
            } else {
                None
            }
        })
        .unwrap_or(0)
}

/// Two equal items, found by sorting so that a long array stays cheap.
fn equal_items(items: &[Value<'_>]) -> Option<(usize, usize)> {
    sorted_places(items.len(), &|one, other| items[one].compare(&items[other]))
        .windows(2)
        .find(|pair| items[pair[0]] == items[pair[1]])
        .map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1])))
}
