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
    let mut lines: Vec<String> = text
        .trim()
        .lines()
        .map(|line| plain_line(line, &mut fenced))
        .collect();
    if fenced {
        lines.push("```".into());
    }
    lines
}

fn plain_line(line: &str, fenced: &mut bool) -> String {
    let is_dropped = |letter: char| letter.is_control() && letter != '\t';
    let line = line
        .trim_end()
        .replace(turns_text, "")
        .replace(is_dropped, " ")
        .replace('\t', "    ");
    let content = without_markers(&line);
    let before = &line[..line.len() - content.len()];
    if let Some(info) = content
        .strip_prefix("```")
        .or_else(|| content.strip_prefix("~~~"))
    {
        *fenced = !*fenced;
        let fence = &content[..3];
        let is_inline = info.contains(fence);
        // A fence and its end in one line open nothing.
        *fenced ^= is_inline;
        return match (*fenced, is_inline) {
            (_, true) => format!("{}{}", shallow(before), content.replace("```", "`")),
            (true, false) => format!("{}{fence}text", shallow(before)),
            (false, false) => format!("{}{fence}", shallow(before)),
        };
    }
    if *fenced {
        line
    } else {
        format!("{}{content}", shallow(before))
    }
}

/// What stands behind the markers of quotes and lists.
fn without_markers(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let digits = rest.len()
            - rest
                .trim_start_matches(|digit: char| digit.is_ascii_digit())
                .len();
        let marker = match rest[digits..].chars().next() {
            Some('>' | '-' | '*' | '+') if digits == 0 => 1,
            Some('.' | ')') if (1..=9).contains(&digits) => digits + 1,
            _ => return rest,
        };
        let after = &rest[marker..];
        // Without a space it is no marker, but for the one of a quote.
        if !after.starts_with(' ') && !after.is_empty() && !rest.starts_with('>') {
            return rest;
        }
        rest = after.trim_start();
    }
}

/// Markers and spaces, without a run of spaces that would make code of what follows.
fn shallow(before: &str) -> String {
    let mut out = before.to_owned();
    while out.contains("    ") {
        out = out.replace("    ", "   ");
    }
    // Behind a marker, one space sets the text apart.
    if out.trim().is_empty() {
        out
    } else {
        format!("{} ", out.trim_end())
    }
}

/// Letters that turn the direction of the text around them, which rustc refuses in source code.
pub(super) fn turns_text(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_description_becomes_a_doc_test() {
        for (text, wanted) in [
            (
                "Use it:\n\n    call()\n\n```\ncall()\n```",
                "Use it:\n\n   call()\n\n```text\ncall()\n```",
            ),
            ("```rust\nopen", "```text\nopen\n```"),
            ("> ```\n> x();\n> ```", "> ```text\n> x();\n> ```"),
            (">     x();", "> x();"),
            ("1. ```\n   x();\n   ```", "1. ```text\n   x();\n   ```"),
            ("-      x();", "- x();"),
            ("```a``` b", "`a` b"),
            ("\u{202e}abc", "abc"),
            ("-1 is less than 0", "-1 is less than 0"),
        ] {
            assert_eq!(plain(text).join("\n"), wanted, "{text:?}");
        }
    }
}
