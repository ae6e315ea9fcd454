//! Objects: structs where members are named, maps where they are not.

use super::lower::{Slot, Types, no_exact_type};
use super::model::{Body, Default, Field, Struct, Type, Variant, Why};
use super::names::{Scope, member_name};
use super::view::{Asides, View};
use crate::json::{Json, Node};

impl<'c> Types<'c> {
    pub(super) fn object(&mut self, view: &View<'c>, slot: Slot) -> Type {
        let closed = view
            .all("additionalProperties")
            .any(|schema| schema.as_bool() == Some(false));
        if view.all("properties").next().is_none() && !closed {
            return Type::Map(Box::new(
                self.other_members(view, &slot)
                    .unwrap_or(Type::Value(Why::AnythingGoes)),
            ));
        }
        let id = self.item(&slot, view.text("description").unwrap_or_default());
        let asides = view.asides(self.contracts);
        let mut names = Scope::default();
        let fields = self.fields(view, &asides, &slot, &mut names);
        let extra = if closed {
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

    fn fields(
        &mut self,
        view: &View<'c>,
        asides: &Asides<'c>,
        slot: &Slot,
        names: &mut Scope,
    ) -> Vec<Field> {
        let required: Vec<_> = view
            .all("required")
            .filter_map(Node::as_array)
            .flatten()
            .filter_map(Node::as_str)
            .collect();
        let mut fields: Vec<Field> = Vec::new();
        for property in view.all("properties").filter_map(Node::as_object).flatten() {
            let of = if asides.deep.contains(&*property.key) {
                no_exact_type("other parts of the schema speak of what is in this member")
            } else {
                self.of(&property.value, slot.place.part(&property.key))
            };
            if let Some(known) = fields.iter_mut().find(|field| field.wire == property.key) {
                known.of = both(known.of.clone(), of);
                continue;
            }
            let described = View::new(self.contracts, &property.value);
            let doc = described
                .text("description")
                .or(described.text("title"))
                .unwrap_or_default();
            let required = required.contains(&&*property.key);
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
        let is_field = |name: &&str| fields.iter().any(|field| field.wire == **name);
        let elsewhere = !asides.members.iter().all(is_field);
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
            (Type::I64, Json::Number(text)) => Default::I64(text.parse().ok()?),
            (Type::U64, Json::Number(text)) => Default::U64(text.parse().ok()?),
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

/// The type of a member of which two schemas speak.
fn both(one: Type, other: Type) -> Type {
    match (one, other) {
        (Type::Value(Why::AnythingGoes), of) | (of, Type::Value(Why::AnythingGoes)) => of,
        (one, other) if one == other => one,
        _ => no_exact_type("several schemas speak of this member"),
    }
}
