//! What the end-to-end tests share.

use std::path::{Path, PathBuf};

pub mod fuzz;
mod harness;
mod instances;
mod lines;
mod losses;
mod made_up;
mod near;
mod nested;
pub mod places;
mod rng;
mod shrink;
pub mod subjects;
mod sweep;
mod uses;
mod values;

pub use harness::{Answer, Harness};
pub use instances::instances;
pub use lines::{code_lines, rustfmt};
pub use losses::{Loss, losses};
pub use made_up::MadeUp;
pub use near::{Edit, near};
pub use nested::{Nested, Ran, manifest, run};
pub use rng::Rng;
pub use shrink::{shrink, smaller};
pub use sweep::{Directory, Generated, Sweep, sweep};
pub use uses::uses;
pub use values::{Values, number_of};

/// The root of the workspace.
///
/// # Panics
///
/// If it is gone.
#[must_use]
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the workspace exists")
}

/// A directory of this package.
#[must_use]
pub fn fixtures(name: &str) -> PathBuf {
    workspace().join("tests/fixtures").join(name)
}

/// The directory into which Cargo builds.
#[must_use]
pub fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let tagged = program
        .ancestors()
        .find(|above| above.join("CACHEDIR.TAG").is_file());
    tagged.map_or_else(|| workspace().join("target"), Path::to_path_buf)
}

/// A directory of public test data that lies beside the workspace, not in it; says so where it is
/// missing, since a test that needs it has nothing to test then.
#[must_use]
pub fn shared(name: &str) -> Option<PathBuf> {
    let found = workspace()
        .ancestors()
        .skip(1)
        .map(|above| above.join("shared").join(name))
        .find(|path| path.exists());
    if found.is_none() {
        eprintln!(
            "SKIPPED: ../shared/{name} is missing; this test needs the public data that lies there"
        );
    }
    found
}

/// Every `.json` file below a directory: its path relative to the directory, with `/` between its
/// parts, and its text, in the order of the paths.
///
/// # Panics
///
/// If something there can't be read.
#[must_use]
pub fn texts(directory: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(directory, "", &mut found);
    found.sort();
    found
}

fn collect(directory: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(directory).expect("a readable directory") {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), found);
        } else if name.ends_with(".json") {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            found.push((format!("{prefix}{name}"), text));
        }
    }
}
