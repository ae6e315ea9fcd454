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

/// Takes the body from every item that no root leads to: it is not written then.
pub(super) fn prune(items: &mut [Item], roots: &[ItemId]) {
    let mut needed = HashSet::new();
    let mut pending = roots.to_vec();
    while let Some(id) = pending.pop() {
        if needed.insert(id) {
            pending.extend(types_in(&items[id].body).into_iter().filter_map(innermost));
        }
    }
    let unneeded = items
        .iter_mut()
        .enumerate()
        .filter(|(id, _)| !needed.contains(id));
    unneeded.for_each(|(_, item)| item.body = Body::Pending);
}

fn types_in(body: &Body) -> Vec<&Type> {
    match body {
        Body::Struct(object) => {
            let extra = object.extra.iter().map(|(_, of)| of);
            object
                .fields
                .iter()
                .map(|field| &field.of)
                .chain(extra)
                .collect()
        }
        Body::Union(variants) => variants.iter().map(|variant| &variant.of).collect(),
        Body::Alias(of) => vec![of],
        Body::Strings(_) | Body::Pending => Vec::new(),
    }
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
    types_in(body).into_iter().filter_map(direct).collect()
}

fn direct(of: &Type) -> Option<ItemId> {
    match of {
        Type::Item(id) => Some(*id),
        Type::Nullable(of) => direct(of),
        _ => None,
    }
}
