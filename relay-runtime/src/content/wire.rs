//! How blocks and resources are read: all members first, then the kind they name.
//!
//! Not serde's tagged enums, which buffer what they read and then lose numbers when some crate of
//! the program turns on serde_json's `arbitrary_precision`.

use serde::Deserialize;

use super::bytes::Bytes;
use super::{
    Annotations, AudioContent, BlobResourceContents, ContentBlock, EmbeddedResource, Icon,
    ImageContent, Meta, ResourceContents, ResourceLink, TextContent, TextResourceContents,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireBlock {
    r#type: String,
    text: Option<String>,
    data: Option<Bytes>,
    mime_type: Option<String>,
    uri: Option<String>,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    size: Option<u64>,
    icons: Option<Vec<Icon>>,
    resource: Option<ResourceContents>,
    annotations: Option<Annotations>,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

impl TryFrom<WireBlock> for ContentBlock {
    type Error = String;

    fn try_from(wire: WireBlock) -> Result<Self, String> {
        let kind = wire.r#type;
        let annotations = wire.annotations;
        let meta = wire.meta.unwrap_or_default();
        Ok(match kind.as_str() {
            "text" => Self::Text(TextContent {
                text: need(wire.text, &kind, "text")?,
                annotations,
                meta,
            }),
            "image" => Self::Image(ImageContent {
                data: need(wire.data, &kind, "data")?.0,
                mime_type: need(wire.mime_type, &kind, "mimeType")?,
                annotations,
                meta,
            }),
            "audio" => Self::Audio(AudioContent {
                data: need(wire.data, &kind, "data")?.0,
                mime_type: need(wire.mime_type, &kind, "mimeType")?,
                annotations,
                meta,
            }),
            "resource_link" => Self::ResourceLink(ResourceLink {
                uri: need(wire.uri, &kind, "uri")?,
                name: need(wire.name, &kind, "name")?,
                title: wire.title,
                description: wire.description,
                mime_type: wire.mime_type,
                size: wire.size,
                annotations,
                icons: wire.icons.unwrap_or_default(),
                meta,
            }),
            "resource" => Self::EmbeddedResource(EmbeddedResource {
                resource: need(wire.resource, &kind, "resource")?,
                annotations,
                meta,
            }),
            _ => {
                return Err(format!(
                    "unknown content type `{kind}`, expected `text`, `image`, `audio`, \
                     `resource_link` or `resource`"
                ));
            }
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireResource {
    uri: String,
    text: Option<String>,
    blob: Option<Bytes>,
    mime_type: Option<String>,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

impl TryFrom<WireResource> for ResourceContents {
    type Error = &'static str;

    fn try_from(wire: WireResource) -> Result<Self, &'static str> {
        let WireResource {
            uri,
            text,
            blob,
            mime_type,
            meta,
        } = wire;
        let meta = meta.unwrap_or_default();
        match (text, blob) {
            (Some(text), None) => Ok(Self::Text(TextResourceContents {
                uri,
                text,
                mime_type,
                meta,
            })),
            (None, Some(Bytes(blob))) => Ok(Self::Blob(BlobResourceContents {
                uri,
                blob,
                mime_type,
                meta,
            })),
            (None, None) => Err("a resource needs `text` or `blob`"),
            (Some(_), Some(_)) => Err("a resource has `text` or `blob`, not both"),
        }
    }
}

fn need<T>(member: Option<T>, kind: &str, name: &str) -> Result<T, String> {
    member.ok_or_else(|| format!("a block of type `{kind}` needs `{name}`"))
}
