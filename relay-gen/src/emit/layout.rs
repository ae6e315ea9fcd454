//! The bodies of the macros that generated code calls, laid out to be read: prettyplease leaves
//! those as they are.

use std::cell::RefCell;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::docs::turns_text;

/// Lines are broken beyond this many columns, as rustfmt does.
const WIDTH: usize = 100;
const INDENT: usize = 4;

pub(super) const ROUND: [&str; 2] = ["(", ")"];
pub(super) const SQUARE: [&str; 2] = ["[", "]"];
pub(super) const CURLY: [&str; 2] = ["{", "}"];

/// A piece of a macro's body.
pub(super) enum Layout {
    /// A word that stays in one line.
    Word(String),
    /// Pieces between brackets.
    Group(String, Vec<Layout>, &'static str),
    /// A piece with doc comments before it, in lines of its own.
    Documented(Vec<String>, Box<Layout>),
}

impl Layout {
    pub(super) fn word(text: impl Into<String>) -> Self {
        Layout::Word(text.into())
    }

    /// A string literal.
    pub(super) fn text(text: &str) -> Self {
        Layout::Word(literal(text))
    }

    /// Pieces after a name, in `()`, `[]` or `{}`.
    pub(super) fn group(name: &str, brackets: [&'static str; 2], pieces: Vec<Layout>) -> Self {
        Layout::Group(format!("{name}{}", brackets[0]), pieces, brackets[1])
    }

    /// The same piece under doc comments.
    pub(super) fn documented(self, lines: Vec<String>) -> Self {
        if lines.is_empty() {
            self
        } else {
            Layout::Documented(lines, Box::new(self))
        }
    }

    /// The same piece with words before it.
    pub(super) fn after(self, before: &str) -> Self {
        match self {
            Layout::Word(text) => Layout::Word(format!("{before}{text}")),
            Layout::Group(open, pieces, close) => {
                Layout::Group(format!("{before}{open}"), pieces, close)
            }
            Layout::Documented(lines, piece) => {
                Layout::Documented(lines, Box::new(piece.after(before)))
            }
        }
    }

    fn width(&self) -> usize {
        match self {
            Layout::Word(text) => text.chars().count(),
            Layout::Group(open, pieces, close) => {
                let inner: usize = pieces.iter().map(|piece| piece.width() + 2).sum();
                open.chars().count() + inner + close.len()
            }
            // Never in one line with others.
            Layout::Documented(..) => WIDTH,
        }
    }

    /// Writes the piece at the end of a line that is indented by `indent`, of which `used` columns
    /// are taken, and after which one more character comes.
    fn write(&self, indent: usize, used: usize, out: &mut String) {
        match self {
            Layout::Word(text) => out.push_str(text),
            Layout::Documented(lines, piece) => {
                for line in lines {
                    out.push_str(line);
                    new_line(indent, out);
                }
                piece.write(indent, used, out);
            }
            Layout::Group(open, pieces, close) if used + self.width() < WIDTH => {
                let pad = if open.ends_with(" {") { " " } else { "" };
                out.push_str(open);
                out.push_str(pad);
                for (index, piece) in pieces.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    piece.write(indent, 0, out);
                }
                out.push_str(pad);
                out.push_str(close);
            }
            Layout::Group(open, pieces, close) => {
                out.push_str(open);
                write_lines(pieces, indent + INDENT, out);
                new_line(indent, out);
                out.push_str(close);
            }
        }
    }
}

/// Writes pieces line by line; words share a line as long as they fit.
fn write_lines(pieces: &[Layout], indent: usize, out: &mut String) {
    let mut column = WIDTH;
    for piece in pieces {
        let is_word = matches!(piece, Layout::Word(_));
        if is_word && column + 1 + piece.width() < WIDTH {
            out.push(' ');
            column += 1;
        } else {
            new_line(indent, out);
            column = indent;
        }
        piece.write(indent, indent, out);
        out.push_str(separator(piece));
        column = if is_word {
            column + piece.width() + 1
        } else {
            WIDTH
        };
    }
}

/// The last line of a struct, `..`, takes no comma, as in Rust's own patterns.
fn separator(piece: &Layout) -> &'static str {
    match piece {
        Layout::Word(text) if text.starts_with("..") => "",
        _ => ",",
    }
}

fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// A string as a Rust literal.
pub(super) fn literal(text: &str) -> String {
    let literal = proc_macro2::Literal::string(text).to_string();
    escaped(&literal, |letter| format!("\\u{{{:x}}}", u32::from(letter)))
}

/// JSON as a raw string literal, so that it stays readable.
pub(super) fn raw_string(json: &str) -> String {
    let json = escaped(json, |letter| format!("\\u{:04x}", u32::from(letter)));
    let hashes = json
        .split('"')
        .skip(1)
        .map(|after| after.len() - after.trim_start_matches('#').len());
    let hashes = "#".repeat(hashes.max().map_or(1, |longest| longest + 1));
    format!("r{hashes}\"{json}\"{hashes}")
}

/// The text with the letters that rustc refuses in source code written otherwise.
fn escaped(text: &str, escape: impl Fn(char) -> String) -> String {
    if !text.contains(turns_text) {
        return text.into();
    }
    text.chars()
        .map(|letter| {
            if turns_text(letter) {
                escape(letter)
            } else {
                letter.into()
            }
        })
        .collect()
}

/// Bodies that are put in once everything around them has been formatted.
pub(super) struct Bodies {
    /// A word that stands for a body, followed by its number; nothing else has it.
    mark: String,
    list: RefCell<Vec<Vec<Layout>>>,
}

impl Bodies {
    /// None yet; `occurs` tells whether a word is in what is written besides.
    pub(super) fn new(occurs: impl Fn(&str) -> bool) -> Self {
        let mut mark = String::from("relay_body_");
        while occurs(&mark) {
            mark.push('x');
        }
        Self {
            mark,
            list: RefCell::default(),
        }
    }

    /// A call of a macro with this body.
    pub(super) fn call(&self, path: &TokenStream, body: Vec<Layout>) -> TokenStream {
        let mut bodies = self.list.borrow_mut();
        let mark = format_ident!("{}{}", self.mark, bodies.len());
        bodies.push(body);
        quote!(#path! { #mark })
    }

    /// Puts the bodies into the formatted text.
    pub(super) fn fill(&self, text: &str) -> String {
        let bodies = self.list.borrow();
        let mut out = String::with_capacity(text.len() * 2);
        let mut rest = text;
        while let Some(start) = rest.find(&self.mark) {
            let before = rest[..start].trim_end();
            let after = &rest[start + self.mark.len()..];
            let digits = after.len()
                - after
                    .trim_start_matches(|digit: char| digit.is_ascii_digit())
                    .len();
            let line = before
                .rfind('\n')
                .map_or(before, |line| &before[line + 1..]);
            let indent = line.len() - line.trim_start().len();
            out.push_str(before);
            if let Some(body) = after[..digits]
                .parse::<usize>()
                .ok()
                .and_then(|index| bodies.get(index))
            {
                write_body(body, indent, line.chars().count(), &mut out);
            }
            rest = after[digits..].trim_start();
        }
        out + rest
    }
}

fn write_body(body: &[Layout], indent: usize, used: usize, out: &mut String) {
    match body {
        // Items stand one after another, like items anywhere.
        [Layout::Documented(..), ..] => {
            for piece in body {
                new_line(indent + INDENT, out);
                piece.write(indent + INDENT, indent + INDENT, out);
            }
            new_line(indent, out);
        }
        [piece] if used + piece.width() + 4 < WIDTH => {
            out.push(' ');
            piece.write(indent, 0, out);
            out.push(' ');
        }
        _ => {
            write_lines(body, indent + INDENT, out);
            new_line(indent, out);
        }
    }
}
