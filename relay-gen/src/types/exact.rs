//! The last look over the types: what can't be exact after all becomes `Value`.

use std::collections::HashSet;

use super::lower::no_exact_type;
use super::model::{Body, Item, ItemId, Type};
use super::recursion::is_endless;

/// Turns unions whose forms can't be told apart, and names that stand for themselves, into `Value`.
pub(super) fn settle(items: &mut [Item]) {
    // A union that becomes `Value` may take another with it.
    let mut settled = false;
    while !settled {
        settled = true;
        for id in 0..items.len() {
            if let Some(why) = inexact(items, id) {
                items[id].body = Body::Alias(no_exact_type(why));
                settled = false;
            }
        }
    }
}

fn inexact(items: &[Item], id: ItemId) -> Option<&'static str> {
    match &items[id].body {
        Body::Union(variants) => {
            let types: Vec<_> = variants.iter().map(|variant| &variant.of).collect();
            let apart = can_be_told_apart(items, &types);
            (!apart).then_some("the forms that the schema allows can't be told apart by a member or by their types")
        }
        Body::Alias(_) => {
            is_endless(items, id).then_some("the schema recurs through arrays or maps alone")
        }
        _ => None,
    }
}

/// Whether each value decodes into one form only, or into any of several without loss.
fn can_be_told_apart(items: &[Item], types: &[&Type]) -> bool {
    let of_kind = |kind: Kind| {
        types
            .iter()
            .copied()
            .filter(move |of| kinds(items, of).contains(&kind))
    };
    let objects: Vec<_> = of_kind(Kind::Object).collect();
    of_kind(Kind::Array).count() <= 1 && (objects.len() <= 1 || has_tag(items, &objects))
}

/// Whether every form is a struct that requires a member whose values no other form allows for it.
fn has_tag(items: &[Item], forms: &[&Type]) -> bool {
    let mut candidates = forms
        .first()
        .map(|of| tags(items, of))
        .unwrap_or_default()
        .into_iter();
    candidates.any(|(name, _)| {
        let mut seen = HashSet::new();
        forms.iter().all(|of| {
            let own = tags(items, of)
                .into_iter()
                .find(|(member, _)| *member == name);
            own.is_some_and(|(_, values)| values.into_iter().all(|value| seen.insert(value)))
        })
    })
}

/// The required members of a struct that are enumerations of strings, with their values.
fn tags<'i>(items: &'i [Item], of: &Type) -> Vec<(&'i str, Vec<&'i str>)> {
    let Type::Item(id) = of else {
        return Vec::new();
    };
    let Body::Struct(object) = &items[*id].body else {
        return Vec::new();
    };
    let required = object.fields.iter().filter(|field| field.required);
    required
        .filter_map(|field| Some((&*field.wire, strings(items, &field.of)?)))
        .collect()
}

fn strings<'i>(items: &'i [Item], of: &Type) -> Option<Vec<&'i str>> {
    let Type::Item(id) = of else { return None };
    match &items[*id].body {
        Body::Strings(variants) => Some(variants.iter().map(|variant| &*variant.of).collect()),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Scalar,
    Array,
    Object,
}

const ANY: [Kind; 3] = [Kind::Scalar, Kind::Array, Kind::Object];

/// More names than this between a type and its kind are a circle.
const MAX_NAMES: usize = 64;

/// What a value of the type may be.
fn kinds(items: &[Item], of: &Type) -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut pending = vec![of];
    for _ in 0..MAX_NAMES {
        let Some(of) = pending.pop() else {
            return kinds;
        };
        match of {
            Type::Null | Type::Bool | Type::I64 | Type::U64 | Type::F64 | Type::String => {
                kinds.push(Kind::Scalar)
            }
            Type::Vec(_) | Type::Tuple(_) => kinds.push(Kind::Array),
            Type::Map(_) => kinds.push(Kind::Object),
            Type::Nullable(of) => pending.push(of),
            Type::Value(_) => return ANY.to_vec(),
            Type::Item(id) => match &items[*id].body {
                Body::Struct(_) => kinds.push(Kind::Object),
                Body::Strings(_) => kinds.push(Kind::Scalar),
                Body::Union(variants) => pending.extend(variants.iter().map(|variant| &variant.of)),
                Body::Alias(of) => pending.push(of),
                Body::Pending => return ANY.to_vec(),
            },
        }
    }
    ANY.to_vec()
}
