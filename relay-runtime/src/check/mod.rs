//! Checks a JSON value against the table of its schema.

mod table;
mod violation;

pub use table::{Definition, Keyword, List, Schema, Table, Text};
pub use violation::{Violation, Violations};
