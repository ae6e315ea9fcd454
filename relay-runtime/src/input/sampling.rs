//! A request to the client's model.

use serde_json::{Map, Value, json};

use super::answers::{Sampled, read_sampled};
use super::question::Question;
use super::request::InputMethod;
use crate::content::{ContentBlock, Role};

/// Asks the client's model for a completion (spec page `client/sampling`, which calls it
/// deprecated: a server that needs a model may rather call one itself).
///
/// ```
/// use relay_runtime::content::ContentBlock;
/// use relay_runtime::input::Sampling;
///
/// let question = Sampling::new(200)
///     .with_system_prompt("Answer with one word.")
///     .user(ContentBlock::text("The capital of France?"))
///     .ask();
/// assert_eq!(question.request().params["maxTokens"], 200);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    messages: Vec<Value>,
    params: Map<String, Value>,
}

impl Sampling {
    /// A completion of so many tokens at most. It needs at least one message.
    #[must_use]
    pub fn new(max_tokens: u32) -> Self {
        let params = Map::from_iter([("maxTokens".to_owned(), json!(max_tokens))]);
        Self {
            messages: Vec::new(),
            params,
        }
    }

    /// Adds what the user says.
    #[must_use]
    pub fn user(self, content: impl Into<ContentBlock>) -> Self {
        self.message(Role::User, content.into())
    }

    /// Adds what the assistant says.
    #[must_use]
    pub fn assistant(self, content: impl Into<ContentBlock>) -> Self {
        self.message(Role::Assistant, content.into())
    }

    /// Sets the system prompt; the client may change it or leave it out.
    #[must_use]
    pub fn with_system_prompt(self, prompt: impl Into<String>) -> Self {
        self.with_param("systemPrompt", json!(prompt.into()))
    }

    /// Sets the temperature.
    #[must_use]
    pub fn with_temperature(self, temperature: f64) -> Self {
        self.with_param("temperature", json!(temperature))
    }

    /// Sets another parameter of `sampling/createMessage`, such as `modelPreferences` or `tools`.
    /// Tools need a client that declares `sampling.tools`.
    #[must_use]
    pub fn with_param(mut self, name: impl Into<String>, value: Value) -> Self {
        self.params.insert(name.into(), value);
        self
    }

    /// The question, for [`Call::ask`](crate::Call::ask).
    #[must_use]
    pub fn ask(mut self) -> Question<Sampled> {
        self.params
            .insert("messages".into(), Value::Array(self.messages));
        Question::new(InputMethod::Sampling, self.params, read_sampled)
    }

    fn message(mut self, role: Role, content: ContentBlock) -> Self {
        self.messages
            .push(json!({ "role": role, "content": content }));
        self
    }
}
