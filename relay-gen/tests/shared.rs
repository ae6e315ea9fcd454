//! Public contracts and the public suite of schemas, where they are at hand: a directory `shared`
//! beside the workspace or further up.

use std::fs;
use std::path::{Path, PathBuf};

use relay_gen::contracts::Contracts;
use relay_gen::diagnostics::{Report, Severity};
use relay_gen::json::{self, Node};
use relay_gen::source::{FileId, Source};

fn shared(name: &str) -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(2);
    let found = above
        .map(|directory| directory.join("shared").join(name))
        .find(|directory| directory.is_dir());
    if found.is_none() {
        eprintln!("skipped: there is no shared/{name} above this workspace");
    }
    found
}

fn errors(report: &Report) -> impl Iterator<Item = (&'static str, &str)> {
    let diagnostics = report.diagnostics().iter();
    diagnostics
        .filter(|diagnostic| diagnostic.severity() == Severity::Error)
        .map(|diagnostic| (diagnostic.rule.id, &*diagnostic.message))
}

/// Each server's directory is read without an error but for refs to the network. The directory of
/// the specification's examples has some tools twice.
#[test]
fn public_contracts_are_read() {
    let Some(shared) = shared("contracts") else {
        return;
    };
    for entry in fs::read_dir(shared).unwrap() {
        let directory = entry.unwrap().path();
        let Err(report) = Contracts::read(&[&directory]) else {
            continue;
        };
        for (rule, message) in errors(&report) {
            let twice = rule == "duplicate-tool" && directory.ends_with("mcp-spec-examples");
            assert!(rule == "network-ref" || twice, "{message}\n{report}");
        }
    }
}

/// The suite's schemas are read as the output of tools, but for those that need the suite's server.
#[test]
fn the_schemas_of_the_suite_are_read() {
    let Some(suite) = shared("json-schema-test-suite/tests") else {
        return;
    };
    for (draft, dialect) in [
        (
            "draft2020-12",
            "https://json-schema.org/draft/2020-12/schema",
        ),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
    ] {
        for entry in fs::read_dir(suite.join(draft)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            let groups = json::parse(FileId(0), &Source::new("suite", text)).unwrap();
            for group in groups.as_array().unwrap() {
                read_group(group, dialect, &path);
            }
        }
    }
}

fn read_group(group: &Node, dialect: &str, path: &Path) {
    let schema = group.get("schema").unwrap();
    let schema = match schema.as_object() {
        Some(_) if schema.get("$schema").is_some() => schema.to_string(),
        Some([]) => format!(r#"{{"$schema":"{dialect}"}}"#),
        Some(_) => format!(r#"{{"$schema":"{dialect}",{}"#, &schema.to_string()[1..]),
        None => format!(r#"{{"$schema":"{dialect}","allOf":[{schema}]}}"#),
    };
    let contract = format!(r#"{{"inputSchema":{{"type":"object"}},"outputSchema":{schema}}}"#);
    let Err(report) = Contracts::from_texts([("group.json", contract)]) else {
        return;
    };
    for (rule, message) in errors(&report) {
        let server = ["network-ref", "unknown-dialect"].contains(&rule)
            && message.contains("localhost:1234");
        assert!(server, "{}: {message}\n{report}", path.display());
    }
}
