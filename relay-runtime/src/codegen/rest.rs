//! Members of an object for which its struct has no field.

use std::collections::{BTreeMap, HashSet};

use serde::de::{Deserialize, Error, MapAccess};
use serde_json::{Map, Value};

use super::object::Key;
use super::union::Any;

/// The names of members that were passed over.
pub type Names = HashSet<String>;

/// Passes over a member that nobody wants, once it is sure that it is a value, and new: what the
/// checker would refuse must not be lost on the way.
///
/// # Errors
///
/// If it is no value, or if its name is not new.
pub fn skip<'de, A: MapAccess<'de>>(
    names: &mut Names,
    name: Key<'_>,
    map: &mut A,
) -> Result<(), A::Error> {
    if !names.insert(name.into_string()) {
        return Err(A::Error::custom("a member is there twice"));
    }
    map.next_value_seed(Any).map(drop)
}

/// A map that members without a field are kept in.
pub trait Keep<T> {
    /// Puts a member in; says whether its name was new.
    fn put(&mut self, name: String, value: T) -> bool;
}

impl<T> Keep<T> for BTreeMap<String, T> {
    fn put(&mut self, name: String, value: T) -> bool {
        self.insert(name, value).is_none()
    }
}

impl Keep<Value> for Map<String, Value> {
    fn put(&mut self, name: String, value: Value) -> bool {
        self.insert(name, value).is_none()
    }
}

/// Keeps a member that has no field.
///
/// # Errors
///
/// If there is one of this name already.
pub fn keep<T, E: Error>(members: &mut impl Keep<T>, name: String, value: T) -> Result<(), E> {
    if members.put(name, value) {
        Ok(())
    } else {
        Err(E::custom("a member is there twice"))
    }
}

/// Reads the value of a member that has no field, and keeps it.
///
/// # Errors
///
/// If there is one of this name already, or if the value is no `T`.
pub fn keep_next<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    members: &mut impl Keep<T>,
    name: Key<'_>,
    map: &mut A,
) -> Result<(), A::Error> {
    keep(members, name.into_string(), map.next_value()?)
}

/// A member that the struct does not have.
///
/// # Errors
///
/// Always.
pub fn unknown<E: Error>(name: &str) -> Result<(), E> {
    Err(E::custom(format_args!("unknown member `{name}`")))
}
