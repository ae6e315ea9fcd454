//! How the values of one type cross the wire: decoded and encoded by serde, checked by the table.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Serialize, de::DeserializeOwned};

use crate::buffers::Text;
use crate::check::typed::{Checked, Verdict, Walk};
use crate::check::{Table, Value, Violations, parse};

/// Decodes and encodes a `T`; the contract's table, where there is one, decides what is valid.
pub(crate) struct Codec<T> {
    table: Option<Table>,
    decode: fn(&str) -> serde_json::Result<T>,
    encode: fn(usize, &T) -> serde_json::Result<Text>,
    last_size: AtomicUsize,
    /// What a value's own type tells of it, for types that can be walked along a table.
    walk: Option<fn(&Table, bool, &T) -> Verdict>,
}

impl<T: Serialize + DeserializeOwned + Checked> Codec<T> {
    /// A codec with a fast path: most values need no look at their JSON.
    pub(crate) fn checked(table: Option<Table>) -> Self {
        Self {
            walk: Some(|table, outward, value| Walk::root(table, outward, value)),
            ..Self::new(table)
        }
    }
}

impl<T: Serialize + DeserializeOwned> Codec<T> {
    pub(crate) fn new(table: Option<Table>) -> Self {
        Self {
            table,
            decode: |json| serde_json::from_str(json),
            encode: |size, value| Text::write(size, |json| serde_json::to_writer(json, value)),
            last_size: AtomicUsize::new(0),
            walk: None,
        }
    }
}

impl<T> Codec<T> {
    pub(crate) fn decode(&self, json: &str) -> Result<T, Violations> {
        let Some(table) = &self.table else {
            return (self.decode)(json).map_err(|error| Violations::unreadable(&error.to_string()));
        };
        if let Some(walk) = self.walk
            && let Ok(value) = (self.decode)(json)
            && walk(table, false, &value) == Verdict::Valid
        {
            return Ok(value);
        }
        let value = parse(json).map_err(|error| Violations::unreadable(&error.to_string()))?;
        table.check_value(&value)?;
        if value.has_odd_integers() {
            return self.decode_plain(&value);
        }
        (self.decode)(json).map_err(|_| unreadable())
    }

    /// serde reads no integer from `5.0`: JSON Schema does, so the checked value is written anew.
    fn decode_plain(&self, value: &Value<'_>) -> Result<T, Violations> {
        let mut plain = String::new();
        value.write_plain(&mut plain);
        (self.decode)(&plain).map_err(|_| unreadable())
    }

    pub(crate) fn encode(&self, value: &T) -> Result<Text, Violations> {
        // A value is about as long as the last.
        let size = self.last_size.load(Ordering::Relaxed);
        let json = (self.encode)(size, value)
            .map_err(|error| Violations::unreadable(&error.to_string()))?;
        self.last_size.store(json.len(), Ordering::Relaxed);
        let Some(table) = &self.table else {
            return Ok(json);
        };
        let verdict = self
            .walk
            .map_or(Verdict::Unknown, |walk| walk(table, true, value));
        if verdict == Verdict::Valid {
            return Ok(json);
        }
        match table.check(&json) {
            Ok(()) => Ok(json),
            Err(violations) => exact(table, &json).ok_or(violations),
        }
    }
}

/// A valid JSON text with the same numbers, where only their notation broke the contract: serde writes
/// large numbers with the fewest digits that tell an `f64` from others, and so beside what it is.
fn exact(table: &Table, json: &str) -> Option<Text> {
    let mut exact = String::new();
    parse(json).ok()?.write_exact(&mut exact);
    table.check(&exact).ok()?;
    Some(Text::from_json(exact.into_bytes()))
}

fn unreadable() -> Violations {
    Violations::unreadable("is valid, but could not be read into the type of the contract")
}

impl<T> Clone for Codec<T> {
    fn clone(&self) -> Self {
        Self {
            table: self.table.clone(),
            last_size: AtomicUsize::new(0),
            ..*self
        }
    }
}

impl<T> fmt::Debug for Codec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec")
            .field("checked", &self.table.is_some())
            .finish_non_exhaustive()
    }
}
