//! The signals that tell the process to end: SIGINT and SIGTERM; Ctrl-C on Windows.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as Signal, ctrl_c};

/// Hears the signals, in the place of what the system would do.
pub(super) struct Signals(Vec<Signal>);

impl Signals {
    /// Listens from now on, with the tokio runtime that this is called in. The process is never
    /// again ended by these signals themselves.
    pub(super) fn new() -> io::Result<Self> {
        #[cfg(unix)]
        let signals = vec![
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        ];
        #[cfg(windows)]
        let signals = vec![ctrl_c()?];
        Ok(Self(signals))
    }

    /// Waits for the next.
    pub(super) async fn next(&mut self) {
        poll_fn(|context| {
            let mut signals = self.0.iter_mut();
            if signals.any(|signal| signal.poll_recv(context).is_ready()) {
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
    }
}
