//! Code round every call.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::call::{AnyCall, Call};
use crate::outcome::Outcome;
use crate::tool::Running;

/// What runs round every call: see [`Server::around`](crate::Server::around).
pub(crate) type Hook = Arc<dyn Fn(AnyCall, Next) -> Running + Send + Sync>;

/// The rest of a call: the hooks that were added later, the check of the arguments and the
/// handler.
#[must_use = "the handler runs only if this does"]
pub struct Next(Running);

impl Next {
    pub(crate) fn new(rest: impl Future<Output = Outcome> + Send + 'static) -> Self {
        Self(Box::pin(rest))
    }

    /// Runs the rest of the call.
    ///
    /// A panic in it is an outcome too. Where the call is dropped, since it was cancelled or has
    /// timed out and its grace is over, this never comes back, and the hook is dropped with it.
    pub async fn run(self) -> Outcome {
        self.0.await
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").finish_non_exhaustive()
    }
}

/// A hook, its types erased.
pub(crate) fn hook<C, F, Fut>(around: F) -> Hook
where
    C: Send + Sync + 'static,
    F: Fn(Call<C>, Next) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Outcome> + Send + 'static,
{
    Arc::new(move |call, next| Box::pin(around(call.typed(), next)))
}
