//! The schemas of forms: one level of what any client can show (spec page `client/elicitation`).

use serde_json::{Map, Value};

use super::fields::{Field, Fields, strings};
use super::form_error::{FormError, FormProblem};
use super::property::{kind, no_texts, unknown};
use crate::check::push_token;

/// The keywords of the root: those of MCP, and texts for people.
const ROOT: &[&str] = &[
    "$schema",
    "type",
    "title",
    "description",
    "properties",
    "required",
];

/// Those of them that are texts.
const TEXTS: &[&str] = &["$schema", "title", "description"];

/// Refuses a schema that says more than a form heeds, or is none of a form.
pub(crate) fn judge(schema: &Value) -> Result<(), FormError> {
    let mut problems = Vec::new();
    if let Some(members) = schema.as_object() {
        problems.extend(unknown(members, &[ROOT]));
        problems.extend(no_texts(members, TEXTS));
    }
    let root = problems.into_iter();
    let mut problems: Vec<_> = root.map(|wrong| wrong.within("", "its root ")).collect();
    if let Err(error) = Fields::read(schema) {
        problems.extend_from_slice(error.problems());
    }
    FormError::unless_none(problems)
}

impl<'a> Fields<'a> {
    /// Reads the properties of a schema, whatever else its root has.
    pub(crate) fn read(schema: &'a Value) -> Result<Self, FormError> {
        if schema["type"] != "object" {
            let problem = FormProblem::new("/type", "its root must be `\"type\": \"object\"`");
            return Err(problem.into());
        }
        let Some(properties) = schema["properties"].as_object() else {
            return Err(FormProblem::new("/properties", "it needs `properties`").into());
        };
        let mut problems = Vec::new();
        let required = required(schema, properties, &mut problems);
        let mut fields = Vec::new();
        for (name, property) in properties {
            match kind(property) {
                Ok(kind) => fields.push(Field {
                    name,
                    required: required.contains(&&**name),
                    kind,
                }),
                Err(wrong) => {
                    let mut pointer = "/properties".to_owned();
                    push_token(&mut pointer, name);
                    let before = format!("the property \"{name}\" ");
                    problems.extend(
                        wrong
                            .into_iter()
                            .map(|wrong| wrong.within(&pointer, &before)),
                    );
                }
            }
        }
        FormError::unless_none(problems)?;
        Ok(Self(fields))
    }
}

