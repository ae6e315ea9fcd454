//! A handler's panic, contained.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::outcome::Outcome;

/// Runs a handler from its first line to its last; a panic anywhere in it becomes an outcome.
///
/// With `panic = "abort"` nothing can be contained.
pub(super) struct Contained<F> {
    /// `None` once it has ended.
    run: Option<Pin<Box<F>>>,
}

impl<F: Future<Output = Outcome>> Contained<F> {
    pub(super) fn new(run: F) -> Self {
        Self {
            run: Some(Box::pin(run)),
        }
    }
}

impl<F: Future<Output = Outcome>> Future for Contained<F> {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let Some(run) = &mut self.run else {
            return Poll::Pending;
        };
        // Nobody sees the state that a panic leaves: the run is dropped at once. What handlers
        // share with each other is theirs to protect, as in any thread that panics.
        let outcome = match catch_unwind(AssertUnwindSafe(|| run.as_mut().poll(context))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(outcome)) => outcome,
            Err(panic) => Outcome::Panicked(message(&*panic)),
        };
        let run = self.run.take();
        match catch_unwind(AssertUnwindSafe(|| drop(run))) {
            Ok(()) => Poll::Ready(outcome),
            Err(panic) => Poll::Ready(Outcome::Panicked(message(&*panic))),
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a value that is no text".to_owned(),
    }
}
