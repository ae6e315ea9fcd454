//! A schema as one: itself, and what applies in place beside it by `$ref` and `allOf`.

use std::collections::HashSet;

use crate::contracts::vocabulary::Applies;
use crate::contracts::{Contracts, Dialect, Target, subschemas};
use crate::json::{Json, Node};
use crate::source::Span;

/// Keywords that say what a value looks like; the others only narrow that down.
const SHAPING: &[&str] = &[
    "type",
    "properties",
    "additionalProperties",
    "items",
    "prefixItems",
    "enum",
    "const",
    "anyOf",
    "oneOf",
];

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
        let mut view = Self {
            parts: Vec::new(),
            outer_types: None,
        };
        view.add(
            contracts,
            Part {
                node: schema,
                target: None,
            },
            &mut HashSet::new(),
        );
        view
    }

    /// The view of a branch of this schema, which the rest of this schema applies to as well.
    pub(super) fn branch(&self, contracts: &'c Contracts, branch: &'c Node) -> Self {
        let mut view = Self::new(contracts, branch);
        let typed = self
            .parts
            .iter()
            .filter(|part| types_of(part.node).is_some());
        // Only the types: what else stands beside a union narrows, but does not shape.
        view.outer_types = typed
            .filter_map(|part| types_of(part.node))
            .next()
            .or_else(|| self.outer_types.clone());
        view
    }

    fn add(&mut self, contracts: &'c Contracts, part: Part<'c>, seen: &mut HashSet<Span>) {
        let schema = part.node;
        if !seen.insert(schema.span) {
            return;
        }
        let target = schema
            .get("$ref")
            .and_then(|reference| contracts.resolve(reference).ok());
        if target.is_none() || contracts.dialect(schema.span) != Dialect::Draft07 {
            self.parts.push(part);
            for branch in schema
                .get("allOf")
                .and_then(Node::as_array)
                .unwrap_or_default()
            {
                self.add(
                    contracts,
                    Part {
                        node: branch,
                        target: None,
                    },
                    seen,
                );
            }
        }
        if let Some(target) = target {
            self.add(
                contracts,
                Part {
                    node: target.node,
                    target: Some(target),
                },
                seen,
            );
        }
    }

    /// The one part that says alone what the value looks like.
    pub(super) fn carrier(&self) -> Option<&Part<'c>> {
        let mut carriers = self.parts.iter().filter(|part| shapes(part.node));
        match (carriers.next(), carriers.next()) {
            (carrier, None) => carrier,
            _ => self.carrier_beside_types(),
        }
    }

    /// Beside a part that shapes the value, a bare `type` that includes its types says nothing new.
    fn carrier_beside_types(&self) -> Option<&Part<'c>> {
        let is_bare = |part: &&Part<'_>| {
            SHAPING
                .iter()
                .all(|key| *key == "type" || part.node.get(key).is_none())
        };
        let (bare, rich): (Vec<_>, Vec<_>) = self
            .parts
            .iter()
            .filter(|part| shapes(part.node))
            .partition(is_bare);
        let [carrier] = rich.as_slice() else {
            return None;
        };
        let own = types_of(carrier.node)?;
        let says_nothing = |part: &&Part<'_>| {
            types_of(part.node).is_none_or(|types| own.iter().all(|name| types.contains(name)))
        };
        bare.iter().all(says_nothing).then_some(carrier)
    }

    /// The values of a keyword, part by part.
    pub(super) fn all(&self, keyword: &'static str) -> impl Iterator<Item = &'c Node> {
        self.parts
            .iter()
            .filter_map(move |part| part.node.get(keyword))
    }

    /// The first part that fits.
    pub(super) fn part(&self, fits: impl Fn(&Node) -> bool) -> Option<&'c Node> {
        self.parts
            .iter()
            .map(|part| part.node)
            .find(|part| fits(part))
    }

    /// The one value of the first required member that has but one, such as a `type` that tells
    /// the branches of a union apart.
    pub(super) fn tag(&self) -> Option<&'c str> {
        let mut members = self.all("properties").filter_map(Node::as_object).flatten();
        members.find_map(|member| {
            let single = member
                .value
                .get("enum")
                .and_then(Node::as_array)
                .filter(|values| values.len() == 1);
            member
                .value
                .get("const")
                .or(single.map(|values| &values[0]))?
                .as_str()
        })
    }

    /// Whether nothing in the schema says what the value looks like.
    pub(super) fn is_open(&self) -> bool {
        const CONDITIONS: &[&str] = &["not", "if", "dependentSchemas", "dependencies"];
        self.parts.iter().all(|part| {
            !shapes(part.node) && CONDITIONS.iter().all(|key| part.node.get(key).is_none())
        })
    }

    /// Whether a part names members or items of the value.
    pub(super) fn is_container(&self) -> bool {
        let keywords = ["properties", "additionalProperties", "items", "prefixItems"];
        keywords
            .into_iter()
            .any(|keyword| self.all(keyword).next().is_some())
    }

    /// Whether any part of the schema shapes the value.
    pub(super) fn shapes(&self) -> bool {
        self.parts.iter().any(|part| shapes(part.node))
    }

    /// The text of a keyword: the schema's own, or that of what it refers to.
    pub(super) fn text(&self, keyword: &'static str) -> Option<&'c str> {
        self.all(keyword).find_map(Node::as_str)
    }

    /// The JSON types that the value may have; `None` if no part says.
    pub(super) fn types(&self) -> Option<Vec<&'c str>> {
        let own = self.parts.iter().filter_map(|part| types_of(part.node));
        let mut said = own.chain(self.outer_types.clone());
        let first = said.next()?;
        Some(said.fold(first, |kept, others| both(&kept, &others)))
    }

    /// The values that `const` and `enum` leave; `None` if neither is there.
    pub(super) fn values(&self) -> Option<Vec<&'c Node>> {
        let single = self.all("const").map(std::slice::from_ref);
        let listed = self.all("enum").filter_map(Node::as_array);
        let mut lists = single
            .chain(listed)
            .map(|list| list.iter().collect::<Vec<_>>());
        let first = lists.next()?;
        Some(lists.fold(first, |kept, list| {
            let listed: HashSet<String> = list.iter().map(ToString::to_string).collect();
            kept.into_iter()
                .filter(|value| listed.contains(&value.to_string()))
                .collect()
        }))
    }

    /// What the schema says where it applies other schemas in place: in the branches of a union or
    /// of a condition, say.
    pub(super) fn asides(&self, contracts: &'c Contracts) -> Asides<'c> {
        let mut asides = Asides::default();
        let mut seen: HashSet<Span> = self.parts.iter().map(|part| part.node.span).collect();
        let mut pending: Vec<&'c Node> = Vec::new();
        for part in &self.parts {
            asides.read(part.node, true);
            pending.extend(beside(contracts, part.node));
        }
        while let Some(schema) = pending.pop() {
            if seen.insert(schema.span) {
                asides.read(schema, false);
                pending.extend(beside(contracts, schema));
            }
        }
        asides
    }
}

