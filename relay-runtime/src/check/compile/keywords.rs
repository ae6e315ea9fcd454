//! Each keyword of a schema, read strictly.

use std::borrow::Cow;

use super::super::decimal::Decimal;
use super::super::format::Format;
use super::super::pattern::Expression;
use super::super::table::{INTEGER, Keyword, List, NUMBER, Schema, Text};
use super::super::value::Value;
use super::super::words::push_token;
use super::values::literal;
use super::{Compiler, regex};

type Members<'d> = [(Cow<'d, str>, Value<'d>)];

impl<'d> Compiler<'d> {
    /// The keywords of an object schema; `type` first, so that its violation leads.
    pub(super) fn keywords(
        &mut self,
        schema: &'d Value<'d>,
        members: &'d Members<'d>,
    ) -> Vec<Keyword> {
        if let (true, Some(reference)) = (self.draft_07, schema.get("$ref")) {
            // Draft-07 ignores what stands beside a `$ref`.
            return self.reference("$ref", reference).into_iter().collect();
        }
        let mut keywords: Vec<_> = members
            .iter()
            .filter_map(|(name, value)| self.keyword(name, value, schema))
            .flatten()
            .collect();
        keywords.sort_by_key(|keyword| !matches!(keyword, Keyword::Type(_)));
        if let Some(at) = keywords.iter().position(is_integer) {
            let bound = |name| match schema.get(name) {
                Some(Value::Number(text)) => Some(*text),
                _ => None,
            };
            let bounds = if is_natural(bound("minimum"), bound("exclusiveMinimum")) {
                Keyword::U64
            } else {
                Keyword::I64
            };
            keywords.insert(at + 1, bounds);
        }
        keywords
    }

    fn keyword(
        &mut self,
        name: &'d str,
        value: &'d Value<'d>,
        schema: &'d Value<'d>,
    ) -> Option<Vec<Keyword>> {
        let keyword = match name {
            "$ref" => self.reference(name, value)?,
            "$dynamicRef" if !self.draft_07 => self.reference(name, value)?,
            "type" => Keyword::Type(self.types(value)?),
            "const" => Keyword::Const(literal(value)),
            "enum" => Keyword::Enum(self.literals(value)?),
            "minimum" => Keyword::Minimum(self.number(name, value)?),
            "maximum" => Keyword::Maximum(self.number(name, value)?),
            "exclusiveMinimum" => Keyword::ExclusiveMinimum(self.number(name, value)?),
            "exclusiveMaximum" => Keyword::ExclusiveMaximum(self.number(name, value)?),
            "multipleOf" => Keyword::MultipleOf(self.step(value)?),
            "minLength" => Keyword::MinLength(self.count(name, value)?),
            "maxLength" => Keyword::MaxLength(self.count(name, value)?),
            "minItems" => Keyword::MinItems(self.count(name, value)?),
            "maxItems" => Keyword::MaxItems(self.count(name, value)?),
            "minProperties" => Keyword::MinProperties(self.count(name, value)?),
            "maxProperties" => Keyword::MaxProperties(self.count(name, value)?),
            "uniqueItems" => self.flag(name, value)?.then_some(Keyword::UniqueItems)?,
            "prefixItems" if !self.draft_07 => Keyword::PrefixItems(self.schemas(name, value)?),
            "items" if self.draft_07 && matches!(value, Value::Array(_)) => {
                Keyword::PrefixItems(self.schemas(name, value)?)
            }
            "additionalItems"
                if self.draft_07 && matches!(schema.get("items"), Some(Value::Array(_))) =>
            {
                Keyword::Items(self.below(&[name], value))
            }
            "items" => Keyword::Items(self.below(&[name], value)),
            "contains" => return self.contains(value, schema),
            "properties" => Keyword::Properties(self.named_schemas(name, value)?),
            "additionalProperties" => Keyword::AdditionalProperties(self.below(&[name], value)),
            "propertyNames" => Keyword::PropertyNames(self.below(&[name], value)),
            "required" => Keyword::Required(self.names(name, value)?),
            "dependentRequired" if !self.draft_07 => {
                Keyword::DependentRequired(self.dependent_names(name, value)?)
            }
            "dependentSchemas" if !self.draft_07 => {
                Keyword::DependentSchemas(self.named_schemas(name, value)?)
            }
            "dependencies" if self.draft_07 => return self.dependencies(value),
            "allOf" => Keyword::AllOf(self.some_schemas(name, value)?),
            "anyOf" => Keyword::AnyOf(self.some_schemas(name, value)?),
            "oneOf" => Keyword::OneOf(self.some_schemas(name, value)?),
            "not" => Keyword::Not(self.below(&[name], value)),
            "if" => return self.condition(value, schema),
            "then" | "else" if schema.get("if").is_none() => return None,
            "pattern" => self.pattern(value)?,
            "format" if self.options.assert_formats => self.format(value)?,
            "patternProperties" => Keyword::PatternProperties(self.pattern_properties(value)?),
            "unevaluatedItems" if !self.draft_07 => {
                Keyword::UnevaluatedItems(self.below(&[name], value))
            }
            "unevaluatedProperties" if !self.draft_07 => {
                Keyword::UnevaluatedProperties(self.below(&[name], value))
            }
            _ => return None,
        };
        Some(if !self.resources.counts_evaluated && is_idle(&keyword) {
            Vec::new()
        } else {
            vec![keyword]
        })
    }

