//! Rust names for what contracts name.

use std::collections::HashSet;

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::Span;
use syn::Ident;

/// Names that generated code uses unqualified; a type of the contract by such a name would shadow it.
const USED: &[&str] = &[
    "Box",
    "Clone",
    "Debug",
    "Default",
    "Err",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Result",
    "Self",
    "Send",
    "Some",
    "String",
    "Sync",
    "Tools",
    "ToolsClient",
    "Vec",
];

/// Whether generated code uses the name unqualified.
pub(super) fn is_used(name: &str) -> bool {
    USED.contains(&name)
}

/// The name of a type, trait or variant: `get_weather` as `GetWeather`.
pub(crate) fn type_name(text: &str) -> String {
    let name = words(text).to_upper_camel_case();
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("N{name}"),
        Some(_) => name,
        None => "Empty".into(),
    }
}

/// The name of a member or function: `maxResults` as `max_results`.
pub(crate) fn member_name(text: &str) -> String {
    let name = words(text).to_snake_case();
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) => name,
        None => "empty".into(),
    }
}

/// The identifier of a name: raw where it is a keyword, with an underscore where even that is refused.
pub(crate) fn ident(name: &str) -> Ident {
    match name {
        "self" | "Self" | "super" | "crate" | "_" => {
            Ident::new(&format!("{name}_"), Span::call_site())
        }
        name if syn::parse_str::<Ident>(name).is_err() => Ident::new_raw(name, Span::call_site()),
        name => Ident::new(name, Span::call_site()),
    }
}

/// The text with everything that no identifier may hold turned into a space; symbols are spelt out
/// where there is nothing else to go by, as in `!=`.
fn words(text: &str) -> String {
    let kept = |letter: char| letter.is_alphanumeric() && unicode_ident::is_xid_continue(letter);
    if !text.contains(kept) {
        return text.chars().map(symbol).collect::<Vec<_>>().join(" ");
    }
    let sign = match text.as_bytes() {
        [b'-', b'0'..=b'9', ..] => "minus ",
        [b'+', b'0'..=b'9', ..] => "plus ",
        _ => "",
    };
    let letters = text
        .chars()
        .filter(|letter| *letter != '\'')
        .map(|letter| if kept(letter) { letter } else { ' ' });
    sign.chars().chain(letters).collect()
}

fn symbol(letter: char) -> String {
    let name = match letter {
        '=' => "equals",
        '!' => "not",
        '<' => "less",
        '>' => "greater",
        '+' => "plus",
        '-' => "minus",
        '*' => "star",
        '/' => "slash",
        '\\' => "backslash",
        '%' => "percent",
        '&' => "and",
        '|' => "or",
        '^' => "caret",
        '~' => "tilde",
        '.' => "dot",
        ',' => "comma",
        ':' => "colon",
        ';' => "semicolon",
        '?' => "question",
        '@' => "at",
        '#' => "hash",
        '$' => "dollar",
        '_' => "underscore",
        ' ' => "space",
        '"' => "quote",
        '\'' => "apostrophe",
        '(' | ')' => "parenthesis",
        '[' | ']' => "bracket",
        '{' | '}' => "brace",
        other => return format!("u{:x}", u32::from(other)),
    };
    name.into()
}

/// The names taken in one scope.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    taken: HashSet<String>,
}

impl Scope {
    /// A scope for types, in which the names that generated code relies on are taken.
    pub(crate) fn for_types() -> Self {
        Self {
            taken: USED.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    /// A scope for the variants of an enum, in which `Self` can't be one.
    pub(crate) fn for_variants() -> Self {
        Self {
            taken: HashSet::from(["Self".to_owned()]),
        }
    }

    /// Takes a name; says whether it was free.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// Takes the first name that is free: `wanted`, `wanted2`, …, with `separator` before the number.
    pub(crate) fn unique(&mut self, wanted: &str, separator: &str) -> String {
        let numbered = (2_u32..).map(|number| format!("{wanted}{separator}{number}"));
        let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
        // The numbers outlast any set of names.
        candidates
            .find(|candidate| self.taken.insert(candidate.clone()))
            .unwrap_or_else(|| wanted.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_whatever_the_text() {
        let cases = [
            ("get_weather", "GetWeather", "get_weather"),
            ("maxResults", "MaxResults", "max_results"),
            ("3d-view", "N3dView", "n3d_view"),
            ("", "Empty", "empty"),
            ("!=", "NotEquals", "not_equals"),
            ("-1", "Minus1", "minus_1"),
            ("@type", "Type", "type"),
            ("größe", "Größe", "größe"),
            ("o'clock", "Oclock", "oclock"),
            ("\u{1f600}", "U1f600", "u1f600"),
        ];
        for (text, type_wanted, member_wanted) in cases {
            assert_eq!(type_name(text), type_wanted);
            assert_eq!(member_name(text), member_wanted);
            ident(&type_name(text));
            ident(&member_name(text));
        }
        for keyword in [
            "type", "self", "Self", "crate", "async", "gen", "_", "match", "try", "union",
        ] {
            ident(keyword);
        }
    }

    #[test]
    fn taken_names_are_numbered() {
        let mut scope = Scope::for_types();
        assert_eq!(scope.unique("Note", ""), "Note");
        assert_eq!(scope.unique("Note", ""), "Note2");
        assert_eq!(scope.unique("Option", ""), "Option2");
    }
}
