//! The messages that wait to be written, bounded by their bytes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Messages on their way out. One writer takes them; one reader waits until there is room.
pub(super) struct Outbox {
    state: Mutex<State>,
    limit: usize,
    /// Something to write, or nothing ever again.
    ready: Notify,
    /// The reader may go on.
    room: Notify,
}

#[derive(Default)]
struct State {
    pending: Vec<u8>,
    /// Bytes that are pending or being written.
    unsent: usize,
    /// Over the limit, and not yet down to half of it.
    crowded: bool,
    closed: bool,
}

/// A buffer that has grown beyond this is given back once it is written.
const KEPT_CAPACITY: usize = 1 << 20;

impl Outbox {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            state: Mutex::default(),
            limit,
            ready: Notify::new(),
            room: Notify::new(),
        }
    }

    /// Adds a message; lost if the outbox is closed.
    pub(super) fn push(&self, message: Vec<u8>) {
        self.add(self.lock(), message);
    }

    /// Adds a message, unless it would take room from those that may not be lost: then `false`.
    pub(super) fn push_if_roomy(&self, message: Vec<u8>) -> bool {
        let state = self.lock();
        let roomy = state.unsent.saturating_add(message.len()) <= self.limit / 2;
        if roomy {
            self.add(state, message);
        }
        roomy
    }

    fn add(&self, mut state: MutexGuard<'_, State>, message: Vec<u8>) {
        if state.closed {
            return;
        }
        state.unsent += message.len();
        state.crowded |= state.unsent > self.limit;
        if state.pending.is_empty() && message.len() > KEPT_CAPACITY {
            state.pending = message;
        } else {
            state.pending.extend_from_slice(&message);
        }
        drop(state);
        self.ready.notify_one();
    }

    /// Swaps the pending messages into an empty batch, waiting for some; `false` when none will
    /// ever come.
    pub(super) async fn take(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        if batch.capacity() > KEPT_CAPACITY {
            *batch = Vec::new();
        }
        loop {
            {
                let mut state = self.lock();
                if !state.pending.is_empty() {
                    std::mem::swap(&mut state.pending, batch);
                    return true;
                }
                if state.closed {
                    return false;
                }
            }
            self.ready.notified().await;
        }
    }

    /// Counts bytes as written; says whether that has just made room.
    pub(super) fn sent(&self, bytes: usize) -> bool {
        let mut state = self.lock();
        state.unsent = state.unsent.saturating_sub(bytes);
        let made_room = state.crowded && state.unsent <= self.limit / 2;
        if made_room {
            state.crowded = false;
            drop(state);
            self.room.notify_one();
        }
        made_room
    }

    /// Whether much can be added.
    pub(super) fn is_roomy(&self) -> bool {
        self.lock().unsent <= self.limit / 4
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.lock().crowded
    }

    /// Waits until there is room, or the outbox is closed.
    pub(super) async fn room(&self) {
        loop {
            {
                let state = self.lock();
                if !state.crowded || state.closed {
                    return;
                }
            }
            self.room.notified().await;
        }
    }

    /// Takes no more; what is pending is still written.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
        self.room.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
