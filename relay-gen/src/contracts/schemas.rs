//! What stands in the schemas: the dialect, the keywords, the shape of what holds subschemas.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::extension;
use super::file::File;
use super::header::Headers;
use super::resources::Resources;
use super::vocabulary::{Dialect, Holds, Keyword, keyword, keywords};
use super::walk::{effective, subschemas};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{Json, Member, Node};
use relay_runtime::suggest::nearest;

/// Checks every schema of every file.
pub(crate) fn check(
    files: &[Option<Arc<File>>],
    resources: &Resources,
    diagnostics: &mut Diagnostics,
) {
    for file in files.iter().flatten() {
        let mut checker = Checker {
            resources,
            diagnostics,
            unknown: BTreeSet::new(),
            is_input: false,
            is_document: !file.is_tool,
        };
        for root in file.schema_roots() {
            let is_input = root.pointer == "/inputSchema";
            checker.is_input = is_input;
            checker.schema(root.node, true);
            Headers::new(resources, is_input, checker.diagnostics).check(root.node);
        }
    }
}

struct Checker<'a> {
    resources: &'a Resources,
    diagnostics: &'a mut Diagnostics,
    /// The unknown keywords that were reported for this file.
    unknown: BTreeSet<String>,
    is_input: bool,
    /// The file's root is a schema.
    is_document: bool,
}

