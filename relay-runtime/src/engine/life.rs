//! The life of a connection, from its start to the last reply; and what time does to its calls.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::phase::Expired;
use super::{Engine, Input, Output, State};
use crate::log;
use crate::protocol::{CallResult, Refusal, cancelled, ended, success};
use crate::stdio::StdioError;

/// How long the last handlers have to end, once they are told to; and the last replies to be read,
/// once the server itself is told to end.
const LAST_GRACE: Duration = Duration::from_secs(1);

/// What a call is told whose turn did not come before the end.
pub(super) fn too_late() -> Refusal {
    Refusal::overloaded("the server ends before the turn of this call came")
}

impl Engine {
    /// Waits for the end of the connection: of the input, or an interrupt, and of the calls that
    /// are in flight; or of the output.
    pub(crate) async fn run(self: &Arc<Self>) -> Result<(), StdioError> {
        self.until(State::is_ending).await?;
        self.within(self.limits.grace, |state| {
            state.is_idle() || state.interrupts > 0
        })
        .await?;
        let (idle, interrupted) = {
            let state = self.lock();
            (state.is_idle(), state.interrupts > 0)
        };
        if !idle {
            self.wind_up();
            // Those that were interrupted had no time yet.
            let grace = if interrupted {
                self.limits.grace
            } else {
                LAST_GRACE
            };
            self.within(grace, |state| state.is_idle() || state.interrupts > 1)
                .await?;
        }
        let dropped = self.stop();
        if dropped > 0 {
            log::dropped_calls(dropped);
        }
        self.last_replies().await?;
        let mut state = self.lock();
        if state.interrupts > 0 {
            return Ok(());
        }
        match std::mem::replace(&mut state.input, Input::Open) {
            Input::Open | Input::Ended { garbage: None } => Ok(()),
            Input::Ended {
                garbage: Some(bytes),
            } => Err(StdioError::InvalidTrailingData { bytes }),
            Input::Failed(source) => Err(StdioError::ReadFailed { source }),
        }
    }

    /// Ends the connection as if the input had ended, but has the handlers end, too; the second
    /// time, without waiting for them.
    pub(crate) fn interrupt(&self) {
        let mut state = self.lock();
        state.interrupts = state.interrupts.saturating_add(1);
        drop(state);
        // Whoever waits for the client's answer waits no more.
        self.questions.close();
        self.changed.notify_one();
    }

    /// Has the handlers end that run; what still waits for its turn never begins.
    fn wind_up(self: &Arc<Self>) {
        let mut state = self.lock();
        if let Some(inline) = &state.inline {
            inline.cancellation().fire();
        }
        let (waiting, removed) = state.calls.wind_up();
        drop(state);
        removed.discard();
        for id in waiting {
            self.refuse(Some(&id), &too_late());
        }
        self.flush();
        // None of them may have run, so that nothing else would say that no call is left.
        self.changed.notify_one();
    }

    /// Waits until all is written. A client that does not read keeps the server only as long as
    /// that is not told to end.
    async fn last_replies(self: &Arc<Self>) -> Result<(), StdioError> {
        self.until(|state| state.is_written() || state.interrupts > 0)
            .await?;
        let wanted = |state: &State| state.is_written() || state.interrupts > 1;
        self.within(LAST_GRACE, wanted).await
    }

    /// Waits until the state is as wanted, or the time is over.
    async fn within(
        self: &Arc<Self>,
        time: Duration,
        wanted: fn(&State) -> bool,
    ) -> Result<(), StdioError> {
        tokio::time::timeout(time, self.until(wanted))
            .await
            .unwrap_or(Ok(()))
    }

    /// Ends every call that still goes on and takes no more; says how many of them were owed an
    /// answer.
    pub(crate) fn stop(self: &Arc<Self>) -> usize {
        let mut state = self.lock();
        self.stopped.store(true, Ordering::Relaxed);
        let inline = state.inline.take();
        let (dropped, removed) = state.calls.drop_all();
        let State {
            streams, outbox, ..
        } = &mut *state;
        for id in streams.close_all() {
            // The result first: a client that forgets an id by the cancel would not know it.
            outbox.push(ended(&id));
            outbox.push(cancelled(&id));
        }
        outbox.close();
        drop(state);
        removed.discard();
        self.questions.close();
        self.flush();
        match inline {
            Some(inline) => {
                inline.cancellation().fire();
                dropped + 1
            }
            None => dropped,
        }
    }

    /// Waits until the state is as wanted; fails as soon as the output is broken.
    async fn until(self: &Arc<Self>, wanted: fn(&State) -> bool) -> Result<(), StdioError> {
        loop {
            {
                let mut state = self.lock();
                if let Output::Broken(_) = state.output
                    && let Output::Broken(source) =
                        std::mem::replace(&mut state.output, Output::Written)
                {
                    drop(state);
                    self.stop();
                    return Err(StdioError::StdoutBroken { source });
                }
                if wanted(&state) {
                    return Ok(());
                }
            }
            self.change_or_deadline().await;
        }
    }

    /// Waits for a change of the state, and does what is due meanwhile.
    async fn change_or_deadline(self: &Arc<Self>) {
        let wakes = self.lock().wakes;
        let Some(wakes) = wakes else {
            return self.changed.notified().await;
        };
        if tokio::time::timeout_at(wakes, self.changed.notified())
            .await
            .is_err()
        {
            self.expire();
        }
    }

