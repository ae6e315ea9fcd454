//! What is refused, and in which words. To add a case, put a file or a directory into `refusals`
//! whose name starts with the id of the rule that it breaks.
//!
//! A directory is read as a root, or gives its roots, one a line, in `roots.txt`.

use std::fs;
use std::path::{Path, PathBuf};

use relay_gen::contracts::Contracts;
use relay_gen::diagnostics::{RULES, Report, Rule};
use relay_gen::{Options, generate};

const CASES: &str = "tests/refusals";
const SNAPSHOTS: &str = "snapshots/refusals";

#[test]
fn every_case_is_refused_in_these_words() {
    for case in names(CASES) {
        let report = report(&Path::new(CASES).join(&case));
        let name = case.strip_suffix(".json").unwrap_or(&case);
        let rule = rule_of(name).unwrap_or_else(|| panic!("{name} starts with no rule's id"));
        let mut found = report.diagnostics().iter();
        assert!(
            found.any(|diagnostic| diagnostic.rule == rule),
            "{name} does not break the rule:\n{report}"
        );
        snapshot(name, &report);
    }
}

#[test]
fn every_rule_has_a_case() {
    let snapshots = names(Path::new("tests").join(SNAPSHOTS));
    let shown: Vec<_> = snapshots.iter().filter_map(|name| rule_of(name)).collect();
    let missing: Vec<_> = RULES.iter().filter(|rule| !shown.contains(rule)).collect();
    assert_eq!(missing.len(), 0, "{missing:?}");
}

/// Links cannot be kept in every repository, so these cases are made here.
#[cfg(unix)]
#[test]
fn unreadable_files_and_links_in_a_circle() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unreadable");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("teas")).unwrap();
    std::os::unix::fs::symlink("nowhere.json", root.join("gone.json")).unwrap();
    std::os::unix::fs::symlink("..", root.join("teas/again")).unwrap();
    std::os::unix::fs::symlink("/dev/null", root.join("teas/device.json")).unwrap();
    let report = Contracts::read(&[&root]).unwrap_err().to_string();
    let shown = report.replace(root.to_str().unwrap(), "root");
    snapshot("unreadable", &shown);
}

#[test]
fn a_runtime_path_that_is_none() {
    let text = r#"{"name": "brew", "inputSchema": {"type": "object"}}"#;
    let contracts = Contracts::from_texts([("brew.json", text)]).unwrap();
    let mut options = Options::default();
    options.runtime_path = "not a path".into();
    snapshot("bad-option", &generate(&contracts, &options).unwrap_err());
}

/// The rule whose id a case's name starts with; the longest, should there be several.
fn rule_of(name: &str) -> Option<&'static Rule> {
    let rules = RULES.iter().filter(|rule| name.starts_with(rule.id));
    rules.max_by_key(|rule| rule.id.len())
}

fn report(case: &Path) -> Report {
    let result = if case.is_dir() {
        Contracts::read(&roots(case))
    } else {
        let text = fs::read_to_string(case).unwrap();
        let name = case.file_name().unwrap().to_str().unwrap();
        Contracts::from_texts([(name, text)])
    };
    match result {
        Ok(contracts) => match generate(&contracts, &Options::default()) {
            Ok(_) => contracts.warnings().clone(),
            Err(report) => report,
        },
        Err(report) => report,
    }
}

fn roots(case: &Path) -> Vec<PathBuf> {
    match fs::read_to_string(case.join("roots.txt")) {
        Ok(roots) => roots.lines().map(|root| case.join(root)).collect(),
        Err(_) => vec![case.to_owned()],
    }
}

fn names(directory: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn snapshot(name: &str, report: &impl ToString) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(SNAPSHOTS);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, report.to_string()));
}
