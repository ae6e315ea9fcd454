//! A tool as `tools/list` publishes it: as written, but self-contained.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::contracts::{Contract, Contracts, Dialect, Target, subschemas};
use crate::diagnostics::Diagnostic;
use crate::json::{Json, MAX_DEPTH, Member, Node, encode_token, first_too_deep};
use crate::source::{FileId, Span};

/// A schema that needs no other file: what it refers to elsewhere has been copied to its `$defs`.
pub(crate) struct Published<'c> {
    pub(crate) json: String,
    root: &'c Node,
    /// The schemas that were copied, by their names in `$defs`.
    copied: Vec<(String, &'c Node)>,
    /// Why it can't be made self-contained.
    pub(crate) problems: Vec<Diagnostic>,
}

impl<'c> Published<'c> {
    /// Every schema in it that has a `default`, with its pointer, and the default.
    pub(crate) fn defaults(&self, contracts: &Contracts) -> Vec<(String, &'c Node)> {
        let copied = self
            .copied
            .iter()
            .map(|(name, node)| (format!("/$defs/{}", encode_token(name)), *node));
        let mut pending: Vec<_> = std::iter::once((String::new(), self.root))
            .chain(copied)
            .collect();
        let mut found = Vec::new();
        while let Some((pointer, schema)) = pending.pop() {
            let subschemas = subschemas(schema, contracts.dialect(schema.span)).into_iter();
            pending.extend(subschemas.map(|sub| (format!("{pointer}{}", sub.pointer), sub.node)));
            found.extend(schema.get("default").map(|default| (pointer, default)));
        }
        found
    }

    /// The node that a JSON Pointer into the published schema came from.
    pub(crate) fn origin(&self, pointer: &str) -> Option<&'c Node> {
        let copied = self.copied.iter().find_map(|(name, node)| {
            let rest = pointer
                .strip_prefix("/$defs/")?
                .strip_prefix(&*encode_token(name))?;
            (rest.is_empty() || rest.starts_with('/'))
                .then(|| node.pointer(rest))
                .flatten()
        });
        copied.or_else(|| self.root.pointer(pointer))
    }
}

/// The tool object, with its published schemas in the place of its own.
pub(crate) fn declaration(
    contract: &Contract,
    input: &Published<'_>,
    output: Option<&Published<'_>>,
) -> String {
    let mut members = Vec::new();
    if contract.root().get("name").is_none() {
        members.push(member("name", &quoted(contract.name())));
    }
    for Member { key, value, .. } in contract.published_members() {
        members.push(match (&**key, output) {
            ("inputSchema", _) => member(key, &input.json),
            ("outputSchema", Some(output)) => member(key, &output.json),
            _ => member(key, &value.to_string()),
        });
    }
    object(&members)
}

/// Makes a schema of a contract self-contained.
pub(crate) fn schema<'c>(contracts: &'c Contracts, root: &'c Node) -> Published<'c> {
    let mut publisher = Publisher {
        contracts,
        root,
        names: HashMap::new(),
        copied: Vec::new(),
        refs: HashMap::new(),
        schemas: HashSet::new(),
        problems: Vec::new(),
    };
    publisher.gather();
    let json = publisher.write();
    // What is copied to `$defs` stands deeper there than in its own file; around it is the tool.
    if first_too_deep(&json, MAX_DEPTH - 1).is_some() {
        let message = format!(
            "as it is published, this nests more than {MAX_DEPTH} levels, with what it takes from other files"
        );
        let problem = Diagnostic::new("too-deep", root.span, message);
        publisher.problems.push(problem);
    }
    Published {
        json,
        root,
        copied: publisher.copied,
        problems: publisher.problems,
    }
}

struct Publisher<'c> {
    contracts: &'c Contracts,
    root: &'c Node,
    names: HashMap<(FileId, String), String>,
    copied: Vec<(String, &'c Node)>,
    /// The refs, and what they say once something has been copied.
    refs: HashMap<Span, String>,
    /// All that is a schema, rather than data that looks like one.
    schemas: HashSet<Span>,
    problems: Vec<Diagnostic>,
}

impl<'c> Publisher<'c> {
    /// Follows every ref that leaves the schema, and those in what it leads to.
    fn gather(&mut self) {
        let mut pending = VecDeque::from([self.root]);
        let dialect = self.contracts.dialect(self.root.span);
        while let Some(schema) = pending.pop_front() {
            self.schemas.insert(schema.span);
            self.judge(schema, dialect);
            if let Some(reference) = schema.get("$ref")
                && let Ok(target) = self.contracts.resolve(reference)
            {
                self.refer(reference, target, &mut pending);
            }
            let dialect = self.contracts.dialect(schema.span);
            pending.extend(subschemas(schema, dialect).into_iter().map(|sub| sub.node));
        }
    }

    /// What can't be moved into another document.
    fn judge(&mut self, schema: &Node, dialect: Dialect) {
        let own = self.contracts.dialect(schema.span);
        if own != dialect {
            let message = format!(
                "this is a schema of {}, used by one of {}",
                own.name(),
                dialect.name()
            );
            self.problems
                .push(Diagnostic::new("mixed-dialects", schema.span, message));
        }
        let is_copied = !self.root.span.contains(&schema.span);
        if let Some(reference) = schema.get("$dynamicRef").filter(|_| is_copied) {
            let message = "a `$dynamicRef` in a shared schema, which is copied to where it is used";
            self.problems.push(Diagnostic::new(
                "unsupported-keyword",
                reference.span,
                message,
            ));
        }
    }

