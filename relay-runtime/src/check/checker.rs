//! Walks a value along its table and gathers what it breaks.

use super::decimal::Decimal;
use super::table::{
    ARRAY, BOOLEAN, INTEGER, Keyword, Literal, NULL, NUMBER, OBJECT, STRING, Schema, Table, Target,
    Text, Types,
};
use super::value::Value;
use super::violation::Violation;
use super::words;
use crate::suggest::nearest;

/// More violations than this help no model; the rest are left out.
const MAX_VIOLATIONS: usize = 20;

/// Schemas inside schemas at one time; a schema that recurses without consuming the value ends here.
const MAX_DEPTH: usize = 400;

/// Keywords evaluated for one value; a schema that multiplies its own work ends here.
const MAX_STEPS: usize = 10_000_000;

/// What `value` breaks of a target; empty if it is valid.
pub(super) fn check(table: &Table, target: u32, value: &Value<'_>) -> Vec<Violation> {
    let mut checker = Checker {
        targets: &table.0,
        instance: String::new(),
        schema: String::new(),
        depth: 0,
        steps: 0,
    };
    let mut violations = Vec::new();
    checker.target(target, value, &mut violations);
    checker.numbers(value, &mut violations);
    violations.truncate(MAX_VIOLATIONS);
    violations
}

struct Checker<'t> {
    targets: &'t [Target],
    /// JSON Pointer to the value at hand.
    instance: String,
    /// JSON Pointer to the schema at hand.
    schema: String,
    depth: usize,
    steps: usize,
}

type Found = Vec<Violation>;

