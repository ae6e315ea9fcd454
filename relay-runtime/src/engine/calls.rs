//! The calls that are known: running or waiting for their turn.

use std::collections::{HashMap, VecDeque};

use tokio::task::AbortHandle;

use crate::limits::Limits;
use crate::protocol::Refusal;
use crate::request_id::RequestId;

/// The calls of one connection, by the id of their request.
pub(super) struct Calls<T> {
    known: HashMap<RequestId, Known>,
    queue: VecDeque<Queued<T>>,
    queued_bytes: usize,
    running: usize,
    last_serial: u64,
}

/// Tells a call from a later one with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Serial(u64);

struct Known {
    serial: Serial,
    /// `None` while it waits in the queue.
    task: Option<AbortHandle>,
}

struct Queued<T> {
    id: RequestId,
    serial: Serial,
    bytes: usize,
    job: T,
}

impl<T> Calls<T> {
    pub(super) fn new() -> Self {
        Self {
            known: HashMap::new(),
            queue: VecDeque::new(),
            queued_bytes: 0,
            running: 0,
            last_serial: 0,
        }
    }

    /// Puts a call at the end of the queue, or says why it is refused. `bytes` is what it holds.
    pub(super) fn admit(
        &mut self,
        id: &RequestId,
        bytes: usize,
        job: T,
        limits: &Limits,
    ) -> Result<(), Refusal> {
        if self.known.contains_key(id) {
            return Err(Refusal::invalid_request(
                "a request with this id is still in flight",
            ));
        }
        let waits = self.running >= limits.calls_in_flight || !self.queue.is_empty();
        if waits && self.queue.len() >= limits.queued_calls {
            return Err(Refusal::overloaded(format!(
                "the queue is full: {} calls wait already; try again after some replies",
                self.queue.len()
            )));
        }
        if waits && self.queued_bytes.saturating_add(bytes) > limits.queued_bytes {
            return Err(Refusal::overloaded(format!(
                "the queue is full: the arguments of the calls that wait may have {} bytes; try \
                 again after some replies",
                limits.queued_bytes
            )));
        }
        self.last_serial += 1;
        let serial = Serial(self.last_serial);
        self.known.insert(id.clone(), Known { serial, task: None });
        self.queued_bytes += bytes;
        self.queue.push_back(Queued {
            id: id.clone(),
            serial,
            bytes,
            job,
        });
        Ok(())
    }

    /// Takes the first call of the queue, if one more may run, and runs it.
    pub(super) fn start_next(
        &mut self,
        limits: &Limits,
        run: impl FnOnce(Serial, T) -> AbortHandle,
    ) -> bool {
        if self.running >= limits.calls_in_flight {
            return false;
        }
        let Some(Queued {
            id,
            serial,
            bytes,
            job,
        }) = self.queue.pop_front()
        else {
            return false;
        };
        self.queued_bytes -= bytes;
        self.running += 1;
        let task = Some(run(serial, job));
        self.known.insert(id, Known { serial, task });
        true
    }

    /// Forgets a call that has ended; `false` when it was dropped before.
    pub(super) fn finish(&mut self, id: &RequestId, serial: Serial) -> bool {
        if self
            .known
            .get(id)
            .is_none_or(|known| known.serial != serial)
        {
            return false;
        }
        self.known.remove(id);
        self.running -= 1;
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Drops every call, unanswered; says how many there were.
    pub(super) fn drop_all(&mut self) -> usize {
        let count = self.known.len();
        for task in self.known.drain().filter_map(|(_, known)| known.task) {
            task.abort();
        }
        self.queue.clear();
        self.queued_bytes = 0;
        self.running = 0;
        count
    }
}
