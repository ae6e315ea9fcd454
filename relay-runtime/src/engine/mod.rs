//! Between the streams and the protocol: frames go in, calls run, messages come out.
//!
//! The engine belongs to one connection. Whoever reads the stream gives it frames; whoever writes
//! takes batches of messages; the handlers are tasks of a tokio runtime, which may be stuck in
//! a handler that blocks without holding up the other two.

mod calls;
mod contained;
mod life;
mod outbox;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use self::calls::{Answer, Calls, Serial, Terms};
use self::contained::Contained;
use self::outbox::Outbox;
use crate::call::Call;
use crate::cancellation::Cancellation;
use crate::client::Client;
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::protocol::{
    Ask, CallResult, Catalog, Incoming, Refusal, Request, Revision, Session, failure, judge, read,
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
    handlers: Handle,
    outbox: Outbox,
    state: Mutex<State<C>>,
    /// The state has changed in a way that [`Engine::run`] waits for.
    changed: Notify,
}

struct State<C> {
    /// What the last `initialize` has settled.
    session: Option<Arc<Session>>,
    calls: Calls<Job<C>>,
    /// When [`Engine::run`] looks at the deadlines again, unless it is told before.
    wakes: Option<Instant>,
    input: Input,
    output: Output,
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

/// A call that is ready to run.
struct Job<C> {
    tool: Arc<Tool<C>>,
    client: Client,
    arguments: Box<RawValue>,
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
        server: Server<C>,
        context: C,
        handlers: Handle,
    ) -> Result<Arc<Self>, StdioError> {
        let limits = server.limits.clone();
        let catalog =
            Catalog::new(server).map_err(|reason| StdioError::StartupFailed { reason })?;
        Ok(Arc::new(Self {
            catalog,
            context: Arc::new(context),
            handlers,
            outbox: Outbox::new(limits.unsent_bytes),
            limits,
            state: Mutex::new(State {
                session: None,
                calls: Calls::new(),
                wakes: None,
                input: Input::Open,
                output: Output::Open,
                stopped: false,
            }),
            changed: Notify::new(),
        }))
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
                self.refuse(id.as_ref(), &self.too_long());
                return true;
            }
        };
        match read(line, self.limits.depth) {
            Incoming::Silent => true,
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
        self.changed.notify_one();
    }

    /// The input cannot be read.
    pub(crate) fn input_failed(&self, error: io::Error) {
        self.lock().input = Input::Failed(error);
        self.changed.notify_one();
    }

    /// Answers a request that came in a line of so many bytes.
    fn answer(self: &Arc<Self>, request: &Request<'_>, bytes: usize) {
        let id = &request.id;
        let state = self.lock();
        if state.calls.is_in_flight(id) {
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
                self.succeed(id, &self.catalog.initialize(session.revision));
                self.lock().session = Some(Arc::new(session));
            }
            Ok(Ask::Ping) => self.succeed(id, b"{}"),
            Ok(Ask::List(revision)) => self.succeed(id, self.catalog.list(revision)),
            Ok(Ask::Fail(revision, result)) => {
                self.succeed(id, &self.catalog.call_result(revision, result));
            }
            Ok(Ask::Call {
                tool,
                arguments,
                client,
            }) => {
                self.submit(id.clone(), tool, arguments, client, bytes);
            }
        }
    }

    fn submit(
        self: &Arc<Self>,
        id: RequestId,
        tool: Arc<Tool<C>>,
        arguments: &str,
        client: Client,
        bytes: usize,
    ) {
        let arguments = match serde_json::from_str::<&RawValue>(arguments) {
            Ok(arguments) => arguments.to_owned(),
            // The scan has accepted the text, so this is out of reach; if it is not, say so.
            Err(error) => {
                let refusal = Refusal::invalid_request(format!("unreadable arguments: {error}"));
                return self.refuse(Some(&id), &refusal);
            }
        };
        let terms = Terms {
            id: id.clone(),
            revision: client.revision,
            timeout: tool.timeout().unwrap_or(self.limits.handler_timeout),
            cancellation: Cancellation::new(),
        };
        let job = Job {
            tool,
            client,
            arguments,
        };
        let mut state = self.lock();
        if state.stopped {
            return;
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
        state.calls.cancel(id, Instant::now() + self.limits.grace);
        self.after_an_end(state);
    }

    fn succeed(&self, id: &RequestId, result: &[u8]) {
        self.outbox.push(success(id, result));
    }

    fn refuse(&self, id: Option<&RequestId>, refusal: &Refusal) {
        self.outbox.push(failure(id, refusal));
    }

    fn too_long(&self) -> Refusal {
        Refusal::invalid_request(format!(
            "the message is longer than {} bytes",
            self.limits.frame_bytes
        ))
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

    fn spawn(self: &Arc<Self>, serial: Serial, terms: Terms, job: Job<C>) -> AbortHandle {
        let engine = Arc::clone(self);
        let task = async move {
            let Terms {
                id,
                revision,
                cancellation,
                ..
            } = terms;
            let Job {
                tool,
                client,
                arguments,
            } = job;
            let progress = engine.progress(serial, &client);
            let call = Call::new(
                Arc::clone(&engine.context),
                tool.shared_name(),
                id.clone(),
                client,
                cancellation,
                progress,
            );
            let run = async { tool.run(call, arguments).await.publish(tool.name(), &id) };
            let result = Contained::new(run)
                .await
                .unwrap_or_else(|panic| Outcome::Panicked(panic).publish(tool.name(), &id));
            let message = engine.reply(&id, result, &tool, revision);
            engine.finish(serial, message);
        };
        self.handlers.spawn(task).abort_handle()
    }

    /// Where the reports of a call go, if its client wants any.
    fn progress(self: &Arc<Self>, serial: Serial, client: &Client) -> Option<Progress> {
        let token = client.progress_token.clone()?;
        let engine = Arc::downgrade(self);
        Some(Progress::new(token, client.revision, move |message| {
            if let Some(engine) = engine.upgrade() {
                engine.report(serial, message);
            }
        }))
    }

    /// Sends a report, unless nobody is to hear of the call any more or nobody reads.
    fn report(&self, serial: Serial, message: Vec<u8>) {
        let state = self.lock();
        if state.calls.is_heard(serial) {
            self.outbox.push_if_roomy(message);
        }
    }

    fn reply(
        &self,
        id: &RequestId,
        result: CallResult,
        tool: &Tool<C>,
        revision: Revision,
    ) -> Vec<u8> {
        let body = self.catalog.call_result(revision, result);
        let limit = self.limits.reply_bytes;
        if body.len() <= limit {
            return success(id, &body);
        }
        let too_large = CallResult::failed(format!(
            "The result of the tool {} has {} bytes, over the limit of {limit}. Ask for less.",
            tool.name(),
            body.len()
        ));
        success(id, &self.catalog.call_result(revision, too_large))
    }

    fn finish(self: &Arc<Self>, serial: Serial, message: Vec<u8>) {
        let mut state = self.lock();
        match state.calls.finish(serial) {
            Answer::Lost => return,
            Answer::Unwanted => {}
            // The id is free before its reply can be seen.
            Answer::Due => self.outbox.push(message),
        }
        self.after_an_end(state);
    }

    /// A call fewer: others may start, or none is left and the end of the input waits for that.
    fn after_an_end(self: &Arc<Self>, mut state: MutexGuard<'_, State<C>>) {
        self.start_calls(&mut state);
        if state.calls.is_empty() && !matches!(state.input, Input::Open) {
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
