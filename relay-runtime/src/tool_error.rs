//! Why a handler failed, and what of it the client reads.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use serde_json::Value;

use crate::content::ContentBlock;
use crate::input::InputRequest;
use crate::reply::Asked;

/// A failed call, which the client receives as a result with `isError: true`.
///
/// Two kinds. What is built with [`message`](Self::message) and [`with`](Self::with) is published.
/// Every other error, which `?` converts, stays private: the client reads `Tool execution failed.`
/// and the log, on stderr, has the error with its causes. So a handler cannot leak by accident.
///
/// It takes whatever converts to a boxed error: std's errors, boxed ones, `anyhow`'s, strings. That
/// is why it implements no `Error` itself.
///
/// ```
/// use relay_runtime::ToolError;
///
/// fn read() -> Result<String, ToolError> {
///     let text = std::fs::read_to_string("/no/such/file")?; // private
///     if text.is_empty() {
///         return Err(ToolError::message("The note is empty.")); // published
///     }
///     Ok(text)
/// }
/// # assert!(read().is_err());
/// ```
pub struct ToolError(pub(crate) Failure);

pub(crate) enum Failure {
    Published {
        blocks: Vec<ContentBlock>,
        structured: Option<Value>,
    },
    Private(Box<dyn Error + Send + Sync>),
    /// No failure: what the handler asks of the client before it can go on.
    Asks(Box<Asked>),
}

impl ToolError {
    /// A failure whose text the client reads, as one text block.
    pub fn message(text: impl Into<String>) -> Self {
        Self::with([ContentBlock::text(text)], None)
    }

    /// Whether it is no failure, but leaves the handler to ask the client: what
    /// [`Call::ask`](crate::Call::ask) gives while there is no answer. Code that logs errors, or
    /// tries again, hands this one on.
    ///
    /// ```
    /// # use relay_runtime::{Call, ToolError};
    /// # use relay_runtime::input::Question;
    /// # fn roots(call: &Call) -> Result<usize, ToolError> {
    /// match call.ask("roots", Question::roots()) {
    ///     Ok(roots) => Ok(roots.len()),
    ///     Err(error) if error.is_question() => Err(error),
    ///     Err(_) => Ok(0),
    /// }
    /// # }
    /// ```
    pub fn is_question(&self) -> bool {
        matches!(self.0, Failure::Asks(_))
    }

    /// A failure with its own content, and a structured value if it has one.
    ///
    /// The structured value is not checked against the tool's output schema.
    pub fn with(blocks: impl Into<Vec<ContentBlock>>, structured: Option<Value>) -> Self {
        Self(Failure::Published {
            blocks: blocks.into(),
            structured,
        })
    }
}

impl ToolError {
    /// Leaves the handler, to ask the client.
    pub(crate) fn ask(name: &str, request: InputRequest) -> Self {
        let requests = BTreeMap::from([(name.to_owned(), request)]);
        Self(Failure::Asks(Asked::new(requests, None)))
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Failure::Private(error.into()))
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Failure::Published { blocks, structured } => f
                .debug_struct("ToolError")
                .field("blocks", blocks)
                .field("structured", structured)
                .finish(),
            Failure::Private(error) => f.debug_tuple("ToolError").field(error).finish(),
            Failure::Asks(asked) => f.debug_tuple("ToolError").field(asked).finish(),
        }
    }
}
