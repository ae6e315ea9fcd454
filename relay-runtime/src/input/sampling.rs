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
///     .question();
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

    /// Sets the temperature; one that is no finite number is left out.
    #[must_use]
    pub fn with_temperature(mut self, temperature: f64) -> Self {
        if !temperature.is_finite() {
            self.params.remove("temperature");
            return self;
        }
        self.with_param("temperature", json!(temperature))
    }

    /// Sets another parameter of `sampling/createMessage`, such as `modelPreferences` or `tools`.
    /// Tools need a client that declares `sampling.tools`, an `includeContext` other than `none`
    /// one that declares `sampling.context`.
    ///
    /// For `messages` it does nothing: they are those of [`user`](Self::user) and
    /// [`assistant`](Self::assistant).
    #[must_use]
    pub fn with_param(mut self, name: impl Into<String>, value: Value) -> Self {
        self.params.insert(name.into(), value);
        self
    }

    /// The question, for `Call::ask`.
    pub fn question(mut self) -> Question<Sampled> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_sent_is_sent() {
        let sampling = Sampling::new(1).user(ContentBlock::text("?"));
        let question = sampling
            .with_temperature(0.5)
            .with_param("messages", json!(7))
            .question();
        let params = &question.request().params;
        assert_eq!(params["temperature"], 0.5);
        assert_eq!(params["messages"][0]["role"], "user");
        for none in [f64::NAN, f64::INFINITY] {
            let question = Sampling::new(1).with_temperature(none).question();
            assert!(!question.request().params.contains_key("temperature"));
        }
    }
}
