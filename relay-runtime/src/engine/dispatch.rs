//! How calls start, go on as tasks, and end.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, MutexGuard};
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

use super::contained::caught;
use super::handlers::TaskHandle;
use super::phase::{Answer, Serial};
use super::run::Run;
use super::{Engine, Job, State};
use crate::client::Client;
use crate::log;
use crate::progress::Progress;

/// A handler whose run takes longer is not quick: others should not wait for it.
const QUICK: Duration = Duration::from_micros(200);

/// Each byte of the arguments takes its time, whatever the handler does.
const QUICK_BYTE: Duration = Duration::from_nanos(5);

impl Engine {
    /// Starts calls as long as one waits and may run.
    pub(super) fn start_calls(self: &Arc<Self>, state: &mut State) {
        while !self.has_stopped()
            && !self.signs.is_crowded()
            && state.calls.start_next(&self.limits, |serial, job| {
                self.spawn(serial, Run::new(job))
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
        state.reading = Some(serial);
        drop(state);
        if let Some(host) = &self.host {
            host.watch();
        }
        let bytes = u32::try_from(job.arguments.len()).unwrap_or(u32::MAX);
        let quick = QUICK + QUICK_BYTE * bytes;
        let timed = serial
            .is_sample()
            .then(|| (Arc::clone(&job.tool), Instant::now()));
        let mut run = Run::new(job);
        match run.poll(self, &mut Context::from_waker(Waker::noop())) {
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
        let mut state = self.lock();
        let relieved = state.stops_reading(serial);
        self.adopt(&mut state, serial);
        relieved
    }

    /// The call that the reader runs.
    pub(crate) fn inline_call(&self) -> Option<Serial> {
        self.lock().reading
    }

    /// Makes the call that the reader runs known to others, if it is this one.
    pub(super) fn adopt(self: &Arc<Self>, state: &mut State, serial: Serial) {
        if let Some(facts) = state.inline(serial) {
            state.calls.adopt(facts);
            self.watch_deadlines(state);
        }
    }

    /// Makes a task of a call that has begun to run.
    fn carry_on(self: &Arc<Self>, serial: Serial, run: Run) {
        let mut state = self.lock();
        state.stops_reading(serial);
        self.adopt(&mut state, serial);
        drop(state);
        // Without the lock: a runtime that ends drops it here and now.
        let task = self.spawn(serial, run);
        let unwanted = self.lock().calls.goes_on(serial, task);
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

    /// A call has come to an end; says whether the reader was in its handler.
    fn finish(self: &Arc<Self>, serial: Serial, message: Vec<u8>) -> bool {
        let mut state = self.lock();
        let reading = state.stops_reading(serial);
        let answer = match state.inline(serial) {
            Some(_) => Answer::Due,
            None => state.calls.finish(serial),
        };
        match answer {
            Answer::Lost => return reading,
            Answer::Unwanted => {}
            // The id is free before its reply can be seen.
            Answer::Due => state.outbox.push(message),
        }
        self.after_an_end(state);
        reading
    }

    /// A call fewer: others may start, or none is left and the end of the input waits for that.
    pub(super) fn after_an_end(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        self.start_calls(&mut state);
        if state.is_ending() && state.is_idle() {
            drop(state);
            self.changed.notify_one();
        }
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
            state.outbox.push_if_roomy(message);
            drop(state);
            self.flush();
        }
    }
}

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
            let message = ready!(run.poll(engine, context));
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
