//! One call, as its handler sees it.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::cancellation::Cancellation;
use crate::client::{Client, ClientInfo, TraceContext};
use crate::progress::Progress;
use crate::request_id::RequestId;

/// One call, as its handler sees it. Cheap to clone.
///
/// Nothing of what it says about the client is proven: over stdio, whoever started the server is
/// the client.
pub struct Call<C = ()>(Arc<Inner<C>>);

struct Inner<C> {
    context: Arc<C>,
    tool: Arc<str>,
    id: RequestId,
    client: Client,
    cancellation: Cancellation,
    progress: Option<Progress>,
}

impl<C> Call<C> {
    pub(crate) fn new(
        context: Arc<C>,
        tool: Arc<str>,
        id: RequestId,
        client: Client,
        cancellation: Cancellation,
        progress: Option<Progress>,
    ) -> Self {
        Self(Arc::new(Inner {
            context,
            tool,
            id,
            client,
            cancellation,
            progress,
        }))
    }

    /// The application's context: what was given to `serve`.
    pub fn context(&self) -> &C {
        &self.0.context
    }

    /// The name of the tool that is called.
    pub fn tool(&self) -> &str {
        &self.0.tool
    }

    /// The JSON-RPC id of the request, as the client sent it.
    ///
    /// It is unique only among the calls that this client has in flight: no key for anything that
    /// is kept.
    pub fn request_id(&self) -> &RequestId {
        &self.0.id
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
        if let Some(reports) = &self.0.progress {
            reports.report(progress, total, message);
        }
    }

    /// Whether the answer is not waited for any more: the client has cancelled the call, its time
    /// is over (see [`Limits::with_handler_timeout`](crate::Limits::with_handler_timeout)), or the
    /// server ends.
    ///
    /// The handler has the grace of the [`Limits`](crate::Limits) to end, or one second when the
    /// server ends; then it is dropped at its next `.await`. When nobody reads standard output any
    /// more, it is dropped at once. A handler that only awaits may leave all that to be done to it.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancellation.is_fired()
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
        self.0.cancellation.fired().await;
    }

    /// The client's name and version, when the request gives them, or `initialize` did.
    pub fn client_info(&self) -> Option<&ClientInfo> {
        self.0.client.info.as_deref()
    }

    /// The capabilities that the client declares, such as `elicitation`, with their settings.
    pub fn client_capabilities(&self) -> &Map<String, Value> {
        &self.0.client.capabilities
    }

    /// The W3C trace context of the request: the members `traceparent`, `tracestate` and `baggage`
    /// of its `_meta`, as they stand (spec page `basic/index`).
    pub fn trace_context(&self) -> &TraceContext {
        &self.0.client.trace_context
    }

    /// The idempotency key that the client sent, if any: 1 to 128 visible ASCII characters.
    ///
    /// A retry with the same key is the client's promise that it is the same request. It is the
    /// member `io.github.gleam-dream/idempotency-key` of the request's `_meta`, since MCP has
    /// none; nothing proves who sent it.
    pub fn idempotency_key(&self) -> Option<&str> {
        self.0.client.idempotency_key.as_deref()
    }

    /// The protocol version of the request, such as `2026-07-28`.
    pub fn protocol_version(&self) -> &str {
        self.0.client.revision.name()
    }
}

impl<C> Clone for Call<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
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
