//! The JSON Schema Test Suite: whatever a schema compiles to has to be right.

use std::collections::BTreeMap;
use std::path::Path;

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
    right: usize,
    wrong: Vec<String>,
    refused: BTreeMap<String, usize>,
}

#[test]
fn draft_2020_12() {
    let least = 900;
    run(
        "draft2020-12",
        "https://json-schema.org/draft/2020-12/schema",
        least,
    );
}

#[test]
fn draft_07() {
    let least = 800;
    run("draft7", "http://json-schema.org/draft-07/schema#", least);
}

/// Runs a draft's required tests: none may be wrong, at least `least` have to be right, the rest
/// are refused for a keyword that Relay does not check yet.
fn run(draft: &str, dialect: &str, least: usize) {
    let Some(directory) = relay_tests::shared("json-schema-test-suite/tests") else {
        return;
    };
    let mut tally = Tally::default();
    for file in json_files(&directory.join(draft)) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let groups: Vec<Group> = serde_json::from_str(&text).expect("a file of the suite");
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for group in groups
            .iter()
            .filter(|group| !group.schema.get().contains("localhost:1234"))
        {
            tally.group(&name, group, dialect);
        }
    }
    println!(
        "{draft}: {} right, {} wrong, refused {:?}",
        tally.right,
        tally.wrong.len(),
        tally.refused
    );
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.right >= least, "only {} right", tally.right);
}

impl Tally {
    fn group(&mut self, file: &str, group: &Group, dialect: &str) {
        let table = match Table::compile(&with_dialect(group.schema.get(), dialect)) {
            Ok(table) => table,
            Err(errors) => {
                let first = errors.iter().next().expect("errors are never empty");
                *self.refused.entry(format!("{file}: {first}")).or_default() += group.tests.len();
                return;
            }
        };
        for case in &group.tests {
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
}

/// A contract's schema is an object that may name its dialect; the suite's have theirs by folder.
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
