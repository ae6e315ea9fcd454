//! The generated types, each as the macro reads it that makes it.

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::comments;
use super::layout::{Bodies, CURLY, Layout, ROUND, literal, raw_string};
use crate::generate::Form;
use crate::types::{
    Body, Default, Field, Item, ItemId, Module, Struct, Type, Variant, Why, boxed, ident,
    member_name,
};

/// Writes types as they are seen from one module.
pub(super) struct TypeWriter<'t> {
    items: &'t [Item],
    bodies: &'t Bodies,
    /// The published schemas of the items that are forms.
    forms: HashMap<ItemId, &'t str>,
    boxed: HashSet<(ItemId, ItemId)>,
}

impl<'t> TypeWriter<'t> {
    pub(super) fn new(items: &'t [Item], forms: &'t [Form], bodies: &'t Bodies) -> Self {
        let forms = forms.iter().map(|form| (form.item, &*form.schema));
        Self {
            items,
            bodies,
            forms: forms.collect(),
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
        own.map(|(id, item)| {
            Written {
                writer: self,
                id,
                item,
            }
            .item()
        })
        .collect()
    }

    /// The type of a tool's input or output, in the tool's own module.
    pub(super) fn name(&self, id: ItemId) -> syn::Ident {
        ident(&self.items[id].name)
    }
}

/// One item as it is written.
struct Written<'w> {
    writer: &'w TypeWriter<'w>,
    id: ItemId,
    item: &'w Item,
}

