//! Walks a value along its table and gathers what it breaks.

mod array;
mod combine;
mod object;
mod scalar;
mod unevaluated;

use std::fmt;

use super::decimal::Decimal;
use super::table::{
    ARRAY, BOOLEAN, INTEGER, Keyword, List, NULL, NUMBER, OBJECT, STRING, Table, Target, Text,
    Types,
};
use super::value::Value;
use super::violation::Violation;
use super::words;
use combine::not_in_enum;

pub(super) use array::prefix;

/// More violations than this help no model; the rest are left out.
pub(super) const MAX_VIOLATIONS: usize = 20;

/// Longer pointers, of members with very long names, are cut.
const MAX_POINTER: usize = 200;

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
        scopes: Vec::new(),
        depth: 0,
        steps: 0,
        exceeded: None,
        unheld: None,
    };
    let mut violations = Vec::new();
    checker.target(target, value, &mut violations);
    checker.numbers(value, &mut violations);
    violations.extend(checker.unheld.take());
    violations.truncate(MAX_VIOLATIONS);
    // What was found before may be wrong: a part that could not be checked counts as broken.
    checker
        .exceeded
        .map_or(violations, |violation| vec![violation])
}

struct Checker<'t> {
    targets: &'t [Target],
    /// JSON Pointer to the value at hand.
    instance: String,
    /// JSON Pointer to the schema at hand.
    schema: String,
    /// The dynamic anchors of the resources that were entered, the outermost first.
    scopes: Vec<List<(Text, u32)>>,
    depth: usize,
    steps: usize,
    /// The limit that was exceeded.
    exceeded: Option<Violation>,
    /// An integer that the Rust type does not hold. It is one all the same: that it can't be handed on
    /// makes the whole value invalid, and no part of it. What is only tried makes no type.
    unheld: Option<Violation>,
}

type Found = Vec<Violation>;

impl Checker<'_> {
    /// A number beyond f64 could not be handed on, whatever the schema says of it.
    fn numbers(&mut self, value: &Value<'_>, found: &mut Found) {
        if is_full(found) {
            return;
        }
        match value {
            Value::Number(text) if Decimal::parse(text).is_beyond_f64() => {
                self.broken(
                    found,
                    "type",
                    &format_args!(
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
            return self.broken(found, "$ref", &"has a schema whose table is damaged");
        };
        let outer = std::mem::replace(&mut self.schema, pointer.to_string());
        self.schema(schema, value, found);
        self.schema = outer;
    }

    fn schema(&mut self, schema: &[Keyword], value: &Value<'_>, found: &mut Found) {
        if !self.may_go_on() {
            return;
        }
        let scope = self.enter(schema);
        self.depth += 1;
        for keyword in schema {
            if is_full(found) {
                break;
            }
            self.steps += 1;
            self.keyword(keyword, schema, value, found);
        }
        self.depth -= 1;
        self.scopes.truncate(scope);
    }

    /// Notes the dynamic anchors of a resource; says how many scopes there were before.
    fn enter(&mut self, schema: &[Keyword]) -> usize {
        let before = self.scopes.len();
        if let [Keyword::Scope(anchors), ..] = schema {
            self.scopes.push(anchors.clone());
        }
        before
    }

    /// Where a `$dynamicRef` leads: to the outermost resource that was entered and has the anchor.
    fn dynamic(&self, anchor: &str, otherwise: u32) -> u32 {
        let mut anchors = self.scopes.iter().flat_map(|scope| scope.iter());
        anchors
            .find(|(name, _)| **name == *anchor)
            .map_or(otherwise, |(_, target)| *target)
    }

    fn may_go_on(&mut self) -> bool {
        if self.exceeded.is_some() {
            return false;
        }
        match (self.depth >= MAX_DEPTH, self.steps >= MAX_STEPS) {
            (true, _) => self.exceed(
                "$ref",
                &format!("its schema applies over {MAX_DEPTH} schemas inside each other"),
            ),
            (_, true) => self.exceed("$ref", &format!("it takes over {MAX_STEPS} steps")),
            _ => return true,
        }
        false
    }

    fn exceed(&mut self, keyword: &'static str, limit: &str) {
        let mut found = Vec::new();
        self.broken(
            &mut found,
            keyword,
            &format_args!("can't be checked: {limit}"),
        );
        self.exceeded = found.pop();
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
            Value::Array(items) if self.array(keyword, siblings, value, items, found) => {}
            Value::Object(members) if self.object(keyword, siblings, value, members, found) => {}
            _ => self.any(keyword, value, found),
        }
    }

    /// Keywords for values of every type.
    fn any(&mut self, keyword: &Keyword, value: &Value<'_>, found: &mut Found) {
        match keyword {
            Keyword::Never => self.broken(found, "false", &"is not allowed here"),
            Keyword::Ref(index) => self.target(*index, value, found),
            Keyword::DynamicRef(anchor, otherwise) => {
                let target = self.dynamic(anchor, *otherwise);
                self.target(target, value, found);
            }
            Keyword::Type(types) if !has_type(value, *types) => {
                self.broken(
                    found,
                    "type",
                    &format_args!(
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
                    &format_args!("must be {wanted}, but is {}", words::value(value)),
                );
            }
            Keyword::Enum(literals)
                if !literals
                    .iter()
                    .any(|literal| Value::from(literal) == *value) =>
            {
                self.broken(found, "enum", &not_in_enum(literals, value));
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
                    &format_args!(
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

    fn broken(&mut self, found: &mut Found, keyword: &'static str, message: &dyn fmt::Display) {
        if is_full(found) {
            return;
        }
        let mut schema = self.schema.clone();
        if keyword != "false" {
            words::push_token(&mut schema, keyword);
        }
        found.push(Violation {
            instance: words::clipped(&self.instance, MAX_POINTER),
            schema,
            keyword,
            message: message.to_string(),
        });
    }
}

/// Whether more violations would help nobody.
fn is_full(found: &Found) -> bool {
    found.len() >= MAX_VIOLATIONS
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
