//! Schemas that apply to the same value together: all, any, one or none of them.

use std::mem;

use super::super::table::{Keyword, Literal, Schema, Target};
use super::super::value::Value;
use super::super::violation::Violation;
use super::super::words;
use super::{Checker, Found};
use crate::suggest::nearest;

impl<'t> Checker<'t> {
    pub(super) fn any_of(&mut self, schemas: &[Schema], value: &Value<'_>, found: &mut Found) {
        let mut tries = Vec::with_capacity(schemas.len());
        let mut unheld = None;
        for (index, schema) in schemas.iter().enumerate() {
            match self.tried("anyOf", index, schema, value) {
                (tried, None) if tried.is_empty() => return,
                (tried, beyond) if tried.is_empty() => unheld = unheld.or(beyond),
                (tried, _) => tries.push(tried),
            }
        }
        if unheld.is_some() {
            // It fits, but only forms whose type does not hold it.
            self.unheld = self.unheld.take().or(unheld);
        } else {
            self.nearest("anyOf", schemas, tries, value, found);
        }
    }

    pub(super) fn one_of(&mut self, schemas: &[Schema], value: &Value<'_>, found: &mut Found) {
        let mut tries = Vec::with_capacity(schemas.len());
        let (mut fitting, mut unheld) = (0, None);
        for (index, schema) in schemas.iter().enumerate() {
            match self.tried("oneOf", index, schema, value) {
                (tried, beyond) if tried.is_empty() => {
                    fitting += 1;
                    unheld = beyond;
                }
                (tried, _) => tries.push(tried),
            }
        }
        match fitting {
            0 => self.nearest("oneOf", schemas, tries, value, found),
            1 => self.unheld = self.unheld.take().or(unheld),
            many => self.broken(
                found,
                "oneOf",
                &format_args!("must fit exactly one of its allowed forms, but fits {many}"),
            ),
        }
    }

    /// What a value breaks of one form, and the integer in it that the form's type does not hold.
    fn tried(
        &mut self,
        keyword: &str,
        index: usize,
        schema: &[Keyword],
        value: &Value<'_>,
    ) -> (Found, Option<Violation>) {
        let before = self.unheld.take();
        let mut found = Vec::new();
        self.below(keyword, &index.to_string(), |at| {
            at.schema(schema, value, &mut found)
        });
        (found, mem::replace(&mut self.unheld, before))
    }

    /// No form fits: says so, and what the form that comes nearest still lacks.
    fn nearest(
        &mut self,
        keyword: &'static str,
        schemas: &[Schema],
        mut tries: Vec<Found>,
        value: &Value<'_>,
        found: &mut Found,
    ) {
        if let Some((name, allowed, came)) = unknown_tag(self.targets, schemas, value) {
            let message = not_in_enum(&allowed, came);
            return self.under(name, |at| at.broken(found, "enum", &message));
        }
        let came = words::value(value);
        self.broken(
            found,
            keyword,
            &format_args!(
                "must fit one of its {} allowed forms, but {came} fits none",
                tries.len()
            ),
        );
        // A violation of the type, or of a tag, means that the value was meant as another form.
        let here = self.instance.len();
        let is_strange = |found: &Violation| {
            found.keyword == "const" || (found.instance.len() == here && is_of_form(found.keyword))
        };
        tries.retain(|tried| !tried.iter().any(is_strange));
        let fewest = tries.iter().map(Vec::len).min();
        tries.retain(|tried| Some(tried.len()) == fewest);
        if let [nearest] = tries.as_mut_slice() {
            found.append(nearest);
        }
    }

    pub(super) fn fits(&mut self, schema: &[Keyword], value: &Value<'_>) -> bool {
        let before = self.unheld.take();
        let mut found = Vec::new();
        self.schema(schema, value, &mut found);
        self.unheld = before;
        found.is_empty()
    }
}

/// The member by which the forms are told apart, all that it may be, and what it is, if it is none of
/// that.
fn unknown_tag<'s, 'v, 'a>(
    targets: &'s [Target],
    schemas: &'s [Schema],
    value: &'v Value<'a>,
) -> Option<(&'s str, Vec<Literal>, &'v Value<'a>)> {
    let tags = |schema: &'s Schema| {
        let mut found = Vec::new();
        gather_tags(targets, schema, MAX_HOPS, &mut found);
        found
    };
    let forms: Vec<_> = schemas.iter().map(tags).collect();
    forms.first()?.iter().find_map(|(name, _)| {
        let of_name = |form: &Vec<(&'s str, &'s [Literal])>| {
            form.iter()
                .find(|(other, _)| other == name)
                .map(|(_, literals)| *literals)
        };
        let allowed: Vec<Literal> = forms
            .iter()
            .map(of_name)
            .collect::<Option<Vec<_>>>()?
            .concat();
        let came = value.get(name)?;
        (!allowed.iter().any(|literal| Value::from(literal) == *came))
            .then_some((*name, allowed, came))
    })
}

/// Refs in a row that are followed to find a tag.
const MAX_HOPS: usize = 8;

/// The members of a form for which it lists the values.
fn gather_tags<'s>(
    targets: &'s [Target],
    schema: &'s [Keyword],
    hops: usize,
    found: &mut Vec<(&'s str, &'s [Literal])>,
) {
    for keyword in schema {
        match keyword {
            Keyword::Ref(target) if hops > 0 => {
                if let Some(target) = targets.get(*target as usize) {
                    gather_tags(targets, &target.1, hops - 1, found);
                }
            }
            Keyword::Properties(members) => {
                found.extend(members.iter().filter_map(|(name, member)| {
                    let literals = member.iter().find_map(|keyword| match keyword {
                        Keyword::Const(literal) => Some(std::slice::from_ref(literal)),
                        Keyword::Enum(literals) => Some(&**literals),
                        _ => None,
                    });
                    Some((&**name, literals?))
                }));
            }
            _ => {}
        }
    }
}

/// What a value that no `enum` lists might have been.
pub(super) fn not_in_enum(literals: &[Literal], value: &Value<'_>) -> String {
    let came = words::value(value);
    let strings = literals.iter().filter_map(|literal| match literal {
        Literal::String(text) => Some(&**text),
        _ => None,
    });
    let near = match value {
        Value::String(text) => nearest(text, strings),
        _ => None,
    };
    let hint = near
        .map(|near| format!("; did you mean {}?", words::quoted(near)))
        .unwrap_or_default();
    format!(
        "must be one of {}, but is {came}{hint}",
        words::literals(literals)
    )
}

/// Keywords whose violation says that a value is of another form altogether.
fn is_of_form(keyword: &str) -> bool {
    matches!(keyword, "type" | "const" | "enum" | "false")
}
