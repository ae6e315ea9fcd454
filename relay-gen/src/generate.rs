//! From contracts to the text of the generated module, without a look at the file system.

use std::collections::{BTreeMap, HashMap};

use relay_runtime::check::{CompileOptions, Table};

use crate::contracts::{Contract, Contracts};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Report};
use crate::json::Node;
use crate::publish::{self, Published};
use crate::source::Span;
use crate::types::{ItemId, Module, Types, document_type_name, module_path, tool_type_name};
use crate::{emit, json};

/// The generated files: their bytes by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

/// How the module is generated.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The name of the generated file; `tools.rs` by default.
    pub file_name: String,
    /// The path under which the generated code finds the runtime; `::relay_runtime` by default.
    pub runtime_path: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            file_name: "tools.rs".into(),
            runtime_path: "::relay_runtime".into(),
        }
    }
}

/// One tool, ready to be written.
pub(crate) struct Tool<'c> {
    pub(crate) contract: &'c Contract,
    pub(crate) module: Module,
    /// The name of its trait, from which all its names are made.
    pub(crate) rust_name: String,
    pub(crate) input: ItemId,
    pub(crate) output: Option<ItemId>,
    pub(crate) declaration: String,
    pub(crate) input_table: Table,
    pub(crate) output_table: Option<Table>,
}

/// A form for the client's user, ready to be written.
pub(crate) struct Form {
    pub(crate) item: ItemId,
    /// The schema that is published.
    pub(crate) schema: String,
}

/// Generates the module for all contracts: the same contracts give the same bytes.
///
/// # Errors
/// With every place where a contract can't be typed exactly, or can't be checked.
pub fn generate(contracts: &Contracts, options: &Options) -> Result<Files, Report> {
    let mut diagnostics = Diagnostics::default();
    let mut types = Types::new(contracts);
    let names = tool_names(contracts, &mut types, &mut diagnostics);
    let forms = forms(contracts, &mut types, &mut diagnostics);
    let mut tools = Vec::new();
    for (contract, rust_name) in contracts.tools().iter().zip(names) {
        tools.extend(tool(
            contracts,
            contract,
            rust_name,
            &mut types,
            &mut diagnostics,
        ));
    }
    if diagnostics.has_errors() {
        return Err(diagnostics.into_report(contracts.sources().clone()));
    }
    let Ok(runtime) = syn::parse_str::<syn::Path>(&options.runtime_path) else {
        return Err(bad_runtime_path(contracts, options));
    };
    let text = emit::file(&tools, &forms, &types.into_items(), &runtime);
    Ok(Files::from([(
        options.file_name.clone(),
        text.into_bytes(),
    )]))
}

/// One of the two schemas of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The `inputSchema`, of the arguments.
    Input,
    /// The `outputSchema`, of the structured result.
    Output,
}

/// The table that checks the values of one side of a tool; `None` if the tool has no such schema.
///
/// # Errors
///
/// With every place of the schema that can't be checked.
pub fn table_of(
    contracts: &Contracts,
    contract: &Contract,
    side: Side,
) -> Result<Option<Table>, Report> {
    let schema = match side {
        Side::Input => Some(contract.input_schema()),
        Side::Output => contract.output_schema(),
    };
    let Some(schema) = schema else {
        return Ok(None);
    };
    let mut diagnostics = Diagnostics::default();
    match table(
        &publish::schema(contracts, schema),
        contract.compile_options(),
        schema,
        &mut diagnostics,
    ) {
        Some(table) => Ok(Some(table)),
        None => Err(diagnostics.into_report(contracts.sources().clone())),
    }
}

/// The Rust name of each tool; its trait, its input and its output take theirs before any other type.
fn tool_names(
    contracts: &Contracts,
    types: &mut Types<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let mut first: HashMap<(Module, String), Span> = HashMap::new();
    let mut names = Vec::new();
    for contract in contracts.tools() {
        let module = module_path(contract.module());
        let name = tool_type_name(contract);
        let own = [
            name.clone(),
            format!("{name}Input"),
            format!("{name}Output"),
        ];
        for own in &own {
            if types.take_name(&module, own) {
                first.insert((module.clone(), own.clone()), contract.name_span());
                continue;
            }
            let message = format!(
                "the tool `{}` needs the Rust name `{own}`, which is taken",
                contract.name()
            );
            let collision = Diagnostic::new("name-collision", contract.name_span(), message);
            diagnostics.push(match first.get(&(module.clone(), own.clone())) {
                Some(other) => collision.related(*other, "by this tool"),
                None => collision,
            });
            break;
        }
        names.push(name);
    }
    names
}

