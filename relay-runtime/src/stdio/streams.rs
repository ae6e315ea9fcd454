//! The process's standard input and output, for the one connection that they serve.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::config::Config;
use super::error::StdioError;
use super::startup_failed;

#[cfg(not(unix))]
use self::shared as private;
#[cfg(unix)]
pub(super) use super::now::Now;
#[cfg(unix)]
use super::private::streams as private;

/// What a connection reads and writes, with calls that block.
pub(super) struct Streams {
    pub(super) reader: Box<dyn Read + Send>,
    pub(super) writer: Box<dyn Write + Send>,
    /// The writer's stream, for what can be written without waiting.
    pub(super) now: Option<Now>,
}

/// There is no such stream here.
#[cfg(not(unix))]
pub(super) enum Now {}

#[cfg(not(unix))]
impl Now {
    pub(super) fn write(&self, _: &[u8]) -> io::Result<usize> {
        match *self {}
    }
}

impl Streams {
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
    Ok(Streams {
        reader: Box::new(io::stdin()),
        writer: Box::new(io::stdout()),
        now: None,
    })
}
