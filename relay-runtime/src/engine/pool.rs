//! The threads that handlers go on with, where the server brings its own.

use std::collections::VecDeque;
use std::future::Future;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_task::{Runnable, Task};
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::contained::caught;
use crate::log;

/// A pool of threads. There are as many as have something to run, up to the number that may run at
/// a time, and one that waits; where those that run are held up, others are added.
pub(super) struct Pool(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    /// There is more to run, or the pool is closed.
    more: Condvar,
    /// There is no thread to run it, or the pool is closed.
    alone: Notify,
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
    /// When something was taken to be run last: as long as that changes, nothing is held up.
    taken: Option<Instant>,
    closed: bool,
}

/// More threads than processors, so that some handlers may block theirs.
const AT_LEAST: usize = 8;

/// So many threads may be held up in handlers.
const MOST: usize = 256;

/// When nothing was taken for so long, those that run are held up.
const HELD_UP: Duration = Duration::from_millis(5);

/// The processors that this process may run on. On Linux that is one system call: the standard
/// library also reads how much of their time the control groups leave, which takes a dozen calls
/// and pages of memory. That says nothing of how many handlers may be at work.
#[cfg(target_os = "linux")]
fn processors() -> usize {
    rustix::thread::sched_getaffinity(None).map_or(1, |set| set.count() as usize)
}

