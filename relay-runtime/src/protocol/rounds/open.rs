//! What a call has asked, and what has come back so far.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::MAX_ROUNDS;
use crate::input::{self, InputRequest};
use crate::reply::Asked;

/// One run of a handler: what its call has learned from the client before.
///
/// In the first, there is nothing to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct Round(Option<Arc<Learned>>);

#[derive(Debug)]
struct Learned {
    answers: Map<String, Value>,
    state: Option<Value>,
    times: u32,
}

impl Round {
    /// The client's answers, by the names that they were asked under.
    pub(crate) fn answers(&self) -> &Map<String, Value> {
        static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        match &self.0 {
            Some(learned) => &learned.answers,
            None => &NONE,
        }
    }

    /// What the handler wanted to see again.
    pub(crate) fn state(&self) -> Option<&Value> {
        self.0.as_ref()?.state.as_ref()
    }

    /// How often the call has asked.
    fn times(&self) -> u32 {
        self.0.as_ref().map_or(0, |learned| learned.times)
    }
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
        if round.times() >= MAX_ROUNDS {
            return None;
        }
        let mut answers = round.answers().clone();
        // What is asked once more is not answered yet.
        answers.retain(|name, _| !asked.requests.contains_key(name));
        Some(Self {
            requests: asked.requests,
            answers,
            state: asked.state.or_else(|| round.state().cloned()),
            times: round.times() + 1,
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
        Round(Some(Arc::new(Learned {
            answers: self.answers,
            state: self.state,
            times: self.times,
        })))
    }
}

/// A state that is `null` is one, too.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
