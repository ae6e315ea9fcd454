//! What a value breaks, in words a model can act on.

use std::fmt;

/// One place where a value breaks its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// JSON Pointer to the offending value; empty for the value as a whole.
    pub instance: String,
    /// JSON Pointer to the keyword in the schema, such as `/properties/name/minLength`.
    pub schema: String,
    /// The keyword, such as `minLength`.
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
pub struct Violations(Vec<Violation>);

impl Violations {
    /// All is well if there are none.
    pub(super) fn none_of(violations: Vec<Violation>) -> Result<(), Self> {
        if violations.is_empty() {
            Ok(())
        } else {
            Err(Self(violations))
        }
    }

    /// The one violation of a value that could not be read at all.
    pub(crate) fn unreadable(reason: &str) -> Self {
        Self(vec![Violation {
            instance: String::new(),
            schema: String::new(),
            keyword: "",
            message: reason.into(),
        }])
    }

    /// The violations, in the order in which the schema's keywords found them.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.0.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            violation.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}
