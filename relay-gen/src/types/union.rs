//! `anyOf`, `oneOf` and lists of types: Rust enums whose variants can be told apart.

use super::lower::{Slot, Types, nullable};
use super::model::{Body, ItemId, Type, Variant};
use super::names::{Scope, type_name};
use super::view::View;
use crate::json::Node;

impl<'c> Types<'c> {
    /// The type of one `anyOf` or `oneOf`.
    pub(super) fn union(&mut self, view: &View<'c>, branches: &'c [Node], slot: Slot) -> Type {
        let is_null =
            |branch: &&Node| View::new(self.contracts, branch).types() == Some(vec!["null"]);
        let (null, branches): (Vec<&Node>, Vec<&Node>) = branches.iter().partition(is_null);
        let of = match branches.as_slice() {
            [] => return Type::Null,
            [branch] => self.of_branch(view, branch, slot.place),
            branches => self.branches(view, branches, slot),
        };
        if null.is_empty() { of } else { nullable(of) }
    }

    fn branches(&mut self, view: &View<'c>, branches: &[&'c Node], slot: Slot) -> Type {
        // Reserved first, so that a branch that refers back finds the union itself.
        let id = self.item(&slot, view.text("description").unwrap_or_default());
        let mut forms = Vec::new();
        for (number, branch) in branches.iter().enumerate() {
            let name = self.branch_name(branch, number);
            let doc = View::new(self.contracts, branch)
                .text("description")
                .unwrap_or_default()
                .to_owned();
            let of = self.of_branch(view, branch, slot.place.part(&name));
            forms.push(Variant { name, doc, of });
        }
        self.enum_of(id, forms)
    }

    /// The type of a value that may have several JSON types.
    pub(super) fn kinds(&mut self, view: &View<'c>, kinds: &[&'c str], slot: Slot) -> Type {
        let id = self.item(&slot, view.text("description").unwrap_or_default());
        let mut forms = Vec::new();
        for kind in kinds
            .iter()
            .filter(|kind| **kind != "integer" || !kinds.contains(&"number"))
        {
            let of = self.of_kind(view, kind, slot.part(kind));
            forms.push(Variant {
                name: type_name(kind),
                doc: String::new(),
                of,
            });
        }
        self.enum_of(id, forms)
    }

    fn enum_of(&mut self, id: ItemId, forms: Vec<Variant<Type>>) -> Type {
        let mut scope = Scope::for_variants();
        let mut variants: Vec<Variant<Type>> = Vec::new();
        let mut null = false;
        for Variant { name, doc, of } in forms {
            let of = match of {
                Type::Nullable(of) => {
                    null = true;
                    *of
                }
                of => of,
            };
            if !variants.iter().any(|known| known.of == of) {
                variants.push(Variant {
                    name: scope.unique(&name, ""),
                    doc,
                    of,
                });
            }
        }
        // serde tries the variants in order: an integer is a number too, so it comes first.
        variants.sort_by_key(|variant| variant.of == Type::F64);
        let value = variants
            .iter()
            .find(|variant| matches!(variant.of, Type::Value(_)));
        let of = match (value, variants.as_slice()) {
            (Some(value), _) => value.of.clone(),
            (None, [single]) => single.of.clone(),
            _ => {
                self.items[id].body = Body::Union(variants);
                return if null {
                    nullable(Type::Item(id))
                } else {
                    Type::Item(id)
                };
            }
        };
        let of = if null { nullable(of) } else { of };
        self.items[id].body = Body::Alias(of.clone());
        of
    }

    /// What a branch is called: by what it refers to, by its title, or by its type.
    fn branch_name(&self, branch: &'c Node, number: usize) -> String {
        let referred = branch
            .get("$ref")
            .and_then(Node::as_str)
            .and_then(|text| text.rsplit(['/', '#']).next());
        let view = View::new(self.contracts, branch);
        let tag = view.tag();
        let kind = view
            .types()
            .filter(|types| types.len() == 1)
            .map(|types| types[0]);
        let name = referred
            .filter(|name| !name.is_empty())
            .or(tag)
            .or(branch.get("title").and_then(Node::as_str))
            .or(kind);
        name.map_or_else(|| format!("Form{}", number + 1), type_name)
    }
}
