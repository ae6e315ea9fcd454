//! What a handler answers.

use crate::content::{ContentBlock, Meta};
use crate::tool_error::ToolError;

/// What a handler returns.
///
/// `?` on any error keeps its text private, `Err(ToolError::message(..))` publishes one; a plain
/// output becomes a [`Reply`] by `.into()`.
pub type ToolResult<O> = Result<Reply<O>, ToolError>;

/// A finished call.
///
/// A structured result goes to the client as `structuredContent`, and as a text block with the
/// same JSON for clients that read only content.
///
/// ```
/// use relay_runtime::Reply;
/// use relay_runtime::content::ContentBlock;
///
/// let plain: Reply<u32> = 7.into();
/// let worded = Reply::new(7).with_content([ContentBlock::text("seven")]);
/// # let _ = (plain, worded);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reply<O> {
    pub(crate) output: O,
    pub(crate) content: Option<Vec<ContentBlock>>,
    pub(crate) meta: Option<Meta>,
    pub(crate) result_meta: Meta,
}

impl<O> Reply<O> {
    /// A finished call with this output.
    pub fn new(output: O) -> Self {
        Self {
            output,
            content: None,
            meta: None,
            result_meta: Meta::new(),
        }
    }

    /// Sends these blocks instead of the text that mirrors the structured result.
    ///
    /// A content-only tool sends them instead of its output.
    #[must_use]
    pub fn with_content(mut self, blocks: impl Into<Vec<ContentBlock>>) -> Self {
        self.content = Some(blocks.into());
        self
    }

    /// Replaces the `_meta` of every generated block: the text mirror of a structured result,
    /// the blocks of a content-only one. Blocks given to [`with_content`](Self::with_content)
    /// keep their own.
    #[must_use]
    pub fn with_meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets members of the `_meta` of the result as a whole.
    #[must_use]
    pub fn with_result_meta(mut self, meta: Meta) -> Self {
        self.result_meta = meta;
        self
    }
}

impl<O> From<O> for Reply<O> {
    fn from(output: O) -> Self {
        Self::new(output)
    }
}

impl From<ContentBlock> for Reply<Vec<ContentBlock>> {
    fn from(block: ContentBlock) -> Self {
        Self::new(vec![block])
    }
}
