//! From a text to an object.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{self, MAX_DEPTH, Node, ParseError, ParseErrorKind};
use crate::source::{FileId, Source, Sources, Span};

/// The object that a file holds, or `None` once it is reported what it holds instead.
pub(crate) fn root(file: FileId, sources: &Sources, diagnostics: &mut Diagnostics) -> Option<Node> {
    let root = match json::parse(file, sources.get(file)) {
        Ok(root) => root,
        Err(unsound) => {
            diagnostics.extend(unsound.errors.into_iter().map(diagnostic));
            unsound.node?
        }
    };
    if root.as_object().is_some() {
        return Some(root);
    }
    diagnostics.push(not_an_object(&root));
    None
}

fn not_an_object(root: &Node) -> Diagnostic {
    let found = root.kind();
    let message = format!("the file holds {found}, where an object is expected");
    let start = Span {
        end: root.span.end.min(root.span.start + 1),
        ..root.span
    };
    Diagnostic::new("not-an-object", start, message)
}

/// The finding for a text that was no UTF-8 from an offset on.
pub(crate) fn not_utf8(source: &Source, file: FileId, at: usize) -> Diagnostic {
    // A byte order mark, three bytes, is no longer in the text.
    let from = source.floor_char(at.saturating_sub('\u{feff}'.len_utf8()));
    let replaced = source.text()[from..].find(char::REPLACEMENT_CHARACTER);
    let at = from + replaced.unwrap_or(0);
    let offset = |at: usize| u32::try_from(source.floor_char(at)).unwrap_or(u32::MAX);
    let span = Span {
        file,
        start: offset(at),
        end: offset(at + char::REPLACEMENT_CHARACTER.len_utf8()),
    };
    Diagnostic::new("not-utf8", span, "this file is not UTF-8").label("no UTF-8 here")
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
