//! What a handler's run came to, and what of it the client may read.

use std::error::Error;
use std::fmt;

use crate::buffers::Text;
use crate::check::Violations;
use crate::content::ContentBlock;
use crate::log;
use crate::protocol::{CallResult, to_json};
use crate::reply::{self, Asked, Finished, Reply, ToolResult};
use crate::request_id::RequestId;
use crate::tool::Results;
use crate::tool_error::{Failure, ToolError};

/// What a call came to, as a hook of [`Server::around`](crate::Server::around) sees it.
pub struct Outcome(End);

/// Of what kind an [`Outcome`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutcomeKind {
    /// The handler has answered.
    Completed,
    /// The handler asks the client before it can go on; it will run again.
    InputRequired,
    /// A failure that the client reads: a published [`ToolError`].
    Failed,
    /// The arguments break the contract; the handler did not run.
    InvalidArguments,
    /// The result breaks the contract; the client reads only that the call failed.
    InvalidResult,
    /// A private error; the client reads only that the call failed.
    Error,
    /// The handler panicked; the client reads only that the call failed.
    Panicked,
}

impl OutcomeKind {
    /// A name for logs and metrics, such as `completed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::InputRequired => "input_required",
            Self::Failed => "failed",
            Self::InvalidArguments => "invalid_arguments",
            Self::InvalidResult => "invalid_result",
            Self::Error => "error",
            Self::Panicked => "panicked",
        }
    }
}

/// How a run has ended.
enum End {
    // Boxes, since an outcome goes through many hands.
    /// A result or a published error.
    Finished(Box<CallResult>),
    Asks(Box<Asked>),
    BadArguments(Violations),
    BadOutput(Violations),
    Private(Box<dyn Error + Send + Sync>),
    /// With the panic's message.
    Panicked(String),
}

/// What of an outcome goes to the client.
pub(crate) enum Settled {
    Result(Box<CallResult>),
    Asks(Box<Asked>),
}

impl Settled {
    fn failed(text: impl Into<String>) -> Self {
        Self::Result(Box::new(CallResult::failed(text)))
    }
}

/// What the client reads of a failure that is private.
const GENERIC: &str = "Tool execution failed.";

impl Outcome {
    /// The outcome of a call that a hook answers itself, with these blocks.
    ///
    /// They are not checked: for a tool with an output schema, whose results are structured, let
    /// the handler answer.
    pub fn content(blocks: impl Into<Vec<ContentBlock>>) -> Self {
        Self::finished(CallResult {
            is_error: false,
            content: blocks.into(),
            ..CallResult::failed("")
        })
    }

    /// Of what kind it is.
    pub fn kind(&self) -> OutcomeKind {
        match &self.0 {
            End::Finished(result) if result.is_error => OutcomeKind::Failed,
            End::Finished(_) => OutcomeKind::Completed,
            End::Asks(_) => OutcomeKind::InputRequired,
            End::BadArguments(_) => OutcomeKind::InvalidArguments,
            End::BadOutput(_) => OutcomeKind::InvalidResult,
            End::Private(_) => OutcomeKind::Error,
            End::Panicked(_) => OutcomeKind::Panicked,
        }
    }

    fn finished(result: CallResult) -> Self {
        Self(End::Finished(Box::new(result)))
    }

    /// The outcome of a handler that has answered.
    pub(crate) fn of<O>(results: &Results<O>, answer: ToolResult<O>) -> Self {
        match answer {
            Ok(Reply(reply::Kind::Finished(reply))) => finished(results, reply),
            Ok(Reply(reply::Kind::Asks(asked))) => Self(End::Asks(asked)),
            Err(error) => error.into(),
        }
    }

    /// The handler did not run, since the arguments break the input schema.
    pub(crate) fn bad_arguments(violations: Violations) -> Self {
        Self(End::BadArguments(violations))
    }

    /// The handler panicked with this message.
    pub(crate) fn panicked(message: String) -> Self {
        Self(End::Panicked(message))
    }

    /// What the client may read of it; the rest goes to the log.
    pub(crate) fn settle(self, tool: &str, id: &RequestId) -> Settled {
        let cause = match self.0 {
            End::Finished(result) => return Settled::Result(result),
            End::Asks(asked) if asked.requests.is_empty() && asked.state.is_none() => {
                "the handler asks for input, but for none in particular".into()
            }
            End::Asks(asked) => return Settled::Asks(asked),
            End::BadArguments(violations) => {
                return Settled::failed(format!(
                    "The arguments of the tool {tool} are invalid:\n{violations}"
                ));
            }
            End::BadOutput(violations) => {
                format!("the result breaks the output schema:\n{violations}")
            }
            End::Private(error) => log::chain(&*error),
            End::Panicked(message) => format!("the handler panicked: {message}"),
        };
        log::failed_call(tool, id, &cause);
        Settled::failed(GENERIC)
    }
}

impl From<ToolError> for Outcome {
    /// A call that fails with this error, whatever its handler would have said.
    fn from(error: ToolError) -> Self {
        match error.0 {
            Failure::Published { blocks, structured } => Self::finished(CallResult {
                structured: structured.map(|value| Text::from_json(to_json(&value))),
                content: blocks,
                ..CallResult::failed("")
            }),
            Failure::Private(error) => Self(End::Private(error)),
            Failure::Asks(asked) => Self(End::Asks(asked)),
        }
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Outcome").field(&self.kind()).finish()
    }
}

fn finished<O>(results: &Results<O>, reply: Finished<O>) -> Outcome {
    let Finished {
        output,
        content,
        meta,
        result_meta,
    } = reply;
    let (generated, structured) = match results.blocks {
        Some(blocks) => (blocks(output), None),
        None => match results.encoder.encode(&output) {
            Ok(json) => (Vec::new(), Some(json)),
            Err(violations) => return Outcome(End::BadOutput(violations)),
        },
    };
    // A mirror with members of its own is written out.
    let mirror = structured.as_ref().filter(|_| content.is_none());
    let (generated, mirrors) = match mirror {
        Some(json) if meta.is_some() => (vec![ContentBlock::text(&**json)], false),
        mirror => (generated, mirror.is_some()),
    };
    let content = content.unwrap_or_else(|| match meta {
        Some(meta) => generated
            .into_iter()
            .map(|block| block.with_meta(meta.clone()))
            .collect(),
        None => generated,
    });
    Outcome::finished(CallResult {
        content,
        mirrors,
        structured,
        is_error: false,
        meta: result_meta,
    })
}
