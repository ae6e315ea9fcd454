//! The keys of `_meta`: a name, behind a prefix of dotted labels and a slash if need be.

use super::members::wrong_type;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::Member;

/// Bare names that MCP gives a meaning.
const RESERVED: &[&str] = &["progressToken", "traceparent", "tracestate", "baggage"];

pub(crate) fn check(member: &Member, diagnostics: &mut Diagnostics) {
    let Some(members) = member.value.as_object() else {
        diagnostics.push(wrong_type(member, "an object"));
        return;
    };
    for member in members {
        let key = &*member.key;
        if let Some(problem) = problem(key) {
            let message = format!("the `_meta` key {key:?} {problem}");
            diagnostics.push(Diagnostic::new("bad-meta-key", member.key_span, message));
        } else if is_reserved(key) {
            let message = format!("the `_meta` key {key:?} is reserved by MCP");
            diagnostics.push(Diagnostic::new(
                "reserved-meta-key",
                member.key_span,
                message,
            ));
        }
    }
}

fn problem(key: &str) -> Option<String> {
    let (prefix, name) = split(key);
    if let Some(label) = prefix
        .into_iter()
        .flat_map(labels)
        .find(|label| !is_label(label))
    {
        return Some(format!(
            "has the label {label:?} in its prefix: a label starts with a letter, ends with a letter or digit, and has only these and `-` between"
        ));
    }
    (!is_name(name)).then(|| {
        format!(
            "has the name {name:?}: a name starts and ends with a letter or digit, and has only these, `-`, `_` and `.` between"
        )
    })
}

fn split(key: &str) -> (Option<&str>, &str) {
    match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    }
}

fn labels(prefix: &str) -> impl Iterator<Item = &str> {
    prefix.split('.')
}

/// Starts with a letter, ends with a letter or digit, hyphens between.
fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Empty, or starts and ends with a letter or digit, with hyphens, underscores and dots between.
fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.into_iter().flatten().all(u8::is_ascii_alphanumeric)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

fn is_reserved(key: &str) -> bool {
    match split(key) {
        (Some(prefix), _) => matches!(labels(prefix).nth(1), Some("modelcontextprotocol" | "mcp")),
        (None, name) => RESERVED.contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_reserved, problem};

    #[test]
    fn keys_are_told_apart() {
        for good in [
            "a",
            "",
            "com.example/",
            "com.example/a.b-c_d",
            "x1/y",
            "fastmcp",
            "a-b.c/d",
        ] {
            assert_eq!(problem(good), None, "{good}");
        }
        for bad in [
            "_a", "a_", "a b", "/a", "1a/b", "a-/b", "a..b/c", "a/b/c", "a_b/c", "é",
        ] {
            assert!(problem(bad).is_some(), "{bad}");
        }
        for reserved in [
            "io.modelcontextprotocol/x",
            "com.mcp.tools/x",
            "traceparent",
        ] {
            assert!(is_reserved(reserved), "{reserved}");
        }
        for free in ["com.example.mcp/x", "mcp/x", "x"] {
            assert!(!is_reserved(free), "{free}");
        }
    }
}
