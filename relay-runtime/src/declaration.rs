//! A tool as `tools/list` publishes it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::content::{Icon, Meta};

/// A tool as `tools/list` publishes it.
///
/// The schemas keep their text: the order of their keys and the spelling of their numbers. Read
/// the fields by name, since a later revision may add some.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Declaration {
    /// The tool's name, unique in its server.
    pub name: String,
    /// The name that people see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What a model reads to choose the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of the arguments.
    pub input_schema: Box<RawValue>,
    /// The JSON Schema of the structured result; absent for a content-only tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Box<RawValue>>,
    /// Hints on how the tool behaves.
    #[serde(default, skip_serializing_if = "ToolAnnotations::is_empty")]
    pub annotations: ToolAnnotations,
    /// Icons that a client may show; empty: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The members of `_meta`; empty: none.
    #[serde(default, rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

#[cfg(feature = "dynamic")]
impl Declaration {
    /// The contract of the arguments, to check them before a call.
    ///
    /// # Errors
    ///
    /// When the schema is none that Relay can check.
    ///
    /// ```
    /// use relay_runtime::Declaration;
    ///
    /// let listed = r#"{"name":"add","inputSchema":{"type":"object","required":["a"]}}"#;
    /// let declaration: Declaration = serde_json::from_str(listed)?;
    /// assert!(declaration.input_contract()?.check(r#"{"b": 1}"#).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn input_contract(&self) -> Result<crate::check::Table, crate::check::SchemaErrors> {
        crate::check::Table::compile(self.input_schema.get())
    }
}

/// Hints on how a tool behaves. A hint that is `None` is not published.
///
/// They are hints: the spec page `server/tools` tells clients not to trust those of servers they
/// do not trust.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// A name that people see; [`Declaration::title`] goes before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The tool leaves its surroundings as they are. A client assumes `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may destroy data. A client assumes `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more. A client assumes `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool reaches systems outside of the server. A client assumes `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
