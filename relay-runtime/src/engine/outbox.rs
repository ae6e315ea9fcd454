//! The messages that wait to be written, bounded by their bytes.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::host::Host;
use crate::buffers;

/// Messages on their way out. One at a time writes them: the thread that has just added some, as
/// long as the stream takes them at once, else a writer that may wait for it.
pub(super) struct Outbox {
    state: Mutex<State>,
    limit: usize,
    /// Over the limit, and not yet down to half of it. Changes only with the state; the reader
    /// looks at it often.
    crowded: AtomicBool,
    host: Option<Arc<dyn Host>>,
    /// Something to write for the writer, or nothing ever again.
    ready: Notify,
    /// The reader may go on.
    room: Notify,
}

#[derive(Default)]
struct State {
    pending: Vec<u8>,
    /// So many bytes of it are written already.
    written: usize,
    /// A buffer to swap with what is pending.
    spare: Vec<u8>,
    /// Bytes that are pending or being written.
    unsent: usize,
    closed: bool,
    /// Somebody writes, and looks for more when that is done.
    writing: bool,
}

/// A buffer that has grown beyond this is given back once it is written.
const KEPT_CAPACITY: usize = 256 << 10;

/// What became of a flush.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flushed {
    /// Something was written, and there is room again where there was none.
    pub(super) made_room: bool,
    /// Everything is written, and nothing will come.
    pub(super) all: bool,
}

impl Outbox {
    pub(super) fn new(limit: usize, host: Option<Arc<dyn Host>>) -> Self {
        Self {
            state: Mutex::default(),
            limit,
            crowded: AtomicBool::new(false),
            host,
            ready: Notify::new(),
            room: Notify::new(),
        }
    }

    /// Adds a message, to be written by the next [`flush`](Self::flush); lost if the outbox is
    /// closed.
    pub(super) fn push(&self, message: Vec<u8>) {
        self.add(&mut self.lock(), message);
    }

    /// Adds a message, unless it would take room from those that may not be lost: then `false`.
    pub(super) fn push_if_roomy(&self, message: Vec<u8>) -> bool {
        let mut state = self.lock();
        let roomy = state.unsent.saturating_add(message.len()) <= self.limit / 2;
        if roomy {
            self.add(&mut state, message);
        }
        roomy
    }

    fn add(&self, state: &mut State, message: Vec<u8>) {
        if state.closed {
            return;
        }
        state.unsent += message.len();
        if state.unsent > self.limit {
            self.crowded.store(true, Ordering::Relaxed);
        }
        if state.pending.is_empty() && message.len() > state.pending.capacity() {
            state.pending = message;
        } else {
            state.pending.extend_from_slice(&message);
            buffers::give(message);
        }
    }

    /// Has what is pending written: here, as far as that needs no waiting.
    pub(super) fn flush(&self) -> io::Result<Flushed> {
        let Some(host) = &self.host else {
            self.ready.notify_one();
            return Ok(Flushed::default());
        };
        let mut made_room = false;
        let mut state = self.lock();
        loop {
            if state.writing {
                return Ok(Flushed {
                    made_room,
                    all: false,
                });
            }
            if state.pending.is_empty() {
                let all = state.closed;
                return Ok(Flushed { made_room, all });
            }
            state.writing = true;
            let spare = std::mem::take(&mut state.spare);
            let start = std::mem::take(&mut state.written);
            let mut batch = std::mem::replace(&mut state.pending, spare);
            drop(state);
            let result = write_now(&**host, &batch[start..]);
            state = self.lock();
            state.writing = false;
            let written = *result.as_ref().unwrap_or(&0);
            made_room |= self.count(&mut state, written);
            result?;
            if start + written < batch.len() {
                batch.append(&mut state.pending);
                state.pending = batch;
                state.written = start + written;
                drop(state);
                host.write_later()?;
                self.ready.notify_one();
                return Ok(Flushed {
                    made_room,
                    all: false,
                });
            }
            if batch.capacity() <= KEPT_CAPACITY {
                batch.clear();
                state.spare = batch;
            } else {
                buffers::give(batch);
            }
        }
    }

    /// Swaps the pending messages into a batch, for the writer that may wait. What it had before
    /// is written. Waits for some, and gives the place from where on they are to be written;
    /// `None` when none will ever come.
    pub(super) async fn take(&self, batch: &mut Vec<u8>) -> Option<usize> {
        if !batch.is_empty() {
            batch.clear();
            self.lock().writing = false;
        }
        if batch.capacity() > KEPT_CAPACITY {
            buffers::give(std::mem::take(batch));
        }
        loop {
            {
                let mut state = self.lock();
                if !state.pending.is_empty() && !state.writing {
                    state.writing = true;
                    std::mem::swap(&mut state.pending, batch);
                    return Some(std::mem::take(&mut state.written));
                }
                if state.closed && !state.writing {
                    return None;
                }
            }
            self.ready.notified().await;
        }
    }

    /// Counts bytes as written; says whether that has just made room.
    pub(super) fn sent(&self, bytes: usize) -> bool {
        self.count(&mut self.lock(), bytes)
    }

    fn count(&self, state: &mut State, bytes: usize) -> bool {
        state.unsent = state.unsent.saturating_sub(bytes);
        let made_room = self.is_crowded() && state.unsent <= self.limit / 2;
        if made_room {
            self.crowded.store(false, Ordering::Relaxed);
            self.room.notify_one();
        }
        made_room
    }

    /// Whether much can be added.
    pub(super) fn is_roomy(&self) -> bool {
        self.lock().unsent <= self.limit / 4
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }

    /// Waits until there is room, or the outbox is closed.
    pub(super) async fn room(&self) {
        loop {
            {
                let state = self.lock();
                if !self.is_crowded() || state.closed {
                    return;
                }
            }
            self.room.notified().await;
        }
    }

    /// Takes no more; what is pending is still written, by the next flush.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
        self.room.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much of the bytes the stream takes at once.
fn write_now(host: &dyn Host, bytes: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    while written < bytes.len() {
        match host.write_now(&bytes[written..]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => written += length,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}
