//! The threads of a connection over standard input and output.
//!
//! One thread leads: it reads, runs the handlers that answer at once, and writes what is to be
//! written, so that a call usually crosses no thread. A handler may block its thread; the watch
//! notices, and another thread takes the lead over from the one that is held up. A writer that may
//! wait is there once the client does not read as fast as is written.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

use tokio::runtime::Builder;

use super::blocking::{Blocking, persist};
use super::frames::Frames;
use super::pump;
use super::streams::{Now, Sink, Source, Streams};
use crate::engine::{Engine, Host, Reader, Serial};
use crate::thread::{start, wait_for};

/// How often the watch looks whether the leader is held up.
const LOOK: Duration = Duration::from_millis(5);

/// So many threads may be held up in handlers. When they are, calls run as tasks alone, whose
/// threads are bounded, too.
const MOST_HELD_UP: usize = 256;

/// After so many looks at which nothing had gone on, the watch rests.
const LOOKS_IN_VAIN: u32 = 200;

/// The threads of one connection.
pub(super) struct Threads {
    engine: OnceLock<Weak<Engine>>,
    input: Mutex<Input>,
    /// Which leader has the lead, counted from the first. Changes only with the input, which the
    /// leader may hold for long.
    leader: AtomicU64,
    /// How many there have been. One that has not been given the lead has its number for itself.
    leaders: AtomicU64,
    /// Those without the lead that have yet to end: as a rule, in the handler that has cost it.
    held_up: AtomicUsize,
    now: Mutex<Option<Now>>,
    /// For the thread that may wait, once it is needed.
    writer: Mutex<Option<Box<dyn Sink>>>,
    watch: OnceLock<Thread>,
    watching: AtomicBool,
    myself: Weak<Self>,
}

struct Input {
    /// Until the connection starts, nothing is read.
    stream: Box<dyn Source>,
    frames: Frames,
}

impl Threads {
    pub(super) fn new(frame_bytes: usize, chunk: usize) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            engine: OnceLock::new(),
            input: Mutex::new(Input {
                stream: Box::new(io::empty()),
                frames: Frames::new(frame_bytes, chunk),
            }),
            leader: AtomicU64::new(0),
            leaders: AtomicU64::new(0),
            held_up: AtomicUsize::new(0),
            now: Mutex::new(None),
            writer: Mutex::new(None),
            watch: OnceLock::new(),
            watching: AtomicBool::new(false),
            myself: Weak::clone(myself),
        })
    }

    /// Starts to read these streams for this engine.
    pub(super) fn start(
        self: &Arc<Self>,
        engine: &Arc<Engine>,
        streams: Streams,
    ) -> io::Result<()> {
        let _ = self.engine.set(Arc::downgrade(engine));
        lock(&self.input).stream = streams.reader;
        *lock(&self.now) = streams.now;
        *lock(&self.writer) = Some(streams.writer);
        self.start_leader(engine, 0)
    }

    /// The serving has ended: the client is to see that, even if the process goes on.
    pub(super) fn close(&self) {
        lock(&self.now).take();
        lock(&self.writer).take();
        if let Some(watch) = self.watch.get() {
            watch.unpark();
        }
    }

    fn start_leader(self: &Arc<Self>, engine: &Arc<Engine>, leader: u64) -> io::Result<()> {
        let (threads, engine) = (Arc::clone(self), Arc::clone(engine));
        let lead = move || threads.lead(&engine, leader);
        start("relay-read", Box::new(lead)).map(drop)
    }

    /// Reads until the end, or until another has the lead.
    fn lead(&self, engine: &Arc<Engine>, leader: u64) {
        let mut reader = engine.reader();
        let mut inside = engine.enter_handlers();
        let mut buffer = None;
        // What the one before has left behind.
        engine.flush();
        loop {
            let Some(mut input) = self.input(leader) else {
                self.held_up.fetch_sub(1, Ordering::Relaxed);
                break;
            };
            // Room is waited for only by who leads.
            if !may_read(engine) {
                break;
            }
            if let Some(taken) = input.frames.next() {
                let buffer = buffer.get_or_insert_with(|| input.frames.buffer());
                // From here on, another may take the lead.
                drop(input);
                inside = inside.or_else(|| engine.enter_handlers());
                engine.accept(&taken.frame(buffer), &mut reader);
                continue;
            }
            // The frames have it for themselves again, and read into it.
            buffer = None;
            engine.flush();
            // The last line may come with the end of what is read.
            inside = inside.or_else(|| engine.enter_handlers());
            if !may_read(engine) || !read_more(engine, input, &mut reader) {
                return;
            }
        }
        // What its last call came to.
        engine.flush();
    }

    /// The input, for who has the lead.
    fn input(&self, leader: u64) -> Option<MutexGuard<'_, Input>> {
        // One who has lost the lead must not wait until its successor has read; one who is to have
        // it has to wait until it is given.
        if self.leader.load(Ordering::Acquire) > leader {
            return None;
        }
        let input = lock(&self.input);
        (self.leader.load(Ordering::Acquire) == leader).then_some(input)
    }

    /// Looks after the leader until the connection has ended.
    fn look_after(&self) {
        let mut in_vain = 0;
        let mut last = None;
        while let Some(engine) = self.engine() {
            let now = engine.inline_call();
            if let Some(call) = now
                && now == last
            {
                self.relieve(&engine, call);
            }
            in_vain = if now == last { in_vain + 1 } else { 0 };
            last = now;
            if in_vain < LOOKS_IN_VAIN {
                drop(engine);
                thread::sleep(LOOK);
                continue;
            }
            self.watching.store(false, Ordering::SeqCst);
            // Whoever runs a call from here on wakes this thread.
            if engine.inline_call().is_none() {
                drop(engine);
                thread::park();
            }
            self.watching.store(true, Ordering::SeqCst);
            in_vain = 0;
        }
    }

    /// The engine, as long as it works.
    fn engine(&self) -> Option<Arc<Engine>> {
        let engine = self.engine.get().and_then(Weak::upgrade);
        engine.filter(|engine| !engine.has_stopped())
    }

    /// Gives the lead to another, if the leader still runs this call.
    fn relieve(&self, engine: &Arc<Engine>, call: Serial) {
        // Whoever has the lock reads, and is not held up.
        let (Some(threads), Ok(_input)) = (self.myself.upgrade(), self.input.try_lock()) else {
            return;
        };
        let leader = self.leaders.fetch_add(1, Ordering::Relaxed) + 1;
        // Without a thread, there is another look.
        if threads.start_leader(engine, leader).is_err() {
            return;
        }
        // The new one waits for the lock, and is none if the lead stays: one of the two ends.
        self.held_up.fetch_add(1, Ordering::Relaxed);
        if engine.adopt_inline(call) {
            self.leader.store(leader, Ordering::Release);
        }
    }
}

