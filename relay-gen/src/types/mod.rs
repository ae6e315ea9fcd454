//! From schemas to Rust types.
//!
//! A type accepts every value that its schema accepts, and keeps all of it that the schema speaks
//! of; what the type lets pass beyond that, the table refuses. So a type may be wider than its
//! schema, never narrower: where no Rust type is exact, it is `Value`.

mod enumeration;
mod exact;
mod lower;
mod model;
mod names;
mod object;
mod place;
mod recursion;
mod says;
mod typify;
mod union;
mod view;

pub(crate) use lower::Types;
pub(crate) use model::{Body, Default, Field, Item, ItemId, Module, Struct, Type, Variant, Why};
pub(crate) use names::{ident, member_name};
pub(crate) use place::{document_type_name, module_path, tool_type_name};
pub(crate) use recursion::boxed;