impl Written<'_> {
    fn item(&self) -> TokenStream {
        match &self.item.body {
            Body::Struct(object) => self.structure(object),
            Body::Strings(variants) => self.strings(variants),
            Body::Union(variants) => self.union(variants),
            Body::Alias(of) => self.alias(of),
            Body::Pending => TokenStream::new(),
        }
    }

    fn structure(&self, object: &Struct) -> TokenStream {
        let rest = match (&object.extra, object.closed) {
            (Some((name, of)), _) => {
                let of = self.of(&Type::Map(Box::new(of.clone())));
                Some(Layout::word(format!("..{}: {of}", ident(name))))
            }
            (None, true) => None,
            (None, false) => Some(Layout::word("..")),
        };
        let members = object
            .fields
            .iter()
            .map(|field| self.field(field))
            .chain(rest)
            .collect();
        let mut docs = self.docs("An object");
        if object.fields.iter().all(|field| !field.required) {
            docs.push("#[derive(Default)]".into());
        }
        let item = self.open("struct", members).documented(docs);
        let object_body = std::iter::once(item)
            .chain(constructor(self, object))
            .collect();
        let object_call = self.writer.bodies.call(&quote!(rt::object), object_body);
        let defaults = self.defaults(object);
        let form = self.form();
        quote!(#object_call #defaults #form)
    }

    fn form(&self) -> Option<TokenStream> {
        let schema = self.writer.forms.get(&self.id)?;
        let name = Layout::word(ident(&self.item.name).to_string());
        let body = vec![name, Layout::word(raw_string(schema))];
        Some(self.writer.bodies.call(&quote!(rt::form), body))
    }

    fn field(&self, field: &Field) -> Layout {
        let name = ident(&field.name);
        let kind = if field.required { "" } else { "?" };
        let wire = if name == field.wire {
            String::new()
        } else {
            format!(" = {}", literal(&field.wire))
        };
        let mut docs = comments(&field.doc, &format!("The member `{}`.", field.wire));
        docs.extend(why(&field.of));
        Layout::word(format!("pub {name}{kind}: {}{wire}", self.of(&field.of))).documented(docs)
    }

    fn defaults(&self, object: &Struct) -> Option<TokenStream> {
        let accessors: Vec<_> = object
            .fields
            .iter()
            .filter_map(|field| self.default(field))
            .collect();
        if accessors.is_empty() {
            return None;
        }
        let body = Layout::group(&format!("{} ", ident(&self.item.name)), CURLY, accessors);
        Some(self.writer.bodies.call(&quote!(rt::defaults), vec![body]))
    }

    fn default(&self, field: &Field) -> Option<Layout> {
        // Where `null` is a value of its own, a default stands for absence alone: no one type fits.
        if matches!(field.of, Type::Nullable(_)) {
            return None;
        }
        let value = match field.default.as_ref()? {
            Default::Bool(value) => value.to_string(),
            Default::I64(value) => value.to_string(),
            Default::U64(value) => value.to_string(),
            Default::F64(value) => format!("{value:?}"),
            Default::String(value) => literal(value),
            Default::Variant(id, variant) => format!("{}::{}", self.path(*id), ident(variant)),
        };
        let of = match field.of {
            Type::String => "&str".into(),
            ref of => self.of(of),
        };
        let name = ident(&field.name);
        Some(Layout::word(format!(
            "{}_or_default({name}) -> {of} = {value}",
            member_name(&field.name)
        )))
    }

    fn strings(&self, variants: &[Variant<String>]) -> TokenStream {
        let variant = |variant: &Variant<String>| {
            Layout::word(format!(
                "{} = {}",
                ident(&variant.name),
                literal(&variant.of)
            ))
        };
        let item = self.open("enum", variants.iter().map(variant).collect());
        self.writer.bodies.call(
            &quote!(rt::strings),
            vec![item.documented(self.docs("A value"))],
        )
    }

    fn union(&self, variants: &[Variant<Type>]) -> TokenStream {
        let variant = |variant: &Variant<Type>| {
            let form = Layout::word(format!(
                "{}({})",
                ident(&variant.name),
                self.of(&variant.of)
            ));
            let docs = if variant.doc.is_empty() {
                Vec::new()
            } else {
                comments(&variant.doc, "")
            };
            form.documented(docs)
        };
        let item = self.open("enum", variants.iter().map(variant).collect());
        self.writer.bodies.call(
            &quote!(rt::union),
            vec![item.documented(self.docs("One of the forms"))],
        )
    }

    fn alias(&self, of: &Type) -> TokenStream {
        let mut docs = self.docs("A value");
        docs.extend(why(of));
        let docs = docs.iter().map(|line| line.trim_start_matches("///"));
        let name = ident(&self.item.name);
        let of: Result<syn::Type, _> = syn::parse_str(&self.of(of));
        of.map_or_else(
            |_| TokenStream::new(),
            |of| quote!(#(#[doc = #docs])* pub type #name = #of;),
        )
    }

    fn open(&self, kind: &str, pieces: Vec<Layout>) -> Layout {
        Layout::group(
            &format!("pub {kind} {} ", ident(&self.item.name)),
            CURLY,
            pieces,
        )
    }

    fn docs(&self, what: &str) -> Vec<String> {
        comments(&self.item.doc, &format!("{what} of `{}`.", self.item.name))
    }

    /// A type where it stands in this item.
    fn of(&self, of: &Type) -> String {
        match of {
            Type::Null => "()".into(),
            Type::Bool => "bool".into(),
            Type::I64 => "i64".into(),
            Type::U64 => "u64".into(),
            Type::F64 => "f64".into(),
            Type::String => "String".into(),
            Type::Value(_) => "rt::Value".into(),
            Type::Vec(of) => format!("Vec<{}>", self.unboxed(of)),
            Type::Tuple(of) => {
                let items: Vec<_> = of.iter().map(|of| self.of(of)).collect();
                let end = if items.len() == 1 { "," } else { "" };
                format!("({}{end})", items.join(", "))
            }
            Type::Map(of) if matches!(**of, Type::Value(_)) => "rt::Object".into(),
            Type::Map(of) => format!("rt::Map<{}>", self.unboxed(of)),
            Type::Nullable(of) => format!("Option<{}>", self.of(of)),
            Type::Item(id) if self.writer.boxed.contains(&(self.id, *id)) => {
                format!("Box<{}>", self.path(*id))
            }
            Type::Item(id) => self.path(*id),
        }
    }

    /// A type behind a pointer already: nothing in it needs a `Box`.
    fn unboxed(&self, of: &Type) -> String {
        match of {
            Type::Item(id) => self.path(*id),
            Type::Nullable(of) => format!("Option<{}>", self.unboxed(of)),
            of => self.of(of),
        }
    }

    /// The path to another item, up to the module that both are in and down again.
    fn path(&self, id: ItemId) -> String {
        let item = &self.writer.items[id];
        let (from, to) = (&self.item.module, &item.module);
        let shared = from
            .iter()
            .zip(to)
            .take_while(|(one, other)| one == other)
            .count();
        let up = "super::".repeat(from.len() - shared);
        let down: String = to[shared..]
            .iter()
            .map(|module| format!("{}::", ident(module)))
            .collect();
        format!("{up}{down}{}", ident(&item.name))
    }
}

/// A constructor, where some members have to be there and others not.
fn constructor(written: &Written<'_>, object: &Struct) -> Option<Layout> {
    let (required, optional): (Vec<_>, Vec<_>) =
        object.fields.iter().partition(|field| field.required);
    if required.is_empty() || (optional.is_empty() && object.extra.is_none()) {
        return None;
    }
    let argument =
        |field: &&Field| Layout::word(format!("{}: {}", ident(&field.name), written.of(&field.of)));
    Some(Layout::group(
        "new",
        ROUND,
        required.iter().map(argument).collect(),
    ))
}

/// Says in the docs why a value has no type of its own.
fn why(of: &Type) -> Vec<String> {
    match of {
        Type::Value(Why::NoExactType(reason)) => {
            vec![
                "///".into(),
                format!("/// Any JSON value that the contract lets pass: {reason}."),
            ]
        }
        of => of
            .inner()
            .iter()
            .map(why)
            .find(|why| !why.is_empty())
            .unwrap_or_default(),
    }
}
