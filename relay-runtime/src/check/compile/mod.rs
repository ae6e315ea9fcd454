//! A JSON Schema document into its table.

mod error;
mod keywords;
mod reference;
mod regex;

use std::collections::HashMap;

use super::checker::check;
use super::parse::parse;
use super::table::{Keyword, List, Schema, Table, Target, Text};
use super::value::Value;
use super::violation::Violations;
use super::words::push_token;

pub use error::{SchemaError, SchemaErrors};

/// The metaschemas that Relay speaks, without the empty fragment.
const DRAFT_2020_12: &str = "https://json-schema.org/draft/2020-12/schema";
const DRAFT_07: &str = "http://json-schema.org/draft-07/schema";

/// Deeper schemas are refused rather than risk the stack.
const MAX_DEPTH: usize = 128;

impl Table {
    /// Compiles a self-contained JSON Schema document of draft 2020-12, or draft-07 where its
    /// `$schema` says so.
    ///
    /// # Errors
    ///
    /// Every keyword that is malformed, leads nowhere, or that Relay can't check, each with the
    /// JSON Pointer to its place. A keyword is never dropped in silence.
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
        Self::compile_with(schema, &[]).map(|(table, _)| table)
    }

    /// [`Table::compile`], with further schemas of the document as targets of their own, whose
    /// indices it gives: see [`Table::check_at`].
    ///
    /// # Errors
    ///
    /// As [`Table::compile`].
    #[doc(hidden)]
    pub fn compile_with(
        schema: &str,
        pointers: &[String],
    ) -> Result<(Self, Vec<Option<u32>>), SchemaErrors> {
        let document =
            parse(schema).map_err(|error| SchemaErrors::unreadable(&error.to_string()))?;
        let mut compiler = Compiler::new(&document);
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

/// The state of one compilation: the targets found so far, and what is wrong.
struct Compiler<'d> {
    document: &'d Value<'d>,
    draft_07: bool,
    /// Every target in the order of its index, compiled in that order.
    waiting: Vec<(String, &'d Value<'d>)>,
    index: HashMap<String, u32>,
    anchors: HashMap<String, (String, &'d Value<'d>)>,
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
            waiting: Vec::new(),
            index: HashMap::new(),
            anchors: HashMap::new(),
            errors: Vec::new(),
            pointer: String::new(),
            depth: 0,
        };
        compiler.read_dialect();
        compiler.read_anchors();
        compiler
    }

    fn read_dialect(&mut self) {
        match self.document.get("$schema") {
            None => {}
            Some(Value::String(uri)) if is_dialect(uri, DRAFT_2020_12) => {}
            Some(Value::String(uri)) if is_dialect(uri, DRAFT_07) => self.draft_07 = true,
            Some(_) => self.error(
                "$schema",
                "names a dialect that Relay does not speak",
                "use draft 2020-12 or draft-07",
            ),
        }
    }

    /// The index of the target at a pointer that is known to lead to a schema.
    fn target(&mut self, pointer: &str) -> Option<u32> {
        let schema = reference::at(self.document, pointer)?;
        Some(self.target_of(pointer, schema))
    }

    fn target_of(&mut self, pointer: &str, schema: &'d Value<'d>) -> u32 {
        if let Some(index) = self.index.get(pointer) {
            return *index;
        }
        // A document has fewer schemas than bytes, and is no 4 GiB.
        let index = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        self.waiting.push((pointer.into(), schema));
        self.index.insert(pointer.into(), index);
        index
    }

    fn schema_at(&mut self, pointer: &str, schema: &'d Value<'d>) -> Schema {
        self.pointer = pointer.into();
        self.schema(schema)
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
            Value::Object(members) => self.keywords(schema, members),
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
            unsupported: false,
        });
    }

    fn unsupported(&mut self, keyword: &str, help: &str) {
        self.error(keyword, &format!("`{keyword}` can't be checked yet"), help);
        if let Some(error) = self.errors.last_mut() {
            error.unsupported = true;
        }
    }
}

fn is_dialect(uri: &str, dialect: &str) -> bool {
    let bare = |uri: &str| {
        uri.trim_end_matches('#')
            .trim_start_matches("https")
            .trim_start_matches("http")
            .to_owned()
    };
    bare(uri) == bare(dialect)
}
