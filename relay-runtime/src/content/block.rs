//! The blocks of a result.

use serde::{Deserialize, Serialize};

use super::wire::WireBlock;
use super::{Annotations, Meta, ResourceContents, ResourceLink, bytes};

/// One block of content in a tool's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", try_from = "WireBlock")]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    #[serde(rename = "text")]
    Text(TextContent),
    /// An image.
    #[serde(rename = "image")]
    Image(ImageContent),
    /// A sound.
    #[serde(rename = "audio")]
    Audio(AudioContent),
    /// A link to a resource that the client may read.
    #[serde(rename = "resource_link")]
    ResourceLink(ResourceLink),
    /// A resource, with its contents.
    #[serde(rename = "resource")]
    EmbeddedResource(EmbeddedResource),
}

/// Text for a model or a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The members of `_meta`; empty: none.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ImageContent {
    /// The bytes of the image file; base64 on the wire.
    #[serde(serialize_with = "bytes::serialize")]
    pub data: Vec<u8>,
    /// The MIME type, such as `image/png`.
    pub mime_type: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The members of `_meta`; empty: none.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AudioContent {
    /// The bytes of the sound file; base64 on the wire.
    #[serde(serialize_with = "bytes::serialize")]
    pub data: Vec<u8>,
    /// The MIME type, such as `audio/wav`.
    pub mime_type: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The members of `_meta`; empty: none.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

/// A resource, with its contents, inside a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The contents.
    pub resource: ResourceContents,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The members of `_meta`; empty: none.
    #[serde(rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent {
            text: text.into(),
            annotations: None,
            meta: Meta::new(),
        })
    }

    /// An image block from the bytes of an image file.
    pub fn image(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::Image(ImageContent {
            data: data.into(),
            mime_type: mime_type.into(),
            annotations: None,
            meta: Meta::new(),
        })
    }

    /// An audio block from the bytes of a sound file.
    pub fn audio(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::Audio(AudioContent {
            data: data.into(),
            mime_type: mime_type.into(),
            annotations: None,
            meta: Meta::new(),
        })
    }

    /// A link with only its URI and name; see [`ResourceLink`] for one with more.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink(ResourceLink::new(uri, name))
    }

    /// A block that embeds the contents of a resource.
    pub fn embedded(resource: ResourceContents) -> Self {
        Self::EmbeddedResource(EmbeddedResource {
            resource,
            annotations: None,
            meta: Meta::new(),
        })
    }

    /// Replaces the block's annotations.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        let place = match &mut self {
            Self::Text(block) => &mut block.annotations,
            Self::Image(block) => &mut block.annotations,
            Self::Audio(block) => &mut block.annotations,
            Self::ResourceLink(block) => &mut block.annotations,
            Self::EmbeddedResource(block) => &mut block.annotations,
        };
        *place = Some(annotations);
        self
    }

    /// Replaces the members of the block's `_meta`.
    #[must_use]
    pub fn with_meta(mut self, meta: Meta) -> Self {
        let place = match &mut self {
            Self::Text(block) => &mut block.meta,
            Self::Image(block) => &mut block.meta,
            Self::Audio(block) => &mut block.meta,
            Self::ResourceLink(block) => &mut block.meta,
            Self::EmbeddedResource(block) => &mut block.meta,
        };
        *place = meta;
        self
    }
}

impl From<ResourceLink> for ContentBlock {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(link)
    }
}

/// The text blocks alone, in their order, joined with newlines.
pub fn text_of(blocks: &[ContentBlock]) -> String {
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Text(block) => Some(block.text.as_str()),
            _ => None,
        })
        .collect();
    texts.join("\n")
}
