//! The writer's side of the engine.

use std::io;
use std::sync::Arc;

use super::host::Host;
use super::outbox::Batch;
use super::{Engine, Output};

impl Engine {
    /// Adds a message, to be written by the next [`flush`](Self::flush). Call it without the lock of
    /// the state.
    pub(super) fn push(&self, message: Vec<u8>) {
        self.lock().outbox.push(message);
    }

    /// Has all messages written that were added: here as far as that needs no waiting.
    ///
    /// Call it without the lock of the state, whenever messages were added.
    pub(crate) fn flush(self: &Arc<Self>) {
        loop {
            match &self.host {
                None => self.signs.ready.notify_one(),
                Some(host) => {
                    if let Err(error) = self.write_now(&**host) {
                        return self.output_broke(error);
                    }
                }
            }
            if !self.tell_what_is_untold() {
                return;
            }
        }
    }

    /// Writes what the stream takes at once; for the rest, a writer that may wait is had.
    fn write_now(self: &Arc<Self>, host: &dyn Host) -> io::Result<()> {
        let mut state = self.lock();
        while let Some(mut batch) = state.outbox.take() {
            drop(state);
            let result = write_some(host, batch.rest());
            let written = *result.as_ref().unwrap_or(&0);
            batch.advance(written);
            state = self.lock();
            let all = state.outbox.put_back(batch);
            if state.outbox.sent(written) {
                self.start_calls(&mut state);
            }
            result?;
            if !all {
                drop(state);
                host.write_later()?;
                self.signs.ready.notify_one();
                return Ok(());
            }
        }
        if state.outbox.is_done() {
            drop(state);
            // A writer that waits for more hears of that, too.
            self.signs.ready.notify_one();
            self.output_written();
        }
        Ok(())
    }

    /// Waits for messages to write, for a writer that may wait too, and takes back what that has
    /// written; `None` when no more will ever come.
    pub(crate) async fn take(&self, mut written: Option<Batch>) -> Option<Batch> {
        loop {
            {
                let mut state = self.lock();
                if let Some(batch) = written.take() {
                    state.outbox.put_back(batch);
                }
                if let Some(batch) = state.outbox.take() {
                    return Some(batch);
                }
                if state.outbox.is_done() {
                    return None;
                }
            }
            self.signs.ready.notified().await;
        }
    }

    /// Some bytes of a batch are written.
    pub(crate) fn sent(self: &Arc<Self>, bytes: usize) {
        let mut state = self.lock();
        if state.outbox.sent(bytes) {
            self.start_calls(&mut state);
        }
        drop(state);
        self.tell_what_is_untold();
    }

    /// Waits until there is room, or nothing more is taken.
    pub(super) async fn room(&self) {
        loop {
            // Before the look, so that no room after it is missed.
            let room = self.signs.room.notified();
            let closed = self.lock().outbox.is_closed();
            if closed || !self.signs.is_crowded() {
                return;
            }
            room.await;
        }
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

/// How much of the bytes the stream takes at once.
fn write_some(host: &dyn Host, bytes: &[u8]) -> io::Result<usize> {
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

#[cfg(test)]
mod tests {
    use tokio::runtime::Handle;

    use super::*;
    use crate::engine::Handlers;
    use crate::limits::Limits;
    use crate::server::Server;

    /// Two threads may wait: one that leads, and one that has just lost the lead.
    #[tokio::test]
    async fn whoever_waits_for_room_hears_of_it() {
        let limits = Limits::new().with_unsent_bytes(1024).expect("in range");
        let server: Server = Server::new("room", "1").limits(limits);
        let handlers = Handlers::of(Handle::current());
        let engine = Engine::new(server.setup, Arc::new(()), handlers, None).expect("no tools");
        let message = vec![b'x'; 2000];
        engine.push(message.clone());
        let waits = [(); 2].map(|()| {
            let engine = Arc::clone(&engine);
            tokio::spawn(async move { engine.room().await })
        });
        tokio::task::yield_now().await;
        let batch = engine.take(None).await.expect("a message");
        assert_eq!(batch.rest(), message);
        engine.sent(message.len());
        for wait in waits {
            wait.await.expect("no panic");
        }
    }
}
