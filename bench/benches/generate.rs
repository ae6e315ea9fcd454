//! How long generating takes, against typify and prettyplease alone on the same schemas.
//!
//! `cargo bench -p relay-bench --bench generate`
//!
//! Both sides start from texts in memory and end with formatted Rust in memory. typify is given
//! only the schemas that it can do: those on which it panics, fails or overflows are left out of
//! its time. The runs take turns, so that whatever else the machine does falls on both.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use relay_gen::{Contracts, Options, generate};
use schemars::schema::{RootSchema, Schema};
use serde_json::Value;
use typify_impl::TypeSpace;

const ROUNDS: usize = 9;

/// The texts of one directory, generated as one module.
type Texts = Vec<(String, String)>;

fn main() {
    let Some(contracts) = relay_tests::shared("contracts") else {
        return;
    };
    let directories: Vec<Texts> = directories(&contracts)
        .iter()
        .map(|path| usable(texts(path)))
        .collect();
    let tools: usize = directories.iter().map(Vec::len).sum();
    let schemas: Vec<(String, Value)> = directories
        .iter()
        .flatten()
        .flat_map(|(_, text)| schemas(text))
        .collect();

    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let can_do: Vec<_> = schemas
        .iter()
        .filter(|(_, schema)| typify(schema).is_some())
        .collect();
    set_hook(hook);

    let (mut relay_times, mut typify_times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        relay_times.push(timed(|| {
            directories.iter().for_each(|texts| {
                black_box(relay(texts));
            })
        }));
        typify_times.push(timed(|| {
            can_do.iter().for_each(|(_, schema)| {
                black_box(typify(schema));
            })
        }));
    }
    let (relay_time, typify_time) = (median(relay_times), median(typify_times));
    println!(
        "relay-gen: {tools} contracts, {} schemas, {relay_time:.0?}",
        schemas.len()
    );
    println!(
        "typify and prettyplease: {} of these schemas, {typify_time:.0?}",
        can_do.len()
    );
    println!(
        "ratio: {:.2}",
        relay_time.as_secs_f64() / typify_time.as_secs_f64()
    );
}

fn relay(texts: &Texts) -> Option<usize> {
    let contracts = Contracts::from_texts(texts.iter().map(|(path, text)| (path, text))).ok()?;
    let files = generate(&contracts, &Options::default()).ok()?;
    files.values().map(Vec::len).next()
}

/// One schema through typify; `None` where it can't.
fn typify(schema: &Value) -> Option<usize> {
    let generated = AssertUnwindSafe(|| {
        let root: RootSchema = serde_json::from_value(schema.clone()).ok()?;
        let mut space = TypeSpace::default();
        space.add_ref_types(root.definitions).ok()?;
        space
            .add_type_with_name(&Schema::Object(root.schema), Some("Input".into()))
            .ok()?;
        let parsed = syn::parse2(space.to_stream()).ok()?;
        Some(prettyplease::unparse(&parsed).len())
    });
    catch_unwind(generated).ok().flatten()
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

fn schemas(text: &str) -> Vec<(String, Value)> {
    let contract: Value = serde_json::from_str(text).expect("a contract that was read");
    let named = ["inputSchema", "outputSchema"].into_iter();
    named
        .filter_map(|key| Some((key.to_owned(), contract.get(key)?.clone())))
        .collect()
}

fn directories(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = entries(root)
        .into_iter()
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

fn texts(directory: &Path) -> Texts {
    let files = entries(directory)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|it| it == "json"));
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        (
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            text,
        )
    };
    let mut texts: Texts = files.map(read).collect();
    texts.sort();
    texts
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a readable directory");
    entries
        .map(|entry| entry.expect("a readable entry").path())
        .collect()
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
