//! The two limits that Relay documents: integers beyond i64 and u64, and numbers beyond f64.

use serde_json::Value;

/// Whether there is an integer in the value that may be beyond the integers of Rust.
pub(crate) fn is_beyond(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            let by_value = number
                .as_f64()
                .is_some_and(|number| number.fract() == 0.0 && number.abs() >= 9.2e18);
            number.as_i64().is_none() && by_value
        }
        Value::Array(items) => items.iter().any(is_beyond),
        Value::Object(members) => members.values().any(is_beyond),
        _ => false,
    }
}

/// Whether the oracle, for which numbers beyond i64 and u64 are f64, reads another number somewhere
/// in a text than the one that is written.
pub(crate) fn is_rounded(text: &str) -> bool {
    let outside = text.split('"').step_by(2);
    outside
        .flat_map(|part| part.split([',', ':', '[', ']', '{', '}']))
        .map(str::trim)
        .any(|word| {
            let is_integer = word.parse::<i64>().is_ok() || word.parse::<u64>().is_ok();
            let number = word.parse::<f64>().unwrap_or_default();
            !is_integer && number.abs() >= 9e15 && format!("{number:.0}") != word
        })
}
