//! Relay's code generator.

mod builder;
pub mod contracts;
pub mod diagnostics;
mod emit;
mod generate;
pub mod json;
pub mod output;
mod publish;
pub mod source;
mod types;

pub use builder::{BuildError, Builder, build};
pub use contracts::Contracts;
pub use diagnostics::Report;
pub use generate::{Files, Options, Side, generate, table_of};
