//! The member `x-relay`: what a contract asks of Relay beyond MCP. It is not published.

use super::presentation::is_strings;
use crate::diagnostics::{Diagnostic, Diagnostics, RULES, rule};
use crate::json::{Member, Node};
use relay_runtime::suggest::nearest;

/// The member `x-relay` of a tool, or of a schema document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extension {
    /// `requiredClientCapabilities`: what a client must have declared.
    pub required_client_capabilities: Vec<String>,
    /// `timeoutMs`: how long the handler may take, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// `rustName`: the name from which the Rust names are made.
    pub rust_name: Option<String>,
    /// `assertFormats`: whether `format` is checked rather than noted.
    pub assert_formats: bool,
    /// `form`: whether a document is a form for the client's user.
    pub form: bool,
    /// `allow`: the rules whose findings are not to be shown.
    pub allow: Vec<String>,
}

/// What an `x-relay` belongs to: each has members of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Tool,
    Document,
}

impl Owner {
    fn members(self) -> &'static [&'static str] {
        match self {
            Self::Tool => &[
                "requiredClientCapabilities",
                "timeoutMs",
                "rustName",
                "assertFormats",
                "allow",
            ],
            Self::Document => &["form", "rustName", "allow"],
        }
    }

    /// What messages call it.
    fn words(self) -> &'static str {
        match self {
            Self::Tool => "a tool",
            Self::Document => "a schema document, a file without an `inputSchema`",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Tool => Self::Document,
            Self::Document => Self::Tool,
        }
    }
}

/// As long as the runtime lets a handler run.
const MAX_TIMEOUT_MS: u64 = 24 * 3_600_000;

impl Extension {
    /// Whether a rule's findings are not to be shown.
    #[must_use]
    pub fn allows(&self, rule_id: &str) -> bool {
        self.allow.iter().any(|allowed| allowed == rule_id)
    }

    /// Reads `x-relay`; what cannot be read is reported and left at its default.
    pub(super) fn read(owner: Owner, node: Option<&Node>, diagnostics: &mut Diagnostics) -> Self {
        let mut extension = Self::default();
        let Some(node) = node else {
            return extension;
        };
        let Some(members) = node.as_object() else {
            let message = format!("`x-relay` must be an object, but is {}", node.kind());
            diagnostics.push(Diagnostic::new("bad-x-relay", node.span, message));
            return extension;
        };
        for member in members {
            if owner.members().contains(&&*member.key) {
                extension.member(member, diagnostics);
            } else {
                diagnostics.push(unknown(owner, member));
            }
        }
        extension
    }

    fn member(&mut self, member: &Member, diagnostics: &mut Diagnostics) {
        let value = &member.value;
        let expected = match &*member.key {
            "requiredClientCapabilities" => {
                self.required_client_capabilities = strings(value);
                (!is_strings(value)).then_some("an array of capabilities such as \"sampling\"")
            }
            "timeoutMs" => {
                self.timeout_ms = positive(value).filter(|ms| *ms <= MAX_TIMEOUT_MS);
                let wrong = self.timeout_ms.is_none();
                wrong.then_some("a whole number of milliseconds, from 1 to 86400000 (24 hours)")
            }
            "rustName" => {
                let name = value.as_str().filter(|name| is_rust_name(name));
                self.rust_name = name.map(str::to_owned);
                let wrong = name.is_none();
                wrong.then_some(
                    "a Rust name: a letter, then letters, digits and `_`, and no keyword",
                )
            }
            "assertFormats" => {
                self.assert_formats = value.as_bool() == Some(true);
                value.as_bool().is_none().then_some("`true` or `false`")
            }
            "form" => {
                self.form = value.as_bool() == Some(true);
                value.as_bool().is_none().then_some("`true` or `false`")
            }
            // The last that an owner has: `allow`.
            _ => {
                self.allow(value, diagnostics);
                (!is_strings(value)).then_some("an array of rule ids")
            }
        };
        if let Some(expected) = expected {
            let message = format!("`{}` must be {expected}", member.key);
            let diagnostic = Diagnostic::new("bad-x-relay", value.span, message);
            diagnostics.push(diagnostic.help(format!("write {expected}")));
        }
    }

    fn allow(&mut self, value: &Node, diagnostics: &mut Diagnostics) {
        for node in value.as_array().unwrap_or_default() {
            let Some(id) = node.as_str() else { continue };
            self.allow.push(id.to_owned());
            let message = match rule(id) {
                Some(rule) if rule.allowable => continue,
                Some(_) => format!("`{id}` is an error, which cannot be allowed"),
                None => format!("there is no rule `{id}`"),
            };
            let mut diagnostic = Diagnostic::new("unknown-rule", node.span, message);
            let allowable = RULES.iter().filter(|rule| rule.allowable);
            if let Some(near) = nearest(id, allowable.map(|rule| rule.id)) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            diagnostics.push(diagnostic);
        }
    }
}

fn unknown(owner: Owner, member: &Member) -> Diagnostic {
    let key = &*member.key;
    let (message, near) = if owner.other().members().contains(&key) {
        let (other, own) = (owner.other().words(), owner.words());
        (format!("`{key}` is for {other}, but this is {own}"), None)
    } else {
        let near = nearest(key, owner.members().iter().copied());
        (format!("`x-relay` has no member {key:?}"), near)
    };
    Diagnostic::new("bad-x-relay", member.key_span, message).help(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it may have {}", owner.members().join(", ")),
    })
}

/// An `x-relay` inside a schema, where nobody would read it.
pub(super) fn misplaced(member: &Member) -> Diagnostic {
    let message = "`x-relay` stands at the root of a file, but this is inside";
    Diagnostic::new("bad-x-relay", member.key_span, message)
        .help("move it to the root of the file; a form is a file of its own")
}

fn strings(node: &Node) -> Vec<String> {
    let elements = node.as_array().unwrap_or_default().iter();
    elements
        .filter_map(|element| element.as_str().map(str::to_owned))
        .collect()
}

fn positive(node: &Node) -> Option<u64> {
    node.as_number()?.parse().ok().filter(|value| *value > 0)
}

fn is_rust_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !KEYWORDS.contains(&&*name.to_ascii_lowercase())
}

/// Rust's keywords, strict and reserved. `self` and `Self` differ in case only, as the names made from
/// a `rustName` do.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];
