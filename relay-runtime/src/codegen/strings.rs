//! Generated enumerations of strings.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

/// An enum for a list of strings.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_strings {
    ($(#[$meta:meta])* pub enum $type:ident { $($variant:ident = $value:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $(
                #[doc = ::core::concat!("`", $value, "`")]
                $variant,
            )*
        }

        impl $type {
            /// The value as JSON has it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($type::$variant => $value,)*
                }
            }
        }

        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::codegen::Checked for $type {
            fn keyword(
                &self,
                keyword: &$crate::codegen::table::Keyword,
                siblings: &[$crate::codegen::table::Keyword],
                walk: &$crate::codegen::Walk<'_>,
            ) -> $crate::codegen::Verdict {
                self.as_str().keyword(keyword, siblings, walk)
            }

            fn left_of(
                keyword: &$crate::codegen::table::Keyword,
                _: &[$crate::codegen::table::Keyword],
                _: &$crate::codegen::Reduce<'_>,
            ) -> ::core::option::Option<$crate::codegen::table::Keyword> {
                $crate::codegen::left_of_strings(&[$($value),*], keyword)
            }

            fn is_same(&self, other: &Self) -> ::core::option::Option<bool> {
                ::core::option::Option::Some(self == other)
            }
        }

        impl $crate::codegen::Formed for $type {
            fn is_kind(value: &$crate::codegen::Value) -> bool {
                ::core::matches!(value.as_str(), ::core::option::Option::Some($($value)|*))
            }
        }

        impl $crate::codegen::Serialize for $type {
            fn serialize<__S: $crate::codegen::serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::codegen::Deserialize<'de> for $type {
            fn deserialize<__D: $crate::codegen::serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                $crate::codegen::string(deserializer, |text| match text {
                    $($value => ::core::option::Option::Some($type::$variant),)*
                    _ => ::core::option::Option::None,
                })
            }
        }
    };
}

/// Reads a string that `find` knows.
///
/// # Errors
///
/// If the value is no string, or none that `find` knows.
pub fn string<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    find: fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    struct Known<T>(fn(&str) -> Option<T>);

    impl<T> Visitor<'_> for Known<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("one of the strings that the contract lists")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.0)(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
        }
    }

    deserializer.deserialize_str(Known(find))
}
