//! One property of a form: what a user may fill in there, and what is wrong with a schema of it.

use serde_json::{Map, Value};

use super::fields::{Kind, strings};
use super::form_error::FormProblem;
use crate::check::{Format, push_token};

/// The keywords of every property.
const COMMON: &[&str] = &["type", "title", "description", "default"];

/// What a text may be.
const FORMATS: [Format; 4] = [Format::Date, Format::DateTime, Format::Email, Format::Uri];

/// Reads a property. What is wrong is worded to follow the property's name.
pub(super) fn kind(property: &Value) -> Result<Kind<'_>, Vec<FormProblem>> {
    let Some(members) = property.as_object() else {
        return Err(vec![FormProblem::new("", "must be an object")]);
    };
    if members.contains_key("$ref") {
        let what = "refers to another schema, which clients need not follow; write it out here";
        return Err(vec![FormProblem::new("/$ref", what)]);
    }
    let (kind, known) = shape(property, members)?;
    let mut problems = unknown(members, &[COMMON, known]);
    problems.extend(no_texts(members, &["title", "description"]));
    match kind {
        Ok(kind) => {
            problems.extend(unfit_default(members, &kind));
            if problems.is_empty() {
                return Ok(kind);
            }
        }
        Err(problem) => problems.push(problem),
    }
    Err(problems)
}

/// What a property holds, and the keywords that it may have for that.
type Shape<'a> = (Result<Kind<'a>, FormProblem>, &'static [&'static str]);

fn shape<'a>(
    property: &'a Value,
    members: &Map<String, Value>,
) -> Result<Shape<'a>, Vec<FormProblem>> {
    Ok(match property["type"].as_str() {
        Some("string") if members.contains_key("oneOf") => {
            (titled(property, "oneOf").map(Kind::Choice), &["oneOf"])
        }
        Some("string") if members.contains_key("enum") => {
            let choices = listed(property).and_then(|choices| named(property, choices));
            (choices.map(Kind::Choice), &["enum", "enumNames"])
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
    })
}

fn text(property: &Value) -> Result<Kind<'_>, FormProblem> {
    let format = property.get("format").map(format).transpose()?;
    let min = count(property, "minLength", 0)?;
    let max = count(property, "maxLength", u64::MAX)?;
    in_order(("minLength", min), ("maxLength", max))?;
    Ok(Kind::Text { min, max, format })
}

fn format(format: &Value) -> Result<Format, FormProblem> {
    let known = FORMATS.into_iter();
    let mut named = known.filter(|known| format == known.name());
    named.next().ok_or_else(|| {
        let names = FORMATS.map(Format::name).join(", ");
        let what = format!("has the `format` {format}, where a form may have {names}");
        FormProblem::new("/format", what)
    })
}

fn number(property: &Value, whole: bool) -> Result<Kind<'_>, FormProblem> {
    let min = bound(property, "minimum", f64::NEG_INFINITY)?;
    let max = bound(property, "maximum", f64::INFINITY)?;
    in_order(("minimum", min), ("maximum", max))?;
    Ok(Kind::Number { whole, min, max })
}

fn choices(property: &Value) -> Result<Kind<'_>, FormProblem> {
    let from = choices_from(&property["items"])
        .map_err(|problem| problem.within("/items", "has `items`, which "))?;
    let min = count(property, "minItems", 0)?;
    let max = count(property, "maxItems", u64::MAX)?;
    in_order(("minItems", min), ("maxItems", max))?;
    Ok(Kind::Choices { from, min, max })
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
        .filter(|choices| !choices.is_empty())
        .ok_or_else(|| FormProblem::new("/enum", "must have an `enum`: a list of strings"))
}

/// The choices, where their names, if they have any, are as many texts.
fn named<'a>(property: &Value, choices: Vec<&'a str>) -> Result<Vec<&'a str>, FormProblem> {
    let names = property.get("enumNames");
    if names.is_none_or(|names| strings(names).is_some_and(|n| n.len() == choices.len())) {
        return Ok(choices);
    }
    let what = "must have as its `enumNames` a string for each member of `enum`";
    Err(FormProblem::new("/enumNames", what))
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

/// Fails where no value is between two bounds.
fn in_order<T: PartialOrd>(least: (&str, T), most: (&str, T)) -> Result<(), FormProblem> {
    if least.1 <= most.1 {
        return Ok(());
    }
    let what = format!("has a `{}` over its `{}`", least.0, most.0);
    Err(FormProblem::new(format!("/{}", least.0), what))
}

/// A default is what a user sees filled in: it has to be an answer.
fn unfit_default(members: &Map<String, Value>, kind: &Kind<'_>) -> Option<FormProblem> {
    let mut default = members.get("default")?.clone();
    let wanted = kind.check(&mut default).err()?;
    let what = format!("has a `default` that is not {wanted}");
    Some(FormProblem::new("/default", what))
}

/// A problem for each of these keywords that is there and no text.
pub(super) fn no_texts(members: &Map<String, Value>, names: &[&str]) -> Vec<FormProblem> {
    let there = names
        .iter()
        .filter_map(|name| Some((name, members.get(*name)?)));
    there
        .filter(|(_, value)| !value.is_string())
        .map(|(name, _)| {
            let what = format!("must have a text as its `{name}`");
            FormProblem::new(format!("/{name}"), what)
        })
        .collect()
}

/// A problem for each keyword that is in none of the lists.
pub(super) fn unknown(members: &Map<String, Value>, known: &[&[&str]]) -> Vec<FormProblem> {
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
