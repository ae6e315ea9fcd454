//! A definition bound to its handler.

use std::borrow::Cow;
use std::fmt;
use std::future::{Future, ready};
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use pin_project_lite::pin_project;

use crate::call::{AnyCall, Call};
use crate::check::Text;
use crate::codec::{Decoder, Encoder};
use crate::content::ContentBlock;
use crate::declaration::Declaration;
use crate::definition::Definition;
use crate::outcome::Outcome;
use crate::published::Published;
use crate::reply::{Reply, ToolResult};
use crate::tool_error::ToolError;

/// A definition bound to its handler, ready for [`Server::tools`](crate::Server::tools).
///
/// The types of its arguments and of its result are erased; `C` is the type of the context that
/// its handler asks for.
#[must_use = "a server has to be given the tool"]
pub struct Tool<C = ()> {
    pub(crate) any: AnyTool,
    /// Of this very type, not of one that can be had for it: which it is, is asked at run time.
    context: PhantomData<fn(C) -> C>,
}

/// ```compile_fail
/// use relay_runtime::Tool;
///
/// fn other(tool: Tool<fn(&'static u8)>) -> Tool<for<'a> fn(&'a u8)> {
///     tool
/// }
/// ```
#[cfg(doctest)]
struct Invariant;

/// A tool, whatever the type of the context that its handler asks for.
pub(crate) struct AnyTool {
    name: Text,
    published: Published,
    json: Cow<'static, str>,
    required_client_capabilities: Vec<String>,
    timeout: Option<Duration>,
    run: Box<Run>,
    /// How many calls are run apart from others, since one took long.
    slow_calls: AtomicU32,
}

/// What a tool needs of its definition: it only reads arguments, and only writes results.
pub(crate) struct Parts<I, O> {
    pub(crate) published: Published,
    pub(crate) arguments: Decoder<I>,
    pub(crate) results: Results<O>,
    pub(crate) required_client_capabilities: Vec<String>,
    pub(crate) timeout: Option<Duration>,
}

/// How the results of a tool are written.
pub(crate) struct Results<O> {
    pub(crate) encoder: Encoder<O>,
    /// How a result becomes blocks; `None` for a structured one.
    pub(crate) blocks: Option<fn(O) -> Vec<ContentBlock>>,
}

/// After so many calls, a handler that was slow is tried again.
const SLOW_CALLS: u32 = 63;

type Run = dyn Fn(AnyCall, &str) -> Running + Send + Sync;

/// A run of a handler, up to the outcome.
pub(crate) type Running = Pin<Box<dyn Future<Output = Outcome> + Send>>;

pin_project! {
    /// A handler, and what becomes of its answer.
    ///
    /// Not an `async` block: that would have room for the handler twice, and it is copied.
    struct Answering<F, M> {
        #[pin]
        handler: F,
        outcome: M,
    }
}

impl<F, M> Future for Answering<F, M>
where
    F: Future,
    M: Fn(F::Output) -> Outcome,
{
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let this = self.project();
        this.handler.poll(context).map(this.outcome)
    }
}

