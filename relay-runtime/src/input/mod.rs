//! What a handler may ask of the client in the middle of a call: a form or a visit to a page from
//! its user, a completion from its model, its roots.
//!
//! A handler asks with `Call::ask`, or for several things at once with `Reply::request_input`. Then
//! it ends, and runs again from its start when the answers are there. The same handler serves every era of MCP: a client of
//! 2026-07-28 gets an `input_required` result and calls again (spec page
//! `basic/patterns/mrtr`), an older one gets requests on the same pipe while its call waits.
//!
//! ```
//! # #[cfg(feature = "server")] {
//! use relay_runtime::input::{Elicited, Form};
//! use relay_runtime::{Call, Definition, Tool, ToolError};
//! use serde::Deserialize;
//! use serde_json::{Value, json};
//!
//! #[derive(Deserialize)]
//! struct City { city: String }
//!
//! let form: Form<City> = Form::new(json!({
//!     "type": "object",
//!     "properties": { "city": { "type": "string", "minLength": 1 } },
//!     "required": ["city"]
//! }));
//! let definition: Definition<Value, String> =
//!     Definition::new("ask_city", json!({"type": "object"}), json!({"type": "string"}));
//! let tool: Tool = definition.handle(move |call: Call, _| {
//!     let question = form.question("Which city?");
//!     async move {
//!         match call.ask("city", question)? {
//!             Elicited::Accepted(City { city }) => Ok(city.into()),
//!             Elicited::Declined | Elicited::Cancelled => {
//!                 Err(ToolError::message("No city was given."))
//!             }
//!         }
//!     }
//! });
//! # let _ = tool;
//! # }
//! ```

mod answers;
#[cfg_attr(
    not(feature = "server"),
    expect(dead_code, reason = "the server checks")
)]
mod fields;
mod form;
mod form_error;
mod order;
mod property;
mod question;
mod request;
mod restricted;
mod sampling;

pub use answers::{Elicited, Root, Sampled};
pub use form::Form;
pub use form_error::{FormError, FormProblem};
pub use question::Question;
pub use request::{InputMethod, InputRequest};
pub use sampling::Sampling;

#[cfg(feature = "server")]
pub(crate) use answers::check;
