//! The way from a schema to its type.

use std::collections::HashMap;

use super::model::{Body, Item, ItemId, Module, Type, Why};
use super::names::Scope;
use super::place::{Place, Places};
use super::says::{Asides, is_plain, is_silent, shapes};
use super::view::View;
use crate::contracts::Contracts;
use crate::json::{Json, Node};
use crate::source::Span;

/// Types within types; what is deeper has no type of its own, rather than risk the stack.
const MAX_DEPTH: usize = 100;

/// All types of all contracts, found as they are asked for.
pub(crate) struct Types<'c> {
    pub(super) contracts: &'c Contracts,
    /// The generated types, in the order in which they were needed.
    pub(crate) items: Vec<Item>,
    places: Places,
    scopes: HashMap<Module, Scope>,
    found: HashMap<Span, Type>,
    roots: Vec<ItemId>,
    depth: usize,
}

/// Where a type goes that becomes an item.
#[derive(Clone)]
pub(super) struct Slot {
    pub(super) place: Place,
    /// The schema that the item stands for, so that refs to it find the item, itself included.
    schema: Option<Span>,
    /// Whether that schema allows `null` besides.
    nullable: bool,
    /// The item that has been reserved already.
    reserved: Option<ItemId>,
}

impl Slot {
    /// The slot of a part of what stands in this one.
    pub(super) fn part(&self, name: &str) -> Self {
        Self::at(self.place.part(name))
    }

    /// Whether this is the input or the output of a tool, or a form.
    pub(super) fn is_root(&self) -> bool {
        self.reserved.is_some()
    }

    fn at(place: Place) -> Self {
        Self {
            place,
            schema: None,
            nullable: false,
            reserved: None,
        }
    }
}

impl<'c> Types<'c> {
    pub(crate) fn new(contracts: &'c Contracts) -> Self {
        Self {
            contracts,
            items: Vec::new(),
            places: Places::new(contracts),
            scopes: HashMap::new(),
            found: HashMap::new(),
            roots: Vec::new(),
            depth: 0,
        }
    }

    /// Takes a name in a module; says whether it was free.
    pub(crate) fn take_name(&mut self, module: &Module, name: &str) -> bool {
        self.scope(module).take(name)
    }

    /// The type of a tool's input or output, or of a form, under a name that was taken for it: an
    /// item of its own, or an alias where the schema comes to something else.
    pub(crate) fn root(
        &mut self,
        schema: &'c Node,
        module: &Module,
        name: &str,
        doc: &str,
    ) -> ItemId {
        let id = self.push(module.clone(), name.into(), doc.into());
        self.roots.push(id);
        self.found.insert(schema.span, Type::Item(id));
        let place = Place {
            module: module.clone(),
            name: name.into(),
        };
        let of = self.find(
            schema,
            Slot {
                reserved: Some(id),
                ..Slot::at(place)
            },
        );
        if of != Type::Item(id) {
            self.items[id].body = Body::Alias(of);
        }
        id
    }

    /// All types, once every root has been asked for; those that no root needs after all are left
    /// out.
    pub(crate) fn into_items(mut self) -> Vec<Item> {
        super::exact::settle(&mut self.items);
        super::recursion::prune(&mut self.items, &self.roots);
        self.items
    }

    /// The type of a schema; `at` is what it is called if it becomes an item.
    pub(super) fn of(&mut self, schema: &'c Node, at: Place) -> Type {
        if let Some(found) = self.found.get(&schema.span) {
            return found.clone();
        }
        if self.depth >= MAX_DEPTH {
            return no_exact_type("the schema is nested too deep");
        }
        // Until the schema is known to be an item, a ref back to it can't be one.
        self.found.insert(
            schema.span,
            no_exact_type("the schema recurs through arrays or maps alone"),
        );
        self.depth += 1;
        let of = self.find(
            schema,
            Slot {
                schema: Some(schema.span),
                ..Slot::at(at)
            },
        );
        self.depth -= 1;
        self.found.insert(schema.span, of.clone());
        of
    }

    /// The type of a branch of a union, in which the schema around it counts as well.
    pub(super) fn of_branch(&mut self, outer: &View<'c>, branch: &'c Node, at: Place) -> Type {
        let view = View::new(self.contracts, branch);
        if view.types().is_some() || view.values().is_some() || self.depth >= MAX_DEPTH {
            return self.of(branch, at);
        }
        let view = outer.branch(self.contracts, branch);
        self.depth += 1;
        let of = self.shape(&view, Slot::at(at));
        self.depth -= 1;
        of
    }

    fn find(&mut self, schema: &'c Node, slot: Slot) -> Type {
        if let Json::Bool(allowed) = schema.value {
            return if allowed {
                Type::Value(Why::AnythingGoes)
            } else {
                no_exact_type("the schema allows no value")
            };
        }
        let view = View::new(self.contracts, schema);
        match view.carrier() {
            Some(carrier) if carrier.node.span != schema.span => {
                let place = carrier
                    .target
                    .as_ref()
                    .and_then(|target| self.places.of(target));
                self.of(carrier.node, place.unwrap_or(slot.place))
            }
            _ => {
                let nullable = view.allows_null(self.contracts);
                self.shape(&view, Slot { nullable, ..slot })
            }
        }
    }

    /// What a value of this schema looks like.
    fn shape(&mut self, view: &View<'c>, slot: Slot) -> Type {
        if view.has("$dynamicRef") {
            return no_exact_type("what a `$dynamicRef` leads to depends on the way to it");
        }
        if let Some(values) = view.values() {
            return self.enumeration(view, &values, slot);
        }
        match (self.union_of(view), view.types()) {
            (Union::One(branches), _) => self.union(view, branches, slot),
            (Union::Inexact(why), _) => no_exact_type(why),
            (Union::None, Some(types)) => self.of_types(view, &types, slot),
            (Union::None, None) if view.nodes().all(is_silent) => Type::Value(Why::AnythingGoes),
            (Union::None, None) => no_exact_type("the schema names no `type`"),
        }
    }

