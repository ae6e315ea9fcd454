//! The values with which a schema is tried.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::near::{Edit, near};
use crate::{Rng, Values};

/// Values for a schema, valid and near-valid ones, each once: at most `count`, from a seed.
///
/// # Panics
///
/// If one of them is no JSON.
#[must_use]
pub fn instances(schema: &Value, seed: u64, count: usize) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let made: Vec<Value> = (0..3 + count / 16)
        .map(|_| Values::new(schema, &mut rng).value(schema))
        .collect();
    let mut found: Vec<String> = made.iter().map(ToString::to_string).collect();
    // One change at a time, of several values in turn, so that no value has all the changes.
    let mut changed: Vec<Vec<Edit>> = made.iter().map(|value| near(schema, value)).collect();
    while found.len() < count && changed.iter().any(|changed| !changed.is_empty()) {
        for (value, changed) in made.iter().zip(&mut changed) {
            if !changed.is_empty() {
                found.push(changed.swap_remove(rng.below(changed.len())).of(value));
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|text| seen.insert(text.clone()));
    found.truncate(count);
    for text in &found {
        assert!(
            serde_json::from_str::<&RawValue>(text).is_ok(),
            "no JSON: {text}"
        );
    }
    found
}
