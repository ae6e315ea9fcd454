//! Settings of the transport.

use super::StdioError;

/// Settings of the stdio transport. What bounds the server is in [`Limits`](crate::Limits).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    pub(super) chunk_size: usize,
    pub(super) private_streams: bool,
}

/// The largest read chunk, in bytes: 16 MiB.
pub(super) const MAX_CHUNK: usize = 16 << 20;

impl Default for Config {
    fn default() -> Self {
        Self {
            chunk_size: 64 << 10,
            private_streams: true,
        }
    }
}

impl Config {
    /// The defaults: a read chunk of 64 KiB, and private streams.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many bytes are read at once at most. Default: 64 KiB; from 1 byte to 16 MiB,
    /// else serving fails with [`StdioError::InvalidChunkSize`].
    ///
    /// Larger messages are read in several chunks.
    #[must_use]
    pub fn with_chunk_size(mut self, bytes: usize) -> Self {
        self.chunk_size = bytes;
        self
    }

    /// Sets whether standard input and output are the connection's alone, as the
    /// [module](super#streams-of-its-own) says. Default: true. It changes nothing on Windows, where
    /// they never are, nor for [`serve_stream`](super::serve_stream).
    ///
    /// Without it, whatever the process or a child of it prints goes to the client.
    #[must_use]
    pub fn with_private_streams(mut self, private: bool) -> Self {
        self.private_streams = private;
        self
    }

    pub(super) fn check(&self) -> Result<(), StdioError> {
        if (1..=MAX_CHUNK).contains(&self.chunk_size) {
            return Ok(());
        }
        Err(StdioError::InvalidChunkSize {
            size: self.chunk_size,
        })
    }
}
