//! A form for the client's user.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answers::{Elicited, read_form};
use super::fields::Fields;
use super::question::Question;
use super::request::InputMethod;

/// A form for the client's user, whose content is a `T` (spec page `client/elicitation`, form
/// mode).
///
/// `relay-gen` makes one of each shared schema document that says `"x-relay": {"form": true}`:
/// `City::form()`. An answer that breaks the schema never reaches the handler. Never ask for a
/// password, a key or a card number in a form: the client and its model may read the answer; send
/// the user to a page with [`Question::visit`] instead.
pub struct Form<T> {
    schema: Value,
    content: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Form<T> {
    /// A form of this schema: an object whose properties are strings, numbers, integers,
    /// booleans, or choices of strings.
    ///
    /// # Panics
    ///
    /// Where [`try_new`](Self::try_new) gives an error.
    #[must_use]
    #[track_caller]
    pub fn new(schema: Value) -> Self {
        Self::try_new(schema).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A form of this schema, for schemas that are data.
    ///
    /// # Errors
    ///
    /// When a client need not understand the schema: MCP allows one level of properties, and for
    /// each only the keywords that [`FormError`] names.
    pub fn try_new(schema: Value) -> Result<Self, FormError> {
        Fields::read(&schema).map_err(FormError)?;
        Ok(Self {
            schema,
            content: PhantomData,
        })
    }

    /// Asks the user to fill it in; the message says what for.
    #[must_use]
    pub fn ask(&self, message: impl Into<String>) -> Question<Elicited<T>> {
        let mut params = Map::new();
        params.insert("mode".into(), json!("form"));
        params.insert("message".into(), json!(message.into()));
        params.insert("requestedSchema".into(), self.schema.clone());
        Question::new(InputMethod::Elicitation, params, read_form::<T>)
    }
}

impl<T> Clone for Form<T> {
    fn clone(&self) -> Self {
        Self {
            schema: self.schema.clone(),
            content: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Form<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Form").field(&self.schema).finish()
    }
}

/// Why a schema is no form's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormError(String);

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the schema is none of a form: {}", self.0)
    }
}

impl std::error::Error for FormError {}
