//! Documents that are forms: whether a client can show them, and what they ask for.

use relay_runtime::input::Form;

use super::secrets;
use super::tool::Document;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{Json, Node, decode_token};
use crate::publish;
use crate::source::Span;

/// Checks every document that says it is a form.
pub(super) fn check(documents: &[Document], diagnostics: &mut Diagnostics) {
    for document in documents {
        let Some(declared) = document.form_span() else {
            continue;
        };
        secrets::check(document.root(), diagnostics);
        // The runtime decides: it is what makes the form.
        let schema = publish::as_written(document.root());
        let Err(error) = Form::<serde_json::Value>::from_json(&schema) else {
            continue;
        };
        for problem in error.problems() {
            let message = format!("this is no form: {}", problem.message);
            let place = place(document.root(), &problem.pointer).unwrap_or(declared);
            diagnostics.push(Diagnostic::new("not-a-form", place, message));
        }
    }
}

/// Where a JSON Pointer leads, or the innermost place on the way that is there: a member's key or an
/// element. `None` for the root.
fn place(root: &Node, pointer: &str) -> Option<Span> {
    let mut at = root;
    let mut place = None;
    for token in pointer.split('/').skip(1) {
        let key = decode_token(token)?;
        (at, place) = match &at.value {
            Json::Array(items) => {
                let item = key.parse().ok().and_then(|index: usize| items.get(index));
                let Some(item) = item else { break };
                (item, Some(item.span))
            }
            _ => {
                let Some(member) = at.member(&key) else { break };
                (&member.value, Some(member.key_span))
            }
        };
    }
    place
}
