//! Tells a handler that nobody waits for its answer any more.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Fires once, for everybody who waits for it.
#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    fired: AtomicBool,
    waiting: Notify,
}

impl Cancellation {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn fire(&self) {
        self.fired.store(true, Ordering::Release);
        self.waiting.notify_waiters();
    }

    pub(crate) fn is_fired(&self) -> bool {
        self.fired.load(Ordering::Acquire)
    }

    pub(crate) async fn fired(&self) {
        // It counts as waiting from here on, so that it misses nothing after the look.
        let waiting = self.waiting.notified();
        if !self.is_fired() {
            waiting.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn everybody_hears_of_it_before_and_after() {
        let cancellation = Arc::new(Cancellation::new());
        let waiting = [Arc::clone(&cancellation), Arc::clone(&cancellation)]
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
