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
/// becomes an error with the panic's message.
///
/// With `panic = "abort"` nothing can be contained.
pub(super) struct Contained<S> {
    stage: Stage<S>,
}

enum Stage<S> {
    Due(S),
    Runs(Running),
    Ended,
}

impl<S: FnOnce() -> Running> Contained<S> {
    /// What `start` gives is run; it is user code already.
    pub(super) fn new(start: S) -> Self {
        let stage = Stage::Due(start);
        Self { stage }
    }
}

impl<S: FnOnce() -> Running + Unpin> Future for Contained<S> {
    type Output = Result<Outcome, String>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut run = match mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Due(start) => match caught(start) {
                Ok(run) => run,
                Err(message) => return Poll::Ready(Err(message)),
            },
            Stage::Runs(run) => run,
            Stage::Ended => return Poll::Pending,
        };
        let result = match caught(|| run.as_mut().poll(context)) {
            Ok(Poll::Pending) => {
                self.stage = Stage::Runs(run);
                return Poll::Pending;
            }
            Ok(Poll::Ready(output)) => Ok(output),
            Err(message) => Err(message),
        };
        Poll::Ready(caught(|| drop(run)).and(result))
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
