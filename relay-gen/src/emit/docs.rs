//! Descriptions as doc comments.

use proc_macro2::TokenStream;
use quote::quote;

/// Doc comments for a text, or for `otherwise` where the contract says nothing.
pub(super) fn comments(text: &str, otherwise: &str) -> Vec<String> {
    let text = if text.trim().is_empty() {
        otherwise
    } else {
        text
    };
    plain(text)
        .into_iter()
        .map(|line| format!("/// {line}").trim_end().to_owned())
        .collect()
}

/// Doc attributes for a text, or for `otherwise` where the contract says nothing.
pub(super) fn docs(text: &str, otherwise: &str) -> TokenStream {
    let text = if text.trim().is_empty() {
        otherwise
    } else {
        text
    };
    let lines = plain(text).into_iter().map(|line| {
        if line.is_empty() {
            line
        } else {
            format!(" {line}")
        }
    });
    quote!(#(#[doc = #lines])*)
}

/// The lines of a text that rustdoc shows as they are: what it would take for code, by a fence or
/// by its indentation, would be compiled as a test of the user's.
fn plain(text: &str) -> Vec<String> {
    let mut fenced = false;
    let lines = text.trim().lines().map(|line| {
        let line = line
            .trim_end()
            .replace(|letter: char| letter.is_control(), " ");
        let content = line.trim_start();
        if let Some(info) = content
            .strip_prefix("```")
            .or_else(|| content.strip_prefix("~~~"))
        {
            fenced = !fenced;
            let fence = &content[..3];
            return if fenced && !info.contains(fence) {
                format!("{fence}text")
            } else {
                fence.into()
            };
        }
        let indent = line.len() - content.len();
        format!(
            "{}{content}",
            " ".repeat(if fenced { indent } else { indent.min(3) })
        )
    });
    let mut lines: Vec<String> = lines.collect();
    if fenced {
        lines.push("```".into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_description_becomes_a_doc_test() {
        assert_eq!(
            plain("Use it:\n\n    call()\n\n```\ncall()\n```"),
            ["Use it:", "", "   call()", "", "```text", "call()", "```"]
        );
        assert_eq!(plain("```rust\nopen"), ["```text", "open", "```"]);
    }
}