impl Checker<'_> {
    fn schema(&mut self, schema: &Node, is_root: bool) {
        let dialect = self.dialect(schema);
        match &schema.value {
            Json::Object(_) => {}
            Json::Bool(_) => return,
            _ => {
                let message = format!("a schema is expected here, but this is {}", schema.kind());
                self.report(Diagnostic::new("not-a-schema", schema.span, message));
                return;
            }
        }
        self.ignored(schema, dialect);
        self.empty_enum(schema);
        self.undeclared(schema);
        for member in effective(schema, dialect) {
            match keyword(&member.key, dialect) {
                Some(keyword) => self.shape(member, keyword),
                None if member.key == "x-relay" => {
                    if !(is_root && self.is_document) {
                        self.report(extension::misplaced(member));
                    }
                }
                None => self.unknown(member, dialect),
            }
            if member.key == "$schema" {
                self.declaration(schema, &member.value, dialect, is_root);
            }
        }
        for child in subschemas(schema, dialect) {
            if child.keyword.name == "items" && child.node.as_array().is_some() {
                self.report(tuple(child.node));
            } else {
                self.schema(child.node, false);
            }
        }
    }

    /// JSON Schema lets an `enum` list nothing; an argument that no client can give is a mistake.
    fn empty_enum(&mut self, schema: &Node) {
        let Some(values) = schema.get("enum") else {
            return;
        };
        if values.as_array().is_some_and(<[Node]>::is_empty) {
            let rule = if self.is_input {
                "empty-enum"
            } else {
                "empty-output-enum"
            };
            let message = "this `enum` lists no values, so no value is allowed here";
            self.report(Diagnostic::new(rule, values.span, message));
        }
    }

    /// Members that are required beside `properties` that do not have them. Where other schemas apply
    /// to the same value, those may.
    fn undeclared(&mut self, schema: &Node) {
        const OTHERS: [&str; 6] = [
            "$ref",
            "allOf",
            "anyOf",
            "oneOf",
            "patternProperties",
            "$dynamicRef",
        ];
        let Some(properties) = schema.get("properties").and_then(Node::as_object) else {
            return;
        };
        if OTHERS.iter().any(|key| schema.get(key).is_some()) || schema.get("type").is_none() {
            return;
        }
        let required = schema
            .get("required")
            .and_then(Node::as_array)
            .unwrap_or_default();
        for (name, node) in required
            .iter()
            .filter_map(|node| Some((node.as_str()?, node)))
        {
            if properties.iter().any(|property| property.key == name) {
                continue;
            }
            let mut message =
                format!("`required` names {name:?}, which `properties` does not have");
            if let Some(near) = nearest(name, properties.iter().map(|property| &*property.key)) {
                message += &format!("; did you mean {near:?}?");
            }
            self.report(Diagnostic::new("undeclared-required", node.span, message));
        }
    }

    fn dialect(&self, schema: &Node) -> Dialect {
        let resource = self.resources.at(schema.span);
        resource.map_or(Dialect::Draft2020_12, |resource| resource.dialect)
    }

    fn declaration(&mut self, schema: &Node, value: &Node, dialect: Dialect, is_root: bool) {
        let declared = value.as_str().and_then(Dialect::from_uri);
        let message = match declared {
            Some(declared) if declared == dialect => return,
            Some(_) if is_root || schema.get("$id").is_some() => return,
            Some(declared) => format!(
                "this schema is part of one in {}, and cannot change to {}",
                dialect.name(),
                declared.name()
            ),
            None => format!("Relay does not speak the dialect {value}"),
        };
        let mut diagnostic = Diagnostic::new("unknown-dialect", value.span, message);
        if declared.is_some() {
            diagnostic =
                diagnostic.help("remove this `$schema`, or give the schema an `$id` of its own");
        }
        self.report(diagnostic);
    }

    /// In draft-07 a `$ref` stands alone. Texts for people beside it do no harm.
    fn ignored(&mut self, schema: &Node, dialect: Dialect) {
        const HARMLESS: &[&str] = &[
            "title",
            "description",
            "$comment",
            "default",
            "examples",
            "$schema",
        ];
        let heeded: Vec<&str> = effective(schema, dialect)
            .map(|member| &*member.key)
            .collect();
        for member in schema.as_object().unwrap_or_default() {
            let key = &*member.key;
            let counts = keyword(key, dialect).is_some() && !HARMLESS.contains(&key);
            if counts && !heeded.contains(&key) {
                let message = format!("draft-07 ignores `{key}`, since it stands beside a `$ref`");
                let diagnostic = Diagnostic::new("ignored-by-ref", member.key_span, message);
                self.report(diagnostic);
            }
        }
    }

    /// Whether a keyword's value can hold subschemas as it should; the subschemas come later.
    fn shape(&mut self, member: &Member, keyword: &Keyword) {
        let (wrong, expected) = match (keyword.holds, &member.value.value) {
            (Holds::List, Json::Array(schemas)) => (schemas.is_empty(), "at least one schema"),
            (Holds::List, _) => (true, "an array of schemas"),
            (Holds::Map | Holds::MapOrNames, value) => {
                (!matches!(value, Json::Object(_)), "an object of schemas")
            }
            _ => (false, ""),
        };
        if !wrong {
            return;
        }
        let message = format!("`{}` must hold {expected}", member.key);
        let diagnostic = Diagnostic::new("not-a-schema", member.value.span, message);
        self.report(diagnostic.help(format!("write {expected} here")));
    }

    fn unknown(&mut self, member: &Member, dialect: Dialect) {
        let key = &*member.key;
        if key.starts_with("x-") || !self.unknown.insert(key.to_owned()) {
            return;
        }
        let message = format!("{} knows no keyword {key:?}", dialect.name());
        let diagnostic = Diagnostic::new("unknown-keyword", member.key_span, message);
        let names = keywords(dialect).map(|keyword| keyword.name);
        let diagnostic = match (instead(key, dialect), nearest(key, names)) {
            (Some(instead), _) => diagnostic.help(instead),
            (None, Some(near)) => diagnostic.help(format!("did you mean `{near}`?")),
            (None, None) => diagnostic,
        };
        self.report(diagnostic);
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// An array in `items`, which earlier drafts had.
fn tuple(items: &Node) -> Diagnostic {
    let message = "`items` holds one schema in draft 2020-12, but this is an array";
    Diagnostic::new("not-a-schema", items.span, message)
        .help("write `prefixItems` for schemas of the first, second, .. item")
}

/// What to write instead of a keyword of another dialect.
fn instead(key: &str, dialect: Dialect) -> Option<&'static str> {
    let later = dialect == Dialect::Draft07;
    Some(match key {
        "additionalItems" => "in draft 2020-12 `items` has this meaning, beside `prefixItems`",
        "dependencies" => "in draft 2020-12 this is `dependentRequired` or `dependentSchemas`",
        "$recursiveRef" | "$recursiveAnchor" => {
            "in draft 2020-12 this is `$dynamicRef` and `$dynamicAnchor`"
        }
        "id" => "write `$id`",
        "enumNames" => "write `oneOf`, with a `const` and a `title` for each value",
        "nullable" => "add \"null\" to the `type`, as in `[\"string\", \"null\"]`",
        "prefixItems" if later => "in draft-07 an array in `items` has this meaning",
        "dependentRequired" | "dependentSchemas" if later => "in draft-07 this is `dependencies`",
        "$anchor" if later => "in draft-07 write `\"$id\": \"#name\"`",
        _ if later && keyword(key, Dialect::Draft2020_12).is_some() => {
            "use draft 2020-12, which has it: remove the `$schema`"
        }
        _ => return None,
    })
}
