//! How far a call has come, told to a client that asked for it.

use std::sync::{Mutex, PoisonError};

use crate::protocol::{self, Revision};
use crate::request_id::RequestId;

/// The progress of one call.
pub(crate) struct Progress {
    token: RequestId,
    revision: Revision,
    /// What was reported last. Held while a report is sent, so that none overtakes another.
    last: Mutex<f64>,
    send: Box<Sink>,
}

/// Sends a message, as long as the call is one that gets messages.
type Sink = dyn Fn(Vec<u8>) + Send + Sync;

impl Progress {
    pub(crate) fn new(
        token: RequestId,
        revision: Revision,
        send: impl Fn(Vec<u8>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            token,
            revision,
            last: Mutex::new(f64::NEG_INFINITY),
            send: Box::new(send),
        }
    }

    pub(crate) fn report(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if !progress.is_finite() || progress <= *last {
            return;
        }
        *last = progress;
        let total = total.filter(|total| total.is_finite());
        (self.send)(protocol::progress(
            self.revision,
            &self.token,
            progress,
            total,
            message,
        ));
    }
}
