//! One file that was read, before it is known to be sound.

use crate::json::Node;
use crate::source::FileId;
use relay_runtime::suggest::nearest;

/// A file's value and where it stands among the others.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) id: FileId,
    pub(crate) root: Node,
    /// The directories between the root directory and the file.
    pub(crate) module: Vec<String>,
    /// The file's name without `.json`.
    pub(crate) stem: String,
    /// The `file:` URI against which its refs are resolved.
    pub(crate) uri: String,
    pub(crate) is_tool: bool,
}

/// A root schema within a file.
pub(crate) struct SchemaRoot<'a> {
    /// The JSON Pointer from the file's root.
    pub(crate) pointer: &'static str,
    pub(crate) node: &'a Node,
}

impl File {
    /// The schemas that a file holds: a tool's two, or all of a document.
    pub(crate) fn schema_roots(&self) -> Vec<SchemaRoot<'_>> {
        if !self.is_tool {
            return vec![SchemaRoot {
                pointer: "",
                node: &self.root,
            }];
        }
        [
            ("inputSchema", "/inputSchema"),
            ("outputSchema", "/outputSchema"),
        ]
        .into_iter()
        .filter_map(|(key, pointer)| {
            let node = self.root.get(key)?;
            node.as_object()?;
            Some(SchemaRoot { pointer, node })
        })
        .collect()
    }
}

/// Whether a file's root is meant as a tool: it has an `inputSchema`, or something else that only a
/// tool has, or something that was meant to be an `inputSchema`.
pub(crate) fn is_tool(root: &Node) -> bool {
    let telling = ["inputSchema", "outputSchema", "name", "annotations"];
    root.as_object().unwrap_or_default().iter().any(|member| {
        telling.contains(&&*member.key) || nearest(&member.key, ["inputSchema"]).is_some()
    })
}
