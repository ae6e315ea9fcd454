//! The contents of resources.

use serde::{Deserialize, Serialize};

use super::wire::WireResource;
use super::{Meta, bytes};

/// The contents of one resource: text, or binary data as bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "WireResource")]
pub enum ResourceContents {
    /// Text.
    Text(TextResourceContents),
    /// Bytes.
    Blob(BlobResourceContents),
}

/// A resource that is text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextResourceContents {
    /// The URI of the resource.
    pub uri: String,
    /// The text.
    pub text: String,
    /// The MIME type, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The members of `_meta`; empty: none.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

/// A resource that is binary.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BlobResourceContents {
    /// The URI of the resource.
    pub uri: String,
    /// The bytes; base64 on the wire.
    #[serde(serialize_with = "bytes::serialize")]
    pub blob: Vec<u8>,
    /// The MIME type, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The members of `_meta`; empty: none.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

impl ResourceContents {
    /// Text without a MIME type.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text(TextResourceContents {
            uri: uri.into(),
            text: text.into(),
            mime_type: None,
            meta: Meta::new(),
        })
    }

    /// Bytes without a MIME type.
    pub fn blob(uri: impl Into<String>, blob: impl Into<Vec<u8>>) -> Self {
        Self::Blob(BlobResourceContents {
            uri: uri.into(),
            blob: blob.into(),
            mime_type: None,
            meta: Meta::new(),
        })
    }

    /// Sets the MIME type.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        let mime_type = Some(mime_type.into());
        match &mut self {
            Self::Text(contents) => contents.mime_type = mime_type,
            Self::Blob(contents) => contents.mime_type = mime_type,
        }
        self
    }

    /// Replaces the members of `_meta`.
    #[must_use]
    pub fn with_meta(mut self, meta: Meta) -> Self {
        match &mut self {
            Self::Text(contents) => contents.meta = meta,
            Self::Blob(contents) => contents.meta = meta,
        }
        self
    }

    /// The URI of the resource.
    pub fn uri(&self) -> &str {
        match self {
            Self::Text(contents) => &contents.uri,
            Self::Blob(contents) => &contents.uri,
        }
    }
}
