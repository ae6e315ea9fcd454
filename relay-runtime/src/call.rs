//! One call, as its handler sees it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::cancellation::Cancellation;
use crate::check::Text;
use crate::client::{Client, ClientInfo, TraceContext};
use crate::input::Question;
use crate::progress::Progress;
use crate::protocol::{Revision, Round};
use crate::request_id::RequestId;
use crate::tool_error::ToolError;
use crate::unique;

/// One call, as its handler sees it. Cheap to clone.
///
/// Nothing of what it says about the client is proven: over stdio, whoever started the server is
/// the client.
pub struct Call<C = ()> {
    context: Arc<C>,
    facts: Arc<Facts>,
    round: Round,
}

/// A call as the engine sees it, whatever the type of its context.
#[derive(Clone)]
pub(crate) struct AnyCall {
    context: Context,
    facts: Arc<Facts>,
    round: Round,
}

/// The application's context, its type erased.
pub(crate) type Context = Arc<dyn Any + Send + Sync>;

/// What holds for a call, however often its handler runs.
pub(crate) struct Facts {
    tool: Text,
    id: RequestId,
    client: Client,
    timeout: Duration,
    cancellation: Cancellation,
    progress: Option<Progress>,
    invocation: u64,
    correlation: OnceLock<String>,
}

impl Facts {
    /// `invocation` is a number of its own in this process.
    pub(crate) fn new(
        invocation: u64,
        tool: Text,
        id: RequestId,
        client: Client,
        timeout: Duration,
        progress: Option<Progress>,
    ) -> Self {
        Self {
            tool,
            id,
            client,
            timeout,
            cancellation: Cancellation::new(),
            progress,
            invocation,
            correlation: OnceLock::new(),
        }
    }

    pub(crate) fn tool(&self) -> &str {
        &self.tool
    }

    pub(crate) fn request_id(&self) -> &RequestId {
        &self.id
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn revision(&self) -> Revision {
        self.client.revision
    }

    /// How long its handler may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    pub(crate) fn invocation(&self) -> u64 {
        self.invocation
    }

    pub(crate) fn correlation(&self) -> &str {
        match &self.client.said().correlation {
            Some(sent) => sent,
            None => self.correlation.get_or_init(unique::text),
        }
    }
}

impl AnyCall {
    pub(crate) fn new(context: Context, facts: Arc<Facts>, round: Round) -> Self {
        Self {
            context,
            facts,
            round,
        }
    }

    /// The call with its context's type, which is that of the server's tools and hooks.
    pub(crate) fn typed<C: Send + Sync + 'static>(self) -> Call<C> {
        let Ok(context) = self.context.downcast() else {
            unreachable!("a `Server<C>` is served with a `C`")
        };
        Call {
            context,
            facts: self.facts,
            round: self.round,
        }
    }
}

impl<C> Call<C> {
    /// The application's context: what was given to `serve`.
    pub fn context(&self) -> &C {
        &self.context
    }

    /// The name of the tool that is called.
    pub fn tool(&self) -> &str {
        self.facts.tool()
    }

    /// The JSON-RPC id of the request, as the client sent it.
    ///
    /// It is unique only among the calls that this client has in flight: no key for anything that
    /// is kept.
    pub fn request_id(&self) -> &RequestId {
        self.facts.request_id()
    }

    /// Relay's number of this call: no other call of this process has it.
    ///
    /// A call that the client sends again, with the answers to what the handler asked or as
    /// a retry, is another call: [`idempotency_key`](Self::idempotency_key) tells a retry.
    pub fn invocation_id(&self) -> u64 {
        self.facts.invocation()
    }

    /// A text that joins the traces of this call with those of others: the one that the client
    /// sent, else a fresh one.
    ///
    /// It is the member `io.github.gleam-dream/correlation` of the request's `_meta`, 1 to 128
    /// visible ASCII characters; anything else is ignored. Hand it to what the handler calls. It
    /// is the client's word: never authorise by it.
    pub fn correlation(&self) -> &str {
        self.facts.correlation()
    }

    /// Asks the client, and gives its answer: a form filled in by its user, a completion of its
    /// model (see [`input`](crate::input)).
    ///
    /// The first time it gives an error, which `?` takes out of the handler: the call pauses, the
    /// client is asked, and the handler runs again **from its start**, where this now gives the
    /// answer. So ask before doing what must not be done twice. `name` tells the questions of
    /// a handler apart.
    ///
    /// What has to stay as it was when the question was asked, such as a number that a page is
    /// asked with, must come from the state of the call: ask by
    /// [`Reply::request_input`](crate::Reply::request_input) then, which takes one, and which can
    /// ask several things at once. `ask` keeps the [state](Self::request_state) that there is.
    ///
    /// # Errors
    ///
    /// While there is no answer; hand it on with `?`. The call fails when the client did not
    /// declare that it can be asked this, and when the handler has asked ten times.
    ///
    /// ```
    /// # use relay_runtime::{Call, ToolError, ToolResult};
    /// # use relay_runtime::content::ContentBlock;
    /// use relay_runtime::input::{Elicited, Question};
    ///
    /// # async fn pay(call: &Call) -> ToolResult<Vec<ContentBlock>> {
    /// let page = Question::visit("Pay the invoice.", "https://example.com/pay/7");
    /// match call.ask("pay", page)? {
    ///     Elicited::Accepted(()) => Ok(ContentBlock::text("On its way.").into()),
    ///     Elicited::Declined | Elicited::Cancelled => Err(ToolError::message("Not paid.")),
    /// }
    /// # }
    /// ```
    pub fn ask<A>(&self, name: &str, question: Question<A>) -> Result<A, ToolError> {
        match self.answer(name, &question)? {
            Some(answer) => Ok(answer),
            None => Err(ToolError::ask(name, question.into())),
        }
    }

