//! A request to the client in the middle of a call.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A method that a tool may ask the client to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum InputMethod {
    /// Ask the user: fill in a form, or visit a page.
    #[serde(rename = "elicitation/create")]
    Elicitation,
    /// Ask the client's model for a completion.
    #[serde(rename = "sampling/createMessage")]
    Sampling,
    /// Ask for the roots of the client's file system.
    #[serde(rename = "roots/list")]
    Roots,
}

impl InputMethod {
    /// The name on the wire, such as `elicitation/create`.
    pub fn wire_name(self) -> &'static str {
        match self {
            Self::Elicitation => "elicitation/create",
            Self::Sampling => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }
}

/// One request to the client. [`Question`](super::Question) makes the usual ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputRequest {
    /// What is asked.
    pub method: InputMethod,
    /// The method's `params`, as the revision 2026-07-28 defines them.
    #[serde(default)]
    pub params: Map<String, Value>,
}

impl InputRequest {
    /// A request with its parameters written out. They are sent as they stand; an older client
    /// gets them without what its revision does not know.
    pub fn new(method: InputMethod, params: Map<String, Value>) -> Self {
        Self { method, params }
    }

    #[cfg(feature = "server")]
    /// Whether an answer has to be a form's.
    pub(crate) fn form(&self) -> Option<&Value> {
        match self.method {
            InputMethod::Elicitation => self.params.get("requestedSchema"),
            InputMethod::Sampling | InputMethod::Roots => None,
        }
    }

    #[cfg(feature = "server")]
    /// Whether the user is to visit a page.
    pub(crate) fn is_visit(&self) -> bool {
        self.method == InputMethod::Elicitation
            && self.params.get("mode").and_then(Value::as_str) == Some("url")
    }
}
