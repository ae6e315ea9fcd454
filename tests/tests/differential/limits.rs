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

/// Whether the oracle, for which numbers beyond i64 and u64 are f64, and all numbers where a
/// `multipleOf` is one, reads another number somewhere in a text than the one that is written.
pub(crate) fn is_rounded(schema: &Value, text: &str) -> bool {
    let of_floats = divides_by_fractions(schema);
    numbers(text).any(|word| is_inexact(word) && (of_floats || !is_of_rust(word)))
}

/// Whether there is an integer in the text that no f64 holds: as a `number`, it is the nearest.
pub(crate) fn is_nearest(text: &str) -> bool {
    numbers(text).any(|word| is_inexact(word) && !word.contains(['.', 'e', 'E']))
}

/// The numbers of a text; words in strings that read as numbers may be among them.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ':', '[', ']', '{', '}'])
        .map(str::trim)
        .filter(|word| word.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit()))
}

fn is_inexact(word: &str) -> bool {
    let number = word.parse::<f64>().unwrap_or_default();
    number.abs() >= 9e15 && format!("{number:.0}") != word
}

fn is_of_rust(word: &str) -> bool {
    word.parse::<i64>().is_ok() || word.parse::<u64>().is_ok()
}

fn divides_by_fractions(schema: &Value) -> bool {
    let of = |value: &Value| value.is_f64();
    match schema {
        Value::Object(members) => {
            members.get("multipleOf").is_some_and(of) || members.values().any(divides_by_fractions)
        }
        Value::Array(items) => items.iter().any(divides_by_fractions),
        _ => false,
    }
}

/// What is refused for its size must not make anything valid: not what is forbidden, and not one of
/// two forms.
#[test]
fn a_limit_makes_nothing_valid() {
    let cases = [
        (r#"{"not":{"type":"integer"}}"#, "18446744073709551616"),
        (
            r#"{"not":{"type":"integer","minimum":0}}"#,
            "18446744073709551616",
        ),
        (
            r#"{"if":{"type":"integer"},"then":false}"#,
            "18446744073709551616",
        ),
        (
            r#"{"contains":{"type":"integer"},"minContains":0,"maxContains":1}"#,
            "[18446744073709551616,1]",
        ),
        (
            r#"{"oneOf":[{"type":"number"},{"type":"integer"}]}"#,
            "9223372036854775808",
        ),
        (
            r#"{"oneOf":[true,{"properties":{"a":{"type":"integer"}}}]}"#,
            r#"{"a":9223372036854775808}"#,
        ),
    ];
    let different = cases.map(|(schema, text)| {
        let of = serde_json::from_str(schema).expect("a schema");
        crate::checker::difference(&of, text)
            .map(|difference| format!("{schema} {text}: {difference}"))
    });
    let different: Vec<String> = different.into_iter().flatten().collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}