    /// The client's answer to a question of this name, if it was asked and is answered.
    ///
    /// # Errors
    ///
    /// When what came is no answer to this question, but to another of the same name.
    pub fn answer<A>(&self, name: &str, question: &Question<A>) -> Result<Option<A>, ToolError> {
        let answer = self.input_responses().get(name);
        Ok(answer.map(|answer| question.read(answer)).transpose()?)
    }

    /// All that the client has answered so far, by the names that it was asked under, as the
    /// results of the methods it was asked by. Empty in the first run of a handler.
    pub fn input_responses(&self) -> &Map<String, Value> {
        self.round.answers()
    }

    /// The state that the handler has given last, to
    /// [`Reply::with_state`](crate::Reply::with_state) or [`Reply::again`](crate::Reply::again).
    pub fn request_state(&self) -> Option<&Value> {
        self.round.state()
    }

    /// Tells the client how far the call has come, if it asked for that by a `progressToken` (spec
    /// page `basic/utilities/progress`).
    ///
    /// `progress` must increase from one report to the next; one that does not, or is no number,
    /// is dropped. So is one that comes when the call has been answered or cancelled, or while the
    /// client reads too slowly ([`Limits::with_unsent_bytes`](crate::Limits::with_unsent_bytes)).
    /// `total` is what `progress` will have reached at the end, where that is known, and `message`
    /// is for people.
    ///
    /// ```
    /// # use relay_runtime::Call;
    /// # async fn index(call: &Call, files: &[&str]) {
    /// for (done, file) in (1u32..).zip(files) {
    ///     // …
    ///     call.report_progress(done.into(), Some(files.len() as f64), Some(file));
    /// }
    /// # }
    /// ```
    pub fn report_progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(reports) = &self.facts.progress {
            reports.report(progress, total, message);
        }
    }

    /// Whether the answer is not waited for any more: the client has cancelled the call, its time
    /// is over (see [`Limits::with_handler_timeout`](crate::Limits::with_handler_timeout)), or the
    /// server ends.
    ///
    /// The handler has the grace of the [`Limits`](crate::Limits) to end, or one second where that
    /// has passed since the end of the input; then it is dropped at its next `.await`. When nobody
    /// reads standard output any more, or at a second signal, it is dropped at once. A handler that
    /// only awaits may leave all that to be done to it.
    pub fn is_cancelled(&self) -> bool {
        self.facts.cancellation.is_fired()
    }

    /// Waits until [`is_cancelled`](Self::is_cancelled).
    ///
    /// ```
    /// # use relay_runtime::Call;
    /// # use std::time::Duration;
    /// # async fn copy(call: &Call) -> Option<u64> {
    /// # let work = async { 7 };
    /// tokio::select! {
    ///     () = call.cancelled() => None, // undo what was half done
    ///     done = work => Some(done),
    /// }
    /// # }
    /// ```
    pub async fn cancelled(&self) {
        self.facts.cancellation.fired().await;
    }

    /// The client's name and version, when the request gives them, or `initialize` did.
    pub fn client_info(&self) -> Option<&ClientInfo> {
        self.facts.client.info.as_deref()
    }

    /// The capabilities that the client declares, such as `elicitation`, with their settings.
    pub fn client_capabilities(&self) -> &Map<String, Value> {
        self.facts.client.capabilities.members()
    }

    /// The W3C trace context of the request: the members `traceparent`, `tracestate` and `baggage`
    /// of its `_meta`, as they stand (spec page `basic/index`).
    pub fn trace_context(&self) -> &TraceContext {
        &self.facts.client.said().trace_context
    }

    /// The idempotency key that the client sent, if any: 1 to 128 visible ASCII characters.
    ///
    /// A retry with the same key is the client's promise that it is the same request. It is the
    /// member `io.github.gleam-dream/idempotency-key` of the request's `_meta`, since MCP has
    /// none; nothing proves who sent it.
    pub fn idempotency_key(&self) -> Option<&str> {
        self.facts.client.said().idempotency_key.as_deref()
    }

    /// The protocol version of the request, such as `2026-07-28`.
    pub fn protocol_version(&self) -> &str {
        self.facts.client.revision.name()
    }
}

impl<C> Clone for Call<C> {
    fn clone(&self) -> Self {
        Self {
            context: Arc::clone(&self.context),
            facts: Arc::clone(&self.facts),
            round: self.round.clone(),
        }
    }
}

impl<C> fmt::Debug for Call<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("tool", &self.tool())
            .field("request_id", &self.request_id())
            .finish_non_exhaustive()
    }
}
