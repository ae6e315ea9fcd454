//! A panic of user code, contained.

use std::any::Any;
use std::future::Future;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::outcome::Outcome;
use crate::tool::Running;

/// Runs user code from its first line to its last; a panic anywhere in it, its drops included,
/// is an outcome with the panic's message.
///
/// With `panic = "abort"` nothing can be contained.
pub(super) enum Contained {
    Runs(Running),
    Panicked(String),
    Ended,
}

impl Contained {
    /// What `start` gives is run; it is user code already.
    pub(super) fn start(start: impl FnOnce() -> Running) -> Self {
        caught(start).map_or_else(Self::Panicked, Self::Runs)
    }
}

impl Future for Contained {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let result = match &mut *self {
            Self::Runs(run) => match caught(|| run.as_mut().poll(context)) {
                Ok(Poll::Pending) => return Poll::Pending,
                Ok(Poll::Ready(outcome)) => Ok(outcome),
                Err(message) => Err(message),
            },
            Self::Panicked(message) => Err(mem::take(message)),
            Self::Ended => return Poll::Pending,
        };
        let ended = mem::replace(&mut *self, Self::Ended);
        let outcome = caught(|| drop(ended)).and(result);
        Poll::Ready(outcome.unwrap_or_else(Outcome::panicked))
    }
}

/// Nobody sees the state that a panic leaves: the run is dropped at once. What handlers share with
/// each other is theirs to protect, as in any thread that panics.
pub(super) fn caught<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| {
        let message = message(&*panic);
        // Even the value of a panic may panic when it is dropped; that one is leaked.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
            std::mem::forget(again);
        }
        message
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a value that is no text".to_owned(),
    }
}
