//! The process's standard input and output, for the one connection that they serve.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::blocking::Blocking;
use super::config::Config;
use super::error::StdioError;
use super::startup_failed;

#[cfg(not(unix))]
use self::shared as private;
#[cfg(unix)]
use super::private::streams as private;

/// What a connection reads and writes.
pub(super) struct Streams {
    pub(super) reader: Blocking<Box<dyn Read + Send>>,
    pub(super) writer: Blocking<Box<dyn Write + Send>>,
}

impl Streams {
    pub(super) fn new(
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
    ) -> Self {
        Self {
            reader: Blocking(Box::new(reader)),
            writer: Blocking(Box::new(writer)),
        }
    }

    /// Takes them for a connection, for good: even when that has ended, the thread that reads may
    /// still be blocked in reading, and would take what is another's.
    pub(super) fn take(config: &Config) -> Result<Self, StdioError> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.swap(true, Ordering::Relaxed) {
            return Err(startup_failed(
                "standard input and output are served once in a process, and have been already",
            ));
        }
        if config.private_streams {
            private()
        } else {
            shared()
        }
    }
}

/// The streams as they are, which anything in the process can use as well.
fn shared() -> Result<Streams, StdioError> {
    Ok(Streams::new(io::stdin(), io::stdout()))
}
