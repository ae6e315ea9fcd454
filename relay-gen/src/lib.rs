//! Relay's generator: a directory of MCP tool contracts becomes one Rust module of typed structs,
//! handler traits and the tables that check every call.
//!
//! In a build script, one call does it:
//!
//! ```no_run
//! // build.rs
//! relay_gen::build("schemas");
//! ```
//!
//! and `relay_runtime::include_tools!()` brings the module into the crate. [`Builder`] has the
//! settings. Where the module is committed instead, the command line (feature `cli`) writes it and
//! tells in CI whether it is current. What is a contract, and what it comes to in Rust, is in the
//! [README](https://github.com/relay-rs/relay).
//!
//! Underneath, generating is pure:
//!
//! ```
//! use relay_gen::{Contracts, Options, generate};
//!
//! let greet = r#"{"name": "greet", "inputSchema": {"type": "object"}}"#;
//! let contracts = Contracts::from_texts([("greet.json", greet)])?;
//! let files = generate(&contracts, &Options::default())?;
//! assert!(String::from_utf8_lossy(&files["tools.rs"]).contains("pub trait Greet"));
//! # Ok::<(), relay_gen::Report>(())
//! ```

mod builder;
pub mod contracts;
pub mod diagnostics;
mod emit;
mod generate;
#[doc(hidden)]
pub mod json;
pub mod output;
mod publish;
#[doc(hidden)]
pub mod source;
mod stamp;
mod types;

pub use builder::{BuildError, Builder, build};
pub use contracts::Contracts;
pub use diagnostics::Report;
pub use generate::{Files, Options, Side, generate, table_of};