impl<I, O> Definition<I, O>
where
    I: Send + 'static,
    O: Send + 'static,
{
    /// Binds a handler.
    ///
    /// It runs for each call whose arguments are valid, concurrently with those of other calls.
    /// An error that `?` converts stays private: see [`ToolError`](crate::ToolError). A panic
    /// fails the call and is logged; the server goes on.
    ///
    /// ```
    /// # use relay_runtime::{Call, Definition, Tool, ToolError};
    /// # let definition: Definition<serde_json::Value, u32> =
    /// #     Definition::new("len", serde_json::json!({"type": "object"}), serde_json::json!({}));
    /// let tool: Tool = definition.handle(|_call: Call, input| async move {
    ///     let text = input["text"].as_str().ok_or(ToolError::message("`text` is no string"))?;
    ///     Ok(u32::try_from(text.len())?.into())
    /// });
    /// assert_eq!(tool.name(), "len");
    /// ```
    pub fn handle<C, F, Fut>(self, handler: F) -> Tool<C>
    where
        C: Send + Sync + 'static,
        F: Fn(Call<C>, I) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ToolResult<O>> + Send + 'static,
    {
        self.handle_with_error_renderer(handler, |error| error)
    }

    /// Binds a handler that has an error type of its own: `render` makes of each error what the
    /// client reads.
    ///
    /// To [ask](Call::ask) the client by `?`, that type needs a `From<ToolError>`, and `render` has
    /// to give back the [`ToolError`] that came so: it is the question.
    ///
    /// ```
    /// # use relay_runtime::{Call, Definition, Reply, Tool, ToolError};
    /// # let definition: Definition<serde_json::Value, u32> =
    /// #     Definition::new("find", serde_json::json!({"type": "object"}), serde_json::json!({}));
    /// enum Missing { Note(u32), Disk(std::io::Error) }
    ///
    /// let tool: Tool = definition.handle_with_error_renderer(
    ///     |_call: Call, _input| async move { Err::<Reply<u32>, _>(Missing::Note(7)) },
    ///     |error| match error {
    ///         Missing::Note(id) => ToolError::message(format!("There is no note {id}.")),
    ///         Missing::Disk(error) => error.into(), // private
    ///     },
    /// );
    /// # let _ = (tool, |error| Missing::Disk(error));
    /// ```
    pub fn handle_with_error_renderer<C, F, Fut, E, R>(self, handler: F, render: R) -> Tool<C>
    where
        C: Send + Sync + 'static,
        F: Fn(Call<C>, I) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Reply<O>, E>> + Send + 'static,
        R: Fn(E) -> ToolError + Send + Sync + 'static,
        E: 'static,
    {
        let Parts {
            published,
            arguments,
            results,
            required_client_capabilities,
            timeout,
        } = self.into_parts();
        let bound = Arc::new((arguments, results, handler, render));
        let run = move |call: AnyCall, json: &str| -> Running {
            let (arguments, _, handler, _) = &*bound;
            let input = match arguments.decode(json) {
                Ok(input) => input,
                Err(violations) => return Box::pin(ready(Outcome::bad_arguments(violations))),
            };
            let bound = Arc::clone(&bound);
            // With room first, it is made where it stays: it may be large.
            let room = Box::new_uninit();
            let run = Answering {
                handler: handler(call.typed(), input),
                outcome: move |answer: Result<_, E>| {
                    let (_, results, _, render) = &*bound;
                    Outcome::of(results, answer.map_err(render))
                },
            };
            Box::into_pin(Box::write(room, run) as Box<_>)
        };
        let json = published.json();
        let any = AnyTool {
            name: published.shared_name(),
            published,
            json,
            required_client_capabilities,
            timeout,
            run: Box::new(run),
            slow_calls: AtomicU32::new(0),
        };
        Tool {
            any,
            context: PhantomData,
        }
    }
}

impl<C> Tool<C> {
    /// The tool's name.
    pub fn name(&self) -> &str {
        self.any.name()
    }

    /// What `tools/list` publishes for this tool.
    ///
    /// # Panics
    ///
    /// Where generated code was changed by hand so that its declaration is no tool any more.
    pub fn declaration(&self) -> Declaration {
        self.any.published.declaration()
    }
}

impl AnyTool {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The name, to keep.
    pub(crate) fn shared_name(&self) -> Text {
        self.name.clone()
    }

    /// What `tools/list` publishes, as JSON text.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    pub(crate) fn required_client_capabilities(&self) -> &[String] {
        &self.required_client_capabilities
    }

    /// How long its handler may take, if it has a time of its own.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Whether others may wait while its handler runs: as a rule it answers at once.
    pub(crate) fn is_quick(&self) -> bool {
        // A call too many or too few does no harm.
        let slow_calls = self.slow_calls.load(Ordering::Relaxed);
        if slow_calls > 0 {
            self.slow_calls.store(slow_calls - 1, Ordering::Relaxed);
        }
        slow_calls == 0
    }

    /// Its handler took long while others waited.
    pub(crate) fn was_slow(&self) {
        self.slow_calls.store(SLOW_CALLS, Ordering::Relaxed);
    }

    /// Decodes the arguments, JSON text, and has the handler begin.
    pub(crate) fn run(&self, call: AnyCall, arguments: &str) -> Running {
        (self.run)(call, arguments)
    }
}

impl<C> fmt::Debug for Tool<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.any.fmt(f)
    }
}

impl fmt::Debug for AnyTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
