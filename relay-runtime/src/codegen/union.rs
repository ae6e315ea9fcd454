//! Generated enums whose variants are told apart by what they hold.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Object;
use super::object::keep;

/// An enum for several forms: the first that a value fits is taken.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_union {
    (
        $(#[$meta:meta])*
        pub enum $type:ident { $($(#[$doc:meta])* $variant:ident($of:ty)),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $type {
            $(
                #[doc = ::core::concat!("The form `", ::core::stringify!($variant), "`.")]
                $(#[$doc])*
                $variant($of),
            )*
        }

        impl $crate::codegen::Checked for $type {
            fn keyword(
                &self,
                keyword: &$crate::codegen::table::Keyword,
                siblings: &[$crate::codegen::table::Keyword],
                walk: &$crate::codegen::Walk<'_>,
            ) -> $crate::codegen::Verdict {
                match self {
                    $($type::$variant(value) => value.keyword(keyword, siblings, walk),)*
                }
            }
        }

        impl $crate::codegen::Serialize for $type {
            fn serialize<S: $crate::codegen::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                match self {
                    $($type::$variant(value) => value.serialize(serializer),)*
                }
            }
        }

        impl<'de> $crate::codegen::Deserialize<'de> for $type {
            fn deserialize<D: $crate::codegen::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                let value = $crate::codegen::value(deserializer)?;
                $(if let ::core::result::Result::Ok(value) = $crate::codegen::Deserialize::deserialize(&value) {
                    return ::core::result::Result::Ok($type::$variant(value));
                })*
                ::core::result::Result::Err($crate::codegen::no_form())
            }
        }
    };
}

/// Reads a value of any form. Unlike serde_json, it refuses a name that is there twice: the first
/// would be lost.
///
/// # Errors
///
/// If it is no JSON value.
pub fn value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    deserializer.deserialize_any(Any)
}

struct Any;

impl<'de> DeserializeSeed<'de> for Any {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        value(deserializer)
    }
}

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(Any)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Object::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Any)?;
            keep(&mut object, name, value)?;
        }
        Ok(Value::Object(object))
    }
}

/// A value that fits none of the forms.
pub fn no_form<E: Error>() -> E {
    E::custom("the value fits none of the forms that the contract allows")
}
