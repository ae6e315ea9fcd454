//! What a tool's result is made of: text, images, audio, links to resources and resources.
//!
//! The records mirror the schema of the MCP revision 2026-07-28 with every optional field that it
//! defines, `_meta` included. Absent fields are left out on the wire. Binary data stays bytes:
//! Relay writes and reads base64 only on the wire. Encoding and decoding are inverse.
//!
//! ```
//! use relay_runtime::content::{Annotations, ContentBlock, text_of};
//!
//! let blocks = vec![
//!     ContentBlock::text("Report ready")
//!         .with_annotations(Annotations::new().with_priority(0.8)),
//!     ContentBlock::image(vec![137, 80, 78, 71], "image/png"),
//! ];
//! assert_eq!(text_of(&blocks), "Report ready");
//! assert_eq!(
//!     serde_json::to_value(&blocks).unwrap(),
//!     serde_json::json!([
//!         {"type": "text", "text": "Report ready", "annotations": {"priority": 0.8}},
//!         {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
//!     ]),
//! );
//! ```

mod annotations;
mod block;
mod bytes;
mod icon;
mod link;
mod resource;
mod wire;

pub use annotations::{Annotations, Role};
pub use block::{AudioContent, ContentBlock, EmbeddedResource, ImageContent, TextContent, text_of};
pub use icon::{Icon, IconTheme};
pub use link::ResourceLink;
pub use resource::{BlobResourceContents, ResourceContents, TextResourceContents};

/// The members of a `_meta` object. Empty: no `_meta` on the wire.
///
/// The keys follow the rules of the spec page `basic/index`: an optional prefix of labels and a
/// slash, then a name. Prefixes whose second label is `modelcontextprotocol` or `mcp` are MCP's.
pub type Meta = serde_json::Map<String, serde_json::Value>;
