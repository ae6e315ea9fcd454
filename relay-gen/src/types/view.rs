//! A schema as one: itself, and what applies in place beside it by `$ref` and `allOf`.

use std::collections::HashSet;

use super::says::{is_bare_type, is_plain, shapes};
use crate::contracts::{Contracts, Dialect, Target};
use crate::json::{Json, Node};
use crate::source::Span;

/// The schemas that all apply to one value.
pub(super) struct View<'c> {
    parts: Vec<Part<'c>>,
    /// The types that the schema around this one allows, where this one is a branch of a union.
    outer_types: Option<Vec<&'c str>>,
}

/// One of them, and the `$ref` target that it is, if one led to it.
pub(super) struct Part<'c> {
    pub(super) node: &'c Node,
    pub(super) target: Option<Target<'c>>,
}

impl<'c> View<'c> {
    /// Follows `$ref` and `allOf` from a schema; each schema is a part once.
    pub(super) fn new(contracts: &'c Contracts, schema: &'c Node) -> Self {
        let mut parts = Vec::new();
        let mut seen = HashSet::new();
        let mut pending = vec![Part {
            node: schema,
            target: None,
        }];
        while let Some(part) = pending.pop() {
            let schema = part.node;
            if !seen.insert(schema.span) {
                continue;
            }
            let target = schema
                .get("$ref")
                .and_then(|reference| contracts.resolve(reference).ok());
            // In draft-07, nothing beside a `$ref` counts.
            if target.is_none() || contracts.dialect(schema.span) != Dialect::Draft07 {
                parts.push(part);
                let branches = schema
                    .get("allOf")
                    .and_then(Node::as_array)
                    .unwrap_or_default();
                pending.extend(
                    branches
                        .iter()
                        .rev()
                        .map(|node| Part { node, target: None }),
                );
            }
            pending.extend(target.map(|target| Part {
                node: target.node,
                target: Some(target),
            }));
        }
        Self {
            parts,
            outer_types: None,
        }
    }

    /// The view of a branch of this schema, to which the types of this schema apply as well.
    pub(super) fn branch(&self, contracts: &'c Contracts, branch: &'c Node) -> Self {
        Self {
            outer_types: self.types(),
            ..Self::new(contracts, branch)
        }
    }

