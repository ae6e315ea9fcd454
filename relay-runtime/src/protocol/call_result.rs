//! The result of a call, before any era has shaped it.

use crate::buffers::Text;
use crate::content::{ContentBlock, Meta};

/// What a call came to, as the client may read it.
#[derive(Debug)]
pub(crate) struct CallResult {
    pub(crate) content: Vec<ContentBlock>,
    /// Its text is the content, for clients that read only that.
    pub(crate) mirrors: bool,
    /// JSON text.
    pub(crate) structured: Option<Text>,
    pub(crate) is_error: bool,
    /// The members of the result's own `_meta`.
    pub(crate) meta: Meta,
}

impl CallResult {
    /// A failed call with one text block.
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self {
            content: vec![ContentBlock::text(text)],
            mirrors: false,
            structured: None,
            is_error: true,
            meta: Meta::new(),
        }
    }

    /// About how many bytes of JSON it has; at least as many for what is large.
    pub(super) fn size_hint(&self) -> usize {
        let structured = self.structured.as_ref().map_or(0, |json| json.len());
        let texts = self.content.iter().map(|block| match block {
            ContentBlock::Text(block) => block.text.len(),
            ContentBlock::Image(block) => block.data.len() / 3 * 4,
            ContentBlock::Audio(block) => block.data.len() / 3 * 4,
            _ => 0,
        });
        let texts: usize = texts.sum();
        structured * 2 + texts + 256
    }
}
