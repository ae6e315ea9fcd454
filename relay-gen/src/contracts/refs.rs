//! Where the refs of all schemas lead, and whether any of them go round in a circle.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::file::File;
use super::resolve::{RefError, Resolver};
use super::resources::Resources;
use super::uri;
use super::vocabulary::{Applies, Dialect};
use super::walk::{effective, subschemas};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{Json, Node};
use crate::source::Span;

/// Checks every ref of every file.
pub(crate) fn check(
    files: &[Option<Arc<File>>],
    resources: &Resources,
    diagnostics: &mut Diagnostics,
) {
    let mut checker = Checker {
        resources,
        resolver: Resolver { resources, files },
        diagnostics,
        seen: HashSet::new(),
        pending: Vec::new(),
        in_place: HashMap::new(),
        order: Vec::new(),
    };
    for file in files.iter().flatten() {
        for root in file.schema_roots() {
            checker.pending.push(root.node);
            checker.drain();
        }
    }
    let circles = circles(&checker.order, &checker.in_place);
    diagnostics.extend(circles);
}

/// From one schema to another that is applied to the same value.
#[derive(Clone, Copy)]
struct Edge {
    to: Span,
    /// The ref, if it is one, or else the subschema.
    at: Span,
    is_ref: bool,
}

struct Checker<'a, 'd> {
    resources: &'a Resources,
    resolver: Resolver<'a>,
    diagnostics: &'d mut Diagnostics,
    seen: HashSet<Span>,
    pending: Vec<&'a Node>,
    in_place: HashMap<Span, Vec<Edge>>,
    order: Vec<Span>,
}

impl<'a> Checker<'a, '_> {
    /// Looks at every schema that is pending, those below it, and those that its refs lead to, which
    /// may stand where no keyword holds a schema.
    fn drain(&mut self) {
        while let Some(schema) = self.pending.pop() {
            if self.seen.insert(schema.span) {
                self.schema(schema);
            }
        }
    }

    fn schema(&mut self, schema: &'a Node) {
        let resource = self.resources.at(schema.span);
        let dialect = resource.map_or(Dialect::Draft2020_12, |resource| resource.dialect);
        let mut edges = Vec::new();
        for member in effective(schema, dialect) {
            let target = match (&*member.key, dialect) {
                ("$ref", _) | ("$dynamicRef", Dialect::Draft2020_12) => self.target(&member.value),
                _ => continue,
            };
            let Some(target) = target else { continue };
            self.pending.push(target);
            edges.push(Edge {
                to: target.span,
                at: member.value.span,
                is_ref: true,
            });
        }
        for child in subschemas(schema, dialect) {
            self.pending.push(child.node);
            if child.keyword.applies == Applies::InPlace {
                edges.push(Edge {
                    to: child.node.span,
                    at: child.node.span,
                    is_ref: false,
                });
            }
        }
        self.order.push(schema.span);
        self.in_place.insert(schema.span, edges);
    }

    /// A relative ref that leads to the network does so by an `$id`, which is easily overlooked.
    fn with_base(&self, diagnostic: Diagnostic, reference: &Node) -> Diagnostic {
        let is_relative = reference
            .as_str()
            .is_some_and(|text| uri::scheme(text).is_none());
        match self.resources.at(reference.span) {
            Some(resource) if is_relative && diagnostic.rule.id == "network-ref" => {
                diagnostic.note(format!("it is relative to the `$id` {}", resource.uri))
            }
            _ => diagnostic,
        }
    }

    /// The schema that a ref leads to, or `None` once it is reported why there is none.
    fn target(&mut self, reference: &Node) -> Option<&'a Node> {
        let error = match self.resolver.resolve(reference) {
            Ok(target) if matches!(target.node.value, Json::Object(_) | Json::Bool(_)) => {
                return Some(target.node);
            }
            Ok(target) => {
                let message = format!("{reference} leads to {}, no schema", target.node.kind());
                let diagnostic = Diagnostic::new("dangling-ref", reference.span, message);
                self.diagnostics
                    .push(diagnostic.related(target.node.span, "it leads here"));
                return None;
            }
            Err(error) => error,
        };
        let diagnostic = refusal(reference, &error);
        self.diagnostics
            .extend(diagnostic.map(|diagnostic| self.with_base(diagnostic, reference)));
        None
    }
}

