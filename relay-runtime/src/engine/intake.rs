//! The reader's side of the engine.

use std::io;
use std::sync::Arc;

use tokio::time::Instant;

use super::contained::caught;
use super::phase::Serial;
use super::{Engine, Frame, Input, Job, life};
use crate::buffers::Shared;
use crate::call::Facts;
use crate::client::Client;
use crate::log;
use crate::protocol::{
    Answer, Ask, Incoming, Notes, Recent, Refusal, Request, failure, judge, read, success,
};
use crate::request_id::RequestId;
use crate::tool::AnyTool;
use crate::unique::Numbers;

/// What whoever reads keeps from one frame to the next.
pub(crate) struct Reader {
    notes: Notes,
    known: Known,
}

/// What it knows of the connection.
struct Known {
    recent: Recent,
    numbers: Numbers,
}

impl Engine {
    /// For one who reads on from here.
    pub(crate) fn reader(&self) -> Reader {
        let mut recent = Recent::default();
        recent.session = self.lock().session.clone();
        Reader {
            notes: Notes::default(),
            known: Known {
                recent,
                numbers: Numbers::default(),
            },
        }
    }

    /// Takes a frame; `false` when it is not even JSON. What it adds is written by the next
    /// [`flush`](Self::flush).
    pub(crate) fn accept(self: &Arc<Self>, frame: &Frame<'_>, reader: &mut Reader) -> bool {
        // What the application holds may panic when it is dropped here; whoever reads goes on.
        caught(|| self.take_in(frame, reader)).unwrap_or_else(|panic| {
            log::panicked_drop(&panic);
            true
        })
    }

    fn take_in(self: &Arc<Self>, frame: &Frame<'_>, reader: &mut Reader) -> bool {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::TooLong(id) => {
                self.refuse_long(*id);
                return true;
            }
        };
        match read(line, self.limits.depth, &mut reader.notes) {
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
                self.answer(request, line.len(), &mut reader.known);
                true
            }
        }
    }

    /// Whether more may be read now: there is room for what would be answered.
    pub(crate) fn has_room(&self) -> bool {
        !self.signs.is_crowded()
    }

    /// Waits until more may be read; `false` when nothing should be read any more.
    pub(crate) async fn may_read(self: &Arc<Self>) -> bool {
        if !self.has_room() {
            self.flush();
            self.room().await;
        }
        !self.has_stopped()
    }

    /// The input has ended; `garbage` is what stood after the last newline, if that was no JSON.
    pub(crate) fn input_ended(&self, garbage: Option<Vec<u8>>) {
        self.end_input(Input::Ended { garbage });
    }

    /// The input cannot be read.
    pub(crate) fn input_failed(&self, error: io::Error) {
        self.end_input(Input::Failed(error));
    }

    fn end_input(&self, input: Input) {
        self.lock().input = input;
        // No answer can come any more.
        self.questions.close();
        self.changed.notify_one();
    }

    /// Answers a request that came in a line of so many bytes.
    fn answer(self: &Arc<Self>, request: Request<'_>, bytes: usize, known: &mut Known) {
        let id = &request.id;
        match judge(&self.catalog, &mut known.recent, &request) {
            Ok(Ask::Call {
                tool,
                arguments,
                client,
                round,
            }) => {
                let facts = self.facts(known.numbers.next(), &tool, request.id, client);
                let arguments = Shared::copy(arguments);
                let job = Job {
                    tool,
                    facts,
                    arguments,
                    round,
                };
                self.submit(job, bytes);
            }
            _ if self.lock().is_in_flight(id) => self.refuse_again(id),
            Err(refusal) => self.refuse(Some(id), &refusal),
            Ok(Ask::Discover) => self.succeed(id, self.catalog.discover()),
            Ok(Ask::Initialize(session)) => {
                self.questions.set_ready(false);
                self.succeed(id, &self.catalog.initialize(session.revision));
                known.recent.session = Some(Arc::new(session));
                self.lock().session.clone_from(&known.recent.session);
            }
            Ok(Ask::Ping) => self.succeed(id, b"{}"),
            Ok(Ask::List { revision, after }) => {
                self.succeed(id, &self.catalog.list(revision, after.as_deref()));
            }
            Ok(Ask::Listen(filter)) => self.open_stream(id, filter),
            Ok(Ask::Answer(result)) => self.succeed(id, &result),
        }
    }

    fn facts(
        self: &Arc<Self>,
        invocation: u64,
        tool: &AnyTool,
        id: RequestId,
        client: Client,
    ) -> Arc<Facts> {
        let progress = self.progress(Serial(invocation), &client);
        Arc::new(Facts::new(
            invocation,
            tool.shared_name(),
            id,
            client,
            tool.timeout().unwrap_or(self.limits.handler_timeout),
            progress,
        ))
    }

    /// Runs a call: here, if it may start at once and the reader can be relieved; else as a task,
    /// when its turn comes.
    fn submit(self: &Arc<Self>, job: Job, bytes: usize) {
        let just_made = match self.handlers.make() {
            Ok(just_made) => just_made,
            Err(error) => {
                let refusal = Refusal::overloaded(format!("the system gives no threads: {error}"));
                return self.refuse(Some(job.facts.request_id()), &refusal);
            }
        };
        let mut state = self.lock();
        if self.has_stopped() {
            return;
        }
        if state.is_in_flight(job.facts.request_id()) {
            drop(state);
            return self.refuse_again(job.facts.request_id());
        }
        if state.interrupts > 0 {
            drop(state);
            return self.refuse(Some(job.facts.request_id()), &life::too_late());
        }
        let relievable = self.host.as_ref().is_some_and(|host| host.can_relieve());
        if relievable && state.calls.may_start(&self.limits) && job.tool.is_quick() {
            // Until then, the thread that reads could not enter.
            let _inside = just_made.then(|| self.enter_handlers());
            return self.run_inline(state, job);
        }
        let facts = Arc::clone(&job.facts);
        match state.calls.admit(facts, bytes, job, &self.limits) {
            Ok(()) => self.start_calls(&mut state),
            Err(rejected) => {
                // What the job holds may be the application's last; it goes without the lock.
                drop(state);
                self.refuse(Some(rejected.facts.request_id()), &rejected.refusal);
            }
        }
    }

    fn cancel(self: &Arc<Self>, id: &RequestId) {
        let mut state = self.lock();
        state.streams.close(id);
        let cancelled = state.calls.cancel(id, Instant::now() + self.limits.grace);
        self.after_an_end(state);
        cancelled.discard();
    }

    fn succeed(&self, id: &RequestId, result: &[u8]) {
        self.push(success(id, result));
    }

    pub(super) fn refuse(&self, id: Option<&RequestId>, refusal: &Refusal) {
        self.push(failure(id, refusal));
    }

    /// Refuses a request whose id another has that is not answered yet.
    fn refuse_again(&self, id: &RequestId) {
        let refusal = Refusal::invalid_request("a request with this id is still in flight");
        self.refuse(Some(id), &refusal);
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
}
