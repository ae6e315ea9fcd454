//! `pattern`: regular expressions by the rules of ECMA-262, as JSON Schema asks for.
//!
//! An expression is a tree that a `static` can hold, so no server parses one. Only whether it
//! matches is ever asked, so it is matched for all places at once: from the set of places where
//! a part may start to the set of those where it may end. That is never exponential; repeats within
//! repeats and looks from every place may be quadratic, and stop where a check has done enough work.

mod matching;

use super::table::{List, Text};

pub use matching::TooMuchWork;
use matching::is_match;

/// A whole expression, with what matches it: only programs whose tables have one link that.
#[derive(Debug, Clone)]
pub struct Expression {
    /// The parts, one after another.
    pub parts: List<Part>,
    is_match: fn(&[Part], &str, &mut usize) -> Result<bool, TooMuchWork>,
}

impl Expression {
    /// The expression of these parts.
    #[must_use]
    pub const fn new(parts: List<Part>) -> Self {
        Self { parts, is_match }
    }

    /// Whether it matches somewhere in the text.
    ///
    /// `steps` counts what is left of the work that the whole check may do.
    pub(super) fn is_match(&self, text: &str, steps: &mut usize) -> Result<bool, TooMuchWork> {
        (self.is_match)(&self.parts, text, steps)
    }
}

/// A part of an expression.
#[derive(Debug, Clone)]
pub enum Part {
    /// One character.
    Char(char),
    /// One character of a class: the first and the last of each range, one after another.
    Class(Text),
    /// Parts one after another.
    Sequence(List<Part>),
    /// One of several parts.
    Either(List<Part>),
    /// A part, from so many times to so many; without an end if the second is absent.
    Repeat(u32, Option<u32>, List<Part>),
    /// The start of the text.
    Start,
    /// The end of the text.
    End,
    /// The edge of a word.
    WordEdge,
    /// No edge of a word.
    NoWordEdge,
    /// What follows fits, and is not consumed.
    Ahead(List<Part>),
    /// What follows does not fit.
    NotAhead(List<Part>),
    /// What precedes fits.
    Behind(List<Part>),
    /// What precedes does not fit.
    NotBehind(List<Part>),
}
