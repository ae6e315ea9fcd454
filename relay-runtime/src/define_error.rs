//! Why a definition was refused.

use std::fmt;

use serde_json::Value;

use crate::check::Table;

/// The longest tool name, in characters (spec page `server/tools`).
pub(crate) const MAX_NAME: usize = 128;

/// Why [`Definition::try_new`](crate::Definition::try_new) refused a definition.
///
/// [`Definition::new`](crate::Definition::new) panics with the same one-line description. The seed
/// module `relay/tool` also has `MissingInputSchema` and `MissingOutputSchema`: they cannot happen
/// here, since a schema is an argument and no part of a codec.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefineError {
    /// The name is empty.
    EmptyName,
    /// The name is longer than MCP allows.
    NameTooLong {
        /// The name.
        name: String,
        /// The most characters allowed: 128.
        max: usize,
        /// The characters it has.
        actual: usize,
    },
    /// The name has a character outside `A-Z a-z 0-9 _ . -`.
    InvalidNameCharacter {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
    /// The root of the input schema is not literally `"type": "object"`, as MCP asks of it: the
    /// arguments of a tool are a JSON object.
    InputSchemaNotObject {
        /// The tool's name.
        name: String,
        /// What the root is instead, such as `of type "string"`.
        kind: String,
    },
    /// With the feature `dynamic`: a schema can't be compiled into a table.
    InvalidSchema {
        /// The tool's name.
        name: String,
        /// `input` or `output`.
        side: &'static str,
        /// All that is wrong with it, one a line.
        reason: String,
    },
    /// The output schema is no JSON object.
    OutputSchemaNotObject {
        /// The tool's name.
        name: String,
        /// What it is instead, such as `an array`.
        kind: String,
    },
}

impl fmt::Display for DefineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyName => f.write_str("a tool needs a name, but it is empty"),
            Self::NameTooLong { name, max, actual } => write!(
                f,
                "tool `{name}`: the name has {actual} characters, at most {max} are allowed"
            ),
            Self::InvalidNameCharacter { name, character } => write!(
                f,
                "tool `{}`: the name has the character {character:?}, only A-Z, a-z, 0-9, `_`, \
                 `.` and `-` are allowed",
                name.escape_debug()
            ),
            Self::InputSchemaNotObject { name, kind } => write!(
                f,
                "tool `{name}`: the input schema is {kind}, it must be a JSON object with \
                 \"type\": \"object\" at its root"
            ),
            Self::InvalidSchema { name, side, reason } => {
                write!(
                    f,
                    "tool `{name}`: the {side} schema can't be checked: {}",
                    reason.replace('\n', "; ")
                )
            }
            Self::OutputSchemaNotObject { name, kind } => {
                write!(
                    f,
                    "tool `{name}`: the output schema is {kind}, it must be a JSON object"
                )
            }
        }
    }
}

impl std::error::Error for DefineError {}

pub(crate) fn check_name(name: &str) -> Result<(), DefineError> {
    if name.is_empty() {
        return Err(DefineError::EmptyName);
    }
    let foreign = |c: &char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    if let Some(character) = name.chars().find(foreign) {
        return Err(DefineError::InvalidNameCharacter {
            name: name.to_owned(),
            character,
        });
    }
    let actual = name.len();
    if actual > MAX_NAME {
        return Err(DefineError::NameTooLong {
            name: name.to_owned(),
            max: MAX_NAME,
            actual,
        });
    }
    Ok(())
}

pub(crate) fn check_input_schema(name: &str, schema: &Value) -> Result<(), DefineError> {
    let kind = match schema {
        Value::Object(members) => match members.get("type") {
            Some(Value::String(text)) if text == "object" => return Ok(()),
            Some(other) => format!("of type {other}"),
            None => "without a `type`".to_owned(),
        },
        other => kind_of(other).to_owned(),
    };
    Err(DefineError::InputSchemaNotObject {
        name: name.to_owned(),
        kind,
    })
}

pub(crate) fn check_output_schema(name: &str, schema: &Value) -> Result<(), DefineError> {
    if schema.is_object() {
        return Ok(());
    }
    Err(DefineError::OutputSchemaNotObject {
        name: name.to_owned(),
        kind: kind_of(schema).to_owned(),
    })
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The table of a schema, where the feature `dynamic` can make one.
#[cfg(feature = "dynamic")]
pub(crate) fn compile(
    name: &str,
    side: &'static str,
    schema: &Value,
) -> Result<Option<Table>, DefineError> {
    Table::compile(&schema.to_string())
        .map(Some)
        .map_err(|errors| DefineError::InvalidSchema {
            name: name.into(),
            side,
            reason: errors.to_string(),
        })
}

/// Without the feature `dynamic`, serde alone decodes.
#[cfg(not(feature = "dynamic"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it may fail")]
pub(crate) fn compile(_: &str, _: &'static str, _: &Value) -> Result<Option<Table>, DefineError> {
    Ok(None)
}
