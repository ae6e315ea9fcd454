//! What a type is called, by where its schema stands.

use std::collections::HashMap;

use super::model::Module;
use super::names::{is_used, member_name, type_name};
use crate::contracts::{Contract, Contracts, Document, Target};
use crate::source::FileId;

/// The name that a type is to have, if it is free.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) module: Module,
    pub(super) name: String,
}

impl Place {
    /// The place of a part: a member, an item, a variant.
    pub(super) fn part(&self, part: &str) -> Self {
        Self {
            module: self.module.clone(),
            name: format!("{}{}", self.name, type_name(part)),
        }
    }
}

/// How the types of each file are called: by its tool, or by the document's own name.
#[derive(Debug)]
pub(super) struct Places {
    files: HashMap<FileId, Place>,
}

impl Places {
    pub(super) fn new(contracts: &Contracts) -> Self {
        let place = |module: &[String], name: String| Place {
            module: module_path(module),
            name,
        };
        let tools = contracts
            .tools()
            .iter()
            .map(|tool| (tool.file(), place(tool.module(), tool_type_name(tool))));
        let documents = contracts.documents().iter();
        let documents = documents.map(|document| {
            (
                document.file(),
                place(document.module(), document_type_name(document)),
            )
        });
        Self {
            files: tools.chain(documents).collect(),
        }
    }

    /// The place of a schema that a `$ref` leads to: `Greet` and `Address` for `#/$defs/address`.
    pub(super) fn of(&self, target: &Target<'_>) -> Option<Place> {
        let file = self.files.get(&target.file)?;
        let is_name = |token: &&str| !STRUCTURE.contains(token);
        let tokens = target
            .pointer
            .split('/')
            .skip(1)
            .filter(is_name)
            .map(|token| token.replace("~1", "/"));
        let path: String = tokens
            .map(|token| type_name(&token.replace("~0", "~")))
            .collect();
        Some(Place {
            module: file.module.clone(),
            name: format!("{}{path}", file.name),
        })
    }
}

/// The name from which all of a tool's names are made.
pub(crate) fn tool_type_name(tool: &Contract) -> String {
    let name = type_name(tool.extension().rust_name.as_deref().unwrap_or(tool.name()));
    // The alias of all traits is called `Tools`, and so is the typed client by its own name.
    if is_used(&name) {
        format!("{name}Tool")
    } else {
        name
    }
}

/// The name that the type of a document's root is to have.
pub(crate) fn document_type_name(document: &Document) -> String {
    let rust_name = document.extension().rust_name.as_deref();
    type_name(rust_name.unwrap_or(document.stem()))
}

/// The parts of a pointer that say nothing to a reader.
const STRUCTURE: &[&str] = &[
    "$defs",
    "definitions",
    "properties",
    "inputSchema",
    "outputSchema",
    "allOf",
    "anyOf",
    "oneOf",
];

/// The Rust modules of directories.
pub(crate) fn module_path(directories: &[String]) -> Module {
    const USED: &[&str] = &["definitions", "generated", "rt"];
    let name = |directory: &String| {
        let name = member_name(directory);
        if USED.contains(&&*name) {
            format!("{name}_")
        } else {
            name
        }
    };
    directories.iter().map(name).collect()
}
