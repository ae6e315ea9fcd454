//! How the values of one type cross the wire: decoded and encoded by serde, checked by the table.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Serialize, de::DeserializeOwned};

use crate::buffers::Text;
use crate::check::typed::{Checked, Reduce, Verdict, Walk};
use crate::check::{Schema, Table, Value, Violations, parse};

/// Decodes and encodes a `T`; the contract's table, where there is one, decides what is valid.
pub(crate) struct Codec<T> {
    table: Option<Table>,
    decode: fn(&str) -> serde_json::Result<T>,
    encode: fn(usize, &T) -> serde_json::Result<Text>,
    last_size: AtomicUsize,
    /// For types that can be walked along a table.
    typed: Option<Typed<T>>,
    /// What the table still asks of a value of the type, on its way in and on its way out.
    left: [OnceLock<Option<Schema>>; 2],
}

/// What a type tells, of a value and of all its values; the flag is for those on their way out.
struct Typed<T> {
    walk: fn(&Table, &Schema, bool, &T) -> Verdict,
    reduce: fn(&Table, bool) -> Option<Schema>,
}

impl<T: Serialize + DeserializeOwned + Checked> Codec<T> {
    /// A codec with a fast path: most values need no look at their JSON.
    pub(crate) fn checked(table: Option<Table>) -> Self {
        Self {
            typed: Some(Typed {
                walk: |table, left, outward, value| Walk::root(table, left, outward, value),
                reduce: Reduce::root::<T>,
            }),
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
            typed: None,
            left: Default::default(),
        }
    }
}

impl<T> Codec<T> {
    pub(crate) fn decode(&self, json: &str) -> Result<T, Violations> {
        let Some(table) = &self.table else {
            return (self.decode)(json).map_err(|error| Violations::unreadable(&error.to_string()));
        };
        let decoded = match &self.typed {
            None => None,
            Some(typed) => match (self.decode)(json) {
                Ok(value) if self.is_valid(table, typed, false, &value) => return Ok(value),
                decoded => decoded.ok(),
            },
        };
        let value = parse(json).map_err(|error| Violations::unreadable(&error.to_string()))?;
        table.check_value(&value)?;
        if value.has_odd_integers() {
            return self.decode_plain(&value);
        }
        let decoded = decoded.map_or_else(|| (self.decode)(json), Ok);
        decoded.map_err(|_| unreadable())
    }

    /// Whether a value is known to be valid without a look at its JSON.
    fn is_valid(&self, table: &Table, typed: &Typed<T>, outward: bool, value: &T) -> bool {
        let left = self.left[usize::from(outward)].get_or_init(|| (typed.reduce)(table, outward));
        left.as_ref()
            .is_none_or(|left| (typed.walk)(table, left, outward, value) == Verdict::Valid)
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
        if let Some(typed) = &self.typed
            && self.is_valid(table, typed, true, value)
        {
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
            decode: self.decode,
            encode: self.encode,
            last_size: AtomicUsize::new(0),
            typed: self.typed,
            left: self.left.clone(),
        }
    }
}

impl<T> Clone for Typed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Typed<T> {}

impl<T> fmt::Debug for Codec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec")
            .field("checked", &self.table.is_some())
            .finish_non_exhaustive()
    }
}
