//! What the benchmarks share. Run them with `cargo bench -p relay-bench --bench NAME`.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;

use relay_gen::{Contracts, Options, generate};
use schemars::schema::{RootSchema, Schema};
use serde_json::Value;
use typify_impl::TypeSpace;

/// The texts of one directory by their paths, generated as one module.
pub type Texts = Vec<(String, String)>;

/// Every directory below the root, with the contracts that Relay takes.
#[must_use]
pub fn directories(root: &Path) -> Vec<Texts> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| usable(relay_tests::texts(path)))
        .collect()
}

/// The contracts of a directory without those that Relay refuses: the second of two tools of one
/// name, or what can't be checked.
fn usable(mut texts: Texts) -> Texts {
    loop {
        let read = Contracts::from_texts(texts.iter().map(|(path, text)| (path, text)));
        let report = match read.map(|contracts| generate(&contracts, &Options::default())) {
            Ok(Ok(_)) => return texts,
            Ok(Err(report)) | Err(report) => report,
        };
        let refused: Vec<String> = report
            .diagnostics()
            .iter()
            .filter_map(|diagnostic| {
                Some(report.sources().get(diagnostic.file()?).path().to_owned())
            })
            .collect();
        let before = texts.len();
        texts.retain(|(path, _)| !refused.contains(path));
        assert!(texts.len() < before, "{report}");
    }
}

/// The generated module of a directory.
#[must_use]
pub fn relay(texts: &Texts) -> Option<Vec<u8>> {
    let contracts = Contracts::from_texts(texts.iter().map(|(path, text)| (path, text))).ok()?;
    let mut files = generate(&contracts, &Options::default()).ok()?;
    files.pop_first().map(|(_, bytes)| bytes)
}

/// The schemas of a contract.
///
/// # Panics
///
/// If the text is no JSON.
#[must_use]
pub fn schemas(text: &str) -> Vec<Value> {
    let contract: Value = serde_json::from_str(text).expect("a contract that was read");
    ["inputSchema", "outputSchema"]
        .iter()
        .filter_map(|key| contract.get(key).cloned())
        .collect()
}

/// One schema through typify, formatted; `None` where it panics or gives an error.
#[must_use]
pub fn typify(schema: &Value) -> Option<String> {
    let generated = AssertUnwindSafe(|| {
        let root: RootSchema = serde_json::from_value(schema.clone()).ok()?;
        let mut space = TypeSpace::default();
        space.add_ref_types(root.definitions).ok()?;
        space
            .add_type_with_name(&Schema::Object(root.schema), Some("Input".into()))
            .ok()?;
        let parsed = syn::parse2(space.to_stream()).ok()?;
        Some(prettyplease::unparse(&parsed))
    });
    catch_unwind(generated).ok().flatten()
}

/// Does something without a word on standard error when it panics.
pub fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let done = work();
    set_hook(hook);
    done
}
