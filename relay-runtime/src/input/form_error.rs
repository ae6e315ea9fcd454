//! Why a schema is no form's.

use std::fmt;

/// Why a schema is no form's: everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormError(Vec<FormProblem>);

/// One thing for which a schema is no form's.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormProblem {
    /// The JSON Pointer to the place in the schema; it may name a keyword that is missing there.
    pub pointer: String,
    /// What is wrong there.
    pub message: String,
}

impl FormError {
    /// All problems; at least one.
    pub fn problems(&self) -> &[FormProblem] {
        &self.0
    }

    /// `Ok` if there is no problem.
    pub(super) fn unless_none(problems: Vec<FormProblem>) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Self(problems))
        }
    }
}

impl FormProblem {
    pub(super) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
        }
    }

    /// The same problem as the schema round it has it, with words before the message.
    pub(super) fn within(self, pointer: &str, before: &str) -> Self {
        Self {
            pointer: format!("{pointer}{}", self.pointer),
            message: format!("{before}{}", self.message),
        }
    }
}

impl From<FormProblem> for FormError {
    fn from(problem: FormProblem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for FormProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the schema is none of a form: ")?;
        for (index, problem) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FormError {}
