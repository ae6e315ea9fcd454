//! Tells a handler that nobody waits for its answer any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Fires once, for everybody who waits for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cancellation(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    fired: AtomicBool,
    waiting: Notify,
}

impl Cancellation {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn fire(&self) {
        self.0.fired.store(true, Ordering::Release);
        self.0.waiting.notify_waiters();
    }

    pub(crate) fn is_fired(&self) -> bool {
        self.0.fired.load(Ordering::Acquire)
    }

    pub(crate) async fn fired(&self) {
        // It counts as waiting from here on, so that it misses nothing after the look.
        let waiting = self.0.waiting.notified();
        if !self.is_fired() {
            waiting.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everybody_hears_of_it_before_and_after() {
        let cancellation = Cancellation::new();
        let waiting = [cancellation.clone(), cancellation.clone()]
            .map(|clone| tokio::spawn(async move { clone.fired().await }));
        tokio::task::yield_now().await;
        assert!(!cancellation.is_fired());
        cancellation.fire();
        for waits in waiting {
            waits.await.unwrap();
        }
        cancellation.fired().await;
        assert!(cancellation.is_fired());
    }
}
