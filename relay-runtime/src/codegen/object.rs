//! Generated structs, and their way to JSON and back.
//!
//! What serde's derive does, but strict: an object is an object, never an array; a member that may
//! be absent is not thereby allowed to be `null`; and a required member that may be `null` is
//! required all the same.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::check::typed::Checked;

/// A struct for a JSON object.
///
/// `name: T` is a member that has to be there, `name?: T` one that may be absent, an `Option<T>`;
/// `= "wire"` is how JSON spells it, where that is not its name. At the end, `..` lets other
/// members pass, `..name: T` keeps them, and without either they are refused. `new` makes
/// a constructor of the members that have to be there.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_object {
    (
        $(#[$meta:meta])*
        pub struct $type:ident {
            $($(#[$doc:meta])* pub $field:ident $kind:tt $(:)? $of:ty $(= $wire:literal)?,)*
            $(.. $($rest:ident: $rest_of:ty)? $(,)?)?
        }
        $(new $arguments:tt)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $type {
            $($(#[$doc])* pub $field: $crate::__relay_object!(@type $kind $of),)*
            $($(
                /// The members that have no field of their own.
                pub $rest: $rest_of,
            )?)?
        }

        $crate::__relay_object!(@constructor $type [$($arguments)?] {
            $($field: $crate::__relay_object!(@new $kind $field),)*
            $($($rest: $crate::codegen::empty(),)?)?
        });

        impl $crate::codegen::Checked for $type {
            fn keyword(
                &self,
                keyword: &$crate::codegen::table::Keyword,
                siblings: &[$crate::codegen::table::Keyword],
                walk: &$crate::codegen::Walk<'_>,
            ) -> $crate::codegen::Verdict {
                if let $crate::codegen::table::Keyword::Fields(left) = keyword {
                    #[allow(unused_mut)]
                    let mut fields = $crate::codegen::Fields::new(left, walk);
                    $(fields.next($crate::__relay_object!(@checked $kind self.$field));)*
                    return fields.verdict();
                }
                let fields: &[$crate::codegen::Member<'_>] = &[$((
                    $crate::__relay_object!(@wire $field $($wire)?),
                    $crate::__relay_object!(@checked $kind self.$field),
                )),*];
                let rest = $crate::__relay_object!(@rest $(.. $($rest)?)?);
                $crate::codegen::Members { fields, rest }.keyword(keyword, siblings, walk)
            }

            fn left_of(
                keyword: &$crate::codegen::table::Keyword,
                siblings: &[$crate::codegen::table::Keyword],
                reduce: &$crate::codegen::Reduce<'_>,
            ) -> ::core::option::Option<$crate::codegen::table::Keyword> {
                let fields: &[$crate::codegen::Declared] = &[$((
                    $crate::__relay_object!(@wire $field $($wire)?),
                    $crate::__relay_object!(@required $kind),
                    |schema, reduce| reduce.schema::<$of>(schema),
                )),*];
                let rest = $crate::__relay_object!(@rest $(.. $($rest)?)?);
                $crate::codegen::Shape { fields, rest }.left_of(keyword, siblings, reduce)
            }
        }

        impl $crate::codegen::Formed for $type {
            fn is_kind(value: &$crate::codegen::Value) -> bool {
                value.is_object()
            }

            fn is_form(value: &$crate::codegen::Value) -> bool {
                value.is_object()
                    $(&& $crate::__relay_object!(
                        @form $kind $of, value, $crate::__relay_object!(@wire $field $($wire)?)
                    ))*
            }
        }

        impl $crate::codegen::Serialize for $type {
            fn serialize<__S: $crate::codegen::serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                let mut map = $crate::codegen::Writer::new(serializer);
                $($crate::__relay_object!(
                    @write $kind map, $crate::__relay_object!(@wire $field $($wire)?), self.$field
                );)*
                $($(map.rest(&self.$rest);)?)?
                map.end()
            }
        }

        impl<'de> $crate::codegen::Deserialize<'de> for $type {
            fn deserialize<__D: $crate::codegen::serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                // It puts the object where it stays: what a visitor gives goes through many hands.
                struct __Members<'o>(&'o mut ::core::option::Option<$type>);

                impl<'de> $crate::codegen::serde::de::Visitor<'de> for __Members<'_> {
                    type Value = ();

                    fn expecting(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<__A: $crate::codegen::serde::de::MapAccess<'de>>(
                        self,
                        mut map: __A,
                    ) -> ::core::result::Result<(), __A::Error> {
                        $(let mut $field = ::core::option::Option::None;)*
                        $($(let mut $rest: $rest_of = $crate::codegen::empty();)?)?
                        #[allow(unused_mut, unused_variables)]
                        let mut others = $crate::codegen::Names::new();
                        while let ::core::option::Option::Some(key) =
                            map.next_key::<$crate::codegen::Key<'de>>()?
                        {
                            match &*key {
                                $($crate::__relay_object!(@wire $field $($wire)?) => {
                                    $crate::codegen::once(&mut $field, &key, &mut map)
                                })*
                                _ => $crate::__relay_object!(@other map, key, others $(, .. $($rest)?)?),
                            }?;
                        }
                        *self.0 = ::core::option::Option::Some($type {
                            $($field: $crate::__relay_object!(
                                @take $kind $field, $crate::__relay_object!(@wire $field $($wire)?)
                            ),)*
                            $($($rest,)?)?
                        });
                        ::core::result::Result::Ok(())
                    }
                }

                let mut object = ::core::option::Option::None;
                deserializer.deserialize_map(__Members(&mut object))?;
                $crate::codegen::read(object)
            }
        }
    };
    (@constructor $type:ident [] $members:tt) => {};
    (@constructor $type:ident [($($argument:ident: $of:ty),* $(,)?)] {$($members:tt)*}) => {
        impl $type {
            /// With the members that have to be there; the others are absent.
            #[must_use]
            pub fn new($($argument: $of),*) -> Self {
                Self { $($members)* }
            }
        }
    };
    (@type : $of:ty) => { $of };
    (@type ? $of:ty) => { ::core::option::Option<$of> };
    (@wire $field:ident) => { ::core::stringify!($field) };
    (@wire $field:ident $wire:literal) => { $wire };
    (@new : $field:ident) => { $field };
    (@new ? $field:ident) => { ::core::option::Option::None };
    (@write : $map:ident, $wire:expr, $value:expr) => { $map.member($wire, &$value) };
    (@write ? $map:ident, $wire:expr, $value:expr) => { $map.optional($wire, &$value) };
    (@required :) => { true };
    (@required ?) => { false };
    (@checked : $value:expr) => { ::core::option::Option::Some(&$value) };
    (@checked ? $value:expr) => { $crate::codegen::there(&$value) };
    (@form : $of:ty, $value:expr, $wire:expr) => { $crate::codegen::is_member::<$of>($value, $wire) };
    (@form ? $of:ty, $value:expr, $wire:expr) => { true };
    (@rest) => { $crate::codegen::Rest::Refused };
    (@rest ..) => { $crate::codegen::Rest::Ignored };
    (@rest .. $rest:ident) => { $crate::codegen::Rest::Kept };
    (@take : $field:ident, $wire:expr) => { $crate::codegen::required($field, $wire)? };
    (@take ? $field:ident, $wire:expr) => { $field };
    (@other $map:ident, $key:ident, $others:ident) => { $crate::codegen::unknown(&$key) };
    (@other $map:ident, $key:ident, $others:ident, ..) => {
        $crate::codegen::skip(&mut $others, $key, &mut $map)
    };
    (@other $map:ident, $key:ident, $others:ident, .. $rest:ident) => {
        $crate::codegen::keep_next(&mut $rest, $key, &mut $map)
    };
}

