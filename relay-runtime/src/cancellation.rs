//! Tells a handler that nobody waits for its answer any more.

use std::sync::Arc;

use tokio::sync::watch;

/// Fires once, for everybody who waits for it.
#[derive(Debug, Clone)]
pub(crate) struct Cancellation(Arc<watch::Sender<bool>>);

impl Cancellation {
    pub(crate) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    pub(crate) fn fire(&self) {
        self.0.send_replace(true);
    }

    pub(crate) fn is_fired(&self) -> bool {
        *self.0.borrow()
    }

    pub(crate) async fn fired(&self) {
        // The sender lives as long as `self`, so that the wait ends only when it fires.
        let _ = self.0.subscribe().wait_for(|fired| *fired).await;
    }
}
