//! From a text to an object.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{self, MAX_DEPTH, Node, ParseError, ParseErrorKind};
use crate::source::{FileId, Sources, Span};

/// The object that a file holds, or `None` once it is reported what it holds instead.
pub(crate) fn root(file: FileId, sources: &Sources, diagnostics: &mut Diagnostics) -> Option<Node> {
    match json::parse(file, sources.get(file)) {
        Ok(root) if root.as_object().is_some() => Some(root),
        Ok(root) => {
            let message = format!(
                "the file holds {}, where an object is expected",
                root.kind()
            );
            let start = Span {
                end: root.span.end.min(root.span.start + 1),
                ..root.span
            };
            diagnostics.push(Diagnostic::new("not-an-object", start, message));
            None
        }
        Err(errors) => {
            for error in errors {
                diagnostics.push(diagnostic(error));
            }
            None
        }
    }
}

fn diagnostic(error: ParseError) -> Diagnostic {
    match error.kind {
        ParseErrorKind::Syntax(reason) => Diagnostic::new(
            "not-json",
            error.span,
            format!("this is not JSON: {reason}"),
        ),
        ParseErrorKind::TooDeep => {
            let message = format!("the file nests more than {MAX_DEPTH} levels");
            Diagnostic::new("too-deep", error.span, message)
                .label(format!("level {}", MAX_DEPTH + 1))
        }
        ParseErrorKind::DuplicateKey { key, first } => Diagnostic::new(
            "duplicate-key",
            error.span,
            format!("the key {key:?} stands twice"),
        )
        .label("again here")
        .related(first, "first here"),
    }
}
