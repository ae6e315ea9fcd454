//! A handler that asks: what its client hears of that, and what its next run knows.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;

use super::Engine;
use super::phase::{Pause, Serial};
use crate::buffers::Shared;
use crate::call::Facts;
use crate::protocol::{
    CallResult, MAX_ROUNDS, Open, Round, Wording, cancelled, failure, leave_out_undeclared,
    request, success, wording,
};
use crate::reply::Asked;
use crate::request_id::RequestId;

/// How a call goes on whose handler asks.
pub(crate) enum GoesOn {
    /// It is answered with what it asks.
    Asked(Vec<u8>),
    /// It is answered with a failure.
    Failed(Vec<u8>),
    /// The handler runs again.
    Round(Round),
}

/// The call whose handler asks.
pub(crate) struct Asker {
    pub(super) facts: Arc<Facts>,
    pub(super) arguments: Shared,
    pub(super) round: Round,
}

impl Engine {
    /// Asks the client: by the call's result, or, where its revision has no such result, by
    /// requests on the same connection.
    pub(crate) async fn ask(self: Arc<Self>, asker: Asker, mut asked: Asked) -> GoesOn {
        let (asker, round) = (&asker, &asker.round);
        let revision = asker.facts.revision();
        let missing = leave_out_undeclared(&mut asked.requests, asker.facts.client());
        let mut names = asked.requests.keys();
        let all_answered = names.all(|name| round.answers().contains_key(name));
        // What is left out stays unanswered: the handler would ask for the rest again and again.
        let in_vain = all_answered && (asked.requests.is_empty() || !missing.is_empty());
        if in_vain && asked.state.is_none() {
            let failed = self
                .catalog
                .missing_capabilities(revision, asker.facts.tool(), &missing);
            return GoesOn::Failed(match failed {
                Ok(result) => success(asker.facts.request_id(), &result),
                Err(refusal) => failure(Some(asker.facts.request_id()), &refusal),
            });
        }
        let Some(open) = Open::after(round, asked) else {
            let tool = asker.facts.tool();
            return self.failed(
                asker,
                format!("The tool {tool} asks for input more than {MAX_ROUNDS} times."),
            );
        };
        if revision.is_modern() {
            return self.ask_by_result(asker, &open);
        }
        match self.ask_on_the_wire(asker, open).await {
            Ok(round) => GoesOn::Round(round),
            Err(why) => self.failed(asker, why),
        }
    }

    fn ask_by_result(&self, asker: &Asker, open: &Open) -> GoesOn {
        let result = self
            .catalog
            .input_required(open, asker.facts.tool(), &asker.arguments);
        match result {
            Ok(result) => GoesOn::Asked(success(asker.facts.request_id(), &result)),
            Err(why) => self.failed(asker, why),
        }
    }

    /// Sends requests and waits for the answers. Meanwhile the handler's time stands still, and
    /// its slot is another's.
    async fn ask_on_the_wire(
        self: &Arc<Self>,
        asker: &Asker,
        mut open: Open,
    ) -> Result<Round, String> {
        if open.requests.is_empty() {
            return Ok(open.into_round());
        }
        let wordings = self.wordings(asker, &open)?;
        if !self.questions.ready().await {
            return Err("The connection ended before the client was ready to be asked.".into());
        }
        let _pause = self.pause(Serial::of(&asker.facts))?;
        let (sender, mut answers) = mpsc::unbounded_channel();
        let _sent = self.send(wordings, &sender);
        // The questions hold the others: with the last of them, no answer can come any more.
        drop(sender);
        while !open.requests.is_empty() {
            let (name, said) = answers
                .recv()
                .await
                .ok_or("The connection ended before the client answered.")?;
            let answer: Value = said
                .and_then(|json| serde_json::from_str(&json).map_err(|error| error.to_string()))
                .map_err(|why| format!("The client refused to answer \"{name}\": {why}."))?;
            open.accept(&name, answer).map_err(|what| {
                format!("The client's answer \"{name}\" cannot be used: {what}.")
            })?;
        }
        Ok(open.into_round())
    }

    /// What is asked, in the words of the client's revision.
    fn wordings(&self, asker: &Asker, open: &Open) -> Result<Vec<(String, Wording)>, String> {
        let requests = open.requests.iter();
        let wordings = requests.map(|(name, request)| {
            let wording = wording(request, asker.facts.revision()).ok_or_else(|| {
                format!("The client's version of MCP cannot ask its user for \"{name}\".")
            })?;
            self.catalog.bounded(asker.facts.tool(), wording.len())?;
            Ok((name.clone(), wording))
        });
        wordings.collect()
    }

    fn send(
        self: &Arc<Self>,
        wordings: Vec<(String, Wording)>,
        answers: &mpsc::UnboundedSender<(String, Result<String, String>)>,
    ) -> Sent {
        let mut ids = Vec::new();
        for (name, wording) in wordings {
            let answers = answers.clone();
            // The call may have ended meanwhile.
            let answered = move |said| drop(answers.send((name, said)));
            if let Some(id) = self.questions.open(Box::new(answered)) {
                self.push(request(&id, &wording));
                ids.push(id);
            }
        }
        self.flush();
        Sent {
            engine: Arc::clone(self),
            ids,
        }
    }

    fn failed(&self, asker: &Asker, text: String) -> GoesOn {
        let result = CallResult::failed(text);
        let result = self.catalog.call_result(asker.facts.revision(), result);
        GoesOn::Failed(success(asker.facts.request_id(), &result))
    }

    /// Stops the clock of a call until the pause is dropped.
    fn pause(self: &Arc<Self>, serial: Serial) -> Result<Paused, String> {
        let mut state = self.lock();
        self.adopt(&mut state, serial);
        match state.calls.pause(serial, &self.limits) {
            Pause::Paused => {}
            Pause::Over => {
                return Err("The call's time was over before the client could be asked.".into());
            }
            Pause::Full => {
                return Err("Too many calls wait for answers of the client already.".into());
            }
        }
        // Its slot is free.
        self.start_calls(&mut state);
        Ok(Paused(Arc::clone(self), serial))
    }
}

struct Paused(Arc<Engine>, Serial);

impl Drop for Paused {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.calls.resume(self.1);
        self.0.watch_deadlines(&mut state);
    }
}

/// Requests that were sent. When nobody waits for their answers any more, the client hears of that.
struct Sent {
    engine: Arc<Engine>,
    ids: Vec<RequestId>,
}

impl Drop for Sent {
    fn drop(&mut self) {
        for id in &self.ids {
            if self.engine.questions.drop_one(id) {
                self.engine.push(cancelled(id));
            }
        }
        self.engine.flush();
    }
}