    /// The one part that says alone what the value looks like, so that its type can be shared with
    /// whatever else refers to it.
    pub(super) fn carrier(&self) -> Option<&Part<'c>> {
        let mut shaping = self.parts.iter().filter(|part| shapes(part.node));
        let carrier = match (shaping.next(), shaping.next()) {
            (Some(carrier), None) => carrier,
            _ => self.carrier_beside_types()?,
        };
        let members = carrier
            .node
            .get("properties")
            .and_then(Node::as_object)
            .unwrap_or_default();
        let has_member = |name: &str| members.iter().any(|member| member.key == name);
        let others = self
            .parts
            .iter()
            .filter(|part| part.node.span != carrier.node.span);
        others
            .map(|part| part.node)
            .all(|part| is_plain(part, &has_member))
            .then_some(carrier)
    }

    /// Beside a part that shapes the value, a bare `type` that includes its types says nothing new.
    fn carrier_beside_types(&self) -> Option<&Part<'c>> {
        let shaping = self.parts.iter().filter(|part| shapes(part.node));
        let (bare, rich): (Vec<_>, Vec<_>) = shaping.partition(|part| is_bare_type(part.node));
        let [carrier] = rich.as_slice() else {
            return None;
        };
        let own = types_of(carrier.node)?;
        let says_nothing = |part: &&Part<'_>| {
            types_of(part.node).is_none_or(|types| own.iter().all(|name| types.contains(name)))
        };
        bare.iter().all(says_nothing).then_some(carrier)
    }

    /// The schemas that are parts.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'c Node> {
        self.parts.iter().map(|part| part.node)
    }

    /// The values of a keyword, part by part.
    pub(super) fn all(&self, keyword: &'static str) -> impl Iterator<Item = &'c Node> {
        self.nodes().filter_map(move |part| part.get(keyword))
    }

    pub(super) fn has(&self, keyword: &'static str) -> bool {
        self.all(keyword).next().is_some()
    }

    /// The text of a keyword: the schema's own, or that of what it refers to.
    pub(super) fn text(&self, keyword: &'static str) -> Option<&'c str> {
        self.all(keyword).find_map(Node::as_str)
    }

    /// The schemas of the first items, by `prefixItems` or draft-07's array of `items`.
    pub(super) fn prefix(&self) -> Option<&'c [Node]> {
        self.all("prefixItems")
            .chain(self.all("items"))
            .find_map(Node::as_array)
    }

    /// Whether there are just so many items, as many as a tuple may have, and one part says so.
    pub(super) fn is_tuple(&self, count: usize) -> bool {
        let number = |keyword| {
            self.all(keyword)
                .filter_map(Node::as_number)
                .find_map(|text| text.parse::<usize>().ok())
        };
        let is_false = |keyword| {
            self.all(keyword)
                .any(|schema: &Node| schema.as_bool() == Some(false))
        };
        let speak = self
            .all("prefixItems")
            .chain(self.all("items"))
            .filter(|schema| schema.as_array().is_some());
        let ends = is_false("items")
            || is_false("additionalItems")
            || number("maxItems").is_some_and(|most| most <= count);
        let of_kind = (1..=12).contains(&count) && speak.count() == 1;
        of_kind && ends && number("minItems").is_some_and(|least| least >= count)
    }

    /// The one value of the first member that has but one, such as a `type` that tells the branches
    /// of a union apart.
    pub(super) fn tag(&self) -> Option<&'c str> {
        let mut members = self.all("properties").filter_map(Node::as_object).flatten();
        members.find_map(|member| {
            let listed = member.value.get("enum").and_then(Node::as_array);
            let single = listed
                .filter(|values| values.len() == 1)
                .map(|values| &values[0]);
            member.value.get("const").or(single)?.as_str()
        })
    }

    /// The JSON types that the value may have; `None` if no part says.
    pub(super) fn types(&self) -> Option<Vec<&'c str>> {
        let own = self.nodes().filter_map(types_of);
        let mut said = own.chain(self.outer_types.clone());
        let first = said.next()?;
        Some(said.fold(first, |kept, others| both(&kept, &others)))
    }

    /// The values that `const` and `enum` leave, and unions of nothing but constants, in which each
    /// value may have a title; `None` if none of these is there.
    pub(super) fn values(&self) -> Option<Vec<&'c Node>> {
        let single = self.all("const").map(|value| vec![value]);
        let listed = self.all("enum").filter_map(Node::as_array);
        let listed = listed.map(|list| list.iter().collect::<Vec<_>>());
        let unions = self.all("oneOf").chain(self.all("anyOf"));
        let unions = unions.filter_map(Node::as_array).filter_map(constants);
        let mut lists = single.chain(listed).chain(unions);
        let first = lists.next()?;
        Some(lists.fold(first, |kept, list| {
            let listed: HashSet<String> = list.iter().map(ToString::to_string).collect();
            kept.into_iter()
                .filter(|value| listed.contains(&value.to_string()))
                .collect()
        }))
    }

    /// Whether `null` may be among the values, as far as types, values and branches tell.
    pub(super) fn allows_null(&self, contracts: &'c Contracts) -> bool {
        let mut seen: HashSet<Span> = HashSet::new();
        let mut pending: Vec<&'c Node> = Vec::new();
        let mut view = Some(Self::of_nodes(
            self.nodes().collect(),
            self.outer_types.clone(),
        ));
        while let Some(at) = view {
            let by_type = at.types().is_none_or(|types| types.contains(&"null"));
            let is_null = |value: &&Node| matches!(value.value, Json::Null);
            let by_value = at.values().is_none_or(|values| values.iter().any(is_null));
            let branches: Vec<_> = at
                .all("anyOf")
                .chain(at.all("oneOf"))
                .filter_map(Node::as_array)
                .flatten()
                .collect();
            if by_type
                && by_value
                && branches.is_empty()
                && (at.types().is_some() || at.values().is_some())
            {
                return true;
            }
            if by_type && by_value {
                pending.extend(branches);
            }
            view = loop {
                match pending.pop() {
                    None => break None,
                    Some(branch) if seen.insert(branch.span) => {
                        break Some(Self::new(contracts, branch));
                    }
                    Some(_) => {}
                }
            };
        }
        false
    }

    fn of_nodes(nodes: Vec<&'c Node>, outer_types: Option<Vec<&'c str>>) -> Self {
        let parts = nodes
            .into_iter()
            .map(|node| Part { node, target: None })
            .collect();
        Self { parts, outer_types }
    }
}

/// The values of branches that are one scalar each, with nothing but words for people beside it.
fn constants(branches: &[Node]) -> Option<Vec<&Node>> {
    const BESIDE: &[&str] = &[
        "const",
        "type",
        "title",
        "description",
        "$comment",
        "deprecated",
    ];
    let constant = |branch| {
        let members = Node::as_object(branch)?;
        let value = branch.get("const")?;
        let is_scalar = !matches!(value.value, Json::Array(_) | Json::Object(_));
        let is_alone = members.iter().all(|it| BESIDE.contains(&&*it.key));
        (is_scalar && is_alone).then_some(value)
    };
    branches.iter().map(constant).collect()
}

/// The types in both lists; an integer is a number.
fn both<'c>(one: &[&'c str], other: &[&'c str]) -> Vec<&'c str> {
    let in_list = |list: &[&str], name: &str| {
        list.contains(&name) || (name == "integer" && list.contains(&"number"))
    };
    let mut kept: Vec<_> = one
        .iter()
        .copied()
        .filter(|name| in_list(other, name))
        .collect();
    kept.extend(
        other
            .iter()
            .copied()
            .filter(|name| in_list(one, name) && !one.contains(name)),
    );
    kept
}

/// The argument of `type`, as a list.
pub(super) fn types_of(schema: &Node) -> Option<Vec<&str>> {
    let types = schema.get("type")?;
    match &types.value {
        Json::String(name) => Some(vec![name]),
        _ => Some(types.as_array()?.iter().filter_map(Node::as_str).collect()),
    }
}
