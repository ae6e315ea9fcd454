//! One call, from its start to its answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tokio::task::AbortHandle;

use super::contained::{Contained, caught};
use super::phase::{Answer, Serial, Terms};
use super::rounds::{self, Asker};
use super::{Engine, Inline, Job, State};
use crate::buffers::Shared;
use crate::call::{Call, Facts};
use crate::client::Client;
use crate::hook::Next;
use crate::outcome::{Outcome, OutcomeKind, Settled};
use crate::progress::Progress;
use crate::tool::{Running, Tool};
use crate::trace::CallSpan;

/// A handler whose run takes longer is not quick: others should not wait for it.
const QUICK: Duration = Duration::from_micros(200);

/// Each byte of the arguments takes its time, whatever the handler does.
const QUICK_BYTE: Duration = Duration::from_nanos(5);

impl<C: Send + Sync + 'static> Engine<C> {
    /// Starts calls as long as one waits and may run.
    pub(super) fn start_calls(self: &Arc<Self>, state: &mut State<C>) {
        while !self.has_stopped()
            && !self.outbox.is_crowded()
            && state.calls.start_next(&self.limits, |serial, terms, job| {
                self.spawn(serial, Arc::clone(self).run_call(serial, terms, job))
            })
        {}
        self.watch_deadlines(state);
    }

    /// Has [`Engine::run`] wake up in time.
    pub(super) fn watch_deadlines(&self, state: &mut State<C>) {
        if let Some(deadline) = state.calls.next_deadline()
            && state.wakes.is_none_or(|wakes| deadline < wakes)
        {
            state.wakes = Some(deadline);
            self.changed.notify_one();
        }
    }

    /// Runs a call as far as it comes without waiting, on the thread that reads: most end there.
    /// What remains becomes a task. While it lasts, the host sees to it that others are read.
    pub(super) fn run_inline(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State<C>>,
        terms: Terms,
        job: Job<C>,
    ) {
        let serial = state.calls.next_serial();
        let inline = terms.clone();
        state.inline = Some(Inline {
            serial,
            terms: inline,
        });
        drop(state);
        if let Some(host) = &self.host {
            host.watch();
        }
        let _inside = self.handlers.handle().enter();
        let bytes = u32::try_from(job.arguments.len()).unwrap_or(u32::MAX);
        let quick = QUICK + QUICK_BYTE * bytes;
        let timed = serial
            .is_sample()
            .then(|| (Arc::clone(&job.tool), Instant::now()));
        let mut run = Box::pin(Arc::clone(self).run_call(serial, terms, job));
        match run.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(message) => {
                let relieved = !self.finish(serial, message);
                // One that holds a thread up for long is better off with one of its own each time.
                if let Some((tool, began)) = timed
                    && !relieved
                    && began.elapsed() > quick
                {
                    tool.was_slow();
                }
                // Another reads now, and may be waiting for more to read.
                if relieved {
                    self.flush();
                }
            }
            Poll::Pending => self.carry_on(serial, run),
        }
    }

    /// The call that the reader runs has taken long: it is one like others from now on, and its
    /// thread reads no more. `false` if it has ended meanwhile.
    pub(crate) fn adopt_inline(self: &Arc<Self>, serial: Serial) -> bool {
        self.adopt(&mut self.lock(), serial)
    }

    /// The call that the reader runs.
    pub(crate) fn inline_call(&self) -> Option<Serial> {
        self.lock().inline.as_ref().map(|inline| inline.serial)
    }

    pub(super) fn adopt(self: &Arc<Self>, state: &mut State<C>, serial: Serial) -> bool {
        let Some(inline) = state.inline(serial) else {
            return false;
        };
        state.calls.adopt(serial, inline.terms);
        self.watch_deadlines(state);
        true
    }

    /// Makes a task of a call that has begun to run.
    fn carry_on(
        self: &Arc<Self>,
        serial: Serial,
        run: Pin<Box<impl Future<Output = Vec<u8>> + Send + 'static>>,
    ) {
        let mut state = self.lock();
        self.adopt(&mut state, serial);
        // Under the lock, so that it cannot end before it is known.
        let task = self.spawn(serial, run);
        let wanted = state.calls.goes_on(serial, task.clone());
        drop(state);
        if !wanted {
            task.abort();
        }
    }

    fn spawn(
        self: &Arc<Self>,
        serial: Serial,
        run: impl Future<Output = Vec<u8>> + Send + 'static,
    ) -> AbortHandle {
        let engine = Arc::clone(self);
        let task = async move {
            let message = run.await;
            engine.finish(serial, message);
            engine.flush();
        };
        self.handlers.handle().spawn(task).abort_handle()
    }

    /// A call has come to an end; says whether it still was the reader's own.
    fn finish(self: &Arc<Self>, serial: Serial, message: Vec<u8>) -> bool {
        let mut state = self.lock();
        let inline = state.inline(serial).is_some();
        let answer = if inline {
            Answer::Due
        } else {
            state.calls.finish(serial)
        };
        match answer {
            Answer::Lost => return inline,
            Answer::Unwanted => {}
            // The id is free before its reply can be seen.
            Answer::Due => self.outbox.push(message),
        }
        self.after_an_end(state);
        inline
    }

    /// A call fewer: others may start, or none is left and the end of the input waits for that.
    pub(super) fn after_an_end(self: &Arc<Self>, mut state: MutexGuard<'_, State<C>>) {
        self.start_calls(&mut state);
        if state.is_ending() && state.is_idle() {
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Runs the handler, again for each time that it has asked the client of an older revision.
    async fn run_call(self: Arc<Self>, serial: Serial, terms: Terms, job: Job<C>) -> Vec<u8> {
        let Job {
            tool,
            client,
            arguments,
            mut round,
        } = job;
        let progress = self.progress(serial, &client);
        let facts = Arc::new(Facts::new(
            tool.shared_name(),
            terms.id.clone(),
            client,
            terms.cancellation.clone(),
            progress,
        ));
        let asker = Asker {
            serial,
            id: &terms.id,
            tool: tool.name(),
            arguments: &arguments,
            client: facts.client(),
        };
        let mut span = CallSpan::new(&facts, self.traced(&arguments));
        loop {
            let call = Call::new(Arc::clone(&self.context), Arc::clone(&facts), round.clone());
            let run = self.run_handler(&tool, call, &arguments, &mut span);
            match run.await {
                Settled::Result(result) => {
                    let (id, revision) = (&terms.id, terms.revision);
                    return self
                        .catalog
                        .call_response(id, revision, tool.name(), result);
                }
                Settled::Asks(asked) => match Box::pin(self.ask(&asker, &round, asked)).await {
                    rounds::Next::Asked(message) => return message,
                    rounds::Next::Failed(message) => {
                        span.outcome(OutcomeKind::Failed);
                        return message;
                    }
                    rounds::Next::Round(next) => round = next,
                },
            }
        }
    }

    async fn run_handler(
        &self,
        tool: &Tool<C>,
        call: Call<C>,
        arguments: &Shared,
        span: &mut CallSpan,
    ) -> Settled {
        let id = call.request_id().clone();
        let mut running = tool.run(call.clone(), arguments.clone());
        for hook in self.hooks.iter().rev() {
            // Nothing of a hook runs before the one around it says so.
            let (hook, call) = (Arc::clone(hook), call.clone());
            let rest = panics_told(running);
            running = Box::pin(async move { hook(call, Next::new(rest)).await });
        }
        drop(call);
        let settled = async {
            let outcome = panics_told(running).await;
            let kind = outcome.kind();
            // An error's own words are the application's code, too.
            let settled = caught(|| outcome.settle(tool.name(), &id));
            settled.map_or_else(
                |panic| {
                    let settled = Outcome::panicked(panic).settle(tool.name(), &id);
                    (OutcomeKind::Panicked, settled)
                },
                |settled| (kind, settled),
            )
        };
        let (kind, settled) = span.around(settled).await;
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
    fn report(self: &Arc<Self>, serial: Serial, message: Vec<u8>) {
        let mut state = self.lock();
        // A report that comes before the call is known makes it known.
        self.adopt(&mut state, serial);
        if state.calls.is_heard(serial) {
            self.outbox.push_if_roomy(message);
            drop(state);
            self.flush();
        }
    }
}

/// A panic is an outcome, too.
async fn panics_told(running: Running) -> Outcome {
    Contained::new(running)
        .await
        .unwrap_or_else(Outcome::panicked)
}
