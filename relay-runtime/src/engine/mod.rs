//! Between the streams and the protocol: frames go in, calls run, messages come out.
//!
//! The engine belongs to one connection. Whoever reads the stream gives it frames; whoever writes
//! takes batches of messages; the handlers are tasks of a tokio runtime, which may be stuck in
//! a handler that blocks without holding up the other two.

mod calls;
mod contained;
mod life;
mod outbox;
mod questions;
mod rounds;
mod run;
mod streams;

use std::collections::HashMap;
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::Instant;

use self::calls::{self as known, Calls, Serial, Terms};
use self::outbox::Outbox;
use self::questions::Questions;
use crate::cancellation::Cancellation;
use crate::client::Client;
use crate::hook::Hook;
use crate::limits::Limits;
use crate::protocol::{
    Answer, Ask, Catalog, Filter, Incoming, Refusal, Request, Round, Session, failure, judge, read,
    success,
};
use crate::request_id::RequestId;
use crate::server::Server;
use crate::stdio::StdioError;
use crate::tool::Tool;

/// A server on one connection.
pub(crate) struct Engine<C> {
    catalog: Catalog<C>,
    limits: Limits,
    context: Arc<C>,
    hooks: Vec<Hook<C>>,
    trace_arguments: bool,
    handlers: Handle,
    outbox: Outbox,
    questions: Questions,
    state: Mutex<State<C>>,
    /// A change of the tools could not be told yet.
    untold: AtomicBool,
    /// The state has changed in a way that [`Engine::run`] waits for.
    changed: Notify,
}

