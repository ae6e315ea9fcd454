//! Tool contracts: reading a directory of them, and all that can be wrong with one.
//!
//! [`Contracts::read`] is the only function here that reads files. What it returns is sound: every
//! tool has a schema for its input, every `$ref` leads to a schema, every member has its type.

mod defaults;
pub(crate) mod directory;
mod extension;
mod file;
mod forms;
mod header;
mod members;
mod meta_keys;
mod metaschemas;
mod names;
mod presentation;
mod refs;
mod resolve;
mod resources;
mod schemas;
mod secrets;
mod syntax;
mod tool;
mod uri;
mod walk;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Diagnostics, Place, Report};
use crate::json::Node;
use crate::source::{FileId, Source, Sources, Span};

pub use extension::Extension;
pub use relay_runtime::check::vocabulary::{self, Dialect};
pub use resolve::{RefError, Target};
pub use resources::Resource;
pub use tool::{Contract, Document};
pub use walk::{Subschema, subschemas};

use directory::Found;
use file::File;
use resources::Resources;

/// The tools and shared schema documents of one or more directories.
#[derive(Debug)]
pub struct Contracts {
    sources: Arc<Sources>,
    files: Vec<Option<Arc<File>>>,
    tools: Vec<Contract>,
    documents: Vec<Document>,
    resources: Resources,
    paths: Vec<PathBuf>,
    warnings: Report,
}

impl Contracts {
    /// Reads every `*.json` under the directories, in the order of their paths. Files and directories
    /// whose name starts with a dot are left out.
    ///
    /// # Errors
    /// With everything that is wrong in all files.
    pub fn read<P: AsRef<Path>>(roots: &[P]) -> Result<Self, Report> {
        let mut diagnostics = Diagnostics::default();
        let found = directory::read(roots, &mut diagnostics);
        Self::assemble(found, diagnostics)
    }

    /// The same for texts that are at hand: pairs of a path, with `/` between its parts, and a text.
    ///
    /// # Errors
    /// With everything that is wrong in all texts.
    pub fn from_texts<P: AsRef<str>, T: AsRef<str>>(
        texts: impl IntoIterator<Item = (P, T)>,
    ) -> Result<Self, Report> {
        let mut found = directory::Listing::default();
        for (path, text) in texts {
            found.add_text(path.as_ref(), text.as_ref());
        }
        Self::assemble(found, Diagnostics::default())
    }

    /// What was found, with what was wrong in finding it.
    pub(crate) fn assemble(
        found: directory::Listing,
        mut diagnostics: Diagnostics,
    ) -> Result<Self, Report> {
        let mut sources = Sources::default();
        let mut resources = Resources::default();
        let paths = found.paths;
        for path in &found.unread {
            resources.add_unread(path);
        }
        let mut files = parse(found.files, &mut sources, &mut resources, &mut diagnostics);
        let tools = tools(&files, &mut diagnostics);
        let documents = documents(&files, &mut diagnostics);
        // A module of forms alone serves tools that are made by hand.
        let is_empty = tools.is_empty() && !documents.iter().any(|it| it.extension().form);
        if is_empty && !diagnostics.has_errors() {
            diagnostics.push(no_contracts(&found.roots, &files));
        }
        names::check(&tools, &mut diagnostics);
        let known = metaschemas::named_by(files.iter().flatten().map(|file| &**file));
        files.extend(parse(
            known.files,
            &mut sources,
            &mut resources,
            &mut diagnostics,
        ));
        for file in files.iter().flatten() {
            resources.add(file, &mut diagnostics);
        }
        schemas::check(&files, &resources, &mut diagnostics);
        refs::check(&files, &resources, &mut diagnostics);
        forms::check(&documents, &mut diagnostics);
        keep_unless_allowed(&tools, &documents, &mut diagnostics);
        let sources = Arc::new(sources);
        if diagnostics.has_errors() {
            return Err(diagnostics.into_report(sources));
        }
        let mut contracts = Self {
            sources,
            files,
            tools,
            documents,
            resources,
            paths,
            warnings: Report::default(),
        };
        defaults::check(&contracts, &mut diagnostics);
        keep_unless_allowed(&contracts.tools, &contracts.documents, &mut diagnostics);
        contracts.warnings = diagnostics.into_report(Arc::clone(&contracts.sources));
        Ok(contracts)
    }

