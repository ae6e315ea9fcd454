//! The result of a call, before any era has shaped it.

use serde_json::value::RawValue;

use crate::content::{ContentBlock, Meta};

/// What a call came to, as the client may read it.
#[derive(Debug, Clone)]
pub(crate) struct CallResult {
    pub(crate) content: Vec<ContentBlock>,
    pub(crate) structured: Option<Box<RawValue>>,
    pub(crate) is_error: bool,
    /// The members of the result's own `_meta`.
    pub(crate) meta: Meta,
}

impl CallResult {
    /// A failed call with one text block.
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self {
            content: vec![ContentBlock::text(text)],
            structured: None,
            is_error: true,
            meta: Meta::new(),
        }
    }
}
