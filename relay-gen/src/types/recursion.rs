//! Types that contain themselves: where a `Box` has to break the circle.

use std::collections::HashSet;

use super::model::{Body, Item, ItemId, Type};

/// For each item, the items that it holds without a heap in between and that hold it in turn.
pub(crate) fn boxed(items: &[Item]) -> HashSet<(ItemId, ItemId)> {
    let held: Vec<Vec<ItemId>> = items.iter().map(|item| held_by(&item.body)).collect();
    let reaches = |from: ItemId, to: ItemId| {
        let mut seen = HashSet::new();
        let mut pending = vec![from];
        while let Some(at) = pending.pop() {
            if at == to {
                return true;
            }
            if seen.insert(at) {
                pending.extend(&held[at]);
            }
        }
        false
    };
    let edges = held
        .iter()
        .enumerate()
        .flat_map(|(from, held)| held.iter().map(move |to| (from, *to)));
    edges.filter(|(from, to)| reaches(*to, *from)).collect()
}

/// Whether a name stands for something that holds the name itself, through other names alone.
pub(super) fn is_endless(items: &[Item], name: ItemId) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![name];
    while let Some(at) = pending.pop() {
        if let Body::Alias(of) = &items[at].body {
            let within = innermost(of);
            if within == Some(name) {
                return true;
            }
            pending.extend(within.filter(|id| seen.insert(*id)));
        }
    }
    false
}

fn innermost(of: &Type) -> Option<ItemId> {
    match of {
        Type::Item(id) => Some(*id),
        Type::Nullable(of) | Type::Vec(of) | Type::Map(of) => innermost(of),
        _ => None,
    }
}

/// The items that a value of this item holds directly.
fn held_by(body: &Body) -> Vec<ItemId> {
    match body {
        Body::Struct(object) => object
            .fields
            .iter()
            .filter_map(|field| direct(&field.of))
            .collect(),
        Body::Union(variants) => variants
            .iter()
            .filter_map(|variant| direct(&variant.of))
            .collect(),
        Body::Alias(of) => direct(of).into_iter().collect(),
        Body::Strings(_) | Body::Pending => Vec::new(),
    }
}

fn direct(of: &Type) -> Option<ItemId> {
    match of {
        Type::Item(id) => Some(*id),
        Type::Nullable(of) => direct(of),
        _ => None,
    }
}
