//! What the end-to-end tests share.

use std::path::{Path, PathBuf};

/// The root of the workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the workspace exists")
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