/// What the parts of a schema leave to be said elsewhere, and what others say beside them.
#[derive(Default)]
pub(super) struct Asides<'c> {
    /// Members that are spoken of, by a schema of their own or by their names alone.
    pub(super) members: Vec<&'c str>,
    /// Members of which another schema than the parts says what is within them.
    pub(super) deep: HashSet<&'c str>,
    /// Whether another schema than the parts speaks of the items.
    pub(super) items: bool,
}

impl<'c> Asides<'c> {
    fn read(&mut self, schema: &'c Node, is_part: bool) {
        let members = |keyword: &str| {
            schema
                .get(keyword)
                .and_then(Node::as_object)
                .unwrap_or_default()
        };
        for property in members("properties") {
            self.members.push(&property.key);
            if !is_part && goes_deep(&property.value) {
                self.deep.insert(&property.key);
            }
        }
        let lists = members("dependentRequired")
            .iter()
            .chain(members("dependencies"))
            .map(|member| &member.value);
        let names = lists
            .chain(schema.get("required"))
            .filter_map(Node::as_array)
            .flatten();
        self.members.extend(names.filter_map(Node::as_str));
        let keys = ["dependentRequired", "dependentSchemas", "dependencies"]
            .into_iter()
            .flat_map(members);
        self.members.extend(keys.map(|member| &*member.key));
        self.items |= !is_part
            && ["items", "prefixItems", "contains"]
                .iter()
                .any(|key| schema.get(key).is_some());
    }
}

/// The schemas that a schema applies in place.
fn beside<'c>(contracts: &'c Contracts, schema: &'c Node) -> impl Iterator<Item = &'c Node> {
    let subschemas = subschemas(schema, contracts.dialect(schema.span)).into_iter();
    let in_place = subschemas
        .filter(|sub| sub.keyword.applies == Applies::InPlace)
        .map(|sub| sub.node);
    let target = schema
        .get("$ref")
        .and_then(|reference| contracts.resolve(reference).ok());
    in_place.chain(target.map(|target| target.node))
}

/// Whether a schema may speak of what is within a value.
fn goes_deep(schema: &Node) -> bool {
    const FLAT: &[&str] = &[
        "type",
        "const",
        "enum",
        "title",
        "description",
        "default",
        "examples",
        "format",
    ];
    schema.as_object().unwrap_or_default().iter().any(|member| {
        let is_bound = member.key.starts_with("min")
            || member.key.starts_with("max")
            || member.key.starts_with("exclusive");
        !FLAT.contains(&&*member.key) && !is_bound
    })
}

/// Whether a schema says what a value looks like, rather than to narrow that down.
pub(super) fn shapes(part: &Node) -> bool {
    SHAPING.iter().any(|key| part.get(key).is_some())
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