    fn refer(&mut self, reference: &Node, target: Target<'c>, pending: &mut VecDeque<&'c Node>) {
        if self.root.span.contains(&target.node.span) {
            return self.refer_within(reference, &target);
        }
        let key = (target.file, target.pointer.clone());
        let name = match self.names.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = self.new_name(&target);
                self.names.insert(key, name.clone());
                self.copied.push((name.clone(), target.node));
                pending.push_back(target.node);
                name
            }
        };
        self.refs.insert(
            reference.span,
            format!("#/$defs/{}", encode_fragment(&encode_token(&name))),
        );
    }

    /// A ref into this schema, be it from a copy: only its place is left to name.
    fn refer_within(&mut self, reference: &Node, target: &Target<'c>) {
        let roots = ["/inputSchema", "/outputSchema"];
        let inside = roots
            .iter()
            .find_map(|root| target.pointer.strip_prefix(root))
            .unwrap_or(&target.pointer);
        self.refs
            .insert(reference.span, format!("#{}", encode_fragment(inside)));
    }

    /// A name in `$defs` that says what it is: the last part of the pointer, or the file's stem.
    fn new_name(&self, target: &Target<'_>) -> String {
        let token = target.pointer.rsplit('/').next().unwrap_or_default();
        let wanted = if token.is_empty() {
            self.contracts.stem(target.file)
        } else {
            token
        };
        let own = self
            .root
            .get("$defs")
            .and_then(Node::as_object)
            .unwrap_or_default();
        let is_free = |name: &str| {
            own.iter().all(|def| def.key != name)
                && self.copied.iter().all(|(taken, _)| taken != name)
        };
        let numbered = (2..).map(|number: u32| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        // The numbers outlast any set of names.
        names.find(|name| is_free(name)).unwrap_or_default()
    }

    /// The schema as written, unless something had to be copied: then every ref names a place, and
    /// nothing else does.
    fn write(&self) -> String {
        if self.copied.is_empty() {
            return as_written(self.root);
        }
        let mut defs: Vec<String> = self
            .copied
            .iter()
            .map(|(name, node)| member(name, &self.text(node)))
            .collect();
        let mut members = Vec::new();
        for own in self.members(self.root) {
            match own.value.as_object() {
                Some(own_defs) if own.key == "$defs" => {
                    defs.splice(
                        0..0,
                        own_defs
                            .iter()
                            .map(|def| member(&def.key, &self.text(&def.value))),
                    );
                }
                _ => members.push(member(&own.key, &self.text(&own.value))),
            }
        }
        if let Some(dialect) = self.root.get("$schema") {
            members.insert(0, member("$schema", &dialect.to_string()));
        }
        members.push(member("$defs", &object(&defs)));
        object(&members)
    }

    /// The members of a schema but for those that give it a name, and Relay's own.
    fn members<'n>(&self, node: &'n Node) -> impl Iterator<Item = &'n Member> {
        const NAMES: &[&str] = &["$schema", "$id", "$anchor", "$dynamicAnchor", PRIVATE];
        let is_schema = self.schemas.contains(&node.span);
        let members = node.as_object().unwrap_or_default().iter();
        members.filter(move |own| !is_schema || !NAMES.contains(&&*own.key))
    }

    fn text(&self, node: &Node) -> String {
        match &node.value {
            Json::Object(_) => {
                let members = self
                    .members(node)
                    .map(|own| member(&own.key, &self.text(&own.value)));
                object(&members.collect::<Vec<_>>())
            }
            Json::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.text(item)).collect();
                format!("[{}]", items.join(","))
            }
            _ => self
                .refs
                .get(&node.span)
                .map_or_else(|| node.to_string(), |reference| quoted(reference)),
        }
    }
}

/// What a document says to Relay alone. It stands at a root, nowhere else.
const PRIVATE: &str = "x-relay";

/// A schema as it is published where nothing of another file comes into it.
pub(crate) fn as_written(root: &Node) -> String {
    if root.get(PRIVATE).is_none() {
        return root.to_string();
    }
    let members = root.as_object().unwrap_or_default().iter();
    let members = members.filter(|own| own.key != PRIVATE);
    let members: Vec<_> = members
        .map(|own| member(&own.key, &own.value.to_string()))
        .collect();
    object(&members)
}

/// A JSON Pointer as the fragment of a URI (RFC 3986), as far as other readers need it.
fn encode_fragment(pointer: &str) -> String {
    let mut encoded = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte);
        if is_plain {
            encoded.push(char::from(byte))
        } else {
            encoded.push_str(&format!("%{byte:02X}"))
        }
    }
    encoded
}

fn object(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

fn member(key: &str, json: &str) -> String {
    format!("{}:{json}", quoted(key))
}

fn quoted(text: &str) -> String {
    // A string always serialises.
    serde_json::to_string(text).unwrap_or_default()
}
