//! A request to the client in the middle of a call.

use std::sync::Arc;

use serde::de::{Deserializer, Error as _};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::order::{Order, Ordered};

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
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct InputRequest {
    /// What is asked.
    pub method: InputMethod,
    /// The method's `params`, as the revision 2026-07-28 defines them.
    pub params: Map<String, Value>,
    /// The order in which the members of `params` are written.
    pub(super) order: Arc<Order>,
}

impl InputRequest {
    /// A request with its parameters written out. They are sent as they stand; an older client
    /// gets them without what its revision does not know.
    #[must_use]
    pub fn new(method: InputMethod, params: Map<String, Value>) -> Self {
        Self {
            method,
            params,
            order: Arc::default(),
        }
    }

    /// Parameters that were made of this request's, in the order of those.
    pub(crate) fn ordered<'a>(&'a self, params: &'a Map<String, Value>) -> Ordered<'a> {
        Ordered(params, &self.order)
    }

    /// Whether an answer has to be a form's.
    #[cfg(feature = "server")]
    pub(crate) fn form(&self) -> Option<&Value> {
        match self.method {
            InputMethod::Elicitation => self.params.get("requestedSchema"),
            InputMethod::Sampling | InputMethod::Roots => None,
        }
    }

    /// Whether the user is to visit a page.
    #[cfg(feature = "server")]
    pub(crate) fn is_visit(&self) -> bool {
        self.method == InputMethod::Elicitation
            && self.params.get("mode").and_then(Value::as_str) == Some("url")
    }
}

/// In JSON the order of members says nothing.
impl PartialEq for InputRequest {
    fn eq(&self, other: &Self) -> bool {
        (self.method, &self.params) == (other.method, &other.params)
    }
}

impl Serialize for InputRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut request = serializer.serialize_struct("InputRequest", 2)?;
        request.serialize_field("method", &self.method)?;
        request.serialize_field("params", &self.ordered(&self.params))?;
        request.end()
    }
}

impl<'de> Deserialize<'de> for InputRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Wire {
            method: InputMethod,
            #[serde(default)]
            params: Option<Box<RawValue>>,
        }
        let Wire { method, params } = Wire::deserialize(deserializer)?;
        let params = params.as_ref().map_or("{}", |params| params.get());
        let order: Order = serde_json::from_str(params).map_err(D::Error::custom)?;
        Ok(Self {
            method,
            params: serde_json::from_str(params).map_err(D::Error::custom)?,
            order: Arc::new(order),
        })
    }
}
