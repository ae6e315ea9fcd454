//! What a call has asked, and what has come back so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::MAX_ROUNDS;
use crate::input::{self, InputRequest};
use crate::reply::Asked;

/// One run of a handler: what its call has learned from the client before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Round {
    /// By the names that they were asked under.
    pub(crate) answers: Arc<Map<String, Value>>,
    /// What the handler wanted to see again.
    pub(crate) state: Option<Arc<Value>>,
    /// How often the call has asked.
    times: u32,
}

/// What a handler has asked, with all that its next run needs to know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Open {
    /// What is not answered yet.
    pub(crate) requests: BTreeMap<String, InputRequest>,
    answers: Map<String, Value>,
    /// The handler's own, until it gives another.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "given"
    )]
    state: Option<Value>,
    times: u32,
}

impl Open {
    /// What a run that was in this round asks; `None` if its call has asked too often.
    pub(crate) fn after(round: &Round, asked: Asked) -> Option<Self> {
        if round.times >= MAX_ROUNDS {
            return None;
        }
        let mut answers = Map::clone(&round.answers);
        // What is asked once more is not answered yet.
        answers.retain(|name, _| !asked.requests.contains_key(name));
        Some(Self {
            requests: asked.requests,
            answers,
            state: asked.state.or_else(|| round.state.as_deref().cloned()),
            times: round.times + 1,
        })
    }

    /// Whether the handler has a state of its own.
    pub(in crate::protocol) fn has_state(&self) -> bool {
        self.state.is_some()
    }

    /// What is missing is asked again, as one more round; `None` if that is one too many.
    pub(super) fn again(self) -> Option<Self> {
        (self.times < MAX_ROUNDS).then(|| Self {
            times: self.times + 1,
            ..self
        })
    }

    /// Takes an answer; one that nobody has asked for is ignored.
    ///
    /// Fails with what is wrong with it.
    pub(crate) fn accept(&mut self, name: &str, mut answer: Value) -> Result<(), String> {
        let Some(request) = self.requests.get(name) else {
            return Ok(());
        };
        input::check(request, &mut answer)?;
        self.requests.remove(name);
        self.answers.insert(name.to_owned(), answer);
        Ok(())
    }

    /// The next round, where all is answered.
    pub(crate) fn into_round(self) -> Round {
        Round {
            answers: Arc::new(self.answers),
            state: self.state.map(Arc::new),
            times: self.times,
        }
    }
}

/// A state that is `null` is one, too.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