    /// The tools, in the order of their paths.
    #[must_use]
    pub fn tools(&self) -> &[Contract] {
        &self.tools
    }

    /// The shared schema documents, in the order of their paths.
    #[must_use]
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// What is not wrong, but worth knowing.
    #[must_use]
    pub fn warnings(&self) -> &Report {
        &self.warnings
    }

    /// The texts of all files.
    #[must_use]
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Every directory and file that was read, for a build script to watch.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The value of a whole file.
    #[must_use]
    pub fn root(&self, file: FileId) -> Option<&Node> {
        let file = self.files.get(file.0 as usize)?.as_ref()?;
        Some(&file.root)
    }

    /// A file's name without `.json`.
    pub(crate) fn stem(&self, file: FileId) -> &str {
        let file = self.files.get(file.0 as usize).and_then(Option::as_ref);
        file.map_or("", |file| &file.stem)
    }

    /// The innermost schema resource round a place in a schema.
    #[must_use]
    pub fn resource(&self, place: Span) -> Option<&Resource> {
        self.resources.at(place)
    }

    /// The dialect that holds at a place.
    #[must_use]
    pub fn dialect(&self, place: Span) -> Dialect {
        self.resource(place)
            .map_or(Dialect::Draft2020_12, |resource| resource.dialect)
    }
}

/// The values of the files; a file that cannot be read is reported, and known to exist.
fn parse(
    found: Vec<Found>,
    sources: &mut Sources,
    resources: &mut Resources,
    diagnostics: &mut Diagnostics,
) -> Vec<Option<Arc<File>>> {
    let mut files = Vec::new();
    for found in found {
        let id = sources.add(Source::new(found.path, found.text));
        let root = match found.invalid_at {
            None => syntax::root(id, sources, diagnostics),
            Some(at) => {
                diagnostics.push(syntax::not_utf8(sources.get(id), id, at));
                None
            }
        };
        if root.is_none() {
            resources.add_unread(&found.uri);
        }
        files.push(root.map(|root| {
            Arc::new(File {
                id,
                is_tool: file::is_tool(&root),
                root,
                module: found.module,
                stem: found.stem,
                uri: found.uri,
            })
        }));
    }
    files
}

fn tools(files: &[Option<Arc<File>>], diagnostics: &mut Diagnostics) -> Vec<Contract> {
    files
        .iter()
        .flatten()
        .filter(|file| file.is_tool)
        .map(|file| Contract::new(file, diagnostics))
        .collect()
}

fn documents(files: &[Option<Arc<File>>], diagnostics: &mut Diagnostics) -> Vec<Document> {
    let documents = files.iter().flatten().filter(|file| !file.is_tool);
    documents
        .map(|file| Document::new(file, diagnostics))
        .collect()
}

fn no_contracts(roots: &[String], files: &[Option<Arc<File>>]) -> Diagnostic {
    let message = match files.len() {
        0 => "there is no `.json` file here".to_owned(),
        1 => "the one `.json` file here has no `inputSchema`".to_owned(),
        many => format!("none of the {many} `.json` files here has an `inputSchema`"),
    };
    Diagnostic::at("no-contracts", Place::Path(roots.join(", ")), message)
}

/// Leaves out what a tool or a document allows for its own file.
fn keep_unless_allowed(tools: &[Contract], documents: &[Document], diagnostics: &mut Diagnostics) {
    let tools = tools.iter().map(|tool| (tool.file(), tool.extension()));
    let documents = documents.iter().map(|it| (it.file(), it.extension()));
    let extensions: HashMap<_, _> = tools.chain(documents).collect();
    diagnostics.retain(|diagnostic| {
        let extension = diagnostic.file().and_then(|file| extensions.get(&file));
        let allowed = extension.is_some_and(|it| it.allows(diagnostic.rule.id));
        !(diagnostic.rule.allowable && allowed)
    });
}
