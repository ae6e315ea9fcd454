//! What a value breaks, in words a model can act on.

use std::fmt;

use super::checker::MAX_VIOLATIONS;

/// One place where a value breaks its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// JSON Pointer to the offending value; empty for the value as a whole. After 200 characters it
    /// is cut, and ends in `…`.
    pub instance: String,
    /// JSON Pointer to the keyword in the schema, such as `/properties/name/minLength`.
    pub schema: String,
    /// The keyword, such as `minLength`; `false` for the schema `false`, empty for a text that is no
    /// JSON value.
    pub keyword: &'static str,
    /// What was wanted and what came, without the pointer.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.instance.is_empty() {
            write!(f, "{}: ", self.instance)?;
        }
        f.write_str(&self.message)
    }
}

/// All that a value breaks; never empty. `Display` writes one violation a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violations {
    list: Vec<Violation>,
    /// Whether there may be more than were gathered.
    more: bool,
}

impl Violations {
    /// All is well if there are none.
    pub(super) fn none_of(list: Vec<Violation>) -> Result<(), Self> {
        let more = list.len() >= MAX_VIOLATIONS;
        if list.is_empty() {
            Ok(())
        } else {
            Err(Self { list, more })
        }
    }

    /// The one violation of a value that could not be read at all.
    pub(crate) fn unreadable(reason: &str) -> Self {
        let violation = Violation {
            instance: String::new(),
            schema: String::new(),
            keyword: "",
            message: reason.into(),
        };
        Self {
            list: vec![violation],
            more: false,
        }
    }

    /// How many there are: at most 20.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The violations, in the order in which the schema's keywords found them.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.list.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            violation.fmt(f)?;
        }
        if self.more {
            f.write_str("\nThere may be more.")?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}

impl<'v> IntoIterator for &'v Violations {
    type Item = &'v Violation;
    type IntoIter = std::slice::Iter<'v, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
