//! Schema resources: what `$id` and anchors name, and which dialect holds where.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::file::File;
use super::uri;
use super::vocabulary::Dialect;
use super::walk::subschemas;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::Node;
use crate::source::{FileId, Span};

/// A schema with a URI of its own, and all below it up to the next one.
#[derive(Debug, Clone)]
pub struct Resource {
    /// The file that it is in.
    pub file: FileId,
    /// The JSON Pointer of its root from the file's root.
    pub pointer: String,
    /// Its absolute URI, without fragment: its `$id`, or the file's.
    pub uri: String,
    /// Its dialect.
    pub dialect: Dialect,
    /// The JSON Pointer from the file's root for each `$anchor` and `$dynamicAnchor`.
    pub anchors: BTreeMap<String, String>,
    /// Which of the anchors are dynamic.
    pub dynamic_anchors: BTreeSet<String>,
    span: Span,
    /// The root resource of the schema that this one is a part of.
    document: usize,
}

/// All resources of all files.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    list: Vec<Resource>,
    /// By file, in the order of the text: a resource stands before those inside it.
    of_file: HashMap<FileId, Vec<usize>>,
    by_id: HashMap<String, Vec<usize>>,
    files: BTreeMap<String, FileId>,
    unread: BTreeSet<String>,
}

impl Resources {
    /// Takes in a file: itself under its URI, and every resource in it.
    pub(crate) fn add(&mut self, file: &File, diagnostics: &mut Diagnostics) {
        self.files.insert(uri::key(&file.uri), file.id);
        for root in file.schema_roots() {
            let dialect = declared(root.node).unwrap_or(Dialect::Draft2020_12);
            let at = self.push(
                file.id,
                root.pointer,
                &file.uri,
                dialect,
                root.node.span,
                None,
            );
            Visitor {
                resources: self,
                diagnostics,
            }
            .visit(root.node, root.pointer, at, true);
        }
    }

    /// Remembers that a file exists whose value is not known, since it could not be read.
    pub(crate) fn add_unread(&mut self, file_uri: &str) {
        self.unread.insert(uri::key(file_uri));
    }

    /// The innermost resource round a place.
    pub(crate) fn at(&self, span: Span) -> Option<&Resource> {
        let of_file = self.of_file.get(&span.file)?;
        let before = of_file.partition_point(|at| self.list[*at].span.start <= span.start);
        let mut inside_out = of_file[..before].iter().rev().map(|at| &self.list[*at]);
        inside_out.find(|resource| resource.span.contains(&span))
    }

    /// The resource with this absolute URI as its `$id`: one of the same schema if there is one, since
    /// schemas of different tools may well use one `$id`; else the only one.
    pub(crate) fn by_id(&self, uri: &str, from: &Resource) -> ById<'_> {
        let candidates = self.by_id.get(uri).map_or(&[][..], Vec::as_slice);
        let mut candidates = candidates.iter().map(|at| &self.list[*at]);
        if let Some(own) = candidates
            .clone()
            .find(|resource| resource.document == from.document)
        {
            return ById::One(own);
        }
        match (candidates.next(), candidates.next()) {
            (None, _) => ById::None,
            (Some(only), None) => ById::One(only),
            (Some(_), Some(_)) => ById::Several,
        }
    }

    /// The file with this absolute URI.
    pub(crate) fn file(&self, absolute: &str) -> Option<FileId> {
        self.files.get(&uri::key(absolute)).copied()
    }

    pub(crate) fn is_unread(&self, absolute: &str) -> bool {
        self.unread.contains(&uri::key(absolute))
    }

    /// The keys of all files.
    pub(crate) fn file_keys(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Resource> {
        self.list.iter()
    }

    fn push(
        &mut self,
        file: FileId,
        pointer: &str,
        uri: &str,
        dialect: Dialect,
        span: Span,
        enclosing: Option<usize>,
    ) -> usize {
        let at = self.list.len();
        let document = enclosing.map_or(at, |enclosing| self.list[enclosing].document);
        self.list.push(Resource {
            file,
            pointer: pointer.to_owned(),
            uri: uri.to_owned(),
            dialect,
            anchors: BTreeMap::new(),
            dynamic_anchors: BTreeSet::new(),
            span,
            document,
        });
        self.of_file.entry(file).or_default().push(at);
        at
    }
}

/// The dialect that a schema's own `$schema` names.
pub(crate) fn declared(schema: &Node) -> Option<Dialect> {
    Dialect::from_uri(schema.get("$schema")?.as_str()?)
}

