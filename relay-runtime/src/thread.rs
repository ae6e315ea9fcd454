//! Threads, and waiting on them: compiled once, whatever runs there or is awaited.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::thread::{Builder, Thread};

use tokio::runtime::Runtime;

/// Starts a thread of this name.
pub(crate) fn start(name: &str, run: Box<dyn FnOnce() + Send>) -> io::Result<Thread> {
    let thread = Builder::new().name(name.to_owned()).spawn(run)?;
    Ok(thread.thread().clone())
}

/// Waits for a future.
pub(crate) fn wait_for<T>(runtime: &Runtime, future: impl Future<Output = T>) -> T {
    let mut given = None;
    {
        let mut future = pin!(async { given = Some(future.await) });
        let future: Pin<&mut dyn Future<Output = ()>> = future.as_mut();
        block_on(runtime, future);
    }
    given.expect("the future has ended")
}

fn block_on(runtime: &Runtime, future: Pin<&mut dyn Future<Output = ()>>) {
    runtime.block_on(future);
}
