//! Types that contain themselves: where a `Box` has to break the circle.

use std::collections::HashSet;

use super::model::{Body, Item, ItemId, Type};

/// The pairs of items of which the first holds the second without a heap in between, and is held by
/// it in turn, be it through others.
pub(crate) fn boxed(items: &[Item]) -> HashSet<(ItemId, ItemId)> {
    let held: Vec<Vec<ItemId>> = items.iter().map(|item| held_by(&item.body)).collect();
    let circle = circles(&held);
    let edges = held
        .iter()
        .enumerate()
        .flat_map(|(from, held)| held.iter().map(move |to| (from, *to)));
    edges
        .filter(|(from, to)| circle[*from] == circle[*to])
        .collect()
}

/// For each node of a graph, the number of its strongly connected component (Tarjan's algorithm,
/// without recursion).
fn circles(edges: &[Vec<ItemId>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; edges.len()];
    let mut lowest = vec![UNSEEN; edges.len()];
    let mut component = vec![UNSEEN; edges.len()];
    let (mut stack, mut count) = (Vec::new(), 0);
    for root in 0..edges.len() {
        let mut path = if index[root] == UNSEEN {
            vec![(root, 0)]
        } else {
            Vec::new()
        };
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                index[node] = count;
                lowest[node] = count;
                count += 1;
                stack.push(node);
            } else {
                lowest[node] = lowest[node].min(lowest[edges[node][next - 1]]);
            }
            let mut rest = edges[node].iter().enumerate().skip(next);
            let Some((at, to)) = rest.find(|(_, to)| component[**to] == UNSEEN) else {
                if lowest[node] == index[node] {
                    while let Some(member) = stack.pop() {
                        component[member] = node;
                        if member == node {
                            break;
                        }
                    }
                }
                continue;
            };
            if index[*to] == UNSEEN {
                path.push((node, at + 1));
                path.push((*to, 0));
            } else {
                lowest[node] = lowest[node].min(index[*to]);
                path.push((node, at + 1));
            }
        }
    }
    component
}

/// Takes the body from every item that no root leads to: it is not written then.
pub(super) fn prune(items: &mut [Item], roots: &[ItemId]) {
    let mut needed = HashSet::new();
    let mut pending = roots.to_vec();
    while let Some(id) = pending.pop() {
        if needed.insert(id) {
            pending.extend(types_in(&items[id].body).into_iter().flat_map(items_in));
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
            let within = items_in(of);
            if within.contains(&name) {
                return true;
            }
            pending.extend(within.into_iter().filter(|id| seen.insert(*id)));
        }
    }
    false
}

/// The items that a type is made of.
fn items_in(of: &Type) -> Vec<ItemId> {
    match of {
        Type::Item(id) => vec![*id],
        of => of.inner().iter().flat_map(items_in).collect(),
    }
}

/// The items that a value of this item holds directly.
fn held_by(body: &Body) -> Vec<ItemId> {
    types_in(body).into_iter().flat_map(direct).collect()
}

fn direct(of: &Type) -> Vec<ItemId> {
    match of {
        Type::Item(id) => vec![*id],
        Type::Nullable(of) => direct(of),
        Type::Tuple(of) => of.iter().flat_map(direct).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn nodes_that_reach_each_other_are_one_circle() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3, 3 -> 3, 4 -> 0
        let circle = circles(&[vec![1], vec![2], vec![1, 3], vec![3], vec![0]]);
        assert_eq!(circle[1], circle[2]);
        for (one, other) in [(0, 1), (2, 3), (0, 4), (0, 3)] {
            assert_ne!(circle[one], circle[other], "{one} and {other}");
        }
        let long: Vec<Vec<usize>> = (0..100_000)
            .map(|node| vec![(node + 1) % 100_000])
            .collect();
        let circle = circles(&long);
        assert!(circle.iter().all(|other| *other == circle[0]));
    }
}
