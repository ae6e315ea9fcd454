//! The members of a tool.

use super::{meta_keys, presentation};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{Json, Member, Node};
use relay_runtime::suggest::nearest;

/// A member that Relay knows.
struct Known {
    key: &'static str,
    /// Whether clients see it.
    published: bool,
    check: fn(&Member, &mut Diagnostics),
}

const fn published(key: &'static str, check: fn(&Member, &mut Diagnostics)) -> Known {
    Known {
        key,
        published: true,
        check,
    }
}

const fn private(key: &'static str, check: fn(&Member, &mut Diagnostics)) -> Known {
    Known {
        key,
        published: false,
        check,
    }
}

const KNOWN: &[Known] = &[
    published("name", string),
    published("title", string),
    published("description", string),
    published("inputSchema", input_schema),
    published("outputSchema", output_schema),
    published("annotations", presentation::annotations),
    published("icons", presentation::icons),
    published("_meta", meta_keys::check),
    private("execution", presentation::execution),
    private("x-relay", |_, _| {}),
    private("$schema", string),
];

/// Whether clients see a member.
pub(crate) fn is_published(key: &str) -> bool {
    KNOWN
        .iter()
        .any(|known| known.published && known.key == key)
}

/// Checks the members of a tool, but for the name's characters and what is inside the schemas.
pub(crate) fn check(root: &Node, diagnostics: &mut Diagnostics) {
    let mut misspelt = Vec::new();
    for member in root.as_object().unwrap_or_default() {
        let known = KNOWN.iter().find(|known| known.key == member.key);
        if let Some(known) = known {
            (known.check)(member, diagnostics);
            continue;
        }
        misspelt.extend(nearest(&member.key, keys()));
        diagnostics.push(unknown(member));
    }
    if root.get("inputSchema").is_none() && !misspelt.contains(&"inputSchema") {
        diagnostics.push(missing_input_schema(root));
    }
}

fn keys() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|known| known.key)
}

fn unknown(member: &Member) -> Diagnostic {
    let key = &member.key;
    match nearest(key, keys()) {
        Some(near) => misspelt(member, near),
        None => {
            let message = format!("MCP knows no member {key:?} of a tool");
            Diagnostic::new("unknown-member", member.key_span, message)
        }
    }
}

/// A member that was meant to be another.
pub(crate) fn misspelt(member: &Member, near: &str) -> Diagnostic {
    let message = format!("unknown member {:?}: did you mean `{near}`?", member.key);
    Diagnostic::new("misspelt-member", member.key_span, message)
        .help(format!("rename it to `{near}`"))
}

fn missing_input_schema(root: &Node) -> Diagnostic {
    let has = ["name", "outputSchema", "annotations"]
        .into_iter()
        .find_map(|key| root.member(key));
    let span = has.map_or(root.span, |member| member.key_span);
    let message = "the tool has no `inputSchema`";
    let diagnostic = Diagnostic::new("missing-input-schema", span, message);
    match has {
        Some(member) => {
            let label = format!("`{}` makes this file a tool", member.key);
            diagnostic.label(label)
        }
        None => diagnostic,
    }
}

fn string(member: &Member, diagnostics: &mut Diagnostics) {
    if member.value.as_str().is_none() {
        diagnostics.push(wrong_type(member, "a string"));
    }
}

/// A member whose value is not what it should be.
pub(crate) fn wrong_type(member: &Member, expected: &str) -> Diagnostic {
    let found = member.value.kind();
    let message = format!("`{}` must be {expected}, but is {found}", member.key);
    Diagnostic::new("wrong-type", member.value.span, message).help(format!("write {expected} here"))
}

fn input_schema(member: &Member, diagnostics: &mut Diagnostics) {
    const RULE: &str = "input-schema-not-object";
    let schema = &member.value;
    if schema.as_object().is_none() {
        let message = format!("`inputSchema` must be an object, but is {}", schema.kind());
        diagnostics.push(Diagnostic::new(RULE, schema.span, message));
        return;
    }
    let diagnostic = match schema.get("type") {
        None => {
            let message = "the root of `inputSchema` has no `\"type\": \"object\"`";
            Diagnostic::new(RULE, member.key_span, message)
        }
        Some(node) if node.as_str() == Some("object") => return,
        Some(node) => {
            let message = format!("the root of `inputSchema` has the type {node}, not \"object\"");
            Diagnostic::new(RULE, node.span, message)
        }
    };
    diagnostics.push(diagnostic);
}

fn output_schema(member: &Member, diagnostics: &mut Diagnostics) {
    let schema = &member.value;
    if schema.as_object().is_some() {
        return;
    }
    let message = format!("`outputSchema` must be an object, but is {}", schema.kind());
    let mut diagnostic = Diagnostic::new("output-schema-not-object", schema.span, message);
    if matches!(schema.value, Json::Bool(_)) {
        diagnostic = diagnostic.help("write `{}` for a schema that allows anything");
    }
    diagnostics.push(diagnostic);
}
