//! The generated types.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::docs::docs;
use crate::types::{
    Body, Default, Field, Item, ItemId, Module, Struct, Type, Variant, Why, boxed, ident,
    member_name,
};

/// Writes types as they are seen from one module.
pub(super) struct TypeWriter<'t> {
    items: &'t [Item],
    boxed: HashSet<(ItemId, ItemId)>,
}

impl<'t> TypeWriter<'t> {
    pub(super) fn new(items: &'t [Item]) -> Self {
        Self {
            items,
            boxed: boxed(items),
        }
    }

    /// Every type of a module.
    pub(super) fn module(&self, module: &Module) -> TokenStream {
        let own = self
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.module == *module);
        own.map(|(id, item)| self.item(id, item)).collect()
    }

    /// The type of a tool's input or output, from a module below the tool's own.
    pub(super) fn name(&self, id: ItemId) -> syn::Ident {
        ident(&self.items[id].name)
    }

    fn item(&self, id: ItemId, item: &Item) -> TokenStream {
        let name = ident(&item.name);
        let written = Written {
            writer: self,
            id,
            item,
        };
        match &item.body {
            Body::Struct(object) => written.structure(object),
            Body::Strings(variants) => written.strings(variants),
            Body::Union(variants) => written.union(variants),
            Body::Alias(of) => {
                let docs = docs(&item.doc, &format!("A value of {}.", item.name));
                let of_type = written.of(of);
                let why = why(of);
                quote!(#docs #why pub type #name = #of_type;)
            }
            Body::Pending => TokenStream::new(),
        }
    }
}

/// One item as it is written.
struct Written<'w> {
    writer: &'w TypeWriter<'w>,
    id: ItemId,
    item: &'w Item,
}

