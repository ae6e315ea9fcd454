//! What the compiler pays for the generated code, against typify's own output for the same schemas.
//!
//! `cargo bench -p relay-bench --bench check_cost` (Linux)
//!
//! Each side is one crate with a module for each directory, or for each schema; `cargo check` runs
//! on it with everything it depends on checked before. Formats and patterns are left out of what
//! typify gets, since its output would need three more crates for them, and so is what it can't do.

mod common;

use std::fmt::Write;

use common::{directories, quietly, relay, schemas, typify};
use relay_tests::{Nested, code_lines, manifest, rustfmt};
use serde_json::Value;

fn main() {
    let Some(contracts) = relay_tests::shared("contracts") else {
        return;
    };
    let directories = directories(&contracts);
    let mut ours: Vec<String> = directories
        .iter()
        .filter_map(relay)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let schemas = directories
        .iter()
        .flatten()
        .flat_map(|(_, text)| schemas(text))
        .map(without_formats);
    let mut theirs: Vec<String> =
        quietly(|| schemas.filter_map(|schema| typify(&schema)).collect());
    let tools: usize = directories.iter().map(Vec::len).sum();
    let count = theirs.len();

    let (our_time, our_errors) = check("cost-relay", "", &ours);
    let (their_time, their_errors) = check(
        "cost-typify",
        "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n",
        &theirs,
    );
    ours.iter_mut()
        .chain(&mut theirs)
        .for_each(|module| *module = rustfmt(module));
    let lines = |modules: &[String]| {
        modules
            .iter()
            .map(|module| code_lines(module))
            .sum::<usize>()
    };
    println!(
        "relay-gen: {tools} tools, {} lines, {our_time:.1} s to check{our_errors}",
        lines(&ours)
    );
    println!(
        "typify: {count} schemas, {} lines, {their_time:.1} s to check{their_errors}",
        lines(&theirs)
    );
    println!("CPU ratio: {:.2}", our_time / their_time);
}

/// The CPU seconds of checking a crate of modules, and a word on whether that failed.
fn check(name: &str, dependencies: &str, modules: &[String]) -> (f64, &'static str) {
    let nested = Nested::new(name);
    nested.file(
        "Cargo.toml",
        &manifest(name, true).replace(
            "[build-dependencies]",
            &format!("{dependencies}\n[build-dependencies]"),
        ),
    );
    nested.file("src/lib.rs", "");
    let _ = nested.cargo(&["check", "--quiet"]).succeeded();
    let mut library = String::new();
    for (number, module) in modules.iter().enumerate() {
        nested.file(&format!("src/m{number}.rs"), module);
        // Writing to a string does not fail.
        let _ = writeln!(library, "pub mod m{number};");
    }
    nested.file("src/lib.rs", &library);
    let before = children_cpu();
    let ran = nested.cargo(&["check", "--quiet"]);
    (
        children_cpu() - before,
        if ran.code == 0 { "" } else { " (with errors)" },
    )
}

/// The CPU time of processes that have ended, in seconds: `cutime` and `cstime` of proc(5).
fn children_cpu() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: f64 = fields
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / TICKS_A_SECOND
}

fn without_formats(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.retain(|name, value| {
                !(matches!(&**name, "format" | "pattern") && value.is_string())
            });
            members
                .values_mut()
                .for_each(|member| *member = without_formats(member.take()));
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| *item = without_formats(item.take())),
        _ => {}
    }
    value
}
