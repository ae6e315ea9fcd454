//! What a connection has that is served by threads of its own, rather than inside of a future.

use std::io;

/// The threads of a connection.
pub(crate) trait Host: Send + Sync {
    /// Writes at once what can be written without waiting; [`io::ErrorKind::WouldBlock`] if that
    /// is nothing.
    fn write_now(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Has somebody write who may wait: a thread that takes batches until there are no more.
    fn write_later(&self) -> io::Result<()>;

    /// Whether the thread that reads may be held up in a handler, since another could take over.
    fn can_relieve(&self) -> bool;

    /// Has somebody notice when the thread that reads is held up in a handler, from now on.
    fn watch(&self);
}