#[cfg(not(target_os = "linux"))]
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Pool {
    /// A pool without threads yet, for what awaits things of this runtime.
    pub(super) fn new(reactor: Handle) -> Self {
        Self(Arc::new(Shared {
            queue: Mutex::default(),
            more: Condvar::new(),
            alone: Notify::new(),
            at_a_time: processors().max(AT_LEAST),
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
        self.0.alone.notify_one();
    }

    /// Runs what is there while there is no thread for it, until the pool is closed: for the
    /// reactor's own thread.
    pub(super) fn stand_in(&self) -> impl Future<Output = ()> + Send + 'static {
        let shared = Arc::clone(&self.0);
        async move {
            loop {
                shared.alone.notified().await;
                let Some(ready) = shared.take_ready() else {
                    return;
                };
                ready.into_iter().for_each(run);
                // It has its own to do, too.
                tokio::task::yield_now().await;
            }
        }
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

    /// All that is there to be run; `None` once the pool is closed.
    fn take_ready(&self) -> Option<VecDeque<Runnable>> {
        let mut queue = self.lock();
        (!queue.closed).then(|| mem::take(&mut queue.ready))
    }

    /// Adds a thread where none waits.
    fn have_one_wait(self: &Arc<Self>, queue: &mut Queue) {
        if queue.waiting > 0 || queue.threads >= MOST {
            return;
        }
        let shared = Arc::clone(self);
        match crate::thread::start("relay-handler", Box::new(move || shared.work())) {
            Ok(_) => {
                queue.threads += 1;
                queue.waiting += 1;
            }
            // There is no other yet.
            Err(error) if queue.threads == 0 => {
                log::no_thread(&error);
                self.alone.notify_one();
            }
            Err(_) => {}
        }
    }

    fn work(self: Arc<Self>) {
        let _inside = self.reactor.enter();
        self.lock().waiting -= 1;
        while let Some(runnable) = self.next() {
            run(runnable);
            self.lock().running -= 1;
        }
    }

    /// What this thread is to run next; nothing when it is not needed any more, and not counted
    /// from then on.
    fn next(self: &Arc<Self>) -> Option<Runnable> {
        let mut queue = self.lock();
        loop {
            if queue.ready.is_empty() {
                if queue.closed || queue.waiting >= self.at_a_time {
                    queue.threads -= 1;
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
            // Not from here on: what is added wakes this thread, time and again.
            let since = queue.taken.map_or(HELD_UP, |taken| taken.elapsed());
            if since >= HELD_UP {
                break;
            }
            queue.waiting += 1;
            (queue, _) = wait(self.more.wait_timeout(queue, HELD_UP - since));
            queue.waiting -= 1;
        }
        let runnable = queue.ready.pop_front();
        queue.running += 1;
        queue.taken = Some(Instant::now());
        if !queue.ready.is_empty() {
            self.have_one_wait(&mut queue);
            // What was added may have woken nobody but this thread.
            self.more.notify_one();
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, mpsc};
    use std::thread;

    use tokio::runtime::{Builder, Runtime};
    use tokio::sync::Notify;

    use super::*;

    fn pool() -> (Runtime, Pool) {
        let runtime = Builder::new_multi_thread().worker_threads(1).build();
        let runtime = runtime.expect("a runtime");
        let pool = Pool::new(runtime.handle().clone());
        (runtime, pool)
    }

    /// Waits until a pool has so many threads at most.
    fn shrinks_to(pool: &Pool, threads: usize) {
        while pool.0.lock().threads > threads {
            thread::sleep(HELD_UP);
        }
    }

    #[test]
    fn those_that_are_held_up_hold_nobody_up() {
        const MANY: usize = 100;
        let (_runtime, pool) = pool();
        let at_a_time = pool.0.at_a_time;
        for _ in 0..3 {
            let all = Arc::new(Barrier::new(MANY));
            let (done, wait) = mpsc::channel();
            for _ in 0..MANY {
                let (all, done) = (Arc::clone(&all), done.clone());
                let task = async move {
                    all.wait();
                    done.send(()).expect("it is waited for");
                };
                pool.spawn(task).detach();
            }
            assert_eq!(wait.iter().take(MANY).count(), MANY);
            shrinks_to(&pool, at_a_time + 1);
        }
        pool.close();
        shrinks_to(&pool, 0);
    }

    #[test]
    fn whatever_is_added_meanwhile_those_that_are_held_up_are_noticed() {
        let (_runtime, pool) = pool();
        let held_up = Arc::new(Barrier::new(pool.0.at_a_time + 1));
        for _ in 0..pool.0.at_a_time {
            let held_up = Arc::clone(&held_up);
            let task = async move {
                held_up.wait();
            };
            pool.spawn(task).detach();
        }
        let (done, wait) = mpsc::channel();
        let mut added = 0;
        while wait.try_recv().is_err() {
            let done = done.clone();
            let task = async move { done.send(()).unwrap_or_default() };
            pool.spawn(task).detach();
            added += 1;
            assert!(added < 2000, "nothing runs");
            thread::sleep(HELD_UP / 10);
        }
        held_up.wait();
    }

    #[test]
    fn whoever_is_woken_runs_even_after_the_end() {
        const MANY: usize = 2000;
        let (_runtime, pool) = pool();
        let (go, ran) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        let tasks: Vec<_> = (0..MANY)
            .map(|number| {
                let (go, ran) = (Arc::clone(&go), Arc::clone(&ran));
                pool.spawn(async move {
                    for _ in 0..number % 5 {
                        tokio::task::yield_now().await;
                    }
                    go.notified().await;
                    go.notify_one();
                    ran.fetch_add(1, Ordering::Relaxed);
                })
            })
            .collect();
        pool.close();
        go.notify_one();
        tasks.into_iter().for_each(Task::detach);
        while ran.load(Ordering::Relaxed) < MANY {
            thread::sleep(HELD_UP);
        }
        shrinks_to(&pool, 0);
        assert!(pool.0.lock().ready.is_empty());
    }

    #[test]
    fn without_threads_the_reactor_stands_in() {
        let (runtime, pool) = pool();
        let shared = Arc::clone(&pool.0);
        // As where none can be had.
        let add = move |runnable| {
            shared.lock().ready.push_back(runnable);
            shared.alone.notify_one();
        };
        let future = async {
            tokio::task::yield_now().await;
            7
        };
        let (runnable, task) = async_task::spawn(future, add);
        runnable.schedule();
        let stand_in = runtime.spawn(pool.stand_in());
        assert_eq!(runtime.block_on(task), 7);
        pool.close();
        runtime.block_on(stand_in).expect("it ends with the pool");
    }

    #[test]
    fn what_is_dropped_is_dropped_by_the_pool() {
        struct Dropped(mpsc::Sender<Option<String>>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                let _ = self.0.send(thread::current().name().map(Into::into));
            }
        }
        let (_runtime, pool) = pool();
        let (dropped, wait) = mpsc::channel();
        let held = Dropped(dropped);
        let task = pool.spawn(async move {
            let _held = held;
            std::future::pending().await
        });
        drop(task);
        assert_eq!(wait.recv().expect("dropped"), Some("relay-handler".into()));
        assert!(wait.recv().is_err());
    }
}
