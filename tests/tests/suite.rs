//! The JSON Schema Test Suite: each schema as the `outputSchema` of a contract.

use std::path::Path;

use relay_gen::{Contracts, Side, table_of};
use relay_runtime::check::Table;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Group {
    description: String,
    schema: Box<RawValue>,
    tests: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    description: String,
    data: Box<RawValue>,
    valid: bool,
}

#[derive(Default)]
struct Tally {
    /// Whether `format` is asserted.
    formats: bool,
    right: usize,
    /// Tests whose schema leads to the suite's own server, on the network.
    remote: usize,
    wrong: Vec<String>,
}

#[test]
fn draft_2020_12() {
    run(
        "draft2020-12",
        "https://json-schema.org/draft/2020-12/schema",
        1250,
    );
}

#[test]
fn draft_07() {
    run("draft7", "http://json-schema.org/draft-07/schema#", 904);
}

/// Runs a draft: all required tests have to be right; the optional ones are reported.
fn run(draft: &str, dialect: &str, required: usize) {
    let Some(directory) = relay_tests::shared("json-schema-test-suite/tests") else {
        return;
    };
    let directory = directory.join(draft);
    let tally = Tally::of(&directory, dialect, false);
    println!(
        "{draft}, required: {} right, {} wrong, {} remote",
        tally.right,
        tally.wrong.len(),
        tally.remote
    );
    for folder in ["optional", "optional/format"] {
        let optional = Tally::of(&directory.join(folder), dialect, folder.ends_with("format"));
        println!(
            "{draft}, {folder}: {} right, {} wrong, {} remote",
            optional.right,
            optional.wrong.len(),
            optional.remote
        );
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert_eq!(tally.right, required);
}

impl Tally {
    fn of(directory: &Path, dialect: &str, formats: bool) -> Self {
        let mut tally = Self {
            formats,
            ..Self::default()
        };
        for file in json_files(directory) {
            let text = std::fs::read_to_string(&file).expect("a readable file");
            let groups: Vec<Group> = serde_json::from_str(&text).expect("a file of the suite");
            let name = file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            groups
                .iter()
                .for_each(|group| tally.group(&name, group, dialect));
        }
        tally
    }

    fn group(&mut self, file: &str, group: &Group, dialect: &str) {
        match compile(&with_dialect(group.schema.get(), dialect), self.formats) {
            Ok(table) => group
                .tests
                .iter()
                .for_each(|case| self.case(file, group, case, &table)),
            Err(report) if report.contains("//localhost:1234/") && is_remote(&report) => {
                self.remote += group.tests.len();
            }
            Err(report) => {
                let refused = |case: &Case| {
                    format!(
                        "{file}: {}: {}: refused: {report}",
                        group.description, case.description
                    )
                };
                self.wrong.extend(group.tests.iter().map(refused));
            }
        }
    }

    fn case(&mut self, file: &str, group: &Group, case: &Case, table: &Table) {
        let verdict = table.check(case.data.get());
        if verdict.is_ok() == case.valid {
            self.right += 1;
        } else {
            self.wrong.push(format!(
                "{file}: {}: {}: {verdict:?}",
                group.description, case.description
            ));
        }
    }
}

/// The table of a schema that stands in a contract.
fn compile(schema: &str, formats: bool) -> Result<Table, String> {
    let contract = format!(
        r#"{{"name":"t","inputSchema":{{"type":"object"}},"outputSchema":{schema},"x-relay":{{"assertFormats":{formats}}}}}"#
    );
    let contracts =
        Contracts::from_texts([("t.json", contract)]).map_err(|report| report.to_string())?;
    let table = table_of(&contracts, &contracts.tools()[0], Side::Output)
        .map_err(|report| report.to_string())?;
    Ok(table.expect("the contract has an output schema"))
}

fn is_remote(report: &str) -> bool {
    ["network-ref", "unknown-dialect"]
        .iter()
        .any(|rule| report.contains(&format!("error[{rule}]")))
}

/// A contract's schema is an object, and names its dialect, which the suite's have by their folder.
fn with_dialect(schema: &str, dialect: &str) -> String {
    match schema.trim() {
        boolean @ ("true" | "false") => format!(r#"{{"$schema":"{dialect}","allOf":[{boolean}]}}"#),
        "{}" => format!(r#"{{"$schema":"{dialect}"}}"#),
        object if object.contains("\"$schema\"") => object.into(),
        object => object.replacen('{', &format!(r#"{{"$schema":"{dialect}","#), 1),
    }
}

fn json_files(directory: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .expect("a readable directory")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    files
}
