//! Why serving ended with an error.

use std::error::Error;
use std::{fmt, io};

use crate::limits::LimitError;

/// Why serving ended with an error.
///
/// At the normal end, when the client closes the stream, there is none.
#[non_exhaustive]
pub enum StdioError {
    /// The read chunk of the [`Config`](super::Config) is too small or too large.
    InvalidChunkSize {
        /// Its size in bytes.
        size: usize,
    },
    /// A limit is outside of what is allowed.
    InvalidLimit(LimitError),
    /// The input could not be read.
    ReadFailed {
        /// What the system says.
        source: io::Error,
    },
    /// The output was closed, or failed while a reply was written.
    StdoutBroken {
        /// What the system says.
        source: io::Error,
    },
    /// Serving could not start.
    StartupFailed {
        /// Why, and what to do.
        reason: String,
    },
    /// The input ended in the middle of a message.
    InvalidTrailingData {
        /// What stands after the last newline: at most its first 1,024 bytes.
        bytes: Vec<u8>,
    },
}

/// How much of trailing data is kept.
pub(super) const MAX_TRAILING: usize = 1024;

/// As it is shown, so that `fn main() -> Result<(), StdioError>` shows it well.
impl fmt::Debug for StdioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for StdioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidChunkSize { size } => write!(
                f,
                "the read chunk must be from 1 to {} bytes, but is {size}",
                super::MAX_CHUNK
            ),
            Self::InvalidLimit(error) => error.fmt(f),
            Self::ReadFailed { source } => write!(f, "the input could not be read: {source}"),
            Self::StdoutBroken { source } => write!(f, "the output could not be written: {source}"),
            Self::StartupFailed { reason } => write!(f, "the server could not start: {reason}"),
            Self::InvalidTrailingData { bytes } => write!(
                f,
                "the input ended in the middle of a message: \"{}\"",
                bytes[..bytes.len().min(64)].escape_ascii()
            ),
        }
    }
}

impl Error for StdioError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::ReadFailed { source } | Self::StdoutBroken { source } => Some(source),
            Self::InvalidLimit(error) => Some(error),
            Self::InvalidChunkSize { .. }
            | Self::StartupFailed { .. }
            | Self::InvalidTrailingData { .. } => None,
        }
    }
}

impl From<LimitError> for StdioError {
    fn from(error: LimitError) -> Self {
        Self::InvalidLimit(error)
    }
}
