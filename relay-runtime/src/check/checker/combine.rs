//! Schemas that apply to the same value together: all, any, one or none of them.

use super::super::table::{Keyword, Literal, Schema};
use super::super::value::Value;
use super::super::words;
use super::{Checker, Found};
use crate::suggest::nearest;

impl<'t> Checker<'t> {
    pub(super) fn any_of(&mut self, schemas: &[Schema], value: &Value<'_>, found: &mut Found) {
        let mut tries = Vec::with_capacity(schemas.len());
        for (index, schema) in schemas.iter().enumerate() {
            let tried = self.tried("anyOf", index, schema, value);
            if tried.is_empty() {
                return;
            }
            tries.push(tried);
        }
        self.nearest("anyOf", tries, value, found);
    }

    pub(super) fn one_of(&mut self, schemas: &[Schema], value: &Value<'_>, found: &mut Found) {
        let tries = schemas.iter().enumerate();
        let tries: Vec<_> = tries
            .map(|(index, schema)| self.tried("oneOf", index, schema, value))
            .collect();
        match tries.iter().filter(|found| found.is_empty()).count() {
            0 => self.nearest("oneOf", tries, value, found),
            1 => {}
            many => self.broken(
                found,
                "oneOf",
                format!("must fit exactly one of its allowed forms, but fits {many}"),
            ),
        }
    }

    /// What a value breaks of one form.
    fn tried(
        &mut self,
        keyword: &str,
        index: usize,
        schema: &[Keyword],
        value: &Value<'_>,
    ) -> Found {
        let mut found = Vec::new();
        self.below(keyword, &index.to_string(), |at| {
            at.schema(schema, value, &mut found)
        });
        found
    }

    /// No form fits: says so, and what the form that comes nearest still lacks.
    fn nearest(
        &mut self,
        keyword: &'static str,
        tries: Vec<Found>,
        value: &Value<'_>,
        found: &mut Found,
    ) {
        let forms = tries.len();
        self.broken(
            found,
            keyword,
            format!(
                "must fit one of its {forms} allowed forms, but {} fits none",
                words::value(value)
            ),
        );
        // A violation deep in the value, or not of its type, means that the form itself was recognised.
        let here = self.instance.len();
        let strangeness = |tried: &Found| {
            tried
                .iter()
                .filter(|v| v.instance.len() == here && is_of_form(v.keyword))
                .count()
        };
        let by_tag = |tried: &Found| tried.iter().filter(|v| v.keyword == "const").count();
        let nearest = tries
            .into_iter()
            .min_by_key(|tried| (strangeness(tried), by_tag(tried), tried.len()));
        if let Some(nearest) =
            nearest.filter(|nearest| strangeness(nearest) == 0 && by_tag(nearest) == 0)
        {
            found.extend(nearest);
        }
    }

    pub(super) fn fits(&mut self, schema: &[Keyword], value: &Value<'_>) -> bool {
        let mut found = Vec::new();
        self.schema(schema, value, &mut found);
        found.is_empty()
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
