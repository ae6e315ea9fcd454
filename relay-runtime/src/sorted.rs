//! Sorting, compiled once for whatever is sorted.

use std::cmp::Ordering;

/// The places of so many things in their order; of those that are equal the first comes first.
#[inline(never)]
pub(crate) fn sorted_places(
    count: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
) -> Vec<usize> {
    // Outlined, since a sort compares in many places.
    #[inline(never)]
    fn in_order(compare: &dyn Fn(usize, usize) -> Ordering, one: usize, other: usize) -> Ordering {
        compare(one, other).then(one.cmp(&other))
    }
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_unstable_by(|one, other| in_order(compare, *one, *other));
    places
}
