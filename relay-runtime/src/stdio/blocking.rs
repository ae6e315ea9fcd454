//! Streams that block, each on a thread of its own.
//!
//! A standard stream may be anything: a pipe, a socket, a terminal, a file, /dev/null. All of them
//! can be read and written with calls that block, and none of those touches the flags of the
//! descriptor, which the parent process shares.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use tokio::io::AsyncWrite;

use super::streams::Sink;

/// A stream that blocks, for a thread that does nothing else.
pub(super) struct Blocking(pub(super) Box<dyn Sink>);

impl AsyncWrite for Blocking {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(persist(|| self.0.write(bytes)))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(persist(|| self.0.flush()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

/// Tries again where the parent has left its descriptor in a mode that does not block.
pub(super) fn persist<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    const FIRST_PAUSE: Duration = Duration::from_micros(50);
    const LONGEST_PAUSE: Duration = Duration::from_millis(10);
    let mut pause = FIRST_PAUSE;
    loop {
        match operation() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(pause);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_that_does_not_block_is_asked_again() {
        let mut answers = vec![
            Ok(3),
            Err(io::ErrorKind::Interrupted.into()),
            Err(io::ErrorKind::WouldBlock.into()),
        ];
        let answer = persist(|| answers.pop().unwrap_or(Ok(0)));
        assert_eq!(answer.unwrap(), 3);
    }
}
