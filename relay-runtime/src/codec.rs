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
    decode: Decode<T>,
    encode: Encode<T>,
    last_size: AtomicUsize,
    checks: Checks<T>,
}

/// The half of a [`Codec`] that decodes. What a server does not use of its types it does not link.
#[cfg(feature = "server")]
pub(crate) struct Decoder<T> {
    decode: Decode<T>,
    checks: Checks<T>,
}

/// The half of a [`Codec`] that encodes.
#[cfg(feature = "server")]
pub(crate) struct Encoder<T> {
    encode: Encode<T>,
    last_size: AtomicUsize,
    checks: Checks<T>,
}

type Decode<T> = fn(&str) -> serde_json::Result<T>;
type Encode<T> = fn(usize, &T) -> serde_json::Result<Text>;

/// What decides whether a value is valid.
struct Checks<T> {
    table: Option<Table>,
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
        let mut codec = Self::new(table);
        codec.checks.typed = Some(Typed {
            walk: |table, left, outward, value| Walk::root(table, left, outward, value),
            reduce: Reduce::root::<T>,
        });
        codec
    }
}

impl<T: Serialize + DeserializeOwned> Codec<T> {
    pub(crate) fn new(table: Option<Table>) -> Self {
        Self {
            decode: |json| serde_json::from_str(json),
            encode: |size, value| Text::write(size, |json| serde_json::to_writer(json, value)),
            last_size: AtomicUsize::new(0),
            checks: Checks {
                table,
                typed: None,
                left: Default::default(),
            },
        }
    }
}

impl<T> Codec<T> {
    pub(crate) fn decode(&self, json: &str) -> Result<T, Violations> {
        self.checks.decode(self.decode, json)
    }

    pub(crate) fn encode(&self, value: &T) -> Result<Text, Violations> {
        self.checks.encode(self.encode, &self.last_size, value)
    }
}

#[cfg(feature = "server")]
impl<T> Codec<T> {
    pub(crate) fn into_decoder(self) -> Decoder<T> {
        Decoder {
            decode: self.decode,
            checks: self.checks,
        }
    }

    pub(crate) fn into_encoder(self) -> Encoder<T> {
        Encoder {
            encode: self.encode,
            last_size: self.last_size,
            checks: self.checks,
        }
    }
}

#[cfg(feature = "server")]
impl<T> Decoder<T> {
    pub(crate) fn decode(&self, json: &str) -> Result<T, Violations> {
        self.checks.decode(self.decode, json)
    }
}

#[cfg(feature = "server")]
impl<T> Encoder<T> {
    pub(crate) fn encode(&self, value: &T) -> Result<Text, Violations> {
        self.checks.encode(self.encode, &self.last_size, value)
    }
}

impl<T> Checks<T> {
    fn decode(&self, decode: Decode<T>, json: &str) -> Result<T, Violations> {
        let Some(table) = &self.table else {
            return decode(json).map_err(|error| unread(&error));
        };
        let Some(typed) = &self.typed else {
            let plain = checked(table, json)?;
            return decode(plain.as_deref().unwrap_or(json)).map_err(|_| unreadable());
        };
        // A large value is moved as little as can be.
        let mut decoded = decode(json);
        let known = decoded
            .as_ref()
            .is_ok_and(|value| self.is_valid(table, typed, false, value));
        if !known && let Some(plain) = checked(table, json)? {
            decoded = decode(&plain);
        }
        decoded.map_err(|_| unreadable())
    }

    fn encode(
        &self,
        encode: Encode<T>,
        last_size: &AtomicUsize,
        value: &T,
    ) -> Result<Text, Violations> {
        // A value is about as long as the last.
        let size = last_size.load(Ordering::Relaxed);
        let json = encode(size, value).map_err(|error| unread(&error))?;
        last_size.store(json.len(), Ordering::Relaxed);
        let Some(table) = &self.table else {
            return Ok(json);
        };
        if let Some(typed) = &self.typed
            && self.is_valid(table, typed, true, value)
        {
            return Ok(json);
        }
        checked_exact(table, json)
    }

    /// Whether a value is known to be valid without a look at its JSON.
    fn is_valid(&self, table: &Table, typed: &Typed<T>, outward: bool, value: &T) -> bool {
        let left = self.left[usize::from(outward)].get_or_init(|| (typed.reduce)(table, outward));
        left.as_ref()
            .is_none_or(|left| (typed.walk)(table, left, outward, value) == Verdict::Valid)
    }
}

// What follows is outlined: it is the same for all types, and no call of a quick tool needs it.

/// Checks a text on its way in. serde reads no integer from `5.0`, JSON Schema does: a value that
/// has one is written anew.
#[inline(never)]
fn checked(table: &Table, json: &str) -> Result<Option<String>, Violations> {
    let value = parse(json).map_err(|error| Violations::unreadable(&error.to_string()))?;
    table.check_value(&value)?;
    Ok(value.has_odd_integers().then(|| plain(&value)))
}

fn plain(value: &Value<'_>) -> String {
    let mut plain = String::new();
    value.write_plain(&mut plain);
    plain
}

/// Checks a text on its way out.
#[inline(never)]
fn checked_exact(table: &Table, json: Text) -> Result<Text, Violations> {
    match table.check(&json) {
        Ok(()) => Ok(json),
        Err(violations) => exact(table, &json).ok_or(violations),
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

#[cold]
fn unread(error: &serde_json::Error) -> Violations {
    Violations::unreadable(&error.to_string())
}

#[cold]
fn unreadable() -> Violations {
    Violations::unreadable("is valid, but could not be read into the type of the contract")
}

impl<T> Clone for Codec<T> {
    fn clone(&self) -> Self {
        Self {
            decode: self.decode,
            encode: self.encode,
            last_size: AtomicUsize::new(0),
            checks: self.checks.clone(),
        }
    }
}

impl<T> Clone for Checks<T> {
    fn clone(&self) -> Self {
        Self {
            table: self.table.clone(),
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
            .field("checked", &self.checks.table.is_some())
            .finish_non_exhaustive()
    }
}
