//! Whether two calls have the same arguments, however a client has written them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::Hash;
use serde_json::{Map, Number, Value};

use super::message::to_json;

/// A digest of a JSON text: the same for the same value, whatever the order of its keys.
pub(super) fn digest(json: &str) -> String {
    let mut hash = Hash::new();
    match serde_json::from_str::<Value>(json) {
        Ok(value) => feed(&mut hash, &value),
        // Numbers that serde_json does not read have only their text.
        Err(_) => hash.update(json),
    }
    URL_SAFE_NO_PAD.encode(hash.finalize())
}

fn feed(hash: &mut Hash, value: &Value) {
    match value {
        Value::Array(items) => {
            hash.update(b"[");
            for item in items {
                feed(hash, item);
                hash.update(b",");
            }
            hash.update(b"]");
        }
        Value::Object(members) => feed_members(hash, members),
        Value::Number(number) => hash.update(plain(number)),
        scalar => hash.update(to_json(scalar)),
    }
}

fn feed_members(hash: &mut Hash, members: &Map<String, Value>) {
    // Some other crate may have serde_json keep the order of the text.
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    hash.update(b"{");
    for (name, value) in sorted {
        hash.update(to_json(name));
        hash.update(b":");
        feed(hash, value);
        hash.update(b",");
    }
    hash.update(b"}");
}

/// `2` and `2.0` are the same number, and so are `0` and `-0.0`.
fn plain(number: &Number) -> String {
    match number.as_f64() {
        // The sum is a zero without a sign.
        Some(float) if number.is_f64() && float.fract() == 0.0 => format!("{:.0}", float + 0.0),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_value_has_the_same_digest() {
        for [one, other] in [
            [r#"{"a":1,"b":[2.0]}"#, r#"{ "b":[2], "a":1.0 }"#],
            ["[0,0,0]", "[-0.0,0.0,-0]"],
            [r#""a""#, r#""\u0061""#],
            ["1e2", "100"],
        ] {
            assert_eq!(digest(one), digest(other), "{one}");
        }
        for [one, other] in [
            ["1", "-1"],
            ["[1,2]", "[2,1]"],
            ["1", "\"1\""],
            ["1e400", "1e401"],
        ] {
            assert_ne!(digest(one), digest(other), "{one}");
        }
    }
}
