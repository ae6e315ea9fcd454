//! Making a failing case small.

use serde_json::{Value, json};

/// The smallest schema and value that can be found for which `fails` still holds.
pub fn shrink(
    schema: &Value,
    text: &str,
    fails: &mut dyn FnMut(&Value, &str) -> bool,
) -> (Value, String) {
    let (mut schema, mut text) = (schema.clone(), text.to_owned());
    let mut budget = 4000_usize;
    loop {
        let before = (schema.clone(), text.clone());
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            let smaller = step(value, &mut |value| {
                budget = budget.saturating_sub(1);
                budget > 0
                    && value.to_string().len() < text.len()
                    && fails(&schema, &value.to_string())
            });
            if let Some(smaller) = smaller {
                text = smaller.to_string();
            }
        }
        let smaller = step(schema.clone(), &mut |smaller| {
            budget = budget.saturating_sub(1);
            budget > 0 && fails(smaller, &text)
        });
        schema = smaller.unwrap_or(schema);
        if (&schema, &text) == (&before.0, &before.1) || budget == 0 {
            return (schema, text);
        }
    }
}

/// The first smaller value that still fails, if there is one.
fn step(value: Value, fails: &mut dyn FnMut(&Value) -> bool) -> Option<Value> {
    smaller(&value).into_iter().find(|smaller| fails(smaller))
}

/// Every value that is one step smaller, the smallest steps last.
#[must_use]
pub fn smaller(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(members) => {
            for name in members.keys() {
                let mut fewer = members.clone();
                fewer.remove(name);
                found.push(Value::Object(fewer));
            }
            for (name, member) in members {
                for member in smaller(member) {
                    let mut other = members.clone();
                    other.insert(name.clone(), member);
                    found.push(Value::Object(other));
                }
            }
        }
        Value::Array(items) => {
            if items.len() > 4 {
                found.push(Value::Array(items[..items.len() / 2].to_vec()));
            }
            for index in 0..items.len().min(20) {
                let mut fewer = items.clone();
                fewer.remove(index);
                found.push(Value::Array(fewer));
            }
            for (index, item) in items.iter().enumerate().take(20) {
                for item in smaller(item) {
                    let mut other = items.clone();
                    other[index] = item;
                    found.push(Value::Array(other));
                }
            }
        }
        Value::String(text) if text.chars().count() > 1 => {
            let letters: Vec<char> = text.chars().collect();
            found.push(json!(
                letters[..letters.len() / 2].iter().collect::<String>()
            ));
            found.push(json!(letters[1..].iter().collect::<String>()));
        }
        _ => {}
    }
    found
}
