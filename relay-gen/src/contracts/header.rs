//! `x-mcp-header`: an argument that clients mirror into an HTTP header.

use std::collections::HashMap;

use super::resources::Resources;
use super::vocabulary::Dialect;
use super::walk::subschemas;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{Member, Node};
use crate::source::Span;

const KEY: &str = "x-mcp-header";

/// The largest integer that every client can hold, 2^53 - 1.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// The headers of one schema.
pub(crate) struct Headers<'a> {
    resources: &'a Resources,
    is_input: bool,
    diagnostics: &'a mut Diagnostics,
    /// Where each name stands first, in lower case.
    names: HashMap<String, Span>,
}

impl<'a> Headers<'a> {
    pub(crate) fn new(
        resources: &'a Resources,
        is_input: bool,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self {
            resources,
            is_input,
            diagnostics,
            names: HashMap::new(),
        }
    }

    /// Checks a root schema, which is no property itself.
    pub(crate) fn check(&mut self, root: &Node) {
        let reached = if self.is_input {
            Reached::Root
        } else {
            Reached::NotInput
        };
        self.schema(root, reached);
    }

    fn schema(&mut self, schema: &Node, reached: Reached) {
        if let Some(member) = schema.member(KEY) {
            if let Some(problem) = self.problem(schema, member, reached) {
                let diagnostic = Diagnostic::new("bad-mcp-header", member.key_span, problem);
                self.diagnostics.push(diagnostic);
            }
            self.unique(member);
        }
        let resource = self.resources.at(schema.span);
        let dialect = resource.map_or(Dialect::Draft2020_12, |resource| resource.dialect);
        for child in subschemas(schema, dialect) {
            self.schema(child.node, reached.by(child.keyword.name));
        }
    }

    fn problem(&self, schema: &Node, member: &Member, reached: Reached) -> Option<String> {
        match reached {
            Reached::Property => {}
            Reached::Root => return Some(format!("`{KEY}` stands at no property")),
            Reached::NotInput => {
                return Some(format!("`{KEY}` stands outside of an `inputSchema`"));
            }
            Reached::Otherwise(keyword) => {
                return Some(format!(
                    "`{KEY}` is reached through `{keyword}`, where only `properties` may lead to it"
                ));
            }
        }
        let Some(name) = member.value.as_str() else {
            let kind = member.value.kind();
            return Some(format!("`{KEY}` must be a string, but is {kind}"));
        };
        if name.is_empty() {
            return Some(format!("`{KEY}` is empty"));
        }
        if let Some(bad) = name.chars().find(|character| !is_token(*character)) {
            return Some(format!(
                "`{KEY}` has the character {bad:?}, which no header name has"
            ));
        }
        wrong_type(schema).or_else(|| unsafe_integer(schema))
    }

    fn unique(&mut self, member: &Member) {
        let Some(name) = member.value.as_str() else {
            return;
        };
        let span = member.value.span;
        let first = *self.names.entry(name.to_ascii_lowercase()).or_insert(span);
        if first != span {
            let message = format!("the header {name:?} stands at two properties, case aside");
            let diagnostic = Diagnostic::new("bad-mcp-header", span, message)
                .label("again here")
                .related(first, "first here");
            self.diagnostics.push(diagnostic);
        }
    }
}

/// How a schema was reached from the root.
#[derive(Clone, Copy)]
enum Reached {
    /// It is the root.
    Root,
    /// Through `properties` alone.
    Property,
    /// Through another keyword.
    Otherwise(&'static str),
    /// It is in no `inputSchema`.
    NotInput,
}

impl Reached {
    fn by(self, keyword: &'static str) -> Self {
        match self {
            Self::Root | Self::Property if keyword == "properties" => Self::Property,
            Self::Root | Self::Property => Self::Otherwise(keyword),
            other => other,
        }
    }
}

fn wrong_type(schema: &Node) -> Option<String> {
    let primitive = |node: &Node| matches!(node.as_str(), Some("string" | "integer" | "boolean"));
    let found = match schema.get("type") {
        None => "has no `type`".to_owned(),
        Some(node) if primitive(node) => return None,
        Some(node) => format!("has the type {node}"),
    };
    Some(format!(
        "`{KEY}` needs a property of type string, integer or boolean, but this one {found}"
    ))
}

/// An integer that the schema itself names beyond what clients hold exactly.
fn unsafe_integer(schema: &Node) -> Option<String> {
    let named = ["const", "default", "minimum", "maximum"]
        .into_iter()
        .filter_map(|key| schema.get(key));
    let listed = schema
        .get("enum")
        .and_then(Node::as_array)
        .unwrap_or_default();
    named
        .chain(listed)
        .find(|node| {
            let number = node.as_number().and_then(|text| text.parse::<f64>().ok());
            number.is_some_and(|number| number.abs() > MAX_SAFE)
        })
        .map(|node| format!("`{KEY}` allows integers up to 2^53 - 1 only, not {node}"))
}

/// Whether a header's name may have this character (RFC 9110, `tchar`).
fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}
