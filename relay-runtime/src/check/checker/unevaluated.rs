//! What a schema, and the schemas that it applies in place, speak of: the rest is for
//! `unevaluatedProperties` and `unevaluatedItems`.

use super::super::table::Keyword;
use super::super::value::Value;
use super::Checker;
use super::array::prefix;

/// Members or items, by their places in the value.
#[derive(Default)]
pub(super) struct Spoken {
    all: bool,
    some: Vec<bool>,
}

impl Spoken {
    pub(super) fn has(&self, index: usize) -> bool {
        self.all || self.some.get(index).is_some_and(|spoken| *spoken)
    }

    fn add(&mut self, index: usize) {
        if index >= self.some.len() {
            self.some.resize(index + 1, false);
        }
        self.some[index] = true;
    }
}

impl Checker<'_> {
    /// The members that a schema speaks of beside its `unevaluatedProperties`.
    pub(super) fn spoken_members(&mut self, schema: &[Keyword], value: &Value<'_>) -> Spoken {
        let mut spoken = Spoken::default();
        let is_own = |keyword: &&Keyword| matches!(keyword, Keyword::UnevaluatedProperties(_));
        for keyword in schema.iter().filter(|keyword| !is_own(keyword)) {
            self.members_of(keyword, schema, value, &mut spoken);
        }
        spoken
    }

    /// The items that a schema speaks of beside its `unevaluatedItems`.
    pub(super) fn spoken_items(&mut self, schema: &[Keyword], value: &Value<'_>) -> Spoken {
        let mut spoken = Spoken::default();
        let is_own = |keyword: &&Keyword| matches!(keyword, Keyword::UnevaluatedItems(_));
        for keyword in schema.iter().filter(|keyword| !is_own(keyword)) {
            self.items_of(keyword, schema, value, &mut spoken);
        }
        spoken
    }

    fn members_of(
        &mut self,
        keyword: &Keyword,
        siblings: &[Keyword],
        value: &Value<'_>,
        spoken: &mut Spoken,
    ) {
        let Value::Object(members) = value else {
            return;
        };
        match keyword {
            Keyword::AdditionalProperties(_) | Keyword::UnevaluatedProperties(_) => {
                spoken.all = true
            }
            Keyword::Properties(_) | Keyword::PatternProperties(_) => {
                for (index, named) in self.named_members(siblings, members).iter().enumerate() {
                    if *named {
                        spoken.add(index);
                    }
                }
            }
            _ => self.in_place(keyword, value, &mut |at, keyword, siblings| {
                at.members_of(keyword, siblings, value, spoken);
            }),
        }
    }

    fn items_of(
        &mut self,
        keyword: &Keyword,
        siblings: &[Keyword],
        value: &Value<'_>,
        spoken: &mut Spoken,
    ) {
        let Value::Array(items) = value else { return };
        match keyword {
            Keyword::Items(_) | Keyword::UnevaluatedItems(_) => spoken.all = true,
            Keyword::PrefixItems(_) => {
                (0..prefix(siblings).min(items.len())).for_each(|index| spoken.add(index));
            }
            Keyword::Contains(schema, ..) => {
                for (index, item) in items.iter().enumerate() {
                    if self.fits(schema, item) {
                        spoken.add(index);
                    }
                }
            }
            _ => self.in_place(keyword, value, &mut |at, keyword, siblings| {
                at.items_of(keyword, siblings, value, spoken);
            }),
        }
    }

    /// Visits the keywords of every schema that a keyword applies in place and that the value fits.
    fn in_place(
        &mut self,
        keyword: &Keyword,
        value: &Value<'_>,
        visit: &mut dyn FnMut(&mut Self, &Keyword, &[Keyword]),
    ) {
        match keyword {
            Keyword::AllOf(schemas) | Keyword::AnyOf(schemas) | Keyword::OneOf(schemas) => {
                schemas
                    .iter()
                    .for_each(|schema| self.visit(schema, value, visit));
            }
            Keyword::If(condition, then, otherwise) => {
                let (fits, branch) = if self.fits(condition, value) {
                    (true, then)
                } else {
                    (false, otherwise)
                };
                if fits {
                    self.visit(condition, value, visit);
                }
                self.visit(branch, value, visit);
            }
            Keyword::DependentSchemas(dependents) => {
                for (_, schema) in dependents
                    .iter()
                    .filter(|(name, _)| value.get(name).is_some())
                {
                    self.visit(schema, value, visit);
                }
            }
            Keyword::Ref(target) => self.visit_target(*target, value, visit),
            Keyword::DynamicRef(anchor, otherwise) => {
                let target = self.dynamic(anchor, *otherwise);
                self.visit_target(target, value, visit);
            }
            _ => {}
        }
    }

    fn visit_target(
        &mut self,
        target: u32,
        value: &Value<'_>,
        visit: &mut dyn FnMut(&mut Self, &Keyword, &[Keyword]),
    ) {
        if let Some(target) = self.targets.get(target as usize) {
            self.visit(&target.1, value, visit);
        }
    }

    fn visit(
        &mut self,
        schema: &[Keyword],
        value: &Value<'_>,
        visit: &mut dyn FnMut(&mut Self, &Keyword, &[Keyword]),
    ) {
        if !self.may_go_on() || !self.fits(schema, value) {
            return;
        }
        let scope = self.enter(schema);
        self.depth += 1;
        schema
            .iter()
            .for_each(|keyword| visit(self, keyword, schema));
        self.depth -= 1;
        self.scopes.truncate(scope);
    }
}
