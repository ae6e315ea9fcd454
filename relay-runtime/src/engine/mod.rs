//! Between the streams and the protocol: frames go in, calls run, messages come out.
//!
//! The engine belongs to one connection. Whoever reads the stream gives it frames (`intake`), and
//! a handler that answers at once is run right there. Any other is a task (`dispatch`, `run`, `handlers`,
//! `pool`), which may be stuck in a handler that blocks without holding up reading or writing.

mod calls;
mod contained;
mod dispatch;
mod handlers;
mod host;
mod intake;
mod life;
mod outbox;
mod output;
mod phase;
mod pool;
mod questions;
mod rounds;
mod run;
mod streams;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::EnterGuard;
use tokio::sync::Notify;
use tokio::time::Instant;

use self::calls::Calls;
use self::outbox::{Outbox, Signs};
use self::questions::Questions;
use self::streams::Streams;
use crate::buffers::Shared;
use crate::call::{Context, Facts};
use crate::client::Profile;
use crate::hook::Hook;
use crate::limits::Limits;
use crate::protocol::{Catalog, Round};
use crate::request_id::RequestId;
use crate::server::Setup;
use crate::stdio::StdioError;
use crate::tool::AnyTool;

pub(crate) use self::handlers::Handlers;
pub(crate) use self::host::Host;
pub(crate) use self::intake::Reader;
pub(crate) use self::outbox::Batch;
pub(crate) use self::phase::Serial;
pub(crate) use self::rounds::{Asker, GoesOn};

/// A server on one connection.
pub(crate) struct Engine {
    catalog: Catalog,
    limits: Limits,
    context: Context,
    hooks: Vec<Hook>,
    trace_arguments: bool,
    handlers: Handlers,
    /// Where the connection has threads of its own.
    host: Option<Arc<dyn Host>>,
    /// Of the outbox, which stands with the state.
    signs: Arc<Signs>,
    questions: Questions,
    state: Mutex<State>,
    /// It has ended: nothing starts any more. Changes only with the state.
    stopped: AtomicBool,
    /// Somebody has yet to hear of a change of the tools. Changes only with the state.
    untold: AtomicBool,
    /// The state has changed in a way that [`Engine::run`] waits for.
    changed: Notify,
}

struct State {
    /// What the last `initialize` has settled.
    session: Option<Arc<Profile>>,
    calls: Calls<Job>,
    /// The call that the thread that reads runs itself: nobody else has to know of it unless it
    /// takes long.
    inline: Option<Arc<Facts>>,
    /// The call whose handler that thread is in, whether others know of it or not.
    reading: Option<Serial>,
    /// The streams of notifications that clients listen to.
    streams: Streams,
    outbox: Outbox,
    /// When [`Engine::run`] looks at the deadlines again, unless it is told before.
    wakes: Option<Instant>,
    input: Input,
    output: Output,
    /// How often [`Engine::interrupt`] was called.
    interrupts: u8,
}

enum Input {
    Open,
    Ended { garbage: Option<Vec<u8>> },
    Failed(io::Error),
}

enum Output {
    Open,
    Written,
    Broken(io::Error),
}

/// A call that is ready to run.
struct Job {
    tool: Arc<AnyTool>,
    facts: Arc<Facts>,
    /// JSON text.
    arguments: Shared,
    round: Round,
}

/// What a reader found.
pub(crate) enum Frame<'a> {
    /// A line, without its newline.
    Line(&'a [u8]),
    /// A line over the limit, of which only the id was kept.
    TooLong(Option<&'a RequestId>),
}

impl State {
    /// Whether the connection ends once its calls have.
    fn is_ending(&self) -> bool {
        self.interrupts > 0 || !matches!(self.input, Input::Open)
    }

    /// Whether all is written, and nothing will come.
    fn is_written(&self) -> bool {
        matches!(self.output, Output::Written)
    }

    /// Whether a request with this id has yet to be answered.
    fn is_in_flight(&self, id: &RequestId) -> bool {
        self.calls.is_in_flight(id) || self.streams.has(id)
    }

    /// Whether no call is in flight.
    fn is_idle(&self) -> bool {
        self.calls.is_empty() && self.inline.is_none()
    }

    /// Whether the thread that reads was in the handler of this call until now.
    fn stops_reading(&mut self, serial: Serial) -> bool {
        self.reading.take_if(|reading| *reading == serial).is_some()
    }

    /// The inline call, if it is this one.
    fn inline(&mut self, serial: Serial) -> Option<Arc<Facts>> {
        self.inline.take_if(|facts| Serial::of(facts) == serial)
    }
}

impl Engine {
    /// An engine with the handlers' runtime, and with the connection's own threads, if it has any.
    pub(crate) fn new(
        mut server: Setup,
        context: Context,
        handlers: Handlers,
        host: Option<Arc<dyn Host>>,
    ) -> Result<Arc<Self>, StdioError> {
        let limits = server.limits.clone();
        let hooks = std::mem::take(&mut server.hooks);
        let trace_arguments = server.trace_arguments;
        let catalog =
            Catalog::new(server).map_err(|reason| StdioError::StartupFailed { reason })?;
        let signs = Arc::new(Signs::default());
        let engine = Arc::new(Self {
            catalog,
            context,
            hooks,
            trace_arguments,
            handlers,
            signs: Arc::clone(&signs),
            host,
            questions: Questions::new(),
            state: Mutex::new(State {
                session: None,
                calls: Calls::new(),
                inline: None,
                reading: None,
                streams: Streams::default(),
                outbox: Outbox::new(limits.unsent_bytes, signs),
                wakes: None,
                input: Input::Open,
                output: Output::Open,
                interrupts: 0,
            }),
            limits,
            stopped: AtomicBool::new(false),
            untold: AtomicBool::new(false),
            changed: Notify::new(),
        });
        engine.hear_of_changes();
        Ok(engine)
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Has this thread know, as long as the guard lives, what handlers may ask it for. A host's
    /// thread that gives frames enters as soon as that is there; `None` before the first call.
    pub(crate) fn enter_handlers(&self) -> Option<EnterGuard<'_>> {
        self.handlers.enter()
    }

    /// Ends the runtime of the handlers, if it is their own.
    pub(crate) fn end_handlers(&self) {
        self.handlers.shut_down();
    }

    /// Whether it has ended.
    pub(crate) fn has_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
