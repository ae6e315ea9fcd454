//! A JSON Schema document into its table.

mod error;
mod keywords;
mod reference;
mod regex;
mod resources;
pub mod uri;
mod values;
pub mod vocabulary;

use std::collections::HashMap;

use super::checker::check;
use super::parse::parse;
use super::table::{Keyword, List, Schema, Table, Target, Text};
use super::value::Value;
use super::violation::Violations;
use super::words::push_token;
use resources::Resources;
use vocabulary::Dialect;

pub use error::{SchemaError, SchemaErrors};
pub use keywords::is_natural;

/// Deeper schemas are refused rather than risk the stack.
const MAX_DEPTH: usize = 128;

impl Table {
    /// Compiles a self-contained JSON Schema document of draft 2020-12, or draft-07 where its
    /// `$schema` says so.
    ///
    /// # Errors
    ///
    /// Every keyword that is malformed, leads nowhere, or that Relay can't check, each with the
    /// JSON Pointer to its place. A keyword of the dialect is never
    /// dropped in silence; what the dialect does not know is an annotation.
    ///
    /// ```
    /// use relay_runtime::check::Table;
    ///
    /// let table = Table::compile(r#"{"type": "integer", "minimum": 1}"#)?;
    /// assert!(table.check("5.0").is_ok());
    /// assert_eq!(table.check("0").unwrap_err().to_string(), "must be at least 1, but is 0");
    /// # Ok::<(), relay_runtime::check::SchemaErrors>(())
    /// ```
    pub fn compile(schema: &str) -> Result<Self, SchemaErrors> {
        Self::compile_with(schema, CompileOptions::default())
    }

    /// [`Table::compile`] with options.
    ///
    /// # Errors
    ///
    /// As [`Table::compile`]; with asserted formats also for a format that can't be checked.
    pub fn compile_with(schema: &str, options: CompileOptions) -> Result<Self, SchemaErrors> {
        Self::compile_targets(schema, &[], options).map(|(table, _)| table)
    }

    /// [`Table::compile`], with further schemas of the document as targets of their own, whose
    /// indices it gives: see [`Table::check_at`].
    ///
    /// # Errors
    ///
    /// As [`Table::compile`].
    #[doc(hidden)]
    pub fn compile_targets(
        schema: &str,
        pointers: &[String],
        options: CompileOptions,
    ) -> Result<(Self, Vec<Option<u32>>), SchemaErrors> {
        let document =
            parse(schema).map_err(|error| SchemaErrors::unreadable(&error.to_string()))?;
        let mut compiler = Compiler::new(&document);
        compiler.options = options;
        compiler.target("");
        let indices = pointers
            .iter()
            .map(|pointer| compiler.target(pointer))
            .collect();
        let mut targets = Vec::new();
        while let Some((pointer, schema)) = compiler.waiting.get(targets.len()).cloned() {
            let compiled = compiler.schema_at(&pointer, schema);
            targets.push(Target(Text::from(pointer.as_str()), compiled));
        }
        if compiler.errors.is_empty() {
            Ok((Self(targets.into()), indices))
        } else {
            Err(SchemaErrors::new(compiler.errors))
        }
    }

    /// Checks a JSON text against one of the targets.
    ///
    /// # Errors
    ///
    /// As [`Table::check`].
    #[doc(hidden)]
    pub fn check_at(&self, target: u32, json: &str) -> Result<(), Violations> {
        let value = parse(json).map_err(|error| Violations::unreadable(&error.to_string()))?;
        Violations::none_of(check(self, target, &value))
    }
}

/// How a schema is compiled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompileOptions {
    /// Whether `format` is checked; by itself it is an annotation (draft 2020-12, section 7 of the
    /// validation vocabulary).
    pub assert_formats: bool,
}

