//! The threads that handlers go on with, where the server brings its own.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use async_task::{Runnable, Task};
use tokio::runtime::Handle;

use super::contained::caught;
use crate::log;

/// A pool of threads. There are as many as have something to run, up to the number that may run at
/// a time, and one that waits; where those that run are held up, others are added.
pub(super) struct Pool(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    /// There is more to run, or the pool is closed.
    more: Condvar,
    /// So many run at a time, unless they are held up.
    at_a_time: usize,
    /// What the handlers await is known to it.
    reactor: Handle,
}

#[derive(Default)]
struct Queue {
    ready: VecDeque<Runnable>,
    threads: usize,
    /// Those that run something.
    running: usize,
    /// Those that wait for something to run, or are about to.
    waiting: usize,
    /// How much has been taken to be run: as long as that changes, nothing is held up.
    taken: u64,
    closed: bool,
}

/// More threads than processors, so that some handlers may block theirs.
const AT_LEAST: usize = 8;

/// So many threads may be held up in handlers.
const MOST: usize = 256;

/// When nothing was taken for so long, those that run are held up.
const HELD_UP: Duration = Duration::from_millis(5);

impl Pool {
    /// A pool without threads yet, for what awaits things of this runtime.
    pub(super) fn new(reactor: Handle) -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Shared {
            queue: Mutex::default(),
            more: Condvar::new(),
            at_a_time: processors.max(AT_LEAST),
            reactor,
        }))
    }

    /// Runs a future. It is dropped when the task is.
    pub(super) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> Task<()> {
        let shared = Arc::clone(&self.0);
        let (runnable, task) = async_task::spawn(future, move |runnable| shared.add(runnable));
        runnable.schedule();
        task
    }

    /// Has the threads end, once they have run what is ready.
    pub(super) fn close(&self) {
        self.0.lock().closed = true;
        self.0.more.notify_all();
    }
}

impl Shared {
    fn add(self: &Arc<Self>, runnable: Runnable) {
        let mut queue = self.lock();
        queue.ready.push_back(runnable);
        self.have_one_wait(&mut queue);
        drop(queue);
        self.more.notify_one();
    }

    /// Adds a thread where none waits.
    fn have_one_wait(self: &Arc<Self>, queue: &mut Queue) {
        if queue.waiting > 0 || queue.threads >= MOST {
            return;
        }
        let shared = Arc::clone(self);
        let thread = thread::Builder::new().name("relay-handler".into());
        match thread.spawn(move || shared.work()) {
            Ok(_) => {
                queue.threads += 1;
                queue.waiting += 1;
            }
            // There is no other yet.
            Err(error) if queue.threads == 0 => self.make_do(queue, &error),
            Err(_) => {}
        }
    }

    /// Without any thread, the reactor's own has to run what is there.
    fn make_do(&self, queue: &mut Queue, error: &io::Error) {
        log::no_thread(error);
        for runnable in queue.ready.drain(..) {
            self.reactor.spawn(async move { run(runnable) });
        }
    }

    fn work(self: Arc<Self>) {
        let _inside = self.reactor.enter();
        self.lock().waiting -= 1;
        while let Some(runnable) = self.next() {
            run(runnable);
            self.lock().running -= 1;
        }
        self.lock().threads -= 1;
    }

    /// What this thread is to run next; nothing when it is not needed any more.
    fn next(self: &Arc<Self>) -> Option<Runnable> {
        let mut queue = self.lock();
        loop {
            if queue.ready.is_empty() {
                if queue.closed || queue.waiting >= self.at_a_time {
                    return None;
                }
                queue.waiting += 1;
                queue = wait(self.more.wait(queue));
                queue.waiting -= 1;
                continue;
            }
            if queue.running < self.at_a_time {
                break;
            }
            let taken = queue.taken;
            queue.waiting += 1;
            let (after, time) = wait(self.more.wait_timeout(queue, HELD_UP));
            queue = after;
            queue.waiting -= 1;
            if time.timed_out() && queue.taken == taken && !queue.ready.is_empty() {
                break;
            }
        }
        let runnable = queue.ready.pop_front();
        queue.running += 1;
        queue.taken += 1;
        if !queue.ready.is_empty() {
            self.have_one_wait(&mut queue);
        }
        runnable
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        wait(self.queue.lock())
    }
}

/// Runs a task until it waits; one that was dropped is dropped here, with what the handler holds.
fn run(runnable: Runnable) {
    if let Err(panic) = caught(|| runnable.run()) {
        log::panicked_drop(&panic);
    }
}

/// Nothing in here panics while it holds the lock.
fn wait<T>(result: Result<T, PoisonError<T>>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}
