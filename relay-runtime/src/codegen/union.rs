//! Generated enums whose variants are told apart by what they hold.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Object;
use super::rest::keep;

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

        impl $crate::codegen::Formed for $type {
            fn is_kind(value: &$crate::codegen::Value) -> bool {
                false $(|| <$of as $crate::codegen::Formed>::is_kind(value))*
            }

            fn is_form(value: &$crate::codegen::Value) -> bool {
                false $(|| <$of as $crate::codegen::Formed>::is_form(value))*
            }
        }

        impl $crate::codegen::Serialize for $type {
            fn serialize<__S: $crate::codegen::serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                match self {
                    $($type::$variant(value) => value.serialize(serializer),)*
                }
            }
        }

        impl<'de> $crate::codegen::Deserialize<'de> for $type {
            fn deserialize<__D: $crate::codegen::serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                let value = $crate::codegen::value(deserializer)?;
                $(if <$of as $crate::codegen::Formed>::is_form(&value) {
                    if let ::core::result::Result::Ok(value) = $crate::codegen::Deserialize::deserialize(&value) {
                        return ::core::result::Result::Ok($type::$variant(value));
                    }
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

/// Reads a value of any form.
pub(super) struct Any;

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

/// A type that a look at a value can rule out, before anything is decoded: a form that is told
/// apart by a member is not decoded, with all that is in it, to be thrown away.
pub trait Formed {
    /// Whether the value may be one, by its JSON type, or its text.
    fn is_kind(value: &Value) -> bool;

    /// Whether the value may be one, by its kind and those of its members that have to be there.
    fn is_form(value: &Value) -> bool {
        Self::is_kind(value)
    }
}

/// Whether a member is there, and of a kind.
#[must_use]
pub fn is_member<T: Formed>(value: &Value, name: &str) -> bool {
    value.get(name).is_some_and(T::is_kind)
}

macro_rules! formed {
    ($($type:ty: $is:expr,)*) => {$(
        impl Formed for $type {
            fn is_kind(value: &Value) -> bool {
                let is: fn(&Value) -> bool = $is;
                is(value)
            }
        }
    )*};
}

formed! {
    (): Value::is_null,
    bool: Value::is_boolean,
    i64: Value::is_i64,
    u64: Value::is_u64,
    f64: Value::is_number,
    String: Value::is_string,
    Value: |_| true,
    Object: Value::is_object,
}

impl<T> Formed for Vec<T> {
    fn is_kind(value: &Value) -> bool {
        value.is_array()
    }
}

impl<T> Formed for BTreeMap<String, T> {
    fn is_kind(value: &Value) -> bool {
        value.is_object()
    }
}

impl<T: Formed> Formed for Option<T> {
    fn is_kind(value: &Value) -> bool {
        value.is_null() || T::is_kind(value)
    }

    fn is_form(value: &Value) -> bool {
        value.is_null() || T::is_form(value)
    }
}

impl<T: Formed> Formed for Box<T> {
    fn is_kind(value: &Value) -> bool {
        T::is_kind(value)
    }

    fn is_form(value: &Value) -> bool {
        T::is_form(value)
    }
}

macro_rules! formed_tuples {
    ($($($item:ident)+,)*) => {$(
        impl<$($item),+> Formed for ($($item,)+) {
            fn is_kind(value: &Value) -> bool {
                value.is_array()
            }
        }
    )*};
}

formed_tuples! {
    A, A B, A B C, A B C D, A B C D E, A B C D E F, A B C D E F G, A B C D E F G H, A B C D E F G H I,
    A B C D E F G H I J, A B C D E F G H I J K, A B C D E F G H I J K L,
}

/// A value that fits none of the forms.
pub fn no_form<E: Error>() -> E {
    E::custom("the value fits none of the forms that the contract allows")
}
