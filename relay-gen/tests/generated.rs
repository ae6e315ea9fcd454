//! What is generated, to be read in a review. To add a case, put a contract or a directory of them
//! into `generated`. That such code compiles and works is shown by the end-to-end tests.

use std::fs;
use std::path::Path;

use relay_gen::{Contracts, Options, generate};

const CASES: &str = "tests/generated";

#[test]
fn every_case_comes_to_this_module() {
    let mut cases: Vec<_> = fs::read_dir(CASES)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    for case in cases {
        let contracts = read(&case).unwrap();
        let files = generate(&contracts, &Options::default()).unwrap();
        let again = generate(&contracts, &Options::default()).unwrap();
        assert_eq!(files, again, "the same contracts give the same bytes");
        let text = String::from_utf8(files["tools.rs"].clone()).unwrap();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("snapshots/generated");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let name = case.file_stem().unwrap().to_str().unwrap().to_owned();
        // The head is the same everywhere.
        let module = text.split_once("mod generated {").unwrap().1;
        settings.bind(|| insta::assert_snapshot!(name, module));
    }
}

fn read(case: &Path) -> Result<Contracts, relay_gen::Report> {
    if case.is_dir() {
        return Contracts::read(&[case]);
    }
    let name = case.file_name().unwrap().to_str().unwrap();
    Contracts::from_texts([(name, fs::read_to_string(case).unwrap())])
}
