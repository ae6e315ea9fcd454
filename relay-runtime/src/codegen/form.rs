//! Generated forms.

use serde::de::DeserializeOwned;

use crate::input::Form;

/// A function that gives the form of a generated type, from the schema that is published.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_form {
    ($type:ident, $schema:literal $(,)?) => {
        impl $type {
            /// The form in which the client's user fills in a value of this type.
            #[must_use]
            pub fn form() -> $crate::codegen::Form<Self> {
                $crate::codegen::form($schema)
            }
        }
    };
}

/// The form of a generated type.
///
/// # Panics
///
/// When the schema is none of a form, which `relay-gen` refuses: it judges by [`Form::from_json`],
/// too.
#[must_use]
pub fn form<T: DeserializeOwned>(schema: &'static str) -> Form<T> {
    Form::from_json(schema).unwrap_or_else(|error| panic!("{error}"))
}