    fn schemas(&mut self, keyword: &str, value: &'d Value<'d>) -> Option<List<Schema>> {
        let Value::Array(schemas) = value else {
            self.error(
                keyword,
                "is no list of schemas",
                "write an array of schemas",
            );
            return None;
        };
        let compile =
            |(index, schema): (usize, _)| self.below(&[keyword, &index.to_string()], schema);
        Some(
            schemas
                .iter()
                .enumerate()
                .map(compile)
                .collect::<Vec<_>>()
                .into(),
        )
    }

    fn some_schemas(&mut self, keyword: &str, value: &'d Value<'d>) -> Option<List<Schema>> {
        if matches!(value, Value::Array(schemas) if schemas.is_empty()) {
            self.error(
                keyword,
                "lists no schemas",
                "write an array of at least one schema",
            );
            return None;
        }
        self.schemas(keyword, value)
    }

    fn named_schemas(
        &mut self,
        keyword: &str,
        value: &'d Value<'d>,
    ) -> Option<List<(Text, Schema)>> {
        let members = self.members(keyword, value)?;
        let compile = |(name, schema): &'d (Cow<'d, str>, _)| {
            (Text::from(&**name), self.below(&[keyword, name], schema))
        };
        Some(members.iter().map(compile).collect::<Vec<_>>().into())
    }

    fn format(&mut self, value: &Value<'_>) -> Option<Keyword> {
        let format = if let Value::String(name) = value {
            Format::named(name)
        } else {
            None
        };
        if format.is_none() {
            self.error(
                "format",
                "names no format that Relay can check",
                "use a format of JSON Schema, or let formats be annotations",
            );
        }
        format.map(|format| Keyword::Format(format.check()))
    }

    fn pattern(&mut self, value: &'d Value<'d>) -> Option<Keyword> {
        let Value::String(pattern) = value else {
            self.error(
                "pattern",
                "is no string",
                "write a regular expression of ECMA-262",
            );
            return None;
        };
        let expression = self.expression(&["pattern"], pattern)?;
        Some(Keyword::Pattern(Text::from(&**pattern), expression))
    }

    fn pattern_properties(
        &mut self,
        value: &'d Value<'d>,
    ) -> Option<List<(Text, Expression, Schema)>> {
        let mut compiled = Vec::new();
        for (pattern, schema) in self.members("patternProperties", value)? {
            let expression = self.expression(&["patternProperties", pattern], pattern)?;
            let schema = self.below(&["patternProperties", pattern], schema);
            compiled.push((Text::from(&**pattern), expression, schema));
        }
        Some(compiled.into())
    }

    fn expression(&mut self, place: &[&str], pattern: &str) -> Option<Expression> {
        match regex::parse(pattern) {
            Ok(parts) => Some(Expression::new(parts)),
            Err(wrong) => {
                let length = self.pointer.len();
                place
                    .iter()
                    .for_each(|token| push_token(&mut self.pointer, token));
                self.error("", &wrong, "correct it; `\\\\` in JSON is one `\\`");
                self.pointer.truncate(length);
                None
            }
        }
    }

    fn dependent_names(
        &mut self,
        keyword: &str,
        value: &'d Value<'d>,
    ) -> Option<List<(Text, List<Text>)>> {
        let members = self.members(keyword, value)?;
        let read = |(name, names): &'d (Cow<'d, str>, _)| {
            Some((Text::from(&**name), self.names(keyword, names)?))
        };
        members
            .iter()
            .map(read)
            .collect::<Option<Vec<_>>>()
            .map(Into::into)
    }

    fn members(&mut self, keyword: &str, value: &'d Value<'d>) -> Option<&'d Members<'d>> {
        let Value::Object(members) = value else {
            self.error(
                keyword,
                "is no object",
                "write an object with one entry for each member name",
            );
            return None;
        };
        Some(members)
    }

    /// Draft-07: what later became `dependentRequired` and `dependentSchemas`.
    fn dependencies(&mut self, value: &'d Value<'d>) -> Option<Vec<Keyword>> {
        let (mut names, mut schemas) = (Vec::new(), Vec::new());
        for (name, dependency) in self.members("dependencies", value)? {
            match dependency {
                Value::Array(_) => {
                    names.push((Text::from(&**name), self.names("dependencies", dependency)?))
                }
                schema => schemas.push((
                    Text::from(&**name),
                    self.below(&["dependencies", name], schema),
                )),
            }
        }
        Some(vec![
            Keyword::DependentRequired(names.into()),
            Keyword::DependentSchemas(schemas.into()),
        ])
    }

    fn contains(&mut self, value: &'d Value<'d>, schema: &'d Value<'d>) -> Option<Vec<Keyword>> {
        let compiled = self.below(&["contains"], value);
        let bound = |name, at: &mut Self| {
            schema
                .get(name)
                .filter(|_| !at.draft_07)
                .map(|bound| at.count(name, bound))
        };
        let least = bound("minContains", self).unwrap_or(Some(1))?;
        let most = bound("maxContains", self).map_or(Some(None), |most| most.map(Some))?;
        Some(vec![Keyword::Contains(compiled, least, most)])
    }

    fn condition(&mut self, value: &'d Value<'d>, schema: &'d Value<'d>) -> Option<Vec<Keyword>> {
        let condition = self.below(&["if"], value);
        let mut branch = |name| {
            schema
                .get(name)
                .map_or(List::S(&[]), |branch| self.below(&[name], branch))
        };
        let (then, otherwise) = (branch("then"), branch("else"));
        Some(vec![Keyword::If(condition, then, otherwise)])
    }
}

fn is_integer(keyword: &Keyword) -> bool {
    matches!(keyword, Keyword::Type(types) if types & INTEGER != 0 && types & NUMBER == 0)
}

/// Whether bounds allow nothing below zero, so that the integer's Rust type is `u64`.
#[must_use]
pub fn is_natural(minimum: Option<&str>, exclusive_minimum: Option<&str>) -> bool {
    let at_least = |bound: Option<&str>, least| {
        bound.is_some_and(|bound| Decimal::parse(bound) >= Decimal::parse(least))
    };
    at_least(minimum, "0") || at_least(exclusive_minimum, "-1")
}

/// A keyword that allows everything needs no place in the table.
fn is_idle(keyword: &Keyword) -> bool {
    match keyword {
        Keyword::Items(schema)
        | Keyword::AdditionalProperties(schema)
        | Keyword::PropertyNames(schema) => schema.is_empty(),
        Keyword::PatternProperties(members) => members.is_empty(),
        Keyword::Required(names) => names.is_empty(),
        Keyword::MinLength(0) | Keyword::MinItems(0) | Keyword::MinProperties(0) => true,
        _ => false,
    }
}
