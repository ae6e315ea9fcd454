//! Relay's code generator.

pub mod contracts;
pub mod diagnostics;
pub mod json;
pub mod source;
mod suggest;
