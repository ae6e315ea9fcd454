//! Objects: structs where members are named, maps where they are not.

use std::collections::{HashMap, HashSet};

use super::lower::{Slot, Types, no_exact_type};
use super::model::{Body, Default, Field, Struct, Type, Variant, Why};
use super::names::{Scope, member_name};
use super::says::Asides;
use super::view::View;
use crate::json::{Json, Node};

impl<'c> Types<'c> {
    pub(super) fn object(&mut self, view: &View<'c>, slot: Slot) -> Type {
        let closed = view
            .all("additionalProperties")
            .any(|schema| schema.as_bool() == Some(false));
        let asides = Asides::of(self.contracts, view);
        // An object of which no member is named may have any, but for the arguments of a tool that
        // takes none.
        let names = view.all("properties").filter_map(Node::as_object);
        let is_struct = if slot.is_root() {
            view.has("properties")
        } else {
            names.flatten().next().is_some()
        };
        if !is_struct && (!closed || view.has("patternProperties")) {
            return Type::Map(Box::new(self.values(view, &asides, &slot, closed)));
        }
        let id = self.item(&slot, view.text("description").unwrap_or_default());
        let mut names = Scope::default();
        let fields = self.fields(view, &asides, &slot, &mut names);
        let extra = if closed && !view.has("patternProperties") {
            None
        } else {
            self.extra(view, &asides, &slot, &fields)
        };
        let extra = extra.map(|of| (names.unique("additional_properties", "_"), of));
        self.items[id].body = Body::Struct(Struct {
            fields,
            extra,
            closed,
        });
        Type::Item(id)
    }

    /// The type of the values of a map.
    fn values(&mut self, view: &View<'c>, asides: &Asides<'c>, slot: &Slot, closed: bool) -> Type {
        let mut patterns = view
            .all("patternProperties")
            .filter_map(Node::as_object)
            .flatten();
        let of = match (patterns.next(), patterns.next()) {
            (None, _) => self
                .other_members(view, slot)
                .unwrap_or(Type::Value(Why::AnythingGoes)),
            (Some(only), None) if closed => self.of(&only.value, slot.place.part("Value")),
            _ => no_exact_type("the members differ by their names"),
        };
        let is_spoken_of = !asides.deep.is_empty() || (asides.all_deep && !closed);
        if is_spoken_of && !self.is_whole(&of) {
            return no_exact_type("other parts of the schema speak of what is in the members");
        }
        of
    }

    /// Whether a type keeps all of a value, so that it does not matter who else speaks of it.
    fn is_whole(&self, of: &Type) -> bool {
        match of {
            Type::Item(id) => matches!(self.items[*id].body, Body::Strings(_)),
            of => of.inner().iter().all(|of| self.is_whole(of)),
        }
    }

    fn fields(
        &mut self,
        view: &View<'c>,
        asides: &Asides<'c>,
        slot: &Slot,
        names: &mut Scope,
    ) -> Vec<Field> {
        let required = view.all("required").filter_map(Node::as_array).flatten();
        let required: HashSet<&str> = required.filter_map(Node::as_str).collect();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut fields: Vec<Field> = Vec::new();
        for property in view.all("properties").filter_map(Node::as_object).flatten() {
            let mut of = self.of(&property.value, slot.place.part(&property.key));
            let is_spoken_of = asides.all_deep || asides.deep.contains(&*property.key);
            if is_spoken_of && !self.is_whole(&of) {
                of = no_exact_type("other parts of the schema speak of what is in this member");
            }
            if let Some(place) = places.get(&*property.key) {
                fields[*place].of = both(fields[*place].of.clone(), of);
                continue;
            }
            places.insert(&property.key, fields.len());
            let described = View::new(self.contracts, &property.value);
            let doc = described
                .text("description")
                .or(described.text("title"))
                .unwrap_or_default();
            let required = required.contains(&*property.key);
            let default = property.value.get("default").filter(|_| !required);
            fields.push(Field {
                name: names.unique(&member_name(&property.key), "_"),
                wire: property.key.clone(),
                doc: doc.into(),
                default: default.and_then(|default| self.default(default, &of)),
                of,
                required,
            });
        }
        fields
    }

    /// The type of members that no field names, where the schema speaks of them.
    fn extra(
        &mut self,
        view: &View<'c>,
        asides: &Asides<'c>,
        slot: &Slot,
        fields: &[Field],
    ) -> Option<Type> {
        let names: HashSet<&str> = fields.iter().map(|field| &*field.wire).collect();
        let elsewhere = asides.others || !asides.members.iter().all(|name| names.contains(name));
        match self.other_members(view, slot) {
            Some(of) if !elsewhere => Some(of),
            None if !elsewhere => None,
            _ => Some(no_exact_type(
                "other parts of the schema speak of these members",
            )),
        }
    }

    /// The type that `additionalProperties` gives to members, where it stands.
    fn other_members(&mut self, view: &View<'c>, slot: &Slot) -> Option<Type> {
        let mut schemas = view.all("additionalProperties");
        match (schemas.next(), schemas.next()) {
            (Some(schema), None) => Some(self.of(schema, slot.place.part("Value"))),
            (None, _) => None,
            _ => Some(no_exact_type("several schemas speak of these members")),
        }
    }

    /// The default of an optional member, if it fits the member's type.
    fn default(&self, value: &Node, of: &Type) -> Option<Default> {
        Some(match (of, &value.value) {
            (Type::Nullable(of), _) => self.default(value, of)?,
            (Type::Bool, Json::Bool(value)) => Default::Bool(*value),
            (Type::I64, Json::Number(text)) => Default::I64(integer(text)?.try_into().ok()?),
            (Type::U64, Json::Number(text)) => Default::U64(integer(text)?.try_into().ok()?),
            (Type::F64, Json::Number(text)) => {
                Default::F64(text.parse().ok().filter(|value: &f64| value.is_finite())?)
            }
            (Type::String, Json::String(text)) => Default::String(text.clone()),
            (Type::Item(id), Json::String(text)) => {
                let Body::Strings(variants) = &self.items[*id].body else {
                    return None;
                };
                let variant: &Variant<String> =
                    variants.iter().find(|variant| variant.of == *text)?;
                Default::Variant(*id, variant.name.clone())
            }
            _ => return None,
        })
    }
}

/// The value of an integer, be it written `5`, `5.0` or `5e0`.
fn integer(text: &str) -> Option<i128> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let by_value = || {
        let number: f64 = text.parse().ok()?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an integer that an f64 holds exactly"
        )]
        let integer = number as i128;
        (number.fract() == 0.0 && number.abs() <= EXACT).then_some(integer)
    };
    text.parse().ok().or_else(by_value)
}

/// The type of a member of which two schemas speak.
fn both(one: Type, other: Type) -> Type {
    match (one, other) {
        (Type::Value(Why::AnythingGoes), of) | (of, Type::Value(Why::AnythingGoes)) => of,
        (one, other) if one == other => one,
        _ => no_exact_type("several schemas speak of this member"),
    }
}
