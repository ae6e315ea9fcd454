//! The Rust types that the contracts come to.

/// A type where a value stands: of a member, an item, a variant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    /// `()`, the JSON `null`.
    Null,
    /// `bool`
    Bool,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `f64`
    F64,
    /// `String`
    String,
    /// `serde_json::Value`: any value that the table lets pass.
    Value(Why),
    /// `Vec<T>`
    Vec(Box<Type>),
    /// A tuple: an array of so many items, each with a type of its own.
    Tuple(Vec<Type>),
    /// A map from member names to `T`.
    Map(Box<Type>),
    /// `Option<T>`: `null`, or a `T`.
    Nullable(Box<Type>),
    /// A generated type.
    Item(ItemId),
}

/// Why a value has no type of its own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Why {
    /// The schema allows anything.
    AnythingGoes,
    /// No Rust type is exact; the reason goes into the docs.
    NoExactType(&'static str),
}

/// Counts into [`Types::items`](super::Types::items).
pub(crate) type ItemId = usize;

/// The Rust modules from the root of the generated file to an item's own.
pub(crate) type Module = Vec<String>;

/// A generated type.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) module: Module,
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) body: Body,
}

/// What a generated type is.
#[derive(Debug)]
pub(crate) enum Body {
    /// Reserved; its shape is being found.
    Pending,
    Struct(Struct),
    /// An enumeration of strings.
    Strings(Vec<Variant<String>>),
    /// One of several forms, told apart by what they are.
    Union(Vec<Variant<Type>>),
    /// Another name for a type that is no item.
    Alias(Type),
}

/// An object.
#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    /// Where members go that no field names: the field's name and the type of the values.
    pub(crate) extra: Option<(String, Type)>,
    /// Whether other members are refused.
    pub(crate) closed: bool,
}

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Field {
    /// The name in JSON.
    pub(crate) wire: String,
    /// The name in Rust.
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) of: Type,
    pub(crate) required: bool,
    /// What an absent member stands for.
    pub(crate) default: Option<Default>,
}

/// A default that fits the Rust type of its member.
#[derive(Debug, Clone)]
pub(crate) enum Default {
    Bool(bool),
    I64(i64),
    U64(u64),
    F64(f64),
    String(String),
    /// The variant of an enumeration of strings.
    Variant(ItemId, String),
}

/// A variant: its name in Rust, its docs, and what it stands for.
#[derive(Debug)]
pub(crate) struct Variant<T> {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) of: T,
}

impl Type {
    /// The types that this one is made of.
    pub(crate) fn inner(&self) -> &[Type] {
        match self {
            Type::Vec(of) | Type::Map(of) | Type::Nullable(of) => std::slice::from_ref(of),
            Type::Tuple(of) => of,
            _ => &[],
        }
    }
}
