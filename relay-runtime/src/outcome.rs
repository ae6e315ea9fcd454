//! What a handler's run came to, and what of it the client may read.

use std::error::Error;

use serde_json::value::RawValue;

use crate::check::Violations;
use crate::content::ContentBlock;
use crate::definition::Definition;
use crate::log;
use crate::protocol::CallResult;
use crate::reply::{Reply, ToolResult};
use crate::request_id::RequestId;
use crate::tool_error::Failure;

/// What a handler's run came to.
pub(crate) enum Outcome {
    /// A result or a published error.
    Finished(CallResult),
    /// The arguments break the input schema; the handler did not run.
    BadArguments(Violations),
    /// The result breaks the output schema.
    BadOutput(Violations),
    /// An error that is none of the client's business.
    Private(Box<dyn Error + Send + Sync>),
    /// The handler panicked with this message.
    Panicked(String),
}

/// What the client reads of a failure that is private.
const GENERIC: &str = "Tool execution failed.";

impl Outcome {
    /// The outcome of a handler that has answered.
    pub(crate) fn of<I, O>(definition: &Definition<I, O>, answer: ToolResult<O>) -> Self {
        match answer.map_err(|error| error.0) {
            Ok(reply) => finished(definition, reply),
            Err(Failure::Published { blocks, structured }) => Self::Finished(CallResult {
                structured: structured.as_ref().map(crate::published::raw),
                content: blocks,
                ..CallResult::failed("")
            }),
            Err(Failure::Private(error)) => Self::Private(error),
        }
    }

    /// What the client may read of it; the rest goes to the log.
    pub(crate) fn publish(self, tool: &str, id: &RequestId) -> CallResult {
        let cause = match self {
            Self::Finished(result) => return result,
            Self::BadArguments(violations) => {
                return CallResult::failed(format!(
                    "The arguments of the tool {tool} are invalid:\n{violations}"
                ));
            }
            Self::BadOutput(violations) => {
                format!("the result breaks the output schema:\n{violations}")
            }
            Self::Private(error) => log::chain(&*error),
            Self::Panicked(message) => format!("the handler panicked: {message}"),
        };
        log::failed_call(tool, id, &cause);
        CallResult::failed(GENERIC)
    }
}

fn finished<I, O>(definition: &Definition<I, O>, reply: Reply<O>) -> Outcome {
    let Reply {
        output,
        content,
        meta,
        result_meta,
    } = reply;
    let (generated, structured) = match definition.blocks() {
        Some(blocks) => (blocks(output), None),
        None => match definition.encode_output(&output) {
            Ok(json) if content.is_some() => (Vec::new(), Some(json)),
            Ok(json) => (vec![mirror(&json)], Some(json)),
            Err(violations) => return Outcome::BadOutput(violations),
        },
    };
    let content = content.unwrap_or_else(|| match meta {
        Some(meta) => generated
            .into_iter()
            .map(|block| block.with_meta(meta.clone()))
            .collect(),
        None => generated,
    });
    Outcome::Finished(CallResult {
        content,
        structured,
        is_error: false,
        meta: result_meta,
    })
}

/// The structured result as text, for clients that read only content.
fn mirror(json: &RawValue) -> ContentBlock {
    ContentBlock::text(json.get())
}
