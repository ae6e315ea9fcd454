//! Where handlers run that do not answer at once.

use std::io;
use std::sync::OnceLock;

use tokio::runtime::{Builder, EnterGuard, Handle};
use tokio::task::AbortHandle;

use super::dispatch::CallTask;
use super::pool::Pool;
use crate::thread;

/// The application's tokio runtime, or threads that are there once a handler needs them.
pub(crate) enum Handlers {
    /// With what makes a task there: no other server links tokio's tasks.
    Of(Handle, fn(&Handle, CallTask) -> AbortHandle),
    Own(OnceLock<Own>),
}

/// Threads of the server's own. A runtime knows what their handlers await, and runs what those
/// spawn.
pub(crate) struct Own {
    reactor: Handle,
    pool: Pool,
}

/// A task that can be dropped before its end.
pub(super) enum TaskHandle {
    Of(AbortHandle),
    Own(async_task::Task<()>),
}

impl Handlers {
    /// The application's.
    pub(crate) fn of(handle: Handle) -> Self {
        Self::Of(handle, |handle, task| handle.spawn(task).abort_handle())
    }

    /// Their own, once one is needed: a server that only lists its tools has none.
    pub(crate) fn own() -> Self {
        Self::Own(OnceLock::new())
    }

    /// Makes what is not there yet, and says whether that was so; fails when the system gives no
    /// threads.
    pub(super) fn make(&self) -> io::Result<bool> {
        match self {
            Self::Own(own) if own.get().is_none() => {
                // Only the one thread that reads makes it.
                let _ = own.set(Own::start()?);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Has this thread know, as long as the guard lives, what handlers may ask it for; `None`
    /// while nothing is made.
    pub(super) fn enter(&self) -> Option<EnterGuard<'_>> {
        match self {
            Self::Of(handle, _) => Some(handle.enter()),
            Self::Own(own) => own.get().map(|own| own.reactor.enter()),
        }
    }

    /// Runs a task; they were [made](Self::make) before.
    pub(super) fn spawn(&self, task: CallTask) -> TaskHandle {
        match self {
            Self::Of(handle, spawn) => TaskHandle::Of(spawn(handle, task)),
            Self::Own(own) => {
                let own = own.get().expect("made before a call is taken in");
                TaskHandle::Own(own.pool.spawn(task))
            }
        }
    }

    /// Ends them, if they are the server's own. A handler that blocks its thread does not keep the
    /// process.
    pub(crate) fn shut_down(&self) {
        if let Self::Own(own) = self
            && let Some(own) = own.get()
        {
            own.pool.close();
        }
    }
}

impl Own {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let reactor = runtime.handle().clone();
        let pool = Pool::new(reactor.clone());
        // The reactor ends with the pool, and what handlers have spawned there.
        let stand_in = pool.stand_in();
        let react = move || {
            thread::wait_for(&runtime, stand_in);
            runtime.shutdown_background();
        };
        thread::start("relay-reactor", Box::new(react))?;
        Ok(Self { reactor, pool })
    }
}

impl TaskHandle {
    /// Drops the task, once it waits for something.
    pub(super) fn abort(self) {
        match self {
            Self::Of(task) => task.abort(),
            Self::Own(task) => drop(task),
        }
    }
}
