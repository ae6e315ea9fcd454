//! Sorting, compiled once for whatever is sorted, and small: a sort of the standard library is ten times
//! as large, and it is keys that cost here, not moves.

use std::cmp::Ordering;

/// The places of so many things in their order; of those that are equal the first comes first.
#[inline(never)]
pub(crate) fn sorted_places(
    count: usize,
    compare: &dyn Fn(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    let mut merged = Vec::new();
    let mut length = 1;
    while length < count {
        for pair in places.chunks(2 * length) {
            let (one, other) = pair.split_at(length.min(pair.len()));
            merge(one, other, compare, &mut merged);
        }
        std::mem::swap(&mut places, &mut merged);
        merged.clear();
        length *= 2;
    }
    places
}

/// Puts two runs that are in their order together.
fn merge(
    mut one: &[usize],
    mut other: &[usize],
    compare: &dyn Fn(usize, usize) -> Ordering,
    merged: &mut Vec<usize>,
) {
    // What comes in its order is not looked through.
    let follows = |one: &[usize], other: &[usize]| match (one.last(), other.first()) {
        (Some(last), Some(first)) => compare(*last, *first).is_le(),
        _ => true,
    };
    if !follows(one, other) {
        while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
            if compare(*first, *second).is_le() {
                merged.push(*first);
                one = rest;
            } else {
                merged.push(*second);
                other = others;
            }
        }
    }
    merged.extend_from_slice(one);
    merged.extend_from_slice(other);
}

#[cfg(test)]
mod tests {
    use super::sorted_places;

    #[test]
    fn in_order_and_those_that_are_equal_as_they_came() {
        for count in [0, 1, 2, 3, 7, 8, 9, 100, 1000] {
            for step in [1, 7, 37, 999] {
                let keys: Vec<usize> = (0..count).map(|at| at * step % 50).collect();
                let mut wanted: Vec<usize> = (0..count).collect();
                wanted.sort_by_key(|at| keys[*at]);
                let places = sorted_places(count, &|one, other| keys[one].cmp(&keys[other]));
                assert_eq!(places, wanted, "{count} {step}");
            }
        }
    }
}