/// What an `$id` names.
pub(crate) enum ById<'a> {
    None,
    One(&'a Resource),
    /// Schemas of several tools or documents.
    Several,
}

struct Visitor<'a> {
    resources: &'a mut Resources,
    diagnostics: &'a mut Diagnostics,
}

impl Visitor<'_> {
    fn visit(&mut self, schema: &Node, pointer: &str, enclosing: usize, is_root: bool) {
        let at = self.enter(schema, pointer, enclosing, is_root);
        let dialect = self.resources.list[at].dialect;
        self.anchors(schema, pointer, at, dialect);
        for child in subschemas(schema, dialect) {
            let pointer = format!("{pointer}{}", child.pointer);
            self.visit(child.node, &pointer, at, false);
        }
    }

    /// The resource that a schema belongs to: a new one if it has an `$id`.
    fn enter(&mut self, schema: &Node, pointer: &str, enclosing: usize, is_root: bool) -> usize {
        let Some(id) = schema.get("$id") else {
            return enclosing;
        };
        let outer = &self.resources.list[enclosing];
        let (file, base) = (outer.file, outer.uri.clone());
        let dialect = declared(schema).unwrap_or(outer.dialect);
        if dialect == Dialect::Draft07 && schema.get("$ref").is_some() {
            return enclosing;
        }
        let Some(text) = id.as_str() else {
            let message = format!("`$id` must be a string, but is {}", id.kind());
            self.report(id, message);
            return enclosing;
        };
        let (path, fragment) = uri::split_fragment(text);
        if dialect == Dialect::Draft07 && path.is_empty() && !fragment.is_empty() {
            return enclosing;
        }
        if !fragment.is_empty() {
            let message = format!("`$id` has the fragment `#{fragment}`, which names no schema");
            self.report(id, message);
        }
        let uri = uri::resolve(&base, path);
        let at = if is_root {
            let resource = &mut self.resources.list[enclosing];
            resource.uri.clone_from(&uri);
            enclosing
        } else {
            self.resources
                .push(file, pointer, &uri, dialect, schema.span, Some(enclosing))
        };
        self.name(uri, at, id);
        at
    }

    fn name(&mut self, uri: String, at: usize, id: &Node) {
        let list = &self.resources.list;
        let named = self.resources.by_id.entry(uri.clone()).or_default();
        let mut others = named.iter().map(|other| &list[*other]);
        if let Some(first) = others.find(|other| other.document == list[at].document) {
            let diagnostic = Diagnostic::new(
                "bad-id",
                id.span,
                format!("two schemas have the `$id` {uri}"),
            )
            .related(first.span, "the first of them");
            self.diagnostics.push(diagnostic);
            return;
        }
        named.push(at);
    }

    fn anchors(&mut self, schema: &Node, pointer: &str, at: usize, dialect: Dialect) {
        if dialect == Dialect::Draft07 {
            let id = schema.get("$id").filter(|_| schema.get("$ref").is_none());
            let fragment = id.and_then(|id| Some((id, id.as_str()?.strip_prefix('#')?)));
            if let Some((id, anchor)) = fragment.filter(|(_, anchor)| !anchor.is_empty()) {
                self.anchor(id, anchor, pointer, at);
            }
            return;
        }
        for key in ["$anchor", "$dynamicAnchor"] {
            let Some(node) = schema.get(key) else {
                continue;
            };
            let Some(anchor) = node.as_str().filter(|anchor| is_anchor(anchor)) else {
                let message = format!(
                    "`{key}` must be a name of letters, digits, `-`, `_` and `.` that starts with a letter or `_`"
                );
                self.report(node, message);
                continue;
            };
            if key == "$dynamicAnchor" {
                let resource = &mut self.resources.list[at];
                resource.dynamic_anchors.insert(anchor.to_owned());
            }
            self.anchor(node, anchor, pointer, at);
        }
    }

    fn anchor(&mut self, node: &Node, anchor: &str, pointer: &str, at: usize) {
        let anchors = &mut self.resources.list[at].anchors;
        match anchors.insert(anchor.to_owned(), pointer.to_owned()) {
            Some(first) if first != pointer => {
                let message = format!("the anchor `{anchor}` stands at two schemas");
                let note = format!("the other is at `{first}`");
                let diagnostic = Diagnostic::new("bad-id", node.span, message).note(note);
                self.diagnostics.push(diagnostic);
            }
            _ => {}
        }
    }

    fn report(&mut self, node: &Node, message: String) {
        self.diagnostics
            .push(Diagnostic::new("bad-id", node.span, message));
    }
}

fn is_anchor(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}
