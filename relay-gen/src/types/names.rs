//! Rust names for what contracts name.

use std::collections::{HashMap, HashSet};

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::Span;
use syn::Ident;

/// Names that generated code uses unqualified; a type of the contract by such a name would shadow it.
const USED: &[&str] = &[
    "Box",
    "C",
    "Clone",
    "Debug",
    "Default",
    "Err",
    "Future",
    "H",
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
    // A keyword since edition 2024, which syn does not know.
    let is_keyword = name == "gen" || syn::parse_str::<Ident>(name).is_err();
    match name {
        "self" | "Self" | "super" | "crate" | "_" => {
            Ident::new(&format!("{name}_"), Span::call_site())
        }
        name if is_keyword => Ident::new_raw(name, Span::call_site()),
        name => Ident::new(name, Span::call_site()),
    }
}

/// The words of a text, in letters and digits of ASCII: rustc normalises other letters, and warns of
/// many. What is no letter parts words; where there is nothing else to go by, as in `!=`, symbols
/// are spelt out.
fn words(text: &str) -> String {
    if !text.contains(char::is_alphanumeric) {
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
        .map(|letter| match letter {
            letter if letter.is_ascii_alphanumeric() => letter.to_string(),
            letter if letter.is_alphanumeric() => format!(" u{:x} ", u32::from(letter)),
            _ => " ".into(),
        });
    sign.to_owned() + &letters.collect::<String>()
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
    /// The last number given to a name.
    numbers: HashMap<String, u64>,
}

impl Scope {
    /// A scope for types, in which the names that generated code relies on are taken.
    pub(crate) fn for_types() -> Self {
        Self {
            taken: USED.iter().map(|name| (*name).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// A scope for the variants of an enum, in which `Self` can't be one.
    pub(crate) fn for_variants() -> Self {
        Self {
            taken: HashSet::from(["Self".to_owned()]),
            ..Self::default()
        }
    }

    /// Takes a name; says whether it was free.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// Takes the first name that is free: `wanted`, `wanted2`, …, with `separator` before the number.
    pub(crate) fn unique(&mut self, wanted: &str, separator: &str) -> String {
        if self.take(wanted) {
            return wanted.to_owned();
        }
        // Goes on where the last search for this name ended.
        let mut number = self.numbers.get(wanted).copied().unwrap_or(1);
        loop {
            number += 1;
            let candidate = format!("{wanted}{separator}{number}");
            if self.take(&candidate) {
                self.numbers.insert(wanted.to_owned(), number);
                return candidate;
            }
        }
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
            ("größe", "GrUf6UdfE", "gr_uf6_udf_e"),
            ("٣", "U663", "u663"),
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
