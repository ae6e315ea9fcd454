//! A form for the client's user.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answers::{Elicited, read_form};
use super::form_error::{FormError, FormProblem};
use super::order::Order;
use super::question::Question;
use super::request::InputMethod;
use super::restricted;

/// A form for the client's user, whose content is a `T` (spec page `client/elicitation`, form
/// mode).
///
/// `relay-gen` makes one of each shared schema document that says `"x-relay": {"form": true}`:
/// `City::form()`. An answer that breaks the schema, its `format`s included, never reaches the
/// handler; members that the schema does not name pass. Never ask for a
/// password, a key or a card number in a form: the client and its model may read the answer; send
/// the user to a page with [`Question::visit`] instead.
pub struct Form<T> {
    schema: Value,
    /// The order of all that is sent.
    order: Arc<Order>,
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
    /// each a few keywords; the error says where which others stand. And when what stands there
    /// is no schema, such as a `minimum` over the `maximum`, or a `default` that is no answer.
    pub fn try_new(schema: Value) -> Result<Self, FormError> {
        Self::ordered(schema, Order::Any)
    }

    /// A form of the schema in this text. Its fields are shown in the order of the text, which a
    /// [`Value`] does not keep.
    ///
    /// # Errors
    ///
    /// As [`try_new`](Self::try_new), and when the text is no JSON.
    pub fn from_json(schema: &str) -> Result<Self, FormError> {
        let no_json = |error| FormProblem::new("", format!("it is no JSON: {error}"));
        let order = serde_json::from_str(schema).map_err(no_json)?;
        Self::ordered(serde_json::from_str(schema).map_err(no_json)?, order)
    }

    fn ordered(schema: Value, order: Order) -> Result<Self, FormError> {
        restricted::judge(&schema)?;
        let params = [
            ("mode", Order::Any),
            ("message", Order::Any),
            ("requestedSchema", order),
        ];
        let params = params.map(|(name, order)| (name.to_owned(), order));
        Ok(Self {
            schema,
            order: Arc::new(Order::Members(params.into())),
            content: PhantomData,
        })
    }

    /// The question to fill it in, for `Call::ask`; the message says what for.
    pub fn question(&self, message: impl Into<String>) -> Question<Elicited<T>> {
        let mut params = Map::new();
        params.insert("mode".into(), json!("form"));
        params.insert("message".into(), json!(message.into()));
        params.insert("requestedSchema".into(), self.schema.clone());
        Question::new(InputMethod::Elicitation, params, read_form::<T>).ordered(&self.order)
    }
}

impl<T> Clone for Form<T> {
    fn clone(&self) -> Self {
        Self {
            schema: self.schema.clone(),
            order: Arc::clone(&self.order),
            content: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Form<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Form").field(&self.schema).finish()
    }
}
