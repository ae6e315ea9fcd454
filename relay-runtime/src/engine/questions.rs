//! The requests that the server has sent to a client of an older revision.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::protocol::Answer;
use crate::request_id::RequestId;

/// Where an answer goes: the result as JSON text, or why there is none.
pub(super) type Answered = Box<dyn FnOnce(Result<String, String>) + Send>;

/// The requests that wait for an answer.
pub(super) struct Questions {
    state: Mutex<State>,
    /// The client is elsewhere.
    changed: Notify,
}

#[derive(Default)]
struct State {
    open: HashMap<RequestId, Answered>,
    client: Client,
}

/// How far the client is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Client {
    /// It has not said yet that it is ready for requests.
    #[default]
    Starting,
    Ready,
    /// It will say nothing any more.
    Gone,
}

impl Questions {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// Sets whether the client is ready.
    pub(super) fn set_ready(&self, ready: bool) {
        let now = if ready {
            Client::Ready
        } else {
            Client::Starting
        };
        let mut state = self.lock();
        if state.client != Client::Gone {
            state.client = now;
            self.changed.notify_waiters();
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.lock().client == Client::Ready
    }

    /// Waits until the client is ready; `false` if it never will be.
    pub(super) async fn ready(&self) -> bool {
        loop {
            // Before the look, so that no change after it is missed.
            let changed = self.changed.notified();
            let client = self.lock().client;
            if client != Client::Starting {
                return client == Client::Ready;
            }
            changed.await;
        }
    }

    /// An id for a request whose answer is wanted; `None` when none can come any more.
    pub(super) fn open(&self, answered: Answered) -> Option<RequestId> {
        let mut state = self.lock();
        if state.client == Client::Gone {
            return None;
        }
        let id = RequestId::fresh();
        state.open.insert(id.clone(), answered);
        Some(id)
    }

    /// Nobody waits for the answer any more; `false` if it has come already.
    pub(super) fn drop_one(&self, id: &RequestId) -> bool {
        self.lock().open.remove(id).is_some()
    }

    /// Hands an answer to whom it is for; `false` if nobody waits for it.
    pub(super) fn answer(&self, id: &RequestId, answer: Answer<'_>) -> bool {
        let Some(answered) = self.lock().open.remove(id) else {
            return false;
        };
        answered(match answer {
            Answer::Result(json) => Ok(json.to_owned()),
            Answer::Error(message) => Err(message.into_owned()),
        });
        true
    }

    /// No answer will come any more: whoever waits hears of that.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.client = Client::Gone;
        self.changed.notify_waiters();
        state.open.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
