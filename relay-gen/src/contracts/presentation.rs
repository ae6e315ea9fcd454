//! What a tool says about itself to people and hosts: annotations, icons, execution.

use super::members::{misspelt, wrong_type};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{Member, Node};
use relay_runtime::suggest::nearest;

const HINTS: &[&str] = &[
    "readOnlyHint",
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
];

/// Annotations may have members that MCP does not know, and those are published; but a hint that is
/// misspelt would be lost on every client.
pub(crate) fn annotations(member: &Member, diagnostics: &mut Diagnostics) {
    let Some(annotations) = member.value.as_object() else {
        diagnostics.push(wrong_type(member, "an object"));
        return;
    };
    for annotation in annotations {
        let key = &*annotation.key;
        if HINTS.contains(&key) {
            if annotation.value.as_bool().is_none() {
                diagnostics.push(wrong_type(annotation, "`true` or `false`"));
            }
        } else if key == "title" {
            if annotation.value.as_str().is_none() {
                diagnostics.push(wrong_type(annotation, "a string"));
            }
        } else if let Some(near) = nearest(key, HINTS.iter().copied().chain(["title"])) {
            diagnostics.push(misspelt(annotation, near));
        } else if let Some(near) = HINTS
            .iter()
            .find(|hint| hint.strip_suffix("Hint") == Some(key))
        {
            diagnostics.push(misspelt(annotation, near));
        }
    }
}

const ICON_MEMBERS: &[&str] = &["src", "mimeType", "sizes", "theme"];

pub(crate) fn icons(member: &Member, diagnostics: &mut Diagnostics) {
    let Some(icons) = member.value.as_array() else {
        diagnostics.push(wrong_type(member, "an array of icons"));
        return;
    };
    for icon in icons {
        self::icon(icon, diagnostics);
    }
}

fn icon(icon: &Node, diagnostics: &mut Diagnostics) {
    let Some(members) = icon.as_object() else {
        let message = format!("an icon must be an object, but is {}", icon.kind());
        diagnostics.push(Diagnostic::new("bad-icon", icon.span, message));
        return;
    };
    let mut found = Vec::new();
    for member in members {
        let near = nearest(&member.key, ICON_MEMBERS.iter().copied());
        match (&*member.key, &member.value) {
            ("src" | "mimeType", value) if value.as_str().is_none() => {
                diagnostics.push(wrong_type(member, "a string"));
            }
            ("sizes", value) if !is_strings(value) => {
                let expected = "an array of strings such as \"48x48\" or \"any\"";
                diagnostics.push(wrong_type(member, expected));
            }
            ("theme", value) if !matches!(value.as_str(), Some("light" | "dark")) => {
                let message = format!("an icon's theme is \"light\" or \"dark\", not {value}");
                diagnostics.push(Diagnostic::new("bad-icon", value.span, message));
            }
            (key, _) if ICON_MEMBERS.contains(&key) => {}
            _ => diagnostics.extend(near.map(|near| misspelt(member, near))),
        }
        found.push(&*member.key);
        found.extend(near);
    }
    if !found.contains(&"src") {
        let message = "the icon has no `src`";
        diagnostics.push(Diagnostic::new("bad-icon", icon.span, message));
    }
}

pub(crate) fn is_strings(node: &Node) -> bool {
    let elements = node.as_array();
    elements.is_some_and(|elements| elements.iter().all(|element| element.as_str().is_some()))
}

/// Revision 2025-11-25 lets a tool say whether it can run as a task.
pub(crate) fn execution(member: &Member, diagnostics: &mut Diagnostics) {
    let Some(members) = member.value.as_object() else {
        diagnostics.push(wrong_type(member, "an object"));
        return;
    };
    for member in members {
        let support = &member.value;
        if member.key != "taskSupport" {
            let message = format!("`execution` has no member {:?}", member.key);
            diagnostics.push(Diagnostic::new("bad-execution", member.key_span, message));
            continue;
        }
        match support.as_str() {
            Some("forbidden") => {}
            Some(asked @ ("optional" | "required")) => {
                let message = format!("`taskSupport` is {asked:?}, but Relay runs no tasks");
                diagnostics.push(Diagnostic::new("no-tasks", support.span, message));
            }
            _ => {
                let message = format!("`taskSupport` cannot be {support}");
                diagnostics.push(Diagnostic::new("bad-execution", support.span, message));
            }
        }
    }
}
