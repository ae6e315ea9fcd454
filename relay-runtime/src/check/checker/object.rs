//! Objects.

use super::super::table::{Keyword, Text};
use super::super::value::{Members, Value};
use super::super::words;
use super::{Checker, Found, is_full};
use crate::suggest::nearest;

impl<'t> Checker<'t> {
    /// Keywords for objects; says whether the keyword was one.
    pub(super) fn object(
        &mut self,
        keyword: &Keyword,
        siblings: &[Keyword],
        value: &Value<'_>,
        members: &Members<'_>,
        found: &mut Found,
    ) -> bool {
        let length = members.len() as u64;
        match keyword {
            Keyword::Properties(properties) => {
                for (name, schema) in properties.iter() {
                    if let Some(member) = value.get(name) {
                        self.below("properties", name, |at| {
                            at.member(name, schema, member, found)
                        });
                    }
                }
            }
            Keyword::PatternProperties(patterns) => {
                for (pattern, expression, schema) in patterns.iter() {
                    for (name, member) in members.iter() {
                        if !is_full(found) && self.matches(expression, name) {
                            self.below("patternProperties", pattern, |at| {
                                at.member(name, schema, member, found);
                            });
                        }
                    }
                }
            }
            Keyword::AdditionalProperties(schema) => {
                let named = self.named_members(siblings, members);
                let is_named = |index| named[index];
                self.other_members(
                    "additionalProperties",
                    siblings,
                    members,
                    is_named,
                    schema,
                    found,
                );
            }
            Keyword::UnevaluatedProperties(schema) => {
                let spoken = self.spoken_members(siblings, value);
                let is_spoken = |index| spoken.has(index);
                self.other_members(
                    "unevaluatedProperties",
                    siblings,
                    members,
                    is_spoken,
                    schema,
                    found,
                );
            }
            Keyword::PropertyNames(schema) => {
                for (name, _) in members.iter() {
                    if is_full(found) {
                        break;
                    }
                    let name_value = Value::String(name.as_ref().into());
                    self.within("propertyNames", |at| {
                        at.member(name, schema, &name_value, found)
                    });
                }
            }
            Keyword::Required(names) => {
                for name in names.iter().filter(|name| value.get(name).is_none()) {
                    self.broken(
                        found,
                        "required",
                        &format_args!(
                            "must have the member {}, which is missing",
                            words::quoted(name)
                        ),
                    );
                }
            }
            Keyword::MinProperties(least) if length < *least => {
                let wanted = words::count(*least, "member");
                self.broken(
                    found,
                    "minProperties",
                    &format_args!("must have at least {wanted}, but has {length}"),
                );
            }
            Keyword::MaxProperties(most) if length > *most => {
                let wanted = words::count(*most, "member");
                self.broken(
                    found,
                    "maxProperties",
                    &format_args!("must have at most {wanted}, but has {length}"),
                );
            }
            Keyword::DependentRequired(dependents) => {
                for (name, wanted) in dependents
                    .iter()
                    .filter(|(name, _)| value.get(name).is_some())
                {
                    for wanted in wanted.iter().filter(|wanted| value.get(wanted).is_none()) {
                        let (wanted, name) = (words::quoted(wanted), words::quoted(name));
                        self.broken(
                            found,
                            "dependentRequired",
                            &format_args!("must have the member {wanted}, since it has {name}"),
                        );
                    }
                }
            }
            Keyword::DependentSchemas(dependents) => {
                for (name, schema) in dependents
                    .iter()
                    .filter(|(name, _)| value.get(name).is_some())
                {
                    self.below("dependentSchemas", name, |at| {
                        at.schema(schema, value, found)
                    });
                }
            }
            _ => return false,
        }
        true
    }

    /// The members that no other keyword speaks of.
    fn other_members(
        &mut self,
        keyword: &'static str,
        siblings: &[Keyword],
        members: &Members<'_>,
        is_named: impl Fn(usize) -> bool,
        schema: &[Keyword],
        found: &mut Found,
    ) {
        self.steps += members.len();
        for (_, (name, member)) in members
            .iter()
            .enumerate()
            .filter(|(index, _)| !is_named(*index))
        {
            if is_full(found) {
                break;
            }
            if matches!(schema, [Keyword::Never]) {
                self.unknown_member(keyword, name, siblings, found);
            } else {
                self.within(keyword, |at| at.member(name, schema, member, found));
            }
        }
    }

    fn unknown_member(
        &mut self,
        keyword: &'static str,
        name: &str,
        siblings: &[Keyword],
        found: &mut Found,
    ) {
        let known = known_members(siblings).map(|known| &**known);
        let hint = match nearest(name, known) {
            Some(near) => format!("; did you mean {}?", words::quoted(near)),
            None => String::new(),
        };
        let message = format!("is no member that the contract knows{hint}");
        self.under(name, |at| at.broken(found, keyword, &message));
    }

    /// For each member, whether `properties` or `patternProperties` speak of it.
    pub(super) fn named_members(
        &mut self,
        siblings: &[Keyword],
        members: &Members<'_>,
    ) -> Vec<bool> {
        let mut named = vec![false; members.len()];
        for name in known_members(siblings) {
            if let Some(at) = members.find(name) {
                named[at] = true;
            }
        }
        for keyword in siblings {
            let Keyword::PatternProperties(patterns) = keyword else {
                continue;
            };
            for (_, expression, _) in patterns.iter() {
                for (at, (name, _)) in members.iter().enumerate() {
                    named[at] = named[at] || self.matches(expression, name);
                }
            }
        }
        named
    }
}

/// The members that `properties` names.
fn known_members(siblings: &[Keyword]) -> impl Iterator<Item = &Text> {
    siblings
        .iter()
        .filter_map(|keyword| {
            if let Keyword::Properties(properties) = keyword {
                Some(properties)
            } else {
                None
            }
        })
        .flat_map(|properties| properties.iter().map(|(name, _)| name))
}
