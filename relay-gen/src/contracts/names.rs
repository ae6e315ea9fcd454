//! The names of tools.

use std::collections::HashMap;

use super::file::File;
use super::tool::Contract;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::Span;

/// How long a name may be.
const MAX_LENGTH: usize = 128;

/// A tool's name, checked, and where it stands: `name`, or else the file's own name.
pub(crate) fn of(file: &File, diagnostics: &mut Diagnostics) -> (String, Span) {
    let (name, span) = match file.root.get("name") {
        Some(node) => match node.as_str() {
            Some(name) => (name, node.span),
            // That it is no string is reported with the other members.
            None => return (file.stem.clone(), node.span),
        },
        None => (&*file.stem, Span::file_start(file.id)),
    };
    if let Some(problem) = problem(name) {
        let mut diagnostic =
            Diagnostic::new("bad-name", span, format!("the tool's name {problem}"));
        if file.root.get("name").is_none() {
            diagnostic = diagnostic
                .note("without a `name`, the file's name is the tool's")
                .help("add a `name`, or rename the file");
        }
        diagnostics.push(diagnostic);
    }
    (name.to_owned(), span)
}

fn problem(name: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() {
        return Some("is empty".to_owned());
    }
    if let Some(bad) = name.chars().find(|character| !allowed(*character)) {
        return Some(format!("has the character {bad:?}"));
    }
    let length = name.chars().count();
    (length > MAX_LENGTH)
        .then(|| format!("has {length} characters, {MAX_LENGTH} at most are allowed"))
}

/// Reports tools of one name: an error within a module, a warning across modules.
pub(crate) fn check(tools: &[Contract], diagnostics: &mut Diagnostics) {
    let mut in_module: HashMap<(&[String], &str), &Contract> = HashMap::new();
    let mut anywhere: HashMap<&str, &Contract> = HashMap::new();
    for tool in tools {
        let name = tool.name();
        let twin = in_module.get(&(tool.module(), name)).copied();
        let other = anywhere.get(name).copied();
        match (twin, other) {
            (Some(first), _) => {
                let message = format!("there are two tools `{name}` in one module");
                diagnostics.push(twice("duplicate-tool", message, tool, first));
            }
            (None, Some(first)) => {
                let message = format!("there is a tool `{name}` in another module too");
                diagnostics.push(twice("repeated-tool-name", message, tool, first));
            }
            (None, None) => {}
        }
        in_module.entry((tool.module(), name)).or_insert(tool);
        anywhere.entry(name).or_insert(tool);
    }
}

fn twice(rule: &str, message: String, tool: &Contract, first: &Contract) -> Diagnostic {
    Diagnostic::new(rule, tool.name_span(), message)
        .label("again here")
        .related(first.name_span(), "first here")
}
