//! A request to the client, with the type of its answer.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::answers::{Elicited, Root, read_roots, read_visit};
use super::order::Order;
use super::request::{InputMethod, InputRequest};

/// A request to the client whose answer is an `A`, for `Call::ask`.
///
/// [`Form::question`](super::Form::question) and
/// [`Sampling::question`](super::Sampling::question) make the others.
#[must_use = "nothing is asked yet"]
pub struct Question<A> {
    request: InputRequest,
    read: fn(&Value) -> serde_json::Result<A>,
}

impl<A> Question<A> {
    pub(super) fn new(
        method: InputMethod,
        params: Map<String, Value>,
        read: fn(&Value) -> serde_json::Result<A>,
    ) -> Self {
        Self {
            request: InputRequest::new(method, params),
            read,
        }
    }

    /// The same, to be written in this order.
    pub(super) fn ordered(mut self, order: &Arc<Order>) -> Self {
        self.request.order = Arc::clone(order);
        self
    }

    /// What is sent.
    pub fn request(&self) -> &InputRequest {
        &self.request
    }

    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// When it is none to this question.
    pub fn read(&self, answer: &Value) -> serde_json::Result<A> {
        (self.read)(answer)
    }
}

impl Question<Elicited<()>> {
    /// Asks the user to visit a page, such as one to sign in or to pay: what they do there never
    /// passes through the client (spec page `client/elicitation`, URL mode).
    ///
    /// That the answer is [`Elicited::Accepted`] says that the user agreed to visit the page, not
    /// that they have done there what was wanted.
    pub fn visit(message: impl Into<String>, url: impl Into<String>) -> Self {
        let mut params = Map::new();
        params.insert("mode".into(), json!("url"));
        params.insert("message".into(), json!(message.into()));
        params.insert("url".into(), json!(url.into()));
        Self::new(InputMethod::Elicitation, params, read_visit)
    }
}

impl Question<Vec<Root>> {
    /// Asks for the directories and files that the client works on (spec page `client/roots`).
    pub fn roots() -> Self {
        Self::new(InputMethod::Roots, Map::new(), read_roots)
    }
}

impl<A> From<Question<A>> for InputRequest {
    fn from(question: Question<A>) -> Self {
        question.request
    }
}

impl<A> Clone for Question<A> {
    fn clone(&self) -> Self {
        Self {
            request: self.request.clone(),
            read: self.read,
        }
    }
}

impl<A> fmt::Debug for Question<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Question").field(&self.request).finish()
    }
}
