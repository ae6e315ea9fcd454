//! One call, from its start to its answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, MutexGuard};
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

use super::contained::{Contained, caught};
use super::handlers::TaskHandle;
use super::phase::{Answer, Serial};
use super::rounds::{Asker, GoesOn};
use super::{Engine, Job, State};
use crate::asking::asking;
use crate::buffers::Shared;
use crate::call::{AnyCall, Facts};
use crate::client::Client;
use crate::hook::Next;
use crate::log;
use crate::outcome::{Outcome, OutcomeKind, Settled};
use crate::progress::Progress;
use crate::tool::{AnyTool, Running};
use crate::trace::CallSpan;

/// A handler whose run takes longer is not quick: others should not wait for it.
const QUICK: Duration = Duration::from_micros(200);

/// Each byte of the arguments takes its time, whatever the handler does.
const QUICK_BYTE: Duration = Duration::from_nanos(5);

impl Engine {
    /// Starts calls as long as one waits and may run.
    pub(super) fn start_calls(self: &Arc<Self>, state: &mut State) {
        while !self.has_stopped()
            && !self.outbox.is_crowded()
            && state.calls.start_next(&self.limits, |serial, job| {
                self.spawn(serial, Box::pin(Arc::clone(self).run_call(job)))
            })
        {}
        self.watch_deadlines(state);
    }

    /// Has [`Engine::run`] wake up in time.
    pub(super) fn watch_deadlines(&self, state: &mut State) {
        if let Some(deadline) = state.calls.next_deadline()
            && state.wakes.is_none_or(|wakes| deadline < wakes)
        {
            state.wakes = Some(deadline);
            self.changed.notify_one();
        }
    }

    /// Runs a call as far as it comes without waiting, on the thread that reads: most end there.
    /// What remains becomes a task. While it lasts, the host sees to it that others are read.
    pub(super) fn run_inline(self: &Arc<Self>, mut state: MutexGuard<'_, State>, job: Job) {
        let serial = Serial::of(&job.facts);
        state.inline = Some(Arc::clone(&job.facts));
        drop(state);
        if let Some(host) = &self.host {
            host.watch();
        }
        let bytes = u32::try_from(job.arguments.len()).unwrap_or(u32::MAX);
        let quick = QUICK + QUICK_BYTE * bytes;
        let timed = serial
            .is_sample()
            .then(|| (Arc::clone(&job.tool), Instant::now()));
        let mut run = Box::pin(Arc::clone(self).run_call(job));
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
        self.lock().inline.as_deref().map(Serial::of)
    }

    pub(super) fn adopt(self: &Arc<Self>, state: &mut State, serial: Serial) -> bool {
        let Some(facts) = state.inline(serial) else {
            return false;
        };
        state.calls.adopt(facts);
        self.watch_deadlines(state);
        true
    }

    /// Makes a task of a call that has begun to run.
    fn carry_on(self: &Arc<Self>, serial: Serial, run: Run) {
        let mut state = self.lock();
        self.adopt(&mut state, serial);
        // Under the lock, so that it cannot end before it is known.
        let task = self.spawn(serial, run);
        let unwanted = state.calls.goes_on(serial, task);
        drop(state);
        if let Some(task) = unwanted {
            task.abort();
        }
    }

    fn spawn(self: &Arc<Self>, serial: Serial, run: Run) -> TaskHandle {
        self.handlers.spawn(CallTask {
            serial,
            parts: Some((run, Arc::clone(self))),
        })
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
    pub(super) fn after_an_end(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        self.start_calls(&mut state);
        if state.is_ending() && state.is_idle() {
            drop(state);
            self.changed.notify_one();
        }
    }

    /// Runs the handler, again for each time that it has asked the client of an older revision.
    async fn run_call(self: Arc<Self>, job: Job) -> Vec<u8> {
        let Job {
            tool,
            facts,
            arguments,
            mut round,
        } = job;
        let mut span = CallSpan::new(&facts, self.traced(&arguments));
        loop {
            let call = AnyCall::new(Arc::clone(&self.context), Arc::clone(&facts), round.clone());
            let start = || self.run_handler(&tool, call, &arguments);
            let (kind, settled) = span.around(settled(start, &facts)).await;
            span.outcome(kind);
            let asked = match settled {
                Settled::Result(result) => return self.catalog.call_response(&facts, result),
                Settled::Asks(asked) => asked,
            };
            let asker = Asker {
                facts: &facts,
                arguments: &arguments,
            };
            let Some(asking) = asking() else {
                unreachable!("something has been asked")
            };
            match (asking.ask)(&self, &asker, &round, asked).await {
                GoesOn::Asked(message) => return message,
                GoesOn::Failed(message) => {
                    span.outcome(OutcomeKind::Failed);
                    return message;
                }
                GoesOn::Round(next) => round = next,
            }
        }
    }

    /// A run of the handler, and of what is to run round it.
    fn run_handler(&self, tool: &Arc<AnyTool>, call: AnyCall, arguments: &Shared) -> Running {
        let arguments = arguments.clone();
        if self.hooks.is_empty() {
            return tool.run(call, arguments);
        }
        // Nothing of the handler or of a hook runs before the hook around it says so.
        let (tool, last) = (Arc::clone(tool), call.clone());
        let handler: Running = Box::pin(async move { tool.run(last, arguments).await });
        self.hooks.iter().rev().fold(handler, |inner, hook| {
            let (hook, call) = (Arc::clone(hook), call.clone());
            let rest = panics_told(|| inner);
            Box::pin(async move { hook(call, Next::new(rest)).await })
        })
    }

    /// The arguments, where the application wants to see them in its traces.
    fn traced<'a>(&self, arguments: &'a str) -> Option<&'a str> {
        self.trace_arguments.then_some(arguments)
    }

    /// Where the reports of a call go, if its client wants any.
    pub(super) fn progress(self: &Arc<Self>, serial: Serial, client: &Client) -> Option<Progress> {
        let token = client.said().progress_token.clone()?;
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

/// One call, up to its answer.
type Run = Pin<Box<dyn Future<Output = Vec<u8>> + Send>>;

/// A call that goes on as a task.
pub(crate) struct CallTask {
    serial: Serial,
    /// Until it is dropped.
    parts: Option<(Run, Arc<Engine>)>,
}

impl Future for CallTask {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let serial = self.serial;
        if let Some((run, engine)) = &mut self.parts {
            let message = ready!(run.as_mut().poll(context));
            engine.finish(serial, message);
            engine.flush();
        }
        Poll::Ready(())
    }
}

impl Drop for CallTask {
    /// What the handler holds may panic when it is dropped before its end: a task that does so
    /// ends the process.
    fn drop(&mut self) {
        let parts = self.parts.take();
        if let Err(panic) = caught(|| drop(parts)) {
            log::panicked_drop(&panic);
        }
    }
}

/// What a run comes to, and of what kind that is.
async fn settled<S>(start: S, facts: &Facts) -> (OutcomeKind, Settled)
where
    S: FnOnce() -> Running + Unpin,
{
    let outcome = panics_told(start).await;
    let kind = outcome.kind();
    let settle = |outcome: Outcome| outcome.settle(facts.tool(), facts.request_id());
    // An error's own words are the application's code, too.
    match caught(|| settle(outcome)) {
        Ok(settled) => (kind, settled),
        Err(panic) => (OutcomeKind::Panicked, settle(Outcome::panicked(panic))),
    }
}

/// A panic is an outcome, too.
async fn panics_told(start: impl FnOnce() -> Running + Unpin) -> Outcome {
    Contained::new(start)
        .await
        .unwrap_or_else(Outcome::panicked)
}
