//! Checks a JSON value against the table of its schema.
//!
//! A table is data: `relay-gen` writes it beside the types it generates, and [`Table::check`] reads
//! it. The contract decides what is valid, not the Rust type: `40.0` is an integer, lengths are
//! counted in code points, numbers are compared by value. All violations come at once, each with
//! a JSON Pointer into the value and one into the schema, worded for a model to act on.

mod checker;
#[cfg(feature = "dynamic")]
mod compile;
mod decimal;
mod escape;
mod format;
mod parse;
mod pattern;
mod table;
#[doc(hidden)]
pub mod typed;
mod value;
mod violation;
mod words;

#[cfg(feature = "dynamic")]
pub use compile::{CompileOptions, SchemaError, SchemaErrors};
#[cfg(feature = "dynamic")]
#[doc(hidden)]
pub use compile::{is_natural, uri, vocabulary};
#[doc(hidden)]
pub use format::{Format, FormatCheck};
#[doc(hidden)]
pub use parse::MAX_DEPTH;
#[doc(hidden)]
pub use pattern::{Expression, Part, TooMuchWork};
pub use table::Table;
#[doc(hidden)]
pub use table::{
    ARRAY, BOOLEAN, INTEGER, Keyword, List, Literal, NULL, NUMBER, OBJECT, STRING, Schema, Target,
    Text, Types,
};
pub use violation::{Violation, Violations};

pub(crate) use parse::parse;
#[cfg(feature = "server")]
pub(crate) use parse::{members, string};
pub(crate) use value::Value;
pub(crate) use words::{count, push_token};

impl Table {
    /// Checks a JSON text.
    ///
    /// # Errors
    ///
    /// All that the value breaks, up to a limit of 20; a text that is no JSON is one violation.
    pub fn check(&self, json: &str) -> Result<(), Violations> {
        let value = parse(json).map_err(|error| Violations::unreadable(&error.to_string()))?;
        self.check_value(&value)
    }

    pub(crate) fn check_value(&self, value: &Value<'_>) -> Result<(), Violations> {
        Violations::none_of(checker::check(self, 0, value))
    }
}