fn required<'a>(
    schema: &'a Value,
    properties: &Map<String, Value>,
    problems: &mut Vec<FormProblem>,
) -> Vec<&'a str> {
    let Some(names) = schema.get("required") else {
        return Vec::new();
    };
    let Some(names) = strings(names) else {
        let what = "`required` must be a list of names";
        problems.push(FormProblem::new("/required", what));
        return Vec::new();
    };
    for (index, name) in names.iter().enumerate() {
        if !properties.contains_key(*name) {
            let what = format!("`required` names \"{name}\", which is no property");
            problems.push(FormProblem::new(format!("/required/{index}"), what));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(schema: &Value) -> Vec<(String, String)> {
        let Err(error) = judge(schema) else {
            return Vec::new();
        };
        let problems = error.problems().iter();
        problems
            .map(|problem| (problem.pointer.clone(), problem.message.clone()))
            .collect()
    }

    #[test]
    fn all_that_mcp_lets_a_form_have_is_a_form() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "T", "description": "D", "type": "object",
            "properties": {
                "text": {"type": "string", "title": "T", "description": "D", "minLength": 1,
                    "maxLength": 30, "format": "date-time", "default": "2026-07-28T12:00:00Z"},
                "number": {"type": "number", "minimum": 0.5, "maximum": 1},
                "integer": {"type": "integer", "minimum": -1, "maximum": 1, "default": 0},
                "boolean": {"type": "boolean", "default": true},
                "one": {"type": "string", "enum": ["a"]},
                "legacy": {"type": "string", "enum": ["a"], "enumNames": ["A"]},
                "titled": {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
                "many": {"type": "array", "minItems": 1, "maxItems": 2,
                    "items": {"type": "string", "enum": ["a"]}, "default": ["a"]},
                "titled_many": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}
            },
            "required": ["text"]
        });
        assert_eq!(problems(&schema), []);
    }

    #[test]
    fn a_schema_that_is_none_of_a_form_says_where() {
        for (schema, pointer, words) in [
            (json!(true), "/type", "its root must be"),
            (json!({"type": "string"}), "/type", "its root must be"),
            (
                json!({"type": "object"}),
                "/properties",
                "needs `properties`",
            ),
        ] {
            let found = problems(&schema);
            assert_eq!((found.len(), &*found[0].0), (1, pointer), "{found:?}");
            assert!(found[0].1.contains(words), "{found:?}");
        }
        let of_root = json!({
            "type": "object", "additionalProperties": false, "title": 7, "properties": {},
            "required": ["a"]
        });
        let pointers: Vec<_> = problems(&of_root).into_iter().map(|(at, _)| at).collect();
        assert_eq!(pointers, ["/additionalProperties", "/title", "/required/0"]);
    }

    #[test]
    fn a_property_that_is_none_of_a_form_says_where() {
        for (property, pointer, words) in [
            (json!(true), "", "must be an object"),
            (
                json!({"type": ["string", "null"]}),
                "/type",
                "must have a `type`",
            ),
            (json!({"$ref": "#"}), "/$ref", "refers to another schema"),
            (
                json!({"type": "string", "pattern": "a"}),
                "/pattern",
                "may have type, title",
            ),
            (
                json!({"type": "string", "x/y": 1}),
                "/x~1y",
                "the keyword `x/y`",
            ),
            (
                json!({"type": "string", "format": "uuid"}),
                "/format",
                "may have date,",
            ),
            (
                json!({"type": "string", "minLength": -1}),
                "/minLength",
                "whole number",
            ),
            (
                json!({"type": "string", "enum": [1]}),
                "/enum",
                "list of strings",
            ),
            (
                json!({"type": "string", "oneOf": [{"const": "a"}]}),
                "/oneOf",
                "\"title\"",
            ),
            (
                json!({"type": "integer", "maximum": "1"}),
                "/maximum",
                "a number as its",
            ),
            (
                json!({"type": "boolean", "enum": [true]}),
                "/enum",
                "the keyword `enum`",
            ),
            (json!({"type": "array"}), "/items", "must be an object"),
            (
                json!({"type": "array", "items": {"type": "string"}}),
                "/items/enum",
                "an `enum`",
            ),
            (
                json!({"type": "array", "items": {"enum": ["a"]}}),
                "/items/type",
                "\"string\"",
            ),
            (
                json!({"type": "array", "items": {"anyOf": []}}),
                "/items/anyOf",
                "list of",
            ),
            (
                json!({"type": "array", "items": {"type": "string", "enum": [], "minLength": 1}}),
                "/items/minLength",
                "may have type, enum",
            ),
            (
                json!({"type": "string", "title": 7}),
                "/title",
                "a text as its `title`",
            ),
            (
                json!({"type": "boolean", "description": {}}),
                "/description",
                "a text as its",
            ),
            (
                json!({"type": "string", "minLength": 2, "maxLength": 1}),
                "/minLength",
                "a `minLength` over its `maxLength`",
            ),
            (
                json!({"type": "number", "minimum": 0.2, "maximum": 0.1}),
                "/minimum",
                "a `minimum` over its",
            ),
            (
                json!({"type": "array", "items": {"type": "string", "enum": ["a"]},
                    "minItems": 2, "maxItems": 1}),
                "/minItems",
                "a `minItems` over its",
            ),
            (
                json!({"type": "string", "enum": ["a"], "enumNames": []}),
                "/enumNames",
                "a string for each",
            ),
            (
                json!({"type": "string", "default": 7}),
                "/default",
                "a `default` that is not a text",
            ),
            (
                json!({"type": "string", "format": "email", "default": "me"}),
                "/default",
                "not a text of the format email",
            ),
            (
                json!({"type": "integer", "maximum": 3, "default": 4}),
                "/default",
                "not an integer up to 3",
            ),
            (
                json!({"type": "boolean", "default": "true"}),
                "/default",
                "not true or false",
            ),
            (
                json!({"type": "string", "enum": ["a"], "default": "b"}),
                "/default",
                "not one of [\"a\"]",
            ),
            (
                json!({"type": "array", "items": {"type": "string", "enum": ["a"]},
                    "default": ["b"]}),
                "/default",
                "not a list of [\"a\"]",
            ),
        ] {
            let schema = json!({"type": "object", "properties": {"a~": property}});
            let found = problems(&schema);
            let wanted = format!("/properties/a~0{pointer}");
            assert_eq!((found.len(), &*found[0].0), (1, &*wanted), "{found:?}");
            assert!(found[0].1.starts_with("the property \"a~\" "), "{found:?}");
            assert!(found[0].1.contains(words), "{found:?}");
        }
    }

    #[test]
    fn all_problems_come_at_once() {
        let property = json!({"type": "string", "pattern": "", "minLength": "", "x": 1});
        let schema = json!({"type": "object", "properties": {"a": property, "b": {}}});
        let pointers: Vec<_> = problems(&schema).into_iter().map(|(at, _)| at).collect();
        let wanted = ["a/pattern", "a/x", "a/minLength", "b/type"];
        assert_eq!(pointers, wanted.map(|at| format!("/properties/{at}")));
    }
}
