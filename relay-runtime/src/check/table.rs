//! The table: a JSON Schema as data that a `static` can hold.
//!
//! `relay-gen` writes tables as constants, and a program may build the same table at run time:
//! that is why a list is either borrowed for ever or shared.

use std::ops::Deref;
use std::sync::Arc;

use super::format::FormatCheck;
use super::pattern::Expression;

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
    pub List<Target>,
);

/// A schema with the place it stands at, as a JSON Pointer into the document.
#[derive(Debug, Clone)]
pub struct Target(pub Text, pub Schema);

/// A JSON value that a schema names, in `const` or `enum`.
#[derive(Debug, Clone)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as the schema writes it.
    Number(Text),
    /// A string.
    String(Text),
    /// An array.
    Array(List<Literal>),
    /// An object, in the order of the schema.
    Object(List<(Text, Literal)>),
}

/// A set of JSON types, the argument of [`Keyword::Type`].
pub type Types = u8;

/// `null`.
pub const NULL: Types = 1;
/// `boolean`.
pub const BOOLEAN: Types = 1 << 1;
/// `integer`: a number without a fraction, however it is written.
pub const INTEGER: Types = 1 << 2;
/// `number`.
pub const NUMBER: Types = 1 << 3;
/// `string`.
pub const STRING: Types = 1 << 4;
/// `array`.
pub const ARRAY: Types = 1 << 5;
/// `object`.
pub const OBJECT: Types = 1 << 6;

/// One keyword of a schema, named as the schema names it.
///
/// Numbers are kept as the schema writes them, so that no bound is rounded.
#[derive(Debug, Clone)]
pub enum Keyword {
    /// The schema `false`.
    Never,
    /// `$ref`: the target at this index of the table.
    Ref(u32),
    /// `$dynamicRef`: the target of the outermost scope that has the anchor, else this one.
    DynamicRef(Text, u32),
    /// The `$dynamicAnchor`s of the resource that the schema is in, and their targets.
    Scope(List<(Text, u32)>),
    /// `type`.
    Type(Types),
    /// Relay's own: an integer has to fit the Rust type `i64`.
    I64,
    /// Relay's own: an integer has to fit the Rust type `u64`.
    U64,
    /// `const`.
    Const(Literal),
    /// `enum`.
    Enum(List<Literal>),
    /// `minimum`.
    Minimum(Text),
    /// `maximum`.
    Maximum(Text),
    /// `exclusiveMinimum`.
    ExclusiveMinimum(Text),
    /// `exclusiveMaximum`.
    ExclusiveMaximum(Text),
    /// `multipleOf`.
    MultipleOf(Text),
    /// `minLength`, in Unicode code points.
    MinLength(u64),
    /// `maxLength`, in Unicode code points.
    MaxLength(u64),
    /// `pattern`, and the expression.
    Pattern(Text, Expression),
    /// `format`, where the contract asks for it to be checked.
    Format(FormatCheck),
    /// `prefixItems`.
    PrefixItems(List<Schema>),
    /// `items`: the items after those that `prefixItems` names.
    Items(Schema),
    /// `contains`, with `minContains` and `maxContains` beside it.
    Contains(Schema, u64, Option<u64>),
    /// `minItems`.
    MinItems(u64),
    /// `maxItems`.
    MaxItems(u64),
    /// `uniqueItems`.
    UniqueItems,
    /// `properties`.
    Properties(List<(Text, Schema)>),
    /// Relay's own: what a struct's type leaves of `properties`, at the place of each field. Only
    /// for values of that type.
    Fields(List<Option<Schema>>),
    /// `additionalProperties`: the members that `properties` does not name.
    AdditionalProperties(Schema),
    /// `patternProperties`: each pattern with its expression, and the schema of the members it fits.
    PatternProperties(List<(Text, Expression, Schema)>),
    /// `propertyNames`.
    PropertyNames(Schema),
    /// `required`.
    Required(List<Text>),
    /// `minProperties`.
    MinProperties(u64),
    /// `maxProperties`.
    MaxProperties(u64),
    /// `dependentRequired`.
    DependentRequired(List<(Text, List<Text>)>),
    /// `dependentSchemas`.
    DependentSchemas(List<(Text, Schema)>),
    /// `allOf`.
    AllOf(List<Schema>),
    /// `anyOf`.
    AnyOf(List<Schema>),
    /// `oneOf`.
    OneOf(List<Schema>),
    /// `not`.
    Not(Schema),
    /// `if`, `then` and `else`.
    If(Schema, Schema, Schema),
    /// `unevaluatedItems`: the items that nothing beside it speaks of.
    UnevaluatedItems(Schema),
    /// `unevaluatedProperties`: the members that nothing beside it speaks of.
    UnevaluatedProperties(Schema),
}

impl Keyword {
    /// The keyword as the schema spells it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Keyword::Never => "false",
            Keyword::Ref(_) => "$ref",
            Keyword::DynamicRef(..) => "$dynamicRef",
            Keyword::Scope(_) => "$dynamicAnchor",
            Keyword::Type(_) | Keyword::I64 | Keyword::U64 => "type",
            Keyword::Const(_) => "const",
            Keyword::Enum(_) => "enum",
            Keyword::Minimum(_) => "minimum",
            Keyword::Maximum(_) => "maximum",
            Keyword::ExclusiveMinimum(_) => "exclusiveMinimum",
            Keyword::ExclusiveMaximum(_) => "exclusiveMaximum",
            Keyword::MultipleOf(_) => "multipleOf",
            Keyword::MinLength(_) => "minLength",
            Keyword::MaxLength(_) => "maxLength",
            Keyword::Pattern(..) => "pattern",
            Keyword::Format(_) => "format",
            Keyword::PatternProperties(_) => "patternProperties",
            Keyword::UnevaluatedItems(_) => "unevaluatedItems",
            Keyword::UnevaluatedProperties(_) => "unevaluatedProperties",
            Keyword::PrefixItems(_) => "prefixItems",
            Keyword::Items(_) => "items",
            Keyword::Contains(..) => "contains",
            Keyword::MinItems(_) => "minItems",
            Keyword::MaxItems(_) => "maxItems",
            Keyword::UniqueItems => "uniqueItems",
            Keyword::Properties(_) | Keyword::Fields(_) => "properties",
            Keyword::AdditionalProperties(_) => "additionalProperties",
            Keyword::PropertyNames(_) => "propertyNames",
            Keyword::Required(_) => "required",
            Keyword::MinProperties(_) => "minProperties",
            Keyword::MaxProperties(_) => "maxProperties",
            Keyword::DependentRequired(_) => "dependentRequired",
            Keyword::DependentSchemas(_) => "dependentSchemas",
            Keyword::AllOf(_) => "allOf",
            Keyword::AnyOf(_) => "anyOf",
            Keyword::OneOf(_) => "oneOf",
            Keyword::Not(_) => "not",
            Keyword::If(..) => "if",
        }
    }
}
