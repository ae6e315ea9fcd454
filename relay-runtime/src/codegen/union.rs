//! Generated enums whose variants are told apart by what they hold.

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
                let value = $crate::codegen::Value::deserialize(deserializer)?;
                $(if let ::core::result::Result::Ok(value) = $crate::codegen::Deserialize::deserialize(&value) {
                    return ::core::result::Result::Ok($type::$variant(value));
                })*
                ::core::result::Result::Err($crate::codegen::no_form())
            }
        }
    };
}

/// A value that fits none of the forms.
pub fn no_form<E: serde::de::Error>() -> E {
    E::custom("the value fits none of the forms that the contract allows")
}
