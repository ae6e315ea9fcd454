//! The requests that the server has sent to a client of an older revision.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::protocol::Answer;
use crate::request_id::RequestId;

/// Where an answer goes: the result as JSON text, or why there is none.
pub(super) type Answered = Box<dyn FnOnce(Result<String, String>) + Send>;

/// The requests that wait for an answer.
pub(super) struct Questions {
    open: Mutex<HashMap<RequestId, Answered>>,
    client: watch::Sender<Client>,
}

/// How far the client is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Client {
    /// It has not said yet that it is ready for requests.
    Starting,
    Ready,
    /// It will say nothing any more.
    Gone,
}

impl Questions {
    pub(super) fn new() -> Self {
        Self {
            open: Mutex::default(),
            client: watch::Sender::new(Client::Starting),
        }
    }

    /// Sets whether the client is ready.
    pub(super) fn set_ready(&self, ready: bool) {
        let now = if ready {
            Client::Ready
        } else {
            Client::Starting
        };
        self.client.send_if_modified(|client| {
            let changes = *client != Client::Gone;
            if changes {
                *client = now;
            }
            changes
        });
    }

    pub(super) fn is_ready(&self) -> bool {
        *self.client.borrow() == Client::Ready
    }

    /// Waits until the client is ready; `false` if it never will be.
    pub(super) async fn ready(&self) -> bool {
        let mut client = self.client.subscribe();
        let known = client.wait_for(|client| *client != Client::Starting).await;
        known.is_ok_and(|client| *client == Client::Ready)
    }

    /// An id for a request whose answer is wanted; `None` when none can come any more.
    pub(super) fn open(&self, answered: Answered) -> Option<RequestId> {
        let mut open = self.lock();
        if *self.client.borrow() == Client::Gone {
            return None;
        }
        let id = RequestId::fresh();
        open.insert(id.clone(), answered);
        Some(id)
    }

    /// Nobody waits for the answer any more; `false` if it has come already.
    pub(super) fn drop_one(&self, id: &RequestId) -> bool {
        self.lock().remove(id).is_some()
    }

    /// Hands an answer to whom it is for; `false` if nobody waits for it.
    pub(super) fn answer(&self, id: &RequestId, answer: Answer<'_>) -> bool {
        let Some(answered) = self.lock().remove(id) else {
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
        let mut open = self.lock();
        self.client.send_replace(Client::Gone);
        open.clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Answered>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