fn refusal(reference: &Node, error: &RefError) -> Option<Diagnostic> {
    let (rule, message) = match error {
        RefError::Unread => return None,
        RefError::Malformed { .. } => ("bad-ref", format!("this is no `$ref`: {error}")),
        RefError::Network { .. } => (
            "network-ref",
            format!("Relay follows no such `$ref`: {error}"),
        ),
        _ => (
            "dangling-ref",
            format!("this `$ref` leads nowhere: {error}"),
        ),
    };
    let diagnostic = Diagnostic::new(rule, reference.span, message);
    Some(match remedy(error) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    })
}

fn remedy(error: &RefError) -> Option<String> {
    match error {
        RefError::NoFile { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
        RefError::NoPointer {
            from_file_root: true,
            ..
        } => Some(
            "`#` is the root of the schema, not of the file: leave out the part up to `inputSchema` or `outputSchema`, or write the file's name before the `#`".to_owned(),
        ),
        RefError::NoPointer {
            found,
            near: Some(near),
            ..
        } => Some(format!("did you mean `#{found}/{near}`?")),
        RefError::NoPointer { present, .. } if !present.is_empty() => {
            Some(format!("there is {}", list(present)))
        }
        RefError::NoAnchor { present, .. } if !present.is_empty() => {
            Some(format!("the anchors here are {}", list(present)))
        }
        _ => None,
    }
}

fn list(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown: Vec<_> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// One finding for each circle. A depth-first search that keeps its own stack, since a chain of refs
/// may be as long as a file.
fn circles(order: &[Span], edges: &HashMap<Span, Vec<Edge>>) -> Vec<Diagnostic> {
    let mut done: HashSet<Span> = HashSet::new();
    let mut found = Vec::new();
    for start in order {
        // The schemas between the start and here, each with the next edge to follow.
        let mut path: Vec<(Span, usize)> = Vec::new();
        let mut on_path: HashMap<Span, usize> = HashMap::new();
        if done.insert(*start) {
            on_path.insert(*start, 0);
            path.push((*start, 0));
        }
        while let Some((schema, next)) = path.last_mut() {
            let edge = edges
                .get(schema)
                .and_then(|edges| edges.get(*next))
                .copied();
            *next += 1;
            let Some(edge) = edge else {
                on_path.remove(schema);
                path.pop();
                continue;
            };
            if let Some(from) = on_path.get(&edge.to) {
                found.push(circle(&path[*from..], edges, edge));
            } else if done.insert(edge.to) {
                on_path.insert(edge.to, path.len());
                path.push((edge.to, 0));
            }
        }
    }
    found
}

/// The finding for a circle: at the ref that closes it, with the others beside it.
fn circle(path: &[(Span, usize)], edges: &HashMap<Span, Vec<Edge>>, last: Edge) -> Diagnostic {
    const MOST: usize = 4;
    let steps = path[..path.len() - 1]
        .iter()
        .filter_map(|(schema, next)| edges.get(schema)?.get(next.checked_sub(1)?))
        .copied()
        .chain([last]);
    let mut refs: Vec<Edge> = steps.filter(|edge| edge.is_ref).collect();
    let closing = refs.pop().unwrap_or(last);
    let message = if refs.is_empty() {
        "this `$ref` leads back to the schema that it stands in"
    } else {
        "this `$ref` goes round in a circle"
    };
    let mut diagnostic = Diagnostic::new("circular-ref", closing.at, message);
    for (at, edge) in refs.iter().take(MOST).enumerate() {
        diagnostic = diagnostic.related(edge.at, format!("step {} of the circle", at + 1));
    }
    diagnostic
}
