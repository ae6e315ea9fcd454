//! The life of a connection, from its start to the last reply; and what time does to its calls.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::calls::Expired;
use super::{Engine, Input, Output, State};
use crate::log;
use crate::protocol::{CallResult, Refusal, cancelled, ended, success};
use crate::stdio::StdioError;

/// How long handlers have to end, at the end of the connection, once they are told to.
const LAST_GRACE: Duration = Duration::from_secs(1);

impl<C: Send + Sync + 'static> Engine<C> {
    /// Waits for the end of the connection: of the input and of the calls that are in flight, or
    /// of the output.
    pub(crate) async fn run(self: &Arc<Self>) -> Result<(), StdioError> {
        self.until(|state| !matches!(state.input, Input::Open))
            .await?;
        if !self.idle_within(self.limits.grace).await? {
            self.wind_up();
            self.idle_within(LAST_GRACE).await?;
        }
        let dropped = self.stop();
        if dropped > 0 {
            log::dropped_calls(dropped);
        }
        self.until(|state| matches!(state.output, Output::Written))
            .await?;
        match std::mem::replace(&mut self.lock().input, Input::Open) {
            Input::Open | Input::Ended { garbage: None } => Ok(()),
            Input::Ended {
                garbage: Some(bytes),
            } => Err(StdioError::InvalidTrailingData { bytes }),
            Input::Failed(source) => Err(StdioError::ReadFailed { source }),
        }
    }

    /// Has the handlers end that run; what still waits for its turn never begins.
    fn wind_up(&self) {
        let waiting = self.lock().calls.wind_up();
        for id in waiting {
            let refusal = Refusal::overloaded("the server ends before the turn of this call came");
            self.refuse(Some(&id), &refusal);
        }
        // None of them may have run, so that nothing else would say that no call is left.
        self.changed.notify_one();
    }

    /// Whether no call is left in time.
    async fn idle_within(self: &Arc<Self>, time: Duration) -> Result<bool, StdioError> {
        let idle = self.until(|state| state.calls.is_empty());
        match tokio::time::timeout(time, idle).await {
            Ok(idle) => idle.map(|()| true),
            Err(_) => Ok(false),
        }
    }

    /// Ends every call that still goes on and takes no more; says how many of them were owed an
    /// answer.
    pub(crate) fn stop(&self) -> usize {
        let mut state = self.lock();
        state.stopped = true;
        let dropped = state.calls.drop_all();
        for (id, _) in state.streams.drain() {
            // The result first: a client that forgets an id by the cancel would not know it.
            self.outbox.push(ended(&id));
            self.outbox.push(cancelled(&id));
        }
        drop(state);
        self.questions.close();
        self.outbox.close();
        dropped
    }

    /// Waits until the state is as wanted; fails as soon as the output is broken.
    async fn until(self: &Arc<Self>, wanted: impl Fn(&State<C>) -> bool) -> Result<(), StdioError> {
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
            let (terms, text) = match expired {
                Expired::Late(terms) => {
                    let seconds = terms.timeout.as_secs_f64();
                    (
                        terms,
                        format!("Tool execution timed out after {seconds} s."),
                    )
                }
                Expired::Unanswered(terms) => {
                    let seconds = self.limits.state_ttl.as_secs_f64();
                    (
                        terms,
                        format!(
                            "The client did not answer what the tool asked within {seconds} s."
                        ),
                    )
                }
            };
            let failed = CallResult::failed(text);
            let result = self.catalog.call_result(terms.revision, failed);
            self.outbox.push(success(&terms.id, &result));
        }
        self.after_an_end(state);
    }
}
