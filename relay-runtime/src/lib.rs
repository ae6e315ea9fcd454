//! The runtime of Relay: typed MCP tool servers over stdio.
//!
//! `relay-gen` turns contracts into structs, traits and [`Definition`]s; this crate serves their
//! handlers to any MCP client. Tools can also be made by hand:
//!
//! ```
//! # #[cfg(feature = "server")] {
//! use relay_runtime::content::ContentBlock;
//! use relay_runtime::{Call, Definition, Server, Tool};
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Greet { name: String }
//!
//! let greet: Definition<Greet> = Definition::content(
//!     "greet",
//!     json!({
//!         "type": "object",
//!         "properties": { "name": { "type": "string" } },
//!         "required": ["name"]
//!     }),
//! );
//! let tool: Tool = greet.handle(|_call: Call, input| async move {
//!     Ok(ContentBlock::text(format!("Hello, {}!", input.name)).into())
//! });
//! let server = Server::new("greeter", "1.0.0").tool(tool);
//! # let _ = server;
//! // relay_runtime::stdio::serve(server, ())
//! # }
//! ```
//!
//! # Features
//!
//! - `server` (default): handlers, the server and its transports. Without it, the crate has the
//!   contracts, the content and the checker only, and needs no tokio.
//! - `dynamic`: `check::Table::compile` turns a JSON Schema into a table at run time, and the schemas
//!   of definitions made by hand are checked like those of generated ones.
#![deny(clippy::print_stdout)]

pub mod check;
mod codec;
#[doc(hidden)]
pub mod codegen;
pub mod content;
mod declaration;
mod define_error;
mod definition;
mod include;
mod published;
#[doc(hidden)]
pub mod suggest;

pub use declaration::{Declaration, ToolAnnotations};
pub use define_error::DefineError;
pub use definition::Definition;

#[cfg(feature = "server")]
mod call;
#[cfg(feature = "server")]
mod client;
#[cfg(feature = "server")]
mod engine;
#[cfg(feature = "server")]
mod limits;
#[cfg(feature = "server")]
mod log;
#[cfg(feature = "server")]
mod outcome;
#[cfg(feature = "server")]
mod protocol;
#[cfg(feature = "server")]
mod reply;
#[cfg(feature = "server")]
mod request_id;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
pub mod stdio;
#[cfg(feature = "server")]
mod tool;
#[cfg(feature = "server")]
mod tool_error;

#[cfg(feature = "server")]
pub use {
    call::Call,
    client::{ClientInfo, TraceContext},
    limits::{LimitError, Limits},
    reply::{Reply, ToolResult},
    request_id::RequestId,
    server::{CacheScope, Server},
    tool::Tool,
    tool_error::ToolError,
};