impl Written<'_> {
    fn structure(&self, object: &Struct) -> TokenStream {
        let name = ident(&self.item.name);
        let docs = docs(
            &self.item.doc,
            &format!("An object of `{}`.", self.item.name),
        );
        let fields = object.fields.iter().map(|field| self.field(field));
        let extra = object.extra.as_ref().map(|(name, of)| {
            let (name, map) = (ident(name), self.of(&Type::Map(Box::new(of.clone()))));
            quote!(#[doc = " The members that have no field of their own."] #[serde(flatten)] pub #name: #map)
        });
        let closed = object.closed.then(|| quote!(#[serde(deny_unknown_fields)]));
        let can_default = object.fields.iter().all(|field| !field.required);
        let default = can_default.then(|| quote!(, Default));
        let methods = self.methods(object);
        quote! {
            #docs
            #[derive(Debug, Clone, PartialEq #default, rt::Serialize, rt::Deserialize)]
            #[serde(crate = "rt::serde")]
            #closed
            pub struct #name { #(#fields,)* #extra }
            #methods
        }
    }

    fn field(&self, field: &Field) -> TokenStream {
        let docs = docs(&field.doc, &format!("The member `{}`.", field.wire));
        let why = why(&field.of);
        let (name, of) = (ident(&field.name), self.of(&field.of));
        let rename = (!is_spelt(&name, &field.wire)).then(|| {
            let wire = &field.wire;
            quote!(rename = #wire,)
        });
        let serde = match (field.required, &field.of) {
            (true, Type::Nullable(_)) => quote!(#rename deserialize_with = "rt::required"),
            (true, _) => quote!(#rename),
            (false, _) => {
                quote!(#rename default, deserialize_with = "rt::present", skip_serializing_if = "Option::is_none")
            }
        };
        let serde = (!serde.is_empty()).then(|| quote!(#[serde(#serde)]));
        let of = if field.required {
            of
        } else {
            quote!(Option<#of>)
        };
        quote!(#docs #why #serde pub #name: #of)
    }

    /// A constructor where some members may be left out and some may not, and the defaults.
    fn methods(&self, object: &Struct) -> TokenStream {
        let accessors: Vec<_> = object
            .fields
            .iter()
            .filter_map(|field| self.default(field))
            .collect();
        let new = self.constructor(object);
        if new.is_none() && accessors.is_empty() {
            return TokenStream::new();
        }
        let name = ident(&self.item.name);
        quote!(impl #name { #new #(#accessors)* })
    }

    fn constructor(&self, object: &Struct) -> Option<TokenStream> {
        let (required, optional): (Vec<_>, Vec<_>) =
            object.fields.iter().partition(|field| field.required);
        if required.is_empty() || (optional.is_empty() && object.extra.is_none()) {
            return None;
        }
        let names: Vec<_> = required.iter().map(|field| ident(&field.name)).collect();
        let types = required.iter().map(|field| self.of(&field.of));
        let absent = optional.iter().map(|field| ident(&field.name));
        let extra = object.extra.as_ref().map(|(name, _)| {
            let name = ident(name);
            quote!(#name: rt::empty(),)
        });
        Some(quote! {
            #[doc = " With the members that are required; the others are absent."]
            #[must_use]
            pub fn new(#(#names: #types),*) -> Self {
                Self { #(#names,)* #(#absent: None,)* #extra }
            }
        })
    }

    fn default(&self, field: &Field) -> Option<TokenStream> {
        let accessor = format_ident!("{}_or_default", member_name(&field.name));
        let name = ident(&field.name);
        let value = match field.default.as_ref()? {
            Default::Bool(value) => quote!(#value),
            Default::I64(value) => proc_macro2::Literal::i64_unsuffixed(*value).to_token_stream(),
            Default::U64(value) => proc_macro2::Literal::u64_unsuffixed(*value).to_token_stream(),
            Default::F64(value) => proc_macro2::Literal::f64_unsuffixed(*value).to_token_stream(),
            Default::String(value) => quote!(#value),
            Default::Variant(id, variant) => {
                let (of, variant) = (self.path(*id), ident(variant));
                quote!(#of::#variant)
            }
        };
        let docs = format!(" The member `{}`, or its default.", field.wire);
        let nullable = matches!(field.of, Type::Nullable(_));
        let value_type = match &field.of {
            Type::Nullable(of) => self.of(of),
            of => self.of(of),
        };
        let is_text = matches!(field.default, Some(Default::String(_)));
        let read = match (
            is_text,
            nullable,
            matches!(field.default, Some(Default::Variant(..))),
        ) {
            _ if nullable => return None,
            (true, ..) => quote!(self.#name.as_deref().unwrap_or(#value)),
            (.., true) => quote!(self.#name.clone().unwrap_or(#value)),
            _ => quote!(self.#name.unwrap_or(#value)),
        };
        let returned = if is_text { quote!(&str) } else { value_type };
        Some(quote!(#[doc = #docs] #[must_use] pub fn #accessor(&self) -> #returned { #read }))
    }

    fn strings(&self, variants: &[Variant<String>]) -> TokenStream {
        let name = ident(&self.item.name);
        let docs = docs(&self.item.doc, &format!("A value of `{}`.", self.item.name));
        let variants = variants.iter().map(|variant| {
            let (name, value) = (ident(&variant.name), &variant.of);
            let docs = format!(" `{}`", value.replace(['`', '\n', '\r'], " "));
            let rename = (!is_spelt(&name, value)).then(|| quote!(#[serde(rename = #value)]));
            quote!(#[doc = #docs] #rename #name)
        });
        quote! {
            #docs
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, rt::Serialize, rt::Deserialize)]
            #[serde(crate = "rt::serde")]
            pub enum #name { #(#variants),* }
        }
    }

    fn union(&self, variants: &[Variant<Type>]) -> TokenStream {
        let name = ident(&self.item.name);
        let docs = docs(
            &self.item.doc,
            &format!("One of the forms of `{}`.", self.item.name),
        );
        let variants = variants.iter().map(|variant| {
            let (name, of) = (ident(&variant.name), self.of(&variant.of));
            let docs = super::docs::docs(&variant.doc, &format!("The form `{}`.", variant.name));
            quote!(#docs #name(#of))
        });
        quote! {
            #docs
            #[derive(Debug, Clone, PartialEq, rt::Serialize, rt::Deserialize)]
            #[serde(crate = "rt::serde", untagged)]
            pub enum #name { #(#variants),* }
        }
    }

    /// A type where it stands in this item.
    fn of(&self, of: &Type) -> TokenStream {
        match of {
            Type::Null => quote!(()),
            Type::Bool => quote!(bool),
            Type::I64 => quote!(i64),
            Type::U64 => quote!(u64),
            Type::F64 => quote!(f64),
            Type::String => quote!(String),
            Type::Value(_) => quote!(rt::Value),
            Type::Vec(of) => {
                let of = self.unboxed(of);
                quote!(Vec<#of>)
            }
            Type::Map(of) if matches!(**of, Type::Value(_)) => quote!(rt::Object),
            Type::Map(of) => {
                let of = self.unboxed(of);
                quote!(rt::Map<#of>)
            }
            Type::Nullable(of) => {
                let of = self.of(of);
                quote!(Option<#of>)
            }
            Type::Item(id) if self.writer.boxed.contains(&(self.id, *id)) => {
                let path = self.path(*id);
                quote!(Box<#path>)
            }
            Type::Item(id) => self.path(*id),
        }
    }

    /// A type behind a pointer already: nothing in it needs a `Box`.
    fn unboxed(&self, of: &Type) -> TokenStream {
        match of {
            Type::Item(id) => self.path(*id),
            Type::Nullable(of) => {
                let of = self.unboxed(of);
                quote!(Option<#of>)
            }
            of => self.of(of),
        }
    }

    /// The path to another item, up to the module that both are in and down again.
    fn path(&self, id: ItemId) -> TokenStream {
        let item = &self.writer.items[id];
        let (from, to) = (&self.item.module, &item.module);
        let shared = from
            .iter()
            .zip(to)
            .take_while(|(one, other)| one == other)
            .count();
        let up = (shared..from.len()).map(|_| quote!(super::));
        let down = to[shared..].iter().map(|module| ident(module));
        let name = ident(&item.name);
        quote!(#(#up)* #(#down::)* #name)
    }
}

/// Whether serde, left alone, uses this name in JSON.
fn is_spelt(name: &syn::Ident, wire: &str) -> bool {
    name.to_string().trim_start_matches("r#") == wire
}

/// Says in the docs why a value has no type of its own.
fn why(of: &Type) -> Option<TokenStream> {
    let reason = match of {
        Type::Value(Why::NoExactType(reason)) => reason,
        Type::Vec(of) | Type::Map(of) | Type::Nullable(of) => return why(of),
        _ => return None,
    };
    let lines = [
        String::new(),
        format!(" Any JSON value that the contract lets pass: {reason}."),
    ];
    Some(quote!(#(#[doc = #lines])*))
}
