//! What the client answers.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[cfg(feature = "server")]
use super::fields::Fields;
#[cfg(feature = "server")]
use super::request::{InputMethod, InputRequest};
use crate::content::{Meta, Role};

/// What a user did with a form or with a page to visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elicited<T> {
    /// They agreed: a form's content.
    Accepted(T),
    /// They said no.
    Declined,
    /// They closed it without a choice.
    Cancelled,
}

/// A completion of the client's model (spec page `client/sampling`).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
#[serde(
    rename_all = "camelCase",
    expecting = "an object with `role`, `content` and `model`"
)]
pub struct Sampled {
    /// Who speaks: the assistant, as a rule.
    pub role: Role,
    /// The blocks as they came: text, images, audio, the use of a tool.
    #[serde(deserialize_with = "one_or_many")]
    pub content: Vec<Value>,
    /// The model that spoke.
    pub model: String,
    /// Why it stopped, such as `endTurn`, where that is known.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// The text blocks, joined with newlines.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter(|block| block["type"] == "text");
        let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
        texts.join("\n")
    }
}

/// A directory or a file that the client works on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is; a `file://` URI for now.
    pub uri: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The members of `_meta`; empty: none.
    #[serde(default, rename = "_meta", skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

/// Checks an answer by what was asked; an integer in a form that is written as `5.0` becomes `5`.
/// Fails with what is wrong with it.
#[cfg(feature = "server")]
pub(crate) fn check(request: &InputRequest, answer: &mut Value) -> Result<(), String> {
    let read = match request.method {
        InputMethod::Elicitation => ElicitResult::deserialize(&*answer).map(drop),
        InputMethod::Sampling => read_sampled(answer).map(drop),
        InputMethod::Roots => read_roots(answer).map(drop),
    };
    read.map_err(|error| {
        let method = request.method.wire_name();
        format!("it is no result of {method}: {error}")
    })?;
    match request.form() {
        Some(schema) if answer["action"] == "accept" => check_form(schema, answer),
        _ => Ok(()),
    }
}

#[cfg(feature = "server")]
fn check_form(schema: &Value, answer: &mut Value) -> Result<(), String> {
    // A request that was written by hand may have any schema; then its handler decides.
    let Ok(fields) = Fields::read(schema) else {
        return Ok(());
    };
    match answer.get_mut("content") {
        Some(Value::Object(content)) => fields.check(content),
        _ => fields.check(&mut Map::new()),
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `action`")]
struct ElicitResult {
    action: Action,
    #[serde(default)]
    content: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Accept,
    Decline,
    Cancel,
}

pub(super) fn read_form<T: DeserializeOwned>(answer: &Value) -> serde_json::Result<Elicited<T>> {
    let result = ElicitResult::deserialize(answer)?;
    Ok(match result.action {
        Action::Accept => {
            let content = result.content.unwrap_or_default();
            Elicited::Accepted(T::deserialize(Value::Object(content))?)
        }
        Action::Decline => Elicited::Declined,
        Action::Cancel => Elicited::Cancelled,
    })
}

pub(super) fn read_visit(answer: &Value) -> serde_json::Result<Elicited<()>> {
    Ok(match ElicitResult::deserialize(answer)?.action {
        Action::Accept => Elicited::Accepted(()),
        Action::Decline => Elicited::Declined,
        Action::Cancel => Elicited::Cancelled,
    })
}

pub(super) fn read_sampled(answer: &Value) -> serde_json::Result<Sampled> {
    Sampled::deserialize(answer)
}

pub(super) fn read_roots(answer: &Value) -> serde_json::Result<Vec<Root>> {
    #[derive(Deserialize)]
    #[serde(expecting = "an object with `roots`")]
    struct ListRootsResult {
        roots: Vec<Root>,
    }
    ListRootsResult::deserialize(answer).map(|result| result.roots)
}

/// Before 2025-11-25 the content was one block; it still may be.
fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Value>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Array(blocks) if blocks.iter().all(Value::is_object) => Ok(blocks),
        block @ Value::Object(_) => Ok(vec![block]),
        _ => Err(D::Error::custom(
            "`content` must be a block or a list of blocks",
        )),
    }
}
