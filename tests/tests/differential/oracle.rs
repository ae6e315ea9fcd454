//! The crate `jsonschema`, which says what is valid.

use jsonschema::Validator;
use serde_json::Value;

/// A schema as the oracle reads it.
pub(crate) struct Oracle(Validator);

impl Oracle {
    /// Compiles a schema; formats are annotations, and nothing is read from the network.
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        let options = jsonschema::options().should_validate_formats(false);
        options
            .build(schema)
            .map(Self)
            .map_err(|error| error.to_string())
    }

    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Why a value is invalid.
    pub(crate) fn errors(&self, value: &Value) -> String {
        let errors = self
            .0
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()));
        errors.collect::<Vec<_>>().join("; ")
    }
}
