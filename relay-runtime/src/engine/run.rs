//! One call, from its start to its answer.

use std::sync::Arc;

use tokio::task::AbortHandle;

use super::calls::{Serial, Terms};
use super::contained::Contained;
use super::rounds::{self, Asker};
use super::{Engine, Job};
use crate::call::{Call, Facts};
use crate::client::Client;
use crate::hook::Next;
use crate::outcome::{Outcome, OutcomeKind, Settled};
use crate::progress::Progress;
use crate::protocol::{CallResult, Revision, success};
use crate::request_id::RequestId;
use crate::tool::{Running, Tool};
use crate::trace::CallSpan;

impl<C: Send + Sync + 'static> Engine<C> {
    pub(super) fn spawn(
        self: &Arc<Self>,
        serial: Serial,
        terms: Terms,
        job: Job<C>,
    ) -> AbortHandle {
        let engine = Arc::clone(self);
        let task = async move {
            let message = engine.run_call(serial, terms, job).await;
            engine.finish(serial, message);
        };
        self.handlers.spawn(task).abort_handle()
    }

    /// Runs the handler, again for each time that it has asked the client of an older revision.
    async fn run_call(self: &Arc<Self>, serial: Serial, terms: Terms, job: Job<C>) -> Vec<u8> {
        let Job {
            tool,
            client,
            arguments,
            mut round,
        } = job;
        let asker = Asker {
            serial,
            id: &terms.id,
            tool: tool.name(),
            arguments: &arguments,
            client: &client,
        };
        let facts = Arc::new(Facts::new(
            tool.shared_name(),
            terms.id.clone(),
            client.clone(),
            terms.cancellation.clone(),
            self.progress(serial, &client),
        ));
        let mut span = CallSpan::new(&facts, self.traced(&arguments));
        loop {
            let call = Call::new(Arc::clone(&self.context), Arc::clone(&facts), round.clone());
            let run = self.run_handler(&tool, call, &arguments, &mut span);
            match run.await {
                Settled::Result(result) => {
                    return self.reply(&terms.id, result, &tool, terms.revision);
                }
                Settled::Asks(asked) => match self.ask(&asker, &round, asked).await {
                    rounds::Next::Message(message) => return message,
                    rounds::Next::Round(next) => round = next,
                },
            }
        }
    }

    async fn run_handler(
        &self,
        tool: &Tool<C>,
        call: Call<C>,
        arguments: &Arc<str>,
        span: &mut CallSpan,
    ) -> Settled {
        let id = call.request_id().clone();
        let run = async {
            let mut running = tool.run(call.clone(), Arc::clone(arguments));
            for hook in self.hooks.iter().rev() {
                running = hook(call.clone(), Next::new(panics_told(running)));
            }
            drop(call);
            let outcome = running.await;
            (outcome.kind(), outcome.settle(tool.name(), &id))
        };
        let (kind, settled) = span
            .around(Contained::new(run))
            .await
            .unwrap_or_else(|panic| {
                let settled = Outcome::panicked(panic).settle(tool.name(), &id);
                (OutcomeKind::Panicked, settled)
            });
        span.outcome(kind);
        settled
    }

    /// The arguments, where the application wants to see them in its traces.
    fn traced<'a>(&self, arguments: &'a str) -> Option<&'a str> {
        self.trace_arguments.then_some(arguments)
    }

    /// Where the reports of a call go, if its client wants any.
    fn progress(self: &Arc<Self>, serial: Serial, client: &Client) -> Option<Progress> {
        let token = client.progress_token.clone()?;
        let engine = Arc::downgrade(self);
        Some(Progress::new(token, client.revision, move |message| {
            if let Some(engine) = engine.upgrade() {
                engine.report(serial, message);
            }
        }))
    }

    /// Sends a report, unless nobody is to hear of the call any more or nobody reads.
    fn report(&self, serial: Serial, message: Vec<u8>) {
        let state = self.lock();
        if state.calls.is_heard(serial) {
            self.outbox.push_if_roomy(message);
        }
    }

    fn reply(
        &self,
        id: &RequestId,
        result: CallResult,
        tool: &Tool<C>,
        revision: Revision,
    ) -> Vec<u8> {
        let body = self.catalog.call_result(revision, result);
        let limit = self.limits.reply_bytes;
        if body.len() <= limit {
            return success(id, &body);
        }
        let too_large = CallResult::failed(format!(
            "The result of the tool {} has {} bytes, over the limit of {limit}. Ask for less.",
            tool.name(),
            body.len()
        ));
        success(id, &self.catalog.call_result(revision, too_large))
    }
}

/// A panic is an outcome, for the hook that runs this.
async fn panics_told(running: Running) -> Outcome {
    Contained::new(running)
        .await
        .unwrap_or_else(Outcome::panicked)
}
