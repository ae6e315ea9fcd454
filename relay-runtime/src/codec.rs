//! How the values of one type cross the wire: decoded and encoded by serde, checked by the table.

use std::fmt;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::check::{Table, Violation, Violations};

/// Decodes and encodes a `T`; the contract's table, where there is one, decides what is valid.
pub(crate) struct Codec<T> {
    table: Option<Table>,
    decode: fn(&str) -> serde_json::Result<T>,
    encode: fn(&T) -> serde_json::Result<Box<RawValue>>,
}

impl<T: Serialize + DeserializeOwned> Codec<T> {
    pub(crate) fn new(table: Option<Table>) -> Self {
        Self {
            table,
            decode: |json| serde_json::from_str(json),
            encode: |value| serde_json::value::to_raw_value(value),
        }
    }
}

impl<T> Codec<T> {
    pub(crate) fn decode(&self, json: &RawValue) -> Result<T, Violations> {
        (self.decode)(json.get()).map_err(broken)
    }

    pub(crate) fn encode(&self, value: &T) -> Result<Box<RawValue>, Violations> {
        (self.encode)(value).map_err(broken)
    }
}

impl<T> Clone for Codec<T> {
    fn clone(&self) -> Self {
        Self { table: self.table.clone(), ..*self }
    }
}

impl<T> fmt::Debug for Codec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec").field("checked", &self.table.is_some()).finish_non_exhaustive()
    }
}

fn broken(error: serde_json::Error) -> Violations {
    Violations::new(vec![Violation {
        instance: String::new(),
        schema: String::new(),
        keyword: "",
        message: error.to_string(),
    }])
}