struct State<C> {
    /// What the last `initialize` has settled.
    session: Option<Arc<Session>>,
    calls: Calls<Job<C>>,
    /// The streams of notifications that clients listen to, by the ids of their requests.
    streams: HashMap<RequestId, Filter>,
    /// When [`Engine::run`] looks at the deadlines again, unless it is told before.
    wakes: Option<Instant>,
    input: Input,
    output: Output,
    /// How often [`Engine::interrupt`] was called.
    interrupts: u8,
    /// The engine has ended: nothing starts any more.
    stopped: bool,
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

impl<C> State<C> {
    /// Whether the connection ends once its calls have.
    fn is_ending(&self) -> bool {
        self.interrupts > 0 || !matches!(self.input, Input::Open)
    }
}

/// A call that is ready to run.
struct Job<C> {
    tool: Arc<Tool<C>>,
    client: Client,
    /// JSON text.
    arguments: Arc<str>,
    round: Round,
}

/// What a reader found.
pub(crate) enum Frame<'a> {
    /// A line, without its newline.
    Line(&'a [u8]),
    /// A line over the limit, of which only the id was kept.
    TooLong(Option<RequestId>),
}

impl<C: Send + Sync + 'static> Engine<C> {
    /// An engine whose handlers run on this runtime.
    pub(crate) fn new(
        mut server: Server<C>,
        context: C,
        handlers: Handle,
    ) -> Result<Arc<Self>, StdioError> {
        let limits = server.limits.clone();
        let hooks = std::mem::take(&mut server.hooks);
        let trace_arguments = server.trace_arguments;
        let catalog =
            Catalog::new(server).map_err(|reason| StdioError::StartupFailed { reason })?;
        let engine = Arc::new(Self {
            catalog,
            context: Arc::new(context),
            hooks,
            trace_arguments,
            handlers,
            outbox: Outbox::new(limits.unsent_bytes),
            questions: Questions::new(),
            limits,
            state: Mutex::new(State {
                session: None,
                calls: Calls::new(),
                streams: HashMap::new(),
                wakes: None,
                input: Input::Open,
                output: Output::Open,
                interrupts: 0,
                stopped: false,
            }),
            untold: AtomicBool::new(false),
            changed: Notify::new(),
        });
        engine.hear_of_changes();
        Ok(engine)
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    // The reader's side.

    /// Takes a frame; `false` when it is not even JSON.
    pub(crate) fn accept(self: &Arc<Self>, frame: &Frame<'_>) -> bool {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::TooLong(id) => {
                self.refuse_long(id.as_ref());
                return true;
            }
        };
        match read(line, self.limits.depth) {
            Incoming::Silent => true,
            Incoming::Initialized => {
                self.questions.set_ready(true);
                true
            }
            Incoming::Response(id, answer) => {
                // A response that nobody waits for is ignored.
                self.questions.answer(&id, answer);
                true
            }
            Incoming::Cancelled(id) => {
                self.cancel(&id);
                true
            }
            Incoming::Refused {
                id,
                refusal,
                garbage,
            } => {
                self.refuse(id.as_ref(), &refusal);
                !garbage
            }
            Incoming::Request(request) => {
                self.answer(&request, line.len());
                true
            }
        }
    }

    /// Waits until more may be read; `false` when nothing should be read any more.
    pub(crate) async fn may_read(&self) -> bool {
        self.outbox.room().await;
        !self.lock().stopped
    }

    /// The input has ended; `garbage` is what stood after the last newline, if that was no JSON.
    pub(crate) fn input_ended(&self, garbage: Option<Vec<u8>>) {
        self.lock().input = Input::Ended { garbage };
        self.questions.close();
        self.changed.notify_one();
    }

    /// The input cannot be read.
    pub(crate) fn input_failed(&self, error: io::Error) {
        self.lock().input = Input::Failed(error);
        self.questions.close();
        self.changed.notify_one();
    }

    /// Answers a request that came in a line of so many bytes.
    fn answer(self: &Arc<Self>, request: &Request<'_>, bytes: usize) {
        let id = &request.id;
        let state = self.lock();
        if state.calls.is_in_flight(id) || state.streams.contains_key(id) {
            drop(state);
            let refusal = Refusal::invalid_request("a request with this id is still in flight");
            return self.refuse(Some(id), &refusal);
        }
        let session = state.session.clone();
        drop(state);
        match judge(&self.catalog, session.as_deref(), request) {
            Err(refusal) => self.refuse(Some(id), &refusal),
            Ok(Ask::Discover) => self.succeed(id, self.catalog.discover()),
            Ok(Ask::Initialize(session)) => {
                self.questions.set_ready(false);
                self.succeed(id, &self.catalog.initialize(session.revision));
                self.lock().session = Some(Arc::new(session));
            }
            Ok(Ask::Ping) => self.succeed(id, b"{}"),
            Ok(Ask::List { revision, after }) => {
                self.succeed(id, &self.catalog.list(revision, after.as_deref()));
            }
            Ok(Ask::Listen(filter)) => self.open_stream(id, filter),
            Ok(Ask::Answer(result)) => self.succeed(id, &result),
            Ok(Ask::Call {
                tool,
                arguments,
                client,
                round,
            }) => {
                let job = Job {
                    tool,
                    client,
                    arguments: arguments.into(),
                    round,
                };
                self.submit(id.clone(), job, bytes);
            }
        }
    }

    fn submit(self: &Arc<Self>, id: RequestId, job: Job<C>, bytes: usize) {
        let terms = Terms {
            id: id.clone(),
            revision: job.client.revision,
            timeout: job.tool.timeout().unwrap_or(self.limits.handler_timeout),
            cancellation: Cancellation::new(),
        };
        let mut state = self.lock();
        if state.stopped {
            return;
        }
        if state.interrupts > 0 {
            drop(state);
            return self.refuse(Some(&id), &life::too_late());
        }
        let admitted = state.calls.admit(terms, bytes, job, &self.limits);
        self.start_calls(&mut state);
        drop(state);
        if let Err(refusal) = admitted {
            self.refuse(Some(&id), &refusal);
        }
    }

    fn cancel(self: &Arc<Self>, id: &RequestId) {
        let mut state = self.lock();
        state.streams.remove(id);
        state.calls.cancel(id, Instant::now() + self.limits.grace);
        self.after_an_end(state);
    }

    fn succeed(&self, id: &RequestId, result: &[u8]) {
        self.outbox.push(success(id, result));
    }

    fn refuse(&self, id: Option<&RequestId>, refusal: &Refusal) {
        self.outbox.push(failure(id, refusal));
    }

    /// Says that a message is too long, to whoever waits for an answer to it or for it.
    fn refuse_long(&self, id: Option<&RequestId>) {
        let why = format!(
            "the message is longer than {} bytes",
            self.limits.frame_bytes
        );
        if let Some(id) = id
            && self.questions.answer(id, Answer::Error(why.clone().into()))
        {
            return;
        }
        self.refuse(id, &Refusal::invalid_request(why));
    }

    // The handlers' side.

    /// Starts calls as long as one waits and may run.
    fn start_calls(self: &Arc<Self>, state: &mut State<C>) {
        while !state.stopped
            && !self.outbox.is_crowded()
            && state.calls.start_next(&self.limits, |serial, terms, job| {
                self.spawn(serial, terms, job)
            })
        {}
        self.watch_deadlines(state);
    }

    /// Has [`Engine::run`] wake up in time.
    fn watch_deadlines(&self, state: &mut State<C>) {
        if let Some(deadline) = state.calls.next_deadline()
            && state.wakes.is_none_or(|wakes| deadline < wakes)
        {
            state.wakes = Some(deadline);
            self.changed.notify_one();
        }
    }

    fn finish(self: &Arc<Self>, serial: Serial, message: Vec<u8>) {
        let mut state = self.lock();
        match state.calls.finish(serial) {
            known::Answer::Lost => return,
            known::Answer::Unwanted => {}
            // The id is free before its reply can be seen.
            known::Answer::Due => self.outbox.push(message),
        }
        self.after_an_end(state);
    }

    /// A call fewer: others may start, or none is left and the end of the input waits for that.
    fn after_an_end(self: &Arc<Self>, mut state: MutexGuard<'_, State<C>>) {
        self.start_calls(&mut state);
        if state.calls.is_empty() && state.is_ending() {
            drop(state);
            self.changed.notify_one();
        }
    }

    // The writer's side.

    /// Swaps messages to write into the batch; `false` when none will ever come.
    pub(crate) async fn take(&self, batch: &mut Vec<u8>) -> bool {
        self.outbox.take(batch).await
    }

    /// Some bytes of the batch are written.
    pub(crate) fn sent(self: &Arc<Self>, bytes: usize) {
        if self.outbox.sent(bytes) {
            self.start_calls(&mut self.lock());
        }
        self.tell_what_is_untold();
    }

    /// All is written.
    pub(crate) fn output_written(&self) {
        self.lock().output = Output::Written;
        self.changed.notify_one();
    }

    /// Nobody reads what is written.
    pub(crate) fn output_broke(&self, error: io::Error) {
        self.lock().output = Output::Broken(error);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
