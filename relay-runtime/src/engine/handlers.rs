//! The runtime that handlers run in.

use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use tokio::runtime::{Builder, Handle, Runtime};

/// A tokio runtime: the application's, or one that is made when the first handler runs.
pub(crate) struct Handlers {
    handle: OnceLock<Handle>,
    own: Mutex<Option<Runtime>>,
}

impl Handlers {
    /// The application's.
    pub(crate) fn of(handle: Handle) -> Self {
        Self {
            handle: OnceLock::from(handle),
            own: Mutex::new(None),
        }
    }

    /// One of their own, once it is needed: a server that only lists its tools has none.
    pub(crate) fn own() -> Self {
        Self {
            handle: OnceLock::new(),
            own: Mutex::new(None),
        }
    }

    /// Makes the runtime, if it is not there yet; fails when the system gives no threads.
    pub(super) fn make(&self) -> io::Result<()> {
        if self.handle.get().is_some() {
            return Ok(());
        }
        let runtime = runtime()?;
        let handle = runtime.handle().clone();
        *self.own.lock().unwrap_or_else(PoisonError::into_inner) = Some(runtime);
        // Only the one thread that reads makes it.
        let _ = self.handle.set(handle);
        Ok(())
    }

    /// The runtime that was made before.
    pub(super) fn handle(&self) -> &Handle {
        self.handle.get().expect("made before a call is taken in")
    }

    /// Ends the runtime, if it is their own. A handler that blocks its thread does not keep the
    /// process.
    pub(crate) fn shut_down(&self) {
        let runtime = self
            .own
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(runtime) = runtime {
            runtime.shutdown_background();
        }
    }
}

/// More threads than processors, so that some handlers may block theirs.
fn runtime() -> io::Result<Runtime> {
    const AT_LEAST: usize = 8;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    Builder::new_multi_thread()
        .worker_threads(processors.max(AT_LEAST))
        .thread_name("relay-handler")
        .enable_all()
        .build()
}