    /// The branches that shape the value. Those that shape nothing, such as `{"required": ["a"]}`,
    /// are left to the table, as are those beside members or items of the schema's own.
    fn union_of(&self, view: &View<'c>) -> Union<'c> {
        const CONTAINER: &[&str] = &[
            "properties",
            "patternProperties",
            "additionalProperties",
            "items",
            "prefixItems",
        ];
        let unions = view
            .all("anyOf")
            .chain(view.all("oneOf"))
            .filter_map(Node::as_array);
        let is_shaping = |branch: &'c Node| View::new(self.contracts, branch).nodes().any(shapes);
        let shaping: Vec<&'c [Node]> = unions
            .filter(|branches| branches.iter().any(is_shaping))
            .collect();
        if CONTAINER.iter().any(|keyword| view.has(keyword)) {
            return Union::None;
        }
        match shaping.as_slice() {
            [] => Union::None,
            [branches] if view.nodes().all(|part| is_plain(part, &|_| false)) => {
                Union::One(branches)
            }
            [_] => Union::Inexact("the schema combines a union with conditions of its own"),
            _ => Union::Inexact("the schema combines several unions"),
        }
    }

    fn of_types(&mut self, view: &View<'c>, types: &[&'c str], slot: Slot) -> Type {
        let (null, kinds): (Vec<_>, Vec<_>) =
            types.iter().copied().partition(|name| *name == "null");
        let of = match kinds.as_slice() {
            [] if null.is_empty() => return no_exact_type("the schema allows no value"),
            [] => return Type::Null,
            [kind] => self.of_kind(view, kind, slot),
            kinds => self.kinds(view, kinds, slot),
        };
        if null.is_empty() { of } else { nullable(of) }
    }

    /// The type of a value of one JSON type.
    pub(super) fn of_kind(&mut self, view: &View<'c>, kind: &str, slot: Slot) -> Type {
        match kind {
            "object" => self.object(view, slot),
            "array" => self.array(view, slot),
            "integer" => super::enumeration::integer(view),
            "number" => Type::F64,
            "boolean" => Type::Bool,
            "string" => Type::String,
            _ => no_exact_type("the schema names a type that JSON does not have"),
        }
    }

    fn array(&mut self, view: &View<'c>, slot: Slot) -> Type {
        let of = self.items(view, &slot);
        let compares_whole_items = view
            .all("uniqueItems")
            .any(|unique| unique.as_bool() == Some(true));
        if compares_whole_items && self.may_drop(&of) {
            return Type::Vec(Box::new(no_exact_type(
                "`uniqueItems` compares items with all their members",
            )));
        }
        of
    }

    fn items(&mut self, view: &View<'c>, slot: &Slot) -> Type {
        let vec = |of| Type::Vec(Box::new(of));
        if Asides::of(self.contracts, view).items {
            return vec(no_exact_type(
                "other parts of the schema speak of what is in the items",
            ));
        }
        if let Some(prefix) = view.prefix() {
            if !view.is_tuple(prefix.len()) {
                return vec(no_exact_type("the items differ by their place"));
            }
            let item =
                |(place, schema)| self.of(schema, slot.place.part(&format!("Item{}", place + 1)));
            return Type::Tuple(prefix.iter().enumerate().map(item).collect());
        }
        let mut items = view.all("items");
        vec(match (items.next(), items.next()) {
            (None, _) => Type::Value(Why::AnythingGoes),
            (Some(items), None) => self.of(items, slot.place.part("Item")),
            _ => no_exact_type("several schemas speak of the items"),
        })
    }

    /// Whether a type may leave out members that its schema does not speak of.
    fn may_drop(&self, of: &Type) -> bool {
        match of {
            Type::Item(id) => !matches!(self.items[*id].body, Body::Strings(_)),
            of => of.inner().iter().any(|of| self.may_drop(of)),
        }
    }

    /// An item for a slot: the one reserved for it, or a new one.
    pub(super) fn item(&mut self, slot: &Slot, doc: &str) -> ItemId {
        let id = slot.reserved.unwrap_or_else(|| {
            let name = self.scope(&slot.place.module).unique(&slot.place.name, "");
            self.push(slot.place.module.clone(), name, doc.into())
        });
        if let Some(schema) = slot.schema {
            let of = if slot.nullable {
                nullable(Type::Item(id))
            } else {
                Type::Item(id)
            };
            self.found.insert(schema, of);
        }
        id
    }

    fn push(&mut self, module: Module, name: String, doc: String) -> ItemId {
        self.items.push(Item {
            module,
            name,
            doc,
            body: Body::Pending,
        });
        self.items.len() - 1
    }

    fn scope(&mut self, module: &Module) -> &mut Scope {
        self.scopes
            .entry(module.clone())
            .or_insert_with(Scope::for_types)
    }
}

/// What a schema says by `anyOf` and `oneOf` of how a value looks.
enum Union<'c> {
    None,
    One(&'c [Node]),
    Inexact(&'static str),
}

pub(super) fn no_exact_type(reason: &'static str) -> Type {
    Type::Value(Why::NoExactType(reason))
}

/// `null`, or a value of the type.
pub(super) fn nullable(of: Type) -> Type {
    match of {
        // These have a place for `null` already.
        Type::Null | Type::Nullable(_) | Type::Value(_) => of,
        of => Type::Nullable(Box::new(of)),
    }
}
