//! The schemas of forms: one level of what any client can show (spec page `client/elicitation`).

use serde_json::{Map, Value};

use super::fields::{Field, Fields, Kind, strings};
use super::form_error::{FormError, FormProblem};
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

/// The keywords of every property.
const COMMON: &[&str] = &["type", "title", "description", "default"];

/// What a text may be.
const FORMATS: &[&str] = &["date", "date-time", "email", "uri"];

/// Refuses a schema that says more than a form heeds, or is none of a form.
pub(crate) fn judge(schema: &Value) -> Result<(), FormError> {
    let root = schema.as_object().map(|members| unknown(members, &[ROOT]));
    let root = root.into_iter().flatten();
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

/// Reads a property. What is wrong is worded to follow the property's name.
fn kind(property: &Value) -> Result<Kind<'_>, Vec<FormProblem>> {
    let Some(members) = property.as_object() else {
        return Err(vec![FormProblem::new("", "must be an object")]);
    };
    if members.contains_key("$ref") {
        let what = "refers to another schema, which clients need not follow; write it out here";
        return Err(vec![FormProblem::new("/$ref", what)]);
    }
    let (kind, known): (_, &[&str]) = match property["type"].as_str() {
        Some("string") if members.contains_key("oneOf") => {
            (titled(property, "oneOf").map(Kind::Choice), &["oneOf"])
        }
        Some("string") if members.contains_key("enum") => {
            (listed(property).map(Kind::Choice), &["enum", "enumNames"])
        }
        Some("string") => (text(property), &["minLength", "maxLength", "format"]),
        Some("number") => (number(property, false), &["minimum", "maximum"]),
        Some("integer") => (number(property, true), &["minimum", "maximum"]),
        Some("boolean") => (Ok(Kind::Boolean), &[]),
        Some("array") => (choices(property), &["items", "minItems", "maxItems"]),
        _ => {
            let what = "must have a `type`: string, number, integer, boolean, or array of choices";
            return Err(vec![FormProblem::new("/type", what)]);
        }
    };
    let mut problems = unknown(members, &[COMMON, known]);
    match kind {
        Ok(kind) if problems.is_empty() => return Ok(kind),
        Ok(_) => {}
        Err(problem) => problems.push(problem),
    }
    Err(problems)
}

fn text(property: &Value) -> Result<Kind<'_>, FormProblem> {
    if let Some(format) = property.get("format")
        && !format.as_str().is_some_and(|name| FORMATS.contains(&name))
    {
        let what = format!(
            "has the `format` {format}, where a form may have {}",
            FORMATS.join(", ")
        );
        return Err(FormProblem::new("/format", what));
    }
    Ok(Kind::Text {
        min: count(property, "minLength", 0)?,
        max: count(property, "maxLength", u64::MAX)?,
    })
}

fn number(property: &Value, whole: bool) -> Result<Kind<'_>, FormProblem> {
    Ok(Kind::Number {
        whole,
        min: bound(property, "minimum", f64::NEG_INFINITY)?,
        max: bound(property, "maximum", f64::INFINITY)?,
    })
}

fn choices(property: &Value) -> Result<Kind<'_>, FormProblem> {
    let from = choices_from(&property["items"])
        .map_err(|problem| problem.within("/items", "has `items`, which "))?;
    Ok(Kind::Choices {
        from,
        min: count(property, "minItems", 0)?,
        max: count(property, "maxItems", u64::MAX)?,
    })
}

fn choices_from(items: &Value) -> Result<Vec<&str>, FormProblem> {
    let Some(members) = items.as_object() else {
        return Err(FormProblem::new("", "must be an object"));
    };
    let is_titled = members.contains_key("anyOf");
    let known: &[&str] = if is_titled {
        &["anyOf"]
    } else {
        &["type", "enum"]
    };
    if let Some(other) = unknown(members, &[known]).pop() {
        return Err(other);
    }
    if is_titled {
        return titled(items, "anyOf");
    }
    if items["type"] != "string" {
        return Err(FormProblem::new(
            "/type",
            "must have `\"type\": \"string\"`",
        ));
    }
    listed(items)
}

fn listed(schema: &Value) -> Result<Vec<&str>, FormProblem> {
    strings(&schema["enum"])
        .ok_or_else(|| FormProblem::new("/enum", "must have an `enum`: a list of strings"))
}

fn titled<'a>(schema: &'a Value, name: &str) -> Result<Vec<&'a str>, FormProblem> {
    let options = schema[name]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let choices: Option<Vec<&str>> = options
        .iter()
        .map(|option| option["title"].as_str().and(option["const"].as_str()))
        .collect();
    choices
        .filter(|choices| !choices.is_empty())
        .ok_or_else(|| {
            let what = format!("must have in `{name}` a list of {{\"const\": …, \"title\": …}}");
            FormProblem::new(format!("/{name}"), what)
        })
}

fn count(property: &Value, name: &str, absent: u64) -> Result<u64, FormProblem> {
    match property.get(name) {
        None => Ok(absent),
        Some(value) => value.as_u64().ok_or_else(|| {
            let what = format!("must have a whole number as its `{name}`");
            FormProblem::new(format!("/{name}"), what)
        }),
    }
}

fn bound(property: &Value, name: &str, absent: f64) -> Result<f64, FormProblem> {
    match property.get(name) {
        None => Ok(absent),
        Some(value) => value.as_f64().ok_or_else(|| {
            let what = format!("must have a number as its `{name}`");
            FormProblem::new(format!("/{name}"), what)
        }),
    }
}

/// A problem for each keyword that is in none of the lists.
fn unknown(members: &Map<String, Value>, known: &[&[&str]]) -> Vec<FormProblem> {
    let others = members
        .keys()
        .filter(|key| !known.iter().any(|list| list.contains(&key.as_str())));
    others
        .map(|key| {
            let what = format!(
                "has the keyword `{key}`, which clients need not know in a form; it may have {}",
                known.concat().join(", ")
            );
            let mut pointer = String::new();
            push_token(&mut pointer, key);
            FormProblem::new(pointer, what)
        })
        .collect()
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
                "text": {"type": "string", "title": "T", "description": "D", "default": "a",
                    "minLength": 1, "maxLength": 9, "format": "date-time"},
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
            "type": "object", "additionalProperties": false, "properties": {}, "required": ["a"]
        });
        let found = problems(&of_root);
        assert_eq!(found[0].0, "/additionalProperties");
        assert_eq!(found[1].0, "/required/0");
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
