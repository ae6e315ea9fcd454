//! The members of an object, each value as its text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members in the order of the text; `None` for anything but an object.
pub(super) fn raw_members(json: &str) -> Option<Vec<(String, &str)>> {
    let Members(members) = serde_json::from_str(json).ok()?;
    Some(members)
}

/// The value of a member; where the name is there twice, of the last.
pub(super) fn raw_member<'a>(json: &'a str, wanted: &str) -> Option<&'a str> {
    let mut members = raw_members(json)?.into_iter();
    members
        .rfind(|(name, _)| name == wanted)
        .map(|(_, json)| json)
}

struct Members<'a>(Vec<(String, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object).map(Self)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Vec<(String, &'de str)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some((name, value)) = map.next_entry::<_, &RawValue>()? {
            members.push((name, value.get()));
        }
        Ok(members)
    }
}
