//! What a handler answers.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::asking::clients_are_asked;
use crate::content::{ContentBlock, Meta};
use crate::input::InputRequest;
use crate::tool_error::ToolError;

/// What a handler returns.
///
/// `?` on any error keeps its text private, `Err(ToolError::message(..))` publishes one; a plain
/// output becomes a [`Reply`] by `.into()`.
pub type ToolResult<O> = Result<Reply<O>, ToolError>;

/// What a handler has to say: the result of its call, or what it has to ask first.
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
#[must_use = "the handler answers only by returning it"]
pub struct Reply<O>(pub(crate) Kind<O>);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind<O> {
    Finished(Finished<O>),
    Asks(Box<Asked>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finished<O> {
    pub(crate) output: O,
    pub(crate) content: Option<Vec<ContentBlock>>,
    pub(crate) meta: Option<Meta>,
    pub(crate) result_meta: Meta,
}

/// What a handler asks of the client before it can finish.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) requests: BTreeMap<String, InputRequest>,
    /// What the handler wants to see again.
    pub(crate) state: Option<Value>,
    /// Only [`Asked::new`] makes one.
    made: (),
}

impl Asked {
    /// Few handlers ask, and what they say goes through many hands: so it is boxed.
    pub(crate) fn new(requests: BTreeMap<String, InputRequest>, state: Option<Value>) -> Box<Self> {
        clients_are_asked();
        Box::new(Self {
            requests,
            state,
            made: (),
        })
    }
}

impl<O> Reply<O> {
    /// A finished call with this output.
    pub fn new(output: O) -> Self {
        Self(Kind::Finished(Finished {
            output,
            content: None,
            meta: None,
            result_meta: Meta::new(),
        }))
    }

    /// Pauses the call until the client has answered every request; then the handler runs again
    /// from its start, and reads the answers with [`Call::answer`](crate::Call::answer) or
    /// [`Call::input_responses`](crate::Call::input_responses), each by the name it was asked
    /// under.
    ///
    /// Requests for what the client did not declare are left out. If none is left and this reply has
    /// no [state](Self::with_state) either, the call fails as for a missing capability. A call may ask
    /// at most ten times.
    ///
    /// ```
    /// use relay_runtime::Reply;
    /// use relay_runtime::input::{InputRequest, Question};
    ///
    /// let reply: Reply<u32> = Reply::request_input([
    ///     ("roots", InputRequest::from(Question::roots())),
    ///     ("terms", Question::visit("Read the terms.", "https://example.com/terms").into()),
    /// ]);
    /// # let _ = reply;
    /// ```
    pub fn request_input<K, R>(requests: impl IntoIterator<Item = (K, R)>) -> Self
    where
        K: Into<String>,
        R: Into<InputRequest>,
    {
        let requests = requests.into_iter();
        let requests = requests.map(|(name, request)| (name.into(), request.into()));
        Self(Kind::Asks(Asked::new(requests.collect(), None)))
    }

    /// Pauses the call without a question: the handler runs again from its start, with this
    /// [state](Self::with_state). A client of 2026-07-28 calls again for that; an older one sees
    /// nothing of it. It counts among the ten times that a call may ask.
    ///
    /// ```
    /// use relay_runtime::Reply;
    ///
    /// let reply: Reply<u32> = Reply::again(serde_json::json!({ "read": 500 }));
    /// # let _ = reply;
    /// ```
    pub fn again(state: Value) -> Self {
        Self(Kind::Asks(Asked::new(BTreeMap::new(), Some(state))))
    }

    /// Sends this along with [`request_input`](Self::request_input); the handler's next runs read
    /// it with [`Call::request_state`](crate::Call::request_state), until one gives another.
    ///
    /// It travels by the client, which can read it but not change it. A finished call has no
    /// state: there, this does nothing.
    pub fn with_state(mut self, state: Value) -> Self {
        if let Kind::Asks(asked) = &mut self.0 {
            asked.state = Some(state);
        }
        self
    }

    /// Sends these blocks instead of the text that mirrors the structured result.
    ///
    /// A content-only tool sends them instead of its output. Like the next two, it does nothing to
    /// a reply that asks.
    pub fn with_content(self, blocks: impl Into<Vec<ContentBlock>>) -> Self {
        self.finish(|finished| finished.content = Some(blocks.into()))
    }

    /// Replaces the `_meta` of every generated block: the text mirror of a structured result,
    /// the blocks of a content-only one. Blocks given to [`with_content`](Self::with_content)
    /// keep their own.
    pub fn with_meta(self, meta: Meta) -> Self {
        self.finish(|finished| finished.meta = Some(meta))
    }

    /// Sets members of the `_meta` of the result as a whole.
    pub fn with_result_meta(self, meta: Meta) -> Self {
        self.finish(|finished| finished.result_meta = meta)
    }

    fn finish(mut self, change: impl FnOnce(&mut Finished<O>)) -> Self {
        if let Kind::Finished(finished) = &mut self.0 {
            change(finished);
        }
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
