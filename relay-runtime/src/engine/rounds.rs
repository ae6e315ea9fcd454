//! A handler that asks: what its client hears of that, and what its next run knows.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::Engine;
use super::calls::Serial;
use super::questions::Said;
use crate::client::Client;
use crate::input::InputRequest;
use crate::protocol::{
    CallResult, MAX_ROUNDS, Open, Round, cancelled, failure, leave_out_undeclared, request, success,
};
use crate::reply::Asked;
use crate::request_id::RequestId;

/// How a call goes on whose handler asks.
pub(super) enum Next {
    /// It is answered.
    Message(Vec<u8>),
    /// The handler runs again.
    Round(Round),
}

/// The call whose handler asks.
pub(super) struct Asker<'a> {
    pub(super) serial: Serial,
    pub(super) id: &'a RequestId,
    pub(super) tool: &'a str,
    pub(super) arguments: &'a str,
    pub(super) client: &'a Client,
}

impl<C: Send + Sync + 'static> Engine<C> {
    /// Asks the client: by the call's result, or, where its revision has no such result, by
    /// requests on the same connection.
    pub(super) async fn ask(
        self: &Arc<Self>,
        asker: &Asker<'_>,
        round: &Round,
        mut asked: Asked,
    ) -> Next {
        let revision = asker.client.revision;
        let missing = leave_out_undeclared(&mut asked, asker.client);
        if asked.requests.is_empty() && asked.state.is_none() {
            let message = match self
                .catalog
                .missing_capabilities(revision, asker.tool, missing)
            {
                Ok(result) => success(asker.id, &result),
                Err(refusal) => failure(Some(asker.id), &refusal),
            };
            return Next::Message(message);
        }
        let Some(open) = Open::after(round, asked) else {
            return self.failed(
                asker,
                format!(
                    "The tool {} asks for input more than {MAX_ROUNDS} times.",
                    asker.tool
                ),
            );
        };
        if !revision.is_modern() {
            return self.ask_on_the_wire(asker, open).await;
        }
        let result = self
            .catalog
            .input_required(&open, asker.tool, asker.arguments);
        let limit = self.limits.reply_bytes;
        if result.len() > limit {
            return self.failed(
                asker,
                format!(
                    "What the tool {} asks for has {} bytes, over the limit of {limit}.",
                    asker.tool,
                    result.len()
                ),
            );
        }
        Next::Message(success(asker.id, &result))
    }

    /// Sends requests and waits for the answers. Meanwhile the handler's time stands still.
    async fn ask_on_the_wire(self: &Arc<Self>, asker: &Asker<'_>, mut open: Open) -> Next {
        let answers = match self.wait_for_answers(asker, &open.requests).await {
            Ok(answers) => answers,
            Err(why) => return self.failed(asker, why),
        };
        for (name, answer) in answers {
            if let Err(what) = open.accept(&name, answer) {
                return self.failed(
                    asker,
                    format!("The client's answer \"{name}\" cannot be used: {what}."),
                );
            }
        }
        Next::Round(open.into_round())
    }

    async fn wait_for_answers(
        self: &Arc<Self>,
        asker: &Asker<'_>,
        requests: &BTreeMap<String, InputRequest>,
    ) -> Result<Vec<(String, serde_json::Value)>, String> {
        let _pause = self.pause(asker.serial);
        self.questions.ready().await;
        let mut sent = Vec::new();
        for (name, wanted) in requests {
            let question = self.send(asker, wanted).ok_or_else(|| {
                format!("The client's version of MCP cannot ask its user for \"{name}\".")
            })?;
            sent.push((name, question));
        }
        let mut answers = Vec::new();
        for (name, question) in sent {
            let method = requests[name].method.wire_name();
            let said = question
                .said()
                .await
                .ok_or("The connection ended before the client answered.")?;
            let answer = said.map_err(|why| format!("The client refused {method}: {why}"))?;
            answers.push((name.clone(), answer));
        }
        Ok(answers)
    }

    fn send(self: &Arc<Self>, asker: &Asker<'_>, wanted: &InputRequest) -> Option<Question<C>> {
        let (id, answer) = self.questions.open();
        let question = Question {
            engine: Arc::clone(self),
            id,
            answer,
        };
        let message = request(&question.id, wanted, asker.client.revision)?;
        self.outbox.push(message);
        Some(question)
    }

    fn failed(&self, asker: &Asker<'_>, text: String) -> Next {
        let result = CallResult::failed(text);
        let result = self.catalog.call_result(asker.client.revision, result);
        Next::Message(success(asker.id, &result))
    }

    /// Stops the clock of a call until the pause is dropped.
    fn pause(self: &Arc<Self>, serial: Serial) -> Pause<C> {
        let mut state = self.lock();
        state.calls.pause(serial, self.limits.state_ttl);
        self.watch_deadlines(&mut state);
        Pause(Arc::clone(self), serial)
    }
}

struct Pause<C: Send + Sync + 'static>(Arc<Engine<C>>, Serial);

impl<C: Send + Sync + 'static> Drop for Pause<C> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.calls.resume(self.1);
        self.0.watch_deadlines(&mut state);
    }
}

/// A request that was sent. Where nobody waits for its answer any more, the client hears of that.
struct Question<C: Send + Sync + 'static> {
    engine: Arc<Engine<C>>,
    id: RequestId,
    answer: oneshot::Receiver<Said>,
}

impl<C: Send + Sync + 'static> Question<C> {
    /// `None` when none will come.
    async fn said(mut self) -> Option<Said> {
        (&mut self.answer).await.ok()
    }
}

impl<C: Send + Sync + 'static> Drop for Question<C> {
    fn drop(&mut self) {
        if self.engine.questions.drop_one(&self.id) {
            self.engine.outbox.push(cancelled(&self.id));
        }
    }
}