impl Host for Threads {
    fn write_now(&self, bytes: &[u8]) -> io::Result<usize> {
        match &*lock(&self.now) {
            Some(now) => now.write(bytes),
            None => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn write_later(&self) -> io::Result<()> {
        let Some(writer) = lock(&self.writer).take() else {
            return Ok(());
        };
        let Some(engine) = self.engine.get().and_then(Weak::upgrade) else {
            return Ok(());
        };
        let runtime = Builder::new_current_thread().build()?;
        let write = move || wait_for(&runtime, pump::write_all(engine, Blocking(writer)));
        start("relay-write", Box::new(write)).map(drop)
    }

    fn can_relieve(&self) -> bool {
        self.held_up.load(Ordering::Relaxed) < MOST_HELD_UP
    }

    fn watch(&self) {
        if self.watching.load(Ordering::SeqCst) {
            return;
        }
        self.watching.store(true, Ordering::SeqCst);
        if let Some(watch) = self.watch.get() {
            return watch.unpark();
        }
        let Some(threads) = self.myself.upgrade() else {
            return;
        };
        match start("relay-watch", Box::new(move || threads.look_after())) {
            Ok(watch) => drop(self.watch.set(watch)),
            // The next call tries again.
            Err(_) => self.watching.store(false, Ordering::SeqCst),
        }
    }
}

/// Reads more; `false` when there is none. Nobody takes the lead from one who has the input.
fn read_more(engine: &Arc<Engine>, mut input: MutexGuard<'_, Input>, reader: &mut Reader) -> bool {
    let Input { stream, frames } = &mut *input;
    let space = frames.space();
    match persist(|| stream.read(space)) {
        Ok(0) => {
            let (last, buffer) = (frames.last(), frames.buffer());
            // Its handler may hold this thread up, too.
            drop(input);
            pump::finish(engine, last.as_ref(), &buffer, reader);
        }
        Ok(length) => {
            frames.filled(length);
            return true;
        }
        Err(error) => engine.input_failed(error),
    }
    false
}

/// Waits until there is room for answers; `false` when nothing should be read any more.
fn may_read(engine: &Arc<Engine>) -> bool {
    if engine.has_room() {
        return !engine.has_stopped();
    }
    match Builder::new_current_thread().build() {
        Ok(runtime) => wait_for(&runtime, engine.may_read()),
        Err(error) => {
            engine.input_failed(error);
            false
        }
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
