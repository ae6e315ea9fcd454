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

    /// The members of which a branch that holds says something by `properties` and its like: the
    /// pointer of the object, and the name.
    pub(crate) fn evaluated(&self, value: &Value) -> Vec<(String, String)> {
        let evaluation = self.0.evaluate(value);
        let mut found = Vec::new();
        for entry in evaluation.iter_annotations() {
            let location = entry.schema_location.to_string();
            let keyword = location.rsplit('/').next().unwrap_or_default();
            let is_of_members = matches!(
                keyword,
                "properties"
                    | "patternProperties"
                    | "additionalProperties"
                    | "unevaluatedProperties"
            );
            let names = entry
                .annotations
                .value()
                .as_array()
                .filter(|_| is_of_members);
            let names = names.into_iter().flatten().filter_map(Value::as_str);
            found.extend(
                names.map(|name| (entry.instance_location.as_str().to_owned(), name.to_owned())),
            );
        }
        found
    }
}