    /// Answers the calls whose time is over.
    fn expire(self: &Arc<Self>) {
        let mut state = self.lock();
        state.wakes = None;
        for expired in state.calls.expire(Instant::now(), self.limits.grace) {
            let (facts, text) = match expired {
                Expired::Late(facts) => {
                    let seconds = seconds(facts.timeout());
                    (
                        facts,
                        format!("Tool execution timed out after {seconds} s."),
                    )
                }
                Expired::Unanswered(facts) => {
                    let seconds = seconds(self.limits.state_ttl);
                    (
                        facts,
                        format!(
                            "The client did not answer what the tool asked within {seconds} s."
                        ),
                    )
                }
            };
            let failed = CallResult::failed(text);
            let result = self.catalog.call_result(facts.revision(), failed);
            state.outbox.push(success(facts.request_id(), &result));
        }
        self.after_an_end(state);
        self.flush();
    }
}

/// A time in seconds, in all its digits.
fn seconds(time: Duration) -> String {
    let (whole, rest) = (time.as_secs(), time.subsec_nanos());
    let digits = format!("{whole}.{rest:09}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::runtime::Handle;
    use tokio::task::JoinHandle;

    use super::*;
    use crate::call::Call;
    use crate::definition::Definition;
    use crate::engine::{Frame, Handlers};
    use crate::input::Question;
    use crate::limits::Limits;
    use crate::server::Server;

    const GRACE: Duration = Duration::from_secs(3600);

    /// A server whose clock stands still unless all wait for it.
    struct Life {
        engine: Arc<Engine>,
        runs: JoinHandle<Result<(), StdioError>>,
        start: Instant,
    }

    impl Life {
        /// With one call of this tool: `heeds` ends when it is told to, `ignores` does not.
        async fn with(tool: &str) -> Self {
            let any = |name| -> Definition<Value> {
                Definition::content(name, json!({"type": "object"}))
            };
            let heeds = any("heeds").handle(|call: Call, _| async move {
                call.cancelled().await;
                Ok(Vec::new().into())
            });
            let ignores = any("ignores").handle(|_: Call, _| std::future::pending());
            let limits = Limits::new().with_grace(GRACE).expect("in range");
            let limits = limits.with_handler_timeout(GRACE * 24).expect("in range");
            let server = Server::new("life", "1")
                .tools([heeds, ignores])
                .limits(limits);
            let engine = new(server, Handlers::of(Handle::current())).expect("two names");
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                "name": tool,
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {}
                }
            }})
            .to_string();
            engine.accept(&Frame::Line(call.as_bytes()), &mut engine.reader());
            Self::of(engine)
        }

        /// With one call whose client has been asked and does not answer.
        async fn asking() -> Self {
            let asks = Definition::<Value>::content("asks", json!({"type": "object"}));
            let asks = asks.handle(|call: Call, _| async move {
                call.ask("roots", Question::roots())?;
                Ok(Vec::new().into())
            });
            let server = Server::new("life", "1").tool(asks);
            let handlers = Handlers::of(Handle::current());
            let engine = new(server, handlers).expect("one name");
            for line in [
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}}}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"asks"}}"#,
            ] {
                engine.accept(&Frame::Line(line.as_bytes()), &mut engine.reader());
            }
            settle().await;
            Self::of(engine)
        }

        fn of(engine: Arc<Engine>) -> Self {
            let runs = tokio::spawn({
                let engine = Arc::clone(&engine);
                async move { engine.run().await }
            });
            Self {
                engine,
                runs,
                start: Instant::now(),
            }
        }

        /// Interrupts, and has everything go on as far as it can.
        async fn interrupt(&self) {
            self.engine.interrupt();
            settle().await;
        }

        /// Writes all that comes.
        fn write(&self) {
            let engine = Arc::clone(&self.engine);
            tokio::spawn(async move {
                let mut written = None;
                while let Some(mut batch) = engine.take(written).await {
                    batch.advance(batch.rest().len());
                    written = Some(batch);
                }
                engine.output_written();
            });
        }

        /// How long it took to the end, which was a good one.
        async fn lasted(self) -> Duration {
            self.runs.await.expect("no panic").expect("a good end");
            self.start.elapsed()
        }
    }

    fn new(server: Server, handlers: Handlers) -> Result<Arc<Engine>, StdioError> {
        Engine::new(server.setup, Arc::new(()), handlers, None)
    }

    async fn settle() {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_interrupt_leaves_the_grace_to_those_that_need_it() {
        for (tool, lasted) in [("heeds", Duration::ZERO), ("ignores", GRACE)] {
            let life = Life::with(tool).await;
            life.write();
            life.interrupt().await;
            assert_eq!(life.lasted().await, lasted, "{tool}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_interrupt_waits_for_no_client_that_was_asked() {
        let life = Life::asking().await;
        life.write();
        life.interrupt().await;
        assert_eq!(life.lasted().await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn an_interrupt_after_the_end_of_the_input_tells_the_handlers() {
        let life = Life::with("heeds").await;
        life.write();
        life.engine.input_ended(None);
        settle().await;
        life.interrupt().await;
        assert_eq!(life.lasted().await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_second_interrupt_ends_at_once() {
        let life = Life::with("ignores").await;
        life.write();
        life.interrupt().await;
        assert!(!life.runs.is_finished());
        life.interrupt().await;
        assert_eq!(life.lasted().await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_interrupted_waits_for_no_reader() {
        let life = Life::with("heeds").await;
        life.interrupt().await;
        assert_eq!(life.lasted().await, LAST_GRACE);

        let life = Life::with("heeds").await;
        life.interrupt().await;
        life.interrupt().await;
        assert_eq!(life.lasted().await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_tail_that_comes_after_an_interrupt_is_no_error() {
        let life = Life::with("ignores").await;
        life.write();
        life.interrupt().await;
        life.engine.input_ended(Some(b"{".to_vec()));
        life.interrupt().await;
        assert_eq!(life.lasted().await, Duration::ZERO);
    }
}
