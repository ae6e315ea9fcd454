//! The answers in a call that comes back.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::input::InputRequest;

/// The answers to these requests, as they stand: what nobody has asked for is not even read as
/// a value.
pub(super) fn answers<'a>(
    asked: &BTreeMap<String, InputRequest>,
    responses: &'a str,
) -> serde_json::Result<Vec<(String, &'a RawValue)>> {
    AnswersTo(asked).deserialize(&mut serde_json::Deserializer::from_str(responses))
}

struct AnswersTo<'a>(&'a BTreeMap<String, InputRequest>);

impl<'de> DeserializeSeed<'de> for AnswersTo<'_> {
    type Value = Vec<(String, &'de RawValue)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AnswersTo<'_> {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut answers = Vec::new();
        while let Some(name) = members.next_key::<String>()? {
            if self.0.contains_key(&name) {
                answers.push((name, members.next_value()?));
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(answers)
    }
}
