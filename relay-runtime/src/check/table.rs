//! The table: a JSON Schema as data that a `static` can hold.
//!
//! `relay-gen` writes tables as constants; with the feature `dynamic`, [`compile`](super::compile)
//! makes the same table at run time. That is why a list is either borrowed for ever or shared.

use std::ops::Deref;
use std::sync::Arc;

/// A list that a `static` can hold and a program can build.
#[derive(Debug, Clone)]
pub enum List<T: 'static> {
    /// Written by `relay-gen`.
    S(&'static [T]),
    /// Built at run time.
    Shared(Arc<[T]>),
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            List::S(items) => items,
            List::Shared(items) => items,
        }
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        List::Shared(items.into())
    }
}

/// A text that a `static` can hold and a program can build.
#[derive(Debug, Clone)]
pub enum Text {
    /// Written by `relay-gen`.
    T(&'static str),
    /// Built at run time.
    Shared(Arc<str>),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Text::T(text) => text,
            Text::Shared(text) => text,
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::Shared(text.into())
    }
}

/// A schema: the keywords that an instance has to satisfy, all of them.
pub type Schema = List<Keyword>;

/// A whole schema document: the root, and every schema that a `$ref` reaches.
#[derive(Debug, Clone)]
pub struct Table(
    /// The root first; [`Keyword::Ref`] counts into this list.
    pub List<Definition>,
);

/// A schema with the place it stands at, as a JSON Pointer into the document.
#[derive(Debug, Clone)]
pub struct Definition(pub Text, pub Schema);

/// One keyword of a schema.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Keyword {
    /// `$ref`: the definition at this index.
    Ref(u32),
}