/// The forms, whose names users write: they come before those of other types, and are never
/// numbered.
fn forms<'c>(
    contracts: &'c Contracts,
    types: &mut Types<'c>,
    diagnostics: &mut Diagnostics,
) -> Vec<Form> {
    let documents = contracts.documents().iter();
    let mut forms = Vec::new();
    for document in documents.filter(|it| it.extension().form) {
        let module = module_path(document.module());
        let name = document_type_name(document);
        if !types.take_name(&module, &name) {
            let message = format!("the form needs the Rust name `{name}`, which is taken");
            let place = Span::file_start(document.file());
            diagnostics.push(Diagnostic::new("name-collision", place, message));
            continue;
        }
        let schema = publish::schema(contracts, document.root());
        // The runtime checks what comes back; that the keywords are sound is known by the table.
        let options = CompileOptions::default();
        if table(&schema, options, document.root(), diagnostics).is_none() {
            continue;
        }
        let description = document.root().get("description").and_then(Node::as_str);
        let doc = description.unwrap_or_default();
        forms.push(Form {
            item: types.root(document.root(), &module, &name, doc),
            schema: schema.json,
        });
    }
    forms
}

fn tool<'c>(
    contracts: &'c Contracts,
    contract: &'c Contract,
    rust_name: String,
    types: &mut Types<'c>,
    diagnostics: &mut Diagnostics,
) -> Option<Tool<'c>> {
    let module = module_path(contract.module());
    let input_schema = publish::schema(contracts, contract.input_schema());
    let output_schema = contract
        .output_schema()
        .map(|schema| publish::schema(contracts, schema));
    let input_table = table(
        &input_schema,
        contract.compile_options(),
        contract.input_schema(),
        diagnostics,
    );
    let output_table = match (&output_schema, contract.output_schema()) {
        (Some(published), Some(schema)) => {
            let options = contract.compile_options();
            Some(table(published, options, schema, diagnostics)?)
        }
        _ => None,
    };
    let name = contract.name();
    let doc = format!("The arguments of `{name}`.");
    let input = types.root(
        contract.input_schema(),
        &module,
        &format!("{rust_name}Input"),
        &doc,
    );
    let doc = format!("The structured result of `{name}`.");
    let output = contract.output_schema();
    let output =
        output.map(|schema| types.root(schema, &module, &format!("{rust_name}Output"), &doc));
    Some(Tool {
        contract,
        declaration: publish::declaration(contract, &input_schema, output_schema.as_ref()),
        module,
        rust_name,
        input,
        output,
        input_table: input_table?,
        output_table,
    })
}

/// The table of a published schema; what has none is reported where it stands in the contract.
fn table(
    published: &Published<'_>,
    options: CompileOptions,
    schema: &Node,
    diagnostics: &mut Diagnostics,
) -> Option<Table> {
    if !published.problems.is_empty() {
        published
            .problems
            .iter()
            .for_each(|problem| diagnostics.push(problem.clone()));
        return None;
    }
    let errors = match Table::compile_with(&published.json, options) {
        Ok(table) => return Some(table),
        Err(errors) => errors,
    };
    for error in errors.iter() {
        let place = place_of(published, &error.pointer).unwrap_or(schema.span);
        let token = error.pointer.rsplit('/').next().unwrap_or_default();
        let keyword = json::decode_token(token).unwrap_or_default();
        let message = format!("`{keyword}` {}", error.message);
        diagnostics.push(Diagnostic::new("bad-keyword", place, message).help(error.help.clone()));
    }
    None
}

/// Where the node at a pointer stands, or the nearest one around it.
fn place_of(published: &Published<'_>, pointer: &str) -> Option<Span> {
    let mut pointer = pointer;
    loop {
        if let Some(node) = published.origin(pointer) {
            return Some(node.span);
        }
        pointer = &pointer[..pointer.rfind('/')?];
    }
}

fn bad_runtime_path(contracts: &Contracts, options: &Options) -> Report {
    let message = format!(
        "the runtime path `{}` is no path of Rust",
        options.runtime_path
    );
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(Diagnostic::at(
        "bad-option",
        Place::Path("runtime_path".into()),
        message,
    ));
    diagnostics.into_report(contracts.sources().clone())
}
