//! Why a schema can't become a table.

use std::fmt;

/// One place where a document is no schema that Relay can check.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaError {
    /// JSON Pointer to the keyword, or to what should be a schema.
    pub pointer: String,
    /// What is wrong there.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}; {}",
            if self.pointer.is_empty() {
                "/"
            } else {
                &self.pointer
            },
            self.message,
            self.help
        )
    }
}

/// All that is wrong with a schema; never empty. `Display` writes one error a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaErrors(Vec<SchemaError>);

impl SchemaErrors {
    pub(super) fn new(errors: Vec<SchemaError>) -> Self {
        Self(errors)
    }

    pub(super) fn unreadable(reason: &str) -> Self {
        Self(vec![SchemaError {
            pointer: String::new(),
            message: reason.into(),
            help: "write the schema as JSON".into(),
        }])
    }

    /// The errors, in the order of the document.
    pub fn iter(&self) -> std::slice::Iter<'_, SchemaError> {
        self.0.iter()
    }
}

impl fmt::Display for SchemaErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(SchemaError::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for SchemaErrors {}