/// The name of a member, borrowed where the text allows it.
pub struct Key<'de>(Cow<'de, str>);

impl Key<'_> {
    /// The name, to keep.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0.into_owned()
    }
}

impl std::ops::Deref for Key<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl<'de> Visitor<'de> for Name {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a member")
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(name)))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(name.into())))
            }
        }

        deserializer.deserialize_str(Name)
    }
}

/// Reads the value of a member that has not been there yet.
///
/// # Errors
///
/// If it has been, or if the value is no `T`.
pub fn once<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    member: &mut Option<T>,
    name: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    if member.is_some() {
        return Err(A::Error::custom(format_args!(
            "the member `{name}` is there twice"
        )));
    }
    *member = Some(map.next_value()?);
    Ok(())
}

/// What a visitor has put in its place.
///
/// # Errors
///
/// If the format has asked it for nothing.
pub fn read<T, E: Error>(object: Option<T>) -> Result<T, E> {
    object.ok_or_else(|| E::custom("no object"))
}

/// The value of a member that has to be there.
///
/// # Errors
///
/// If it is not.
pub fn required<T, E: Error>(member: Option<T>, name: &'static str) -> Result<T, E> {
    member.ok_or_else(|| E::missing_field(name))
}

/// A member that may be absent, as it is walked along a schema.
pub fn there<T: Checked>(member: &Option<T>) -> Option<&dyn Checked> {
    member.as_ref().map(|value| value as _)
}

/// Writes the members of an object, up to the first that fails.
pub struct Writer<S: Serializer>(Result<S::SerializeMap, S::Error>);

impl<S: Serializer> Writer<S> {
    /// An object without members.
    pub fn new(serializer: S) -> Self {
        Self(serializer.serialize_map(None))
    }

    /// Writes a member.
    pub fn member<T: Serialize>(&mut self, name: &str, value: &T) {
        if let Ok(map) = &mut self.0
            && let Err(error) = map.serialize_entry(name, value)
        {
            self.0 = Err(error);
        }
    }

    /// Writes a member, if it is there.
    pub fn optional<T: Serialize>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.member(name, value);
        }
    }

    /// Writes members that have no field.
    pub fn rest<'m, T: Serialize + 'm>(
        &mut self,
        members: impl IntoIterator<Item = (&'m String, &'m T)>,
    ) {
        members
            .into_iter()
            .for_each(|(name, value)| self.member(name, value));
    }

    /// Ends the object.
    ///
    /// # Errors
    ///
    /// What the first member that failed had to say.
    pub fn end(self) -> Result<S::Ok, S::Error> {
        self.0?.end()
    }
}

/// No members.
#[must_use]
pub fn empty<T: Default>() -> T {
    T::default()
}
