//! A tool, and a schema document that tools share.

use std::sync::Arc;

use relay_runtime::check::CompileOptions;

use super::extension::{Extension, Owner};
use super::file::File;
use super::{members, names};
use crate::diagnostics::Diagnostics;
use crate::json::{Member, Node};
use crate::source::{FileId, Span};

/// A tool as its contract describes it.
#[derive(Debug, Clone)]
pub struct Contract {
    file: Arc<File>,
    name: String,
    name_span: Span,
    extension: Extension,
}

impl Contract {
    /// Checks a tool's members. What is wrong is reported, and nobody sees the contract then.
    pub(super) fn new(file: &Arc<File>, diagnostics: &mut Diagnostics) -> Self {
        members::check(&file.root, diagnostics);
        let (name, name_span) = names::of(file, diagnostics);
        Self {
            extension: Extension::read(Owner::Tool, file.root.get("x-relay"), diagnostics),
            file: Arc::clone(file),
            name,
            name_span,
        }
    }

    /// The name under which clients call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the name stands; the start of the file if it is the file's name.
    #[must_use]
    pub fn name_span(&self) -> Span {
        self.name_span
    }

    /// The file that it is in.
    #[must_use]
    pub fn file(&self) -> FileId {
        self.file.id
    }

    /// The directories between the root directory and the file.
    #[must_use]
    pub fn module(&self) -> &[String] {
        &self.file.module
    }

    /// The file's name without `.json`.
    #[must_use]
    pub fn stem(&self) -> &str {
        &self.file.stem
    }

    /// The whole contract.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.file.root
    }

    /// The schema of its arguments, an object with `"type": "object"`.
    #[must_use]
    pub fn input_schema(&self) -> &Node {
        // A contract without one is refused, so the fallback is never seen.
        let root = self.root();
        root.get("inputSchema").unwrap_or(root)
    }

    /// The schema of its structured result, an object.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Node> {
        self.root().get("outputSchema")
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.root().get("title")?.as_str()
    }

    /// Its description.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.root().get("description")?.as_str()
    }

    /// What Relay is asked to do beyond MCP: the member `x-relay`.
    #[must_use]
    pub fn extension(&self) -> &Extension {
        &self.extension
    }

    /// How its schemas become tables.
    pub(crate) fn compile_options(&self) -> CompileOptions {
        let mut options = CompileOptions::default();
        options.assert_formats = self.extension.assert_formats;
        options
    }

    /// The members that clients see, in the order written. A name that the file gives is not among them.
    pub fn published_members(&self) -> impl Iterator<Item = &Member> {
        let members = self.root().as_object().unwrap_or_default();
        members
            .iter()
            .filter(|member| members::is_published(&member.key))
    }
}

/// A schema that tools refer to.
#[derive(Debug, Clone)]
pub struct Document {
    file: Arc<File>,
    extension: Extension,
}

impl Document {
    /// Checks what a document asks of Relay; the schema itself is looked at later.
    pub(super) fn new(file: &Arc<File>, diagnostics: &mut Diagnostics) -> Self {
        Self {
            file: Arc::clone(file),
            extension: Extension::read(Owner::Document, file.root.get("x-relay"), diagnostics),
        }
    }

    /// The file that it is in.
    #[must_use]
    pub fn file(&self) -> FileId {
        self.file.id
    }

    /// The directories between the root directory and the file.
    #[must_use]
    pub fn module(&self) -> &[String] {
        &self.file.module
    }

    /// The file's name without `.json`.
    #[must_use]
    pub fn stem(&self) -> &str {
        &self.file.stem
    }

    /// The schema.
    #[must_use]
    pub fn root(&self) -> &Node {
        &self.file.root
    }
    /// What Relay is asked to do with it: the member `x-relay`.
    #[must_use]
    pub fn extension(&self) -> &Extension {
        &self.extension
    }

    /// Where it says that it is a form, if it does.
    pub(super) fn form_span(&self) -> Option<Span> {
        let form = self.root().get("x-relay")?.member("form")?;
        self.extension.form.then_some(form.key_span)
    }
}
