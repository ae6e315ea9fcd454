//! The messages that wait to be written, bounded by their bytes.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use crate::buffers;

/// Messages on their way out. One at a time writes them: the thread that has just added some, as
/// long as the stream takes them at once, else a writer that may wait for it.
pub(super) struct Outbox {
    pending: Vec<u8>,
    /// So many bytes of it are written already.
    written: usize,
    /// A buffer to swap with what is pending.
    spare: Vec<u8>,
    /// Bytes that are pending or being written.
    unsent: usize,
    limit: usize,
    closed: bool,
    /// Somebody writes, and looks for more when that is done.
    writing: bool,
    signs: Arc<Signs>,
}

/// What of an [`Outbox`] is looked at, or waited for, without the lock that it stands under.
#[derive(Default)]
pub(super) struct Signs {
    /// Over the limit, and not yet down to half of it. Changes only with the outbox.
    crowded: AtomicBool,
    /// Something to write for the writer, or nothing ever again.
    pub(super) ready: Notify,
    /// The reader may go on.
    pub(super) room: Notify,
}

impl Signs {
    /// Whether nothing should be added that can wait.
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }
}

/// Messages that are being written, and how far they are.
pub(crate) struct Batch {
    bytes: Vec<u8>,
    written: usize,
}

impl Batch {
    /// What is still to be written.
    pub(crate) fn rest(&self) -> &[u8] {
        self.bytes.get(self.written..).unwrap_or_default()
    }

    /// So many bytes of the rest are written.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.written += bytes;
    }
}

/// A buffer that has grown beyond this is given back once it is written.
const KEPT_CAPACITY: usize = 256 << 10;

impl Outbox {
    pub(super) fn new(limit: usize, signs: Arc<Signs>) -> Self {
        Self {
            pending: Vec::new(),
            written: 0,
            spare: Vec::new(),
            unsent: 0,
            limit,
            closed: false,
            writing: false,
            signs,
        }
    }

    /// Adds a message, to be written by the next flush; lost if the outbox is closed.
    pub(super) fn push(&mut self, message: Vec<u8>) {
        if self.closed {
            return;
        }
        self.unsent += message.len();
        if self.unsent > self.limit {
            self.signs.crowded.store(true, Ordering::Relaxed);
        }
        if self.pending.is_empty() && message.len() > self.pending.capacity() {
            self.pending = message;
        } else {
            self.pending.extend_from_slice(&message);
            buffers::give(message);
        }
    }

    /// Adds a message, unless it would take room from those that may not be lost: then `false`. One
    /// that is larger than all of it is taken when nothing else is there.
    pub(super) fn push_if_roomy(&mut self, message: Vec<u8>) -> bool {
        let left = (self.limit / 2).saturating_sub(self.unsent);
        let roomy = self.unsent == 0 || message.len() <= left;
        if roomy {
            self.push(message);
        }
        roomy
    }

    /// Whether much can be added.
    pub(super) fn is_roomy(&self) -> bool {
        self.unsent <= self.limit / 4
    }

    /// Takes out what is pending, for one who writes it now; `None` if that is nothing, or if
    /// another writes.
    pub(super) fn take(&mut self) -> Option<Batch> {
        if self.writing || self.pending.is_empty() {
            return None;
        }
        self.writing = true;
        let spare = mem::take(&mut self.spare);
        Some(Batch {
            bytes: mem::replace(&mut self.pending, spare),
            written: mem::take(&mut self.written),
        })
    }

    /// Takes back what [`take`](Self::take) gave; says whether all of it is written. What is not
    /// comes first the next time.
    pub(super) fn put_back(&mut self, batch: Batch) -> bool {
        self.writing = false;
        let Batch { mut bytes, written } = batch;
        if written < bytes.len() {
            bytes.append(&mut self.pending);
            self.pending = bytes;
            self.written = written;
            return false;
        }
        if bytes.capacity() <= KEPT_CAPACITY {
            bytes.clear();
            self.spare = bytes;
        } else {
            buffers::give(bytes);
        }
        true
    }

    /// Counts bytes as written; says whether that has just made room.
    pub(super) fn sent(&mut self, bytes: usize) -> bool {
        self.unsent = self.unsent.saturating_sub(bytes);
        let made_room = self.signs.is_crowded() && self.unsent <= self.limit / 2;
        if made_room {
            self.signs.crowded.store(false, Ordering::Relaxed);
            self.signs.room.notify_waiters();
        }
        made_room
    }

    /// Takes no more; what is pending is still written, by the next flush.
    pub(super) fn close(&mut self) {
        self.closed = true;
        self.signs.ready.notify_one();
        self.signs.room.notify_waiters();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether all is written, and nothing will come.
    pub(super) fn is_done(&self) -> bool {
        self.closed && self.pending.is_empty() && !self.writing
    }
}