impl Checker<'_> {
    /// A number beyond f64 could not be handed on, whatever the schema says of it.
    fn numbers(&mut self, value: &Value<'_>, found: &mut Found) {
        match value {
            Value::Number(text) if text.parse().is_ok_and(f64::is_infinite) => {
                self.broken(
                    found,
                    "type",
                    format!(
                        "must be a number below 1.8e308, but is {}",
                        words::shortened(text)
                    ),
                );
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.under(&index.to_string(), |at| at.numbers(item, found));
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    self.under(name, |at| at.numbers(member, found));
                }
            }
            _ => {}
        }
    }

    fn target(&mut self, index: u32, value: &Value<'_>, found: &mut Found) {
        let Some(Target(pointer, schema)) = self.targets.get(index as usize) else {
            return self.broken(found, "$ref", "has a schema whose table is damaged".into());
        };
        let outer = std::mem::replace(&mut self.schema, pointer.to_string());
        self.schema(schema, value, found);
        self.schema = outer;
    }

    fn schema(&mut self, schema: &[Keyword], value: &Value<'_>, found: &mut Found) {
        if self.depth >= MAX_DEPTH || self.steps >= MAX_STEPS {
            let limit = if self.depth >= MAX_DEPTH {
                "depth"
            } else {
                "work"
            };
            return self.broken(
                found,
                "$ref",
                format!("could not be checked: its schema exceeds the limit of {limit}"),
            );
        }
        self.depth += 1;
        for keyword in schema {
            if found.len() >= MAX_VIOLATIONS {
                break;
            }
            self.steps += 1;
            self.keyword(keyword, schema, value, found);
        }
        self.depth -= 1;
    }

    fn keyword(
        &mut self,
        keyword: &Keyword,
        siblings: &[Keyword],
        value: &Value<'_>,
        found: &mut Found,
    ) {
        match value {
            Value::Number(text) if self.number(keyword, text, found) => {}
            Value::String(text) if self.string(keyword, text, found) => {}
            Value::Array(items) if self.array(keyword, siblings, items, found) => {}
            Value::Object(members) if self.object(keyword, siblings, value, members, found) => {}
            _ => self.any(keyword, value, found),
        }
    }

    /// Keywords for values of every type.
    fn any(&mut self, keyword: &Keyword, value: &Value<'_>, found: &mut Found) {
        match keyword {
            Keyword::Never => self.broken(found, "false", "is not allowed here".into()),
            Keyword::Ref(index) => self.target(*index, value, found),
            Keyword::Type(types) if !has_type(value, *types) => {
                self.broken(
                    found,
                    "type",
                    format!(
                        "must be {}, but is {}",
                        words::types(*types),
                        words::value(value)
                    ),
                );
            }
            Keyword::Const(literal) if Value::from(literal) != *value => {
                let wanted = words::literal(literal);
                self.broken(
                    found,
                    "const",
                    format!("must be {wanted}, but is {}", words::value(value)),
                );
            }
            Keyword::Enum(literals)
                if !literals
                    .iter()
                    .any(|literal| Value::from(literal) == *value) =>
            {
                self.broken(found, "enum", not_in_enum(literals, value));
            }
            Keyword::AllOf(schemas) => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.below("allOf", &index.to_string(), |at| {
                        at.schema(schema, value, found)
                    });
                }
            }
            Keyword::AnyOf(schemas) => self.any_of(schemas, value, found),
            Keyword::OneOf(schemas) => self.one_of(schemas, value, found),
            Keyword::Not(schema) if self.fits(schema, value) => {
                self.broken(
                    found,
                    "not",
                    format!(
                        "must not be {}: the contract forbids this form",
                        words::value(value)
                    ),
                );
            }
            Keyword::If(condition, then, otherwise) => {
                let (name, schema) = if self.fits(condition, value) {
                    ("then", then)
                } else {
                    ("else", otherwise)
                };
                self.within(name, |at| at.schema(schema, value, found));
            }
            _ => {}
        }
    }

    /// Keywords for numbers; says whether the keyword was one.
    fn number(&mut self, keyword: &Keyword, text: &str, found: &mut Found) -> bool {
        let wanted = match keyword {
            Keyword::Minimum(bound) if Decimal::parse(text) < Decimal::parse(bound) => {
                format!("at least {}", &**bound)
            }
            Keyword::Maximum(bound) if Decimal::parse(text) > Decimal::parse(bound) => {
                format!("at most {}", &**bound)
            }
            Keyword::ExclusiveMinimum(bound) if Decimal::parse(text) <= Decimal::parse(bound) => {
                format!("more than {}", &**bound)
            }
            Keyword::ExclusiveMaximum(bound) if Decimal::parse(text) >= Decimal::parse(bound) => {
                format!("less than {}", &**bound)
            }
            Keyword::MultipleOf(step)
                if !Decimal::parse(text).is_multiple_of(&Decimal::parse(step)) =>
            {
                format!("a multiple of {}", &**step)
            }
            Keyword::I64 if !fits_integer(text, i64::MIN.into(), i64::MAX.into()) => {
                format!("an integer from {} to {}", i64::MIN, i64::MAX)
            }
            Keyword::U64 if !fits_integer(text, 0, u64::MAX.into()) => {
                format!("an integer from 0 to {}", u64::MAX)
            }
            _ => return false,
        };
        self.broken(
            found,
            keyword.name(),
            format!("must be {wanted}, but is {}", words::shortened(text)),
        );
        true
    }

    /// Keywords for strings; says whether the keyword was one.
    fn string(&mut self, keyword: &Keyword, text: &str, found: &mut Found) -> bool {
        let length = || text.chars().count() as u64;
        let wanted = match keyword {
            Keyword::MinLength(least) if length() < *least => {
                format!("at least {}", words::count(*least, "character"))
            }
            Keyword::MaxLength(most) if length() > *most => {
                format!("at most {}", words::count(*most, "character"))
            }
            _ => return false,
        };
        self.broken(
            found,
            keyword.name(),
            format!("must have {wanted}, but has {}", length()),
        );
        true
    }

    /// Keywords for arrays; says whether the keyword was one.
    fn array(
        &mut self,
        keyword: &Keyword,
        siblings: &[Keyword],
        items: &[Value<'_>],
        found: &mut Found,
    ) -> bool {
        let length = items.len() as u64;
        match keyword {
            Keyword::PrefixItems(schemas) => {
                for (index, (schema, item)) in schemas.iter().zip(items).enumerate() {
                    self.below("prefixItems", &index.to_string(), |at| {
                        at.item(index, schema, item, found)
                    });
                }
            }
            Keyword::Items(schema) => {
                for (index, item) in items.iter().enumerate().skip(prefix(siblings)) {
                    self.within("items", |at| at.item(index, schema, item, found));
                }
            }
            Keyword::Contains(schema, least, most) => {
                let fitting = items.iter().filter(|item| self.fits(schema, item)).count() as u64;
                if fitting < *least || most.is_some_and(|most| fitting > most) {
                    let wanted = words::range(*least, *most);
                    self.broken(
                        found,
                        "contains",
                        format!("must have {wanted} of the form asked for, but has {fitting}"),
                    );
                }
            }
            Keyword::MinItems(least) if length < *least => {
                let wanted = words::count(*least, "item");
                self.broken(
                    found,
                    "minItems",
                    format!("must have at least {wanted}, but has {length}"),
                );
            }
            Keyword::MaxItems(most) if length > *most => {
                let wanted = words::count(*most, "item");
                self.broken(
                    found,
                    "maxItems",
                    format!("must have at most {wanted}, but has {length}"),
                );
            }
            Keyword::UniqueItems => {
                if let Some((first, second)) = equal_items(items) {
                    let message = format!(
                        "must have no item twice, but items {first} and {second} are equal"
                    );
                    self.broken(found, "uniqueItems", message);
                }
            }
            _ => return false,
        }
        true
    }

    /// Keywords for objects; says whether the keyword was one.
    fn object(
        &mut self,
        keyword: &Keyword,
        siblings: &[Keyword],
        value: &Value<'_>,
        members: &[(std::borrow::Cow<'_, str>, Value<'_>)],
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
            Keyword::AdditionalProperties(schema) => {
                let known = known_members(siblings);
                for (name, member) in members
                    .iter()
                    .filter(|(name, _)| !known.clone().any(|known| **known == **name))
                {
                    if let [Keyword::Never] = **schema {
                        self.unknown_member(name, known.clone(), found);
                    } else {
                        self.within("additionalProperties", |at| {
                            at.member(name, schema, member, found)
                        });
                    }
                }
            }
            Keyword::PropertyNames(schema) => {
                for (name, _) in members {
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
                        format!(
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
                    format!("must have at least {wanted}, but has {length}"),
                );
            }
            Keyword::MaxProperties(most) if length > *most => {
                let wanted = words::count(*most, "member");
                self.broken(
                    found,
                    "maxProperties",
                    format!("must have at most {wanted}, but has {length}"),
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
                            format!("must have the member {wanted}, since it has {name}"),
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

    fn any_of(&mut self, schemas: &[Schema], value: &Value<'_>, found: &mut Found) {
        let tries = self.tries("anyOf", schemas, value);
        if tries.iter().all(|found| !found.is_empty()) {
            self.nearest("anyOf", tries, value, found);
        }
    }

    fn one_of(&mut self, schemas: &[Schema], value: &Value<'_>, found: &mut Found) {
        let tries = self.tries("oneOf", schemas, value);
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

    fn tries(&mut self, keyword: &str, schemas: &[Schema], value: &Value<'_>) -> Vec<Found> {
        let mut tries = Vec::with_capacity(schemas.len());
        for (index, schema) in schemas.iter().enumerate() {
            let mut found = Vec::new();
            self.below(keyword, &index.to_string(), |at| {
                at.schema(schema, value, &mut found)
            });
            tries.push(found);
        }
        tries
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

    fn fits(&mut self, schema: &[Keyword], value: &Value<'_>) -> bool {
        let mut found = Vec::new();
        self.schema(schema, value, &mut found);
        found.is_empty()
    }

    fn unknown_member<'n>(
        &mut self,
        name: &str,
        known: impl Iterator<Item = &'n Text>,
        found: &mut Found,
    ) {
        let hint = match nearest(name, known.map(|known| &**known)) {
            Some(near) => format!("; did you mean {}?", words::quoted(near)),
            None => String::new(),
        };
        let message = format!("is no member that the contract knows{hint}");
        self.under(name, |at| at.broken(found, "additionalProperties", message));
    }

    fn item(&mut self, index: usize, schema: &[Keyword], item: &Value<'_>, found: &mut Found) {
        self.under(&index.to_string(), |at| at.schema(schema, item, found));
    }

    fn member(&mut self, name: &str, schema: &[Keyword], member: &Value<'_>, found: &mut Found) {
        self.under(name, |at| at.schema(schema, member, found));
    }

    /// Runs `step` with the instance pointer one token longer.
    fn under(&mut self, token: &str, step: impl FnOnce(&mut Self)) {
        let length = self.instance.len();
        words::push_token(&mut self.instance, token);
        step(self);
        self.instance.truncate(length);
    }

    /// Runs `step` with the schema pointer one token longer.
    fn within(&mut self, token: &str, step: impl FnOnce(&mut Self)) {
        let length = self.schema.len();
        words::push_token(&mut self.schema, token);
        step(self);
        self.schema.truncate(length);
    }

    fn below(&mut self, keyword: &str, token: &str, step: impl FnOnce(&mut Self)) {
        self.within(keyword, |at| at.within(token, step));
    }

    fn broken(&mut self, found: &mut Found, keyword: &'static str, message: String) {
        let mut schema = self.schema.clone();
        if keyword != "false" {
            words::push_token(&mut schema, keyword);
        }
        found.push(Violation {
            instance: self.instance.clone(),
            schema,
            keyword,
            message,
        });
    }
}

fn has_type(value: &Value<'_>, types: Types) -> bool {
    match value {
        Value::Null => types & NULL != 0,
        Value::Bool(_) => types & BOOLEAN != 0,
        Value::Number(text) => {
            types & NUMBER != 0 || (types & INTEGER != 0 && Decimal::parse(text).is_integer())
        }
        Value::String(_) => types & STRING != 0,
        Value::Array(_) => types & ARRAY != 0,
        Value::Object(_) => types & OBJECT != 0,
    }
}

/// Whether the number is no integer at all (then `type` speaks) or lies in the range.
fn fits_integer(text: &str, least: i128, most: i128) -> bool {
    let number = Decimal::parse(text);
    !number.is_integer()
        || number
            .to_i128()
            .is_some_and(|value| (least..=most).contains(&value))
}

fn not_in_enum(literals: &[Literal], value: &Value<'_>) -> String {
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

fn prefix(siblings: &[Keyword]) -> usize {
    siblings
        .iter()
        .find_map(|k| {
            if let Keyword::PrefixItems(items) = k {
                Some(items.len())
            } else {
                None
            }
        })
        .unwrap_or(0)
}

fn known_members(siblings: &[Keyword]) -> impl Iterator<Item = &Text> + Clone {
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

/// Two equal items, found by sorting so that a long array stays cheap.
fn equal_items(items: &[Value<'_>]) -> Option<(usize, usize)> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|one, other| items[*one].compare(&items[*other]));
    order
        .windows(2)
        .find(|pair| items[pair[0]] == items[pair[1]])
        .map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1])))
}

/// Keywords whose violation says that a value is of another form altogether.
fn is_of_form(keyword: &str) -> bool {
    matches!(keyword, "type" | "const" | "enum" | "false")
}
