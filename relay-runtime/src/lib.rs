//! The runtime of Relay: typed MCP tool servers over stdio.
//!
//! `relay-gen` turns a directory of contracts, JSON files that hold the MCP `Tool` object, into
//! structs, a handler trait for each tool and the tables that check every call; this crate serves the
//! handlers to any MCP client. A server is a build script that calls `relay_gen::build("schemas")`
//! and an impl for each trait:
//!
//! ```ignore
//! use relay_runtime::{Call, Server, ToolResult, stdio};
//! use tools::{Greet, GreetInput, GreetOutput};
//!
//! mod tools { relay_runtime::include_tools!(); }
//!
//! struct Greeter;
//!
//! impl Greet for Greeter {
//!     async fn greet(&self, _call: &Call, input: GreetInput) -> ToolResult<GreetOutput> {
//!         Ok(GreetOutput { message: format!("Hello, {}!", input.name) }.into())
//!     }
//! }
//!
//! fn main() -> Result<(), stdio::StdioError> {
//!     stdio::serve(Server::new("greeter", "1.0.0").tools(tools::tools(Greeter)), ())
//! }
//! ```
//!
//! Standard output belongs to the protocol: on Unix, what else is printed lands on standard error
//! (see the module `stdio`); elsewhere, write to standard error. Tools whose schema is
//! known only at run time are made by hand:
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
//! - `tracing`: one span for each call, `tool_call`, with the tool, the ids, the correlation, the
//!   outcome and the duration; and failures as events, where a subscriber is set, instead of lines on
//!   stderr. The arguments are
//!   not in it, unless `Server::trace_arguments` asks. Have the subscriber write to stderr:
//!   `tracing_subscriber::fmt().with_writer(std::io::stderr).init()`.
#![deny(clippy::print_stdout)]

mod buffers;
pub mod check;
mod codec;
#[doc(hidden)]
pub mod codegen;
pub mod content;
mod declaration;
mod define_error;
mod definition;
mod include;
pub mod input;
mod published;
mod sorted;
#[doc(hidden)]
pub mod suggest;

pub use declaration::{Declaration, ToolAnnotations};
pub use define_error::DefineError;
pub use definition::Definition;
pub use input::{InputMethod, InputRequest};

#[cfg(feature = "server")]
mod asking;
#[cfg(feature = "server")]
mod blocking;
#[cfg(feature = "server")]
mod call;
#[cfg(feature = "server")]
mod cancellation;
#[cfg(feature = "server")]
mod client;
#[cfg(feature = "server")]
mod engine;
#[cfg(feature = "server")]
mod hook;
#[cfg(feature = "server")]
mod limits;
#[cfg(feature = "server")]
mod log;
#[cfg(feature = "server")]
mod outcome;
#[cfg(feature = "server")]
mod paging;
#[cfg(feature = "server")]
mod progress;
#[cfg(feature = "server")]
mod protocol;
#[cfg(feature = "server")]
mod registry;
#[cfg(feature = "server")]
mod reply;
#[cfg(feature = "server")]
mod request_id;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
pub mod stdio;
#[cfg(feature = "server")]
mod thread;
#[cfg(feature = "server")]
mod tool;
#[cfg(feature = "server")]
mod tool_error;
#[cfg(feature = "server")]
mod trace;
#[cfg(feature = "server")]
mod unique;

#[cfg(feature = "server")]
pub use {
    blocking::blocking,
    call::Call,
    client::{ClientInfo, TraceContext},
    hook::Next,
    limits::{LimitError, Limits},
    outcome::{Outcome, OutcomeKind},
    registry::{AddToolError, ToolRegistry},
    reply::{Reply, ToolResult},
    request_id::RequestId,
    server::{CacheScope, Server},
    tool::Tool,
    tool_error::ToolError,
};