/// The state of one compilation: the targets found so far, and what is wrong.
struct Compiler<'d> {
    document: &'d Value<'d>,
    draft_07: bool,
    options: CompileOptions,
    /// Every target in the order of its index, compiled in that order.
    waiting: Vec<(String, &'d Value<'d>)>,
    index: HashMap<String, u32>,
    resources: Resources,
    errors: Vec<SchemaError>,
    /// JSON Pointer to the schema at hand.
    pointer: String,
    depth: usize,
}

impl<'d> Compiler<'d> {
    fn new(document: &'d Value<'d>) -> Self {
        let mut compiler = Self {
            document,
            draft_07: false,
            options: CompileOptions::default(),
            waiting: Vec::new(),
            index: HashMap::new(),
            resources: Resources::default(),
            errors: Vec::new(),
            pointer: String::new(),
            depth: 0,
        };
        let dialect = compiler.dialect();
        compiler.draft_07 = dialect == Dialect::Draft07;
        compiler.resources = Resources::read(document, dialect);
        compiler
    }

    fn dialect(&mut self) -> Dialect {
        let named = match self.document.get("$schema") {
            None => Some(Dialect::Draft2020_12),
            Some(Value::String(uri)) => Dialect::from_uri(uri),
            Some(_) => None,
        };
        named.unwrap_or_else(|| {
            self.error(
                "$schema",
                "names a dialect that Relay does not speak",
                "use draft 2020-12 or draft-07",
            );
            Dialect::Draft2020_12
        })
    }

    /// The index of the target at a pointer, if there is something.
    fn target(&mut self, pointer: &str) -> Option<u32> {
        if let Some(index) = self.index.get(pointer) {
            return Some(*index);
        }
        let schema = reference::at(self.document, pointer)?;
        let index = u32::try_from(self.waiting.len()).ok()?;
        self.waiting.push((pointer.into(), schema));
        self.index.insert(pointer.into(), index);
        Some(index)
    }

    fn schema_at(&mut self, pointer: &str, schema: &'d Value<'d>) -> Schema {
        self.pointer = pointer.into();
        // Whoever is sent here enters the resource, be it by its root or not.
        let scope = if self.is_resource(pointer) {
            None
        } else {
            self.scope(pointer)
        };
        let schema = self.schema(schema);
        match scope {
            Some(scope) => std::iter::once(scope)
                .chain(schema.iter().cloned())
                .collect::<Vec<_>>()
                .into(),
            None => schema,
        }
    }

    fn schema(&mut self, schema: &'d Value<'d>) -> Schema {
        if self.depth >= MAX_DEPTH {
            self.error(
                "",
                &format!("is nested deeper than {MAX_DEPTH} schemas"),
                "flatten it, or name its parts under $defs",
            );
            return List::S(&[]);
        }
        self.depth += 1;
        let keywords = match schema {
            Value::Bool(true) => Vec::new(),
            Value::Bool(false) => vec![Keyword::Never],
            Value::Object(members) => {
                let pointer = self.pointer.clone();
                let scope = if self.is_resource(&pointer) {
                    self.scope(&pointer)
                } else {
                    None
                };
                let keywords = self.keywords(schema, members);
                scope.into_iter().chain(keywords).collect()
            }
            _ => {
                self.error("", "is no schema", "write an object, true or false");
                Vec::new()
            }
        };
        self.depth -= 1;
        keywords.into()
    }

    /// Compiles a schema that stands below a keyword of the schema at hand.
    fn below(&mut self, path: &[&str], schema: &'d Value<'d>) -> Schema {
        let length = self.pointer.len();
        for token in path {
            push_token(&mut self.pointer, token);
        }
        let compiled = self.schema(schema);
        self.pointer.truncate(length);
        compiled
    }

    fn error(&mut self, keyword: &str, message: &str, help: &str) {
        let mut pointer = self.pointer.clone();
        if !keyword.is_empty() {
            push_token(&mut pointer, keyword);
        }
        self.errors.push(SchemaError {
            pointer,
            message: message.into(),
            help: help.into(),
        });
    }
}
