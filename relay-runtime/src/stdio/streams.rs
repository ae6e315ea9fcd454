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
    pub(super) reader: Box<dyn Source>,
    pub(super) writer: Box<dyn Sink>,
    /// The writer's stream, for what can be written without waiting.
    pub(super) now: Option<Now>,
}

/// What is read. Behind the standard library's trait, all that a reader can do besides would be linked,
/// for each of them.
pub(super) trait Source: Send {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize>;
}

impl<R: Read + Send> Source for R {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        Read::read(self, space)
    }
}

/// What is written to: a [`Source`] the other way.
pub(super) trait Sink: Send {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;
    fn flush(&mut self) -> io::Result<()>;
}

impl<W: Write + Send> Sink for W {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(self, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(self)
    }
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
