//! All public contracts that are at hand are read without an error that is ours.

use std::path::{Path, PathBuf};

use relay_gen::contracts::Contracts;

/// `shared/contracts` beside the workspace or further up, where there is one.
fn shared() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(2);
    above
        .map(|directory| directory.join("shared/contracts"))
        .find(|contracts| contracts.is_dir())
}

#[test]
fn public_contracts_are_read() {
    let Some(shared) = shared() else {
        eprintln!("skipped: there is no shared/contracts above this workspace");
        return;
    };
    let mut unexpected = Vec::new();
    let mut tools = 0;
    for entry in std::fs::read_dir(shared).unwrap() {
        match Contracts::read(&[entry.unwrap().path()]) {
            Ok(contracts) => {
                tools += contracts.tools().len();
                if std::env::var_os("RELAY_SHOW_WARNINGS").is_some() {
                    eprintln!("{}", contracts.warnings());
                }
            }
            Err(report) => {
                for diagnostic in report.diagnostics() {
                    let expected = ["network-ref", "duplicate-tool"].contains(&diagnostic.rule.id);
                    if !expected && diagnostic.severity() == relay_gen::diagnostics::Severity::Error
                    {
                        unexpected.push(diagnostic.message.clone());
                    }
                }
                eprintln!("{report}");
            }
        }
    }
    assert_eq!(unexpected, [""; 0]);
    assert!(tools > 500, "{tools} tools");
}
