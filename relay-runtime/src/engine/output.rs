//! The writer's side of the engine.

use std::io;
use std::sync::Arc;

use super::{Engine, Output};

impl Engine {
    /// Has all messages written that were added: here as far as that needs no waiting.
    ///
    /// Call it without the lock of the state, whenever messages were added.
    pub(crate) fn flush(self: &Arc<Self>) {
        loop {
            match self.outbox.flush() {
                Err(error) => return self.output_broke(error),
                Ok(flushed) => {
                    if flushed.all {
                        self.output_written();
                    }
                    if flushed.made_room {
                        self.start_calls(&mut self.lock());
                    }
                }
            }
            if !self.tell_what_is_untold() {
                return;
            }
        }
    }

    /// Swaps messages to write into the batch, whose own are written; gives the place from where on
    /// they are to be written, or `None` when none will ever come.
    pub(crate) async fn take(&self, batch: &mut Vec<u8>) -> Option<usize> {
        self.outbox.take(batch).await
    }

    /// Some bytes of the batch are written.
    pub(crate) fn sent(self: &Arc<Self>, bytes: usize) {
        if self.outbox.sent(bytes) {
            self.start_calls(&mut self.lock());
        }
        self.tell_what_is_untold();
    }

    /// All is written.
    pub(crate) fn output_written(&self) {
        self.lock().output = Output::Written;
        self.changed.notify_one();
    }

    /// Nobody reads what is written.
    pub(crate) fn output_broke(&self, error: io::Error) {
        self.lock().output = Output::Broken(error);
        self.changed.notify_one();
    }
}
