//! The id that a client gave to its request.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::check;
use crate::unique;

/// The JSON-RPC id of a request: a string or an integer of any size.
///
/// It keeps the JSON text, which every answer echoes. Ids are compared by value: `1` and `"1"`
/// differ, `"a"` and `"\u0061"` do not. The client chooses it and nothing proves it: it may repeat
/// from one client to another.
///
/// `Display` writes the JSON text, so that `1` and `"1"` can be told apart in a log.
// No enum of a short and a long text: that would be stored in pieces, and is moved often.
#[derive(Clone)]
pub struct RequestId {
    /// The JSON text of nearly every id, which is canonical, and in the last byte its length.
    short: [u8; SHORT + 1],
    /// Any other.
    long: Option<Arc<Long>>,
}

struct Long {
    json: Box<str>,
    /// The value's canonical text, where the JSON text is not that already.
    canonical: Option<Box<str>>,
}

const SHORT: usize = 15;

impl RequestId {
    /// The longest id that is read, in bytes of JSON text.
    pub(crate) const MAX_BYTES: usize = 1024;

    /// An id of the server's own: a text, so that nobody takes it for one of the client's numbers.
    pub(crate) fn fresh() -> Self {
        Self::new(&format!("\"relay-{}\"", unique::text()), None)
    }

    /// Reads the JSON text of an id; `None` for what is no id.
    pub(crate) fn parse(json: &str) -> Option<Self> {
        if json.len() > Self::MAX_BYTES {
            return None;
        }
        let canonical = match json.as_bytes() {
            [b'"', ..] if json.contains('\\') => {
                let value = check::string(json)?;
                Some(format!("\"{value}\""))
            }
            [b'"', middle @ .., b'"']
                if middle.iter().all(|byte| *byte >= b' ' && *byte != b'"') =>
            {
                None
            }
            b"-0" => Some("0".into()),
            [b'-', digits @ ..] | digits if is_integer(digits) => None,
            _ => return None,
        };
        Some(Self::new(json, canonical))
    }

    fn new(json: &str, canonical: Option<String>) -> Self {
        let mut short = [0; SHORT + 1];
        if canonical.is_none()
            && let Some(place) = short[..SHORT].get_mut(..json.len())
            && let Ok(length) = u8::try_from(json.len())
        {
            place.copy_from_slice(json.as_bytes());
            short[SHORT] = length;
            return Self { short, long: None };
        }
        let long = Some(Arc::new(Long {
            json: json.into(),
            canonical: canonical.map(Into::into),
        }));
        Self { short, long }
    }

    /// The text of a string id, unescaped; `None` for an integer.
    pub fn as_str(&self) -> Option<&str> {
        let text = self.canonical();
        text.strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
    }

    /// The value of an integer id; `None` for a string, and for an integer outside of `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        self.canonical().parse().ok()
    }

    /// The JSON text, as the client sent it.
    pub fn json(&self) -> &str {
        match &self.long {
            None => self.short(),
            Some(long) => &long.json,
        }
    }

    fn canonical(&self) -> &str {
        match &self.long {
            None => self.short(),
            Some(long) => long.canonical.as_deref().unwrap_or(&long.json),
        }
    }

    /// What was a text when it was put there.
    fn short(&self) -> &str {
        let text = self.short.get(..usize::from(self.short[SHORT]));
        text.and_then(|text| str::from_utf8(text).ok())
            .unwrap_or_default()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.json())
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestId({})", self.json())
    }
}

impl PartialEq for RequestId {
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

impl Eq for RequestId {}

impl Hash for RequestId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

fn is_integer(digits: &[u8]) -> bool {
    match digits {
        [] => false,
        [b'0'] => true,
        [first, rest @ ..] => (b'1'..=b'9').contains(first) && rest.iter().all(u8::is_ascii_digit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(json: &str) -> RequestId {
        RequestId::parse(json).unwrap_or_else(|| panic!("{json} is an id"))
    }

    #[test]
    fn ids_are_compared_by_value() {
        assert_ne!(id("1"), id("\"1\""));
        assert_eq!(id("\"a\""), id("\"\\u0061\""));
        assert_eq!(id("-0"), id("0"));
        assert_ne!(
            id("123456789012345678901234567890"),
            id("123456789012345678901234567891")
        );
        assert_eq!(id("\"\\\"\"").as_str(), Some("\""));
    }

    #[test]
    fn an_id_of_any_length_stays_as_it_is() {
        for length in 0..100 {
            for text in ["é".repeat(length), "x".repeat(length)] {
                let json = format!("\"{text}\"");
                assert_eq!(id(&json).json(), json);
                assert_eq!(id(&json).as_str(), Some(&*text));
                assert_eq!(id(&json), id(&json).clone());
            }
        }
    }

    #[test]
    fn the_text_stays() {
        assert_eq!(id("\"\\u0061\"").to_string(), "\"\\u0061\"");
        assert_eq!(id("\"\\u0061\"").as_str(), Some("a"));
        assert_eq!(id("\"\\u0061\"").as_i64(), None);
        assert_eq!(id("-7").as_i64(), Some(-7));
        assert_eq!(id("-7").as_str(), None);
        assert_eq!(id("99999999999999999999").as_i64(), None);
    }

    #[test]
    fn what_is_no_id_is_refused() {
        let long = format!("\"{}\"", "x".repeat(1023));
        for json in [
            "null",
            "true",
            "1.0",
            "1e3",
            "1E3",
            "[]",
            "{}",
            "",
            "-",
            "01",
            "\"",
            "\"\\ud800\"",
            &long,
        ] {
            assert!(RequestId::parse(json).is_none(), "{json}");
        }
    }
}
