//! What keywords hold that is no schema: types, literals, bounds, counts, names.

use super::super::decimal::Decimal;
use super::super::table::{
    ARRAY, BOOLEAN, INTEGER, List, Literal, NULL, NUMBER, OBJECT, STRING, Text, Types,
};
use super::super::value::Value;
use super::Compiler;

impl Compiler<'_> {
    pub(super) fn types(&mut self, value: &Value<'_>) -> Option<Types> {
        let names = match value {
            Value::Array(names) => names.as_slice(),
            name => std::slice::from_ref(name),
        };
        let types = names
            .iter()
            .map(type_of)
            .try_fold(0, |types, named| named.map(|named| types | named));
        if types.is_none_or(|types| types == 0) {
            let help =
                "use string, number, integer, boolean, object, array or null, or a list of them";
            self.error("type", "names no JSON type", help);
            return None;
        }
        types
    }

    pub(super) fn literals(&mut self, value: &Value<'_>) -> Option<List<Literal>> {
        match value {
            Value::Array(items) => Some(items.iter().map(literal).collect::<Vec<_>>().into()),
            _ => {
                self.error("enum", "is no list of values", "write an array of values");
                None
            }
        }
    }

    pub(super) fn number(&mut self, name: &str, value: &Value<'_>) -> Option<Text> {
        match value {
            Value::Number(text) => Some(Text::from(*text)),
            _ => {
                self.error(name, "is no number", "write a number");
                None
            }
        }
    }

    pub(super) fn step(&mut self, value: &Value<'_>) -> Option<Text> {
        match value {
            Value::Number(text) if Decimal::parse(text) > Decimal::parse("0") => {
                Some(Text::from(*text))
            }
            _ => {
                self.error(
                    "multipleOf",
                    "is no number above 0",
                    "write a number above 0",
                );
                None
            }
        }
    }

    pub(super) fn count(&mut self, name: &str, value: &Value<'_>) -> Option<u64> {
        let number = if let Value::Number(text) = value {
            Some(Decimal::parse(text))
        } else {
            None
        };
        match number {
            Some(number) if number.is_integer() && number >= Decimal::parse("0") => {
                // No value is as long as 2^64: a larger bound is the same bound.
                Some(
                    number
                        .to_i128()
                        .and_then(|count| u64::try_from(count).ok())
                        .unwrap_or(u64::MAX),
                )
            }
            _ => {
                self.error(name, "is no count", "write an integer of at least 0");
                None
            }
        }
    }

    pub(super) fn flag(&mut self, name: &str, value: &Value<'_>) -> Option<bool> {
        match value {
            Value::Bool(flag) => Some(*flag),
            _ => {
                self.error(name, "is neither true nor false", "write true or false");
                None
            }
        }
    }

    pub(super) fn names(&mut self, keyword: &str, value: &Value<'_>) -> Option<List<Text>> {
        let names = match value {
            Value::Array(items) => items
                .iter()
                .map(|item| {
                    if let Value::String(name) = item {
                        Some(Text::from(&**name))
                    } else {
                        None
                    }
                })
                .collect::<Option<Vec<_>>>(),
            _ => None,
        };
        if names.is_none() {
            self.error(
                keyword,
                "is no list of member names",
                "write an array of strings",
            );
        }
        names.map(Into::into)
    }
}

fn type_of(name: &Value<'_>) -> Option<Types> {
    let Value::String(name) = name else {
        return None;
    };
    Some(match &**name {
        "null" => NULL,
        "boolean" => BOOLEAN,
        "integer" => INTEGER,
        "number" => NUMBER,
        "string" => STRING,
        "array" => ARRAY,
        "object" => OBJECT,
        _ => return None,
    })
}

pub(super) fn literal(value: &Value<'_>) -> Literal {
    match value {
        Value::Null => Literal::Null,
        Value::Bool(value) => Literal::Bool(*value),
        Value::Number(text) => Literal::Number(Text::from(*text)),
        Value::String(text) => Literal::String(Text::from(&**text)),
        Value::Array(items) => Literal::Array(items.iter().map(literal).collect::<Vec<_>>().into()),
        Value::Object(members) => Literal::Object(
            members
                .iter()
                .map(|(name, value)| (Text::from(&**name), literal(value)))
                .collect::<Vec<_>>()
                .into(),
        ),
    }
}
