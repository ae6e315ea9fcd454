//! The requests that the server has sent to a client of an older revision.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::{oneshot, watch};

use crate::protocol::Answer;
use crate::request_id::RequestId;

/// What a client has said to a request: its result, or why there is none.
pub(super) type Said = Result<Value, String>;

/// The requests that wait for an answer.
pub(super) struct Questions {
    state: Mutex<State>,
    /// Whether the client has said that it is ready for them.
    ready: watch::Sender<bool>,
}

struct State {
    open: HashMap<RequestId, oneshot::Sender<Said>>,
    last: u64,
    /// No answer will come any more.
    closed: bool,
}

impl Questions {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                open: HashMap::new(),
                last: 0,
                closed: false,
            }),
            ready: watch::Sender::new(false),
        }
    }

    /// Sets whether the client is ready.
    pub(super) fn set_ready(&self, ready: bool) {
        self.ready.send_replace(ready);
    }

    pub(super) fn is_ready(&self) -> bool {
        *self.ready.borrow()
    }

    /// Waits until the client is ready.
    pub(super) async fn ready(&self) {
        // The sender lives as long as `self`, so that the wait ends only when it is.
        let _ = self.ready.subscribe().wait_for(|ready| *ready).await;
    }

    /// An id for a request, and where its answer comes. Nothing comes when no answer can.
    pub(super) fn open(&self) -> (RequestId, oneshot::Receiver<Said>) {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.lock();
        state.last += 1;
        // A text, so that nobody takes it for an id of the client's.
        let id = RequestId::text(&format!("relay-{}", state.last));
        if !state.closed {
            state.open.insert(id.clone(), sender);
        }
        (id, receiver)
    }

    /// Nobody waits for the answer any more; `false` if it has come already.
    pub(super) fn drop_one(&self, id: &RequestId) -> bool {
        self.lock().open.remove(id).is_some()
    }

    /// Hands an answer to whom it is for; `false` if nobody waits for it.
    pub(super) fn answer(&self, id: &RequestId, answer: Answer<'_>) -> bool {
        let Some(sender) = self.lock().open.remove(id) else {
            return false;
        };
        let said = match answer {
            Answer::Result(json) => serde_json::from_str(json).map_err(|error| error.to_string()),
            Answer::Error(message) => Err(message.into_owned()),
        };
        // The call may have been cancelled meanwhile.
        let _ = sender.send(said);
        true
    }

    /// No answer will come any more: whoever waits hears of that.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.open.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
