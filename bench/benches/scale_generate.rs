//! Whether generating stays what it is with many contracts, and what a run costs that finds nothing
//! changed.
//!
//! `cargo bench -p relay-bench --bench scale_generate`

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, process};

use relay_gen::{Builder, Contracts, Options, generate};

/// Contracts of a build script.
const CONTRACTS: usize = 1000;

/// How often the first numbers of contracts are generated; the least time counts.
const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--build") {
        let [schemas] = &arguments[at + 1..] else {
            return;
        };
        Builder::new().contracts(schemas).build();
        return;
    }
    times_a_contract();
    unchanged();
}

/// The time for a contract, among more and more of them.
fn times_a_contract() {
    let mut first = None;
    for (count, rounds) in [(100, ROUNDS), (1000, ROUNDS), (10_000, 2)] {
        let texts: Vec<_> = contracts(count).collect();
        let time = least(rounds, || {
            let contracts = Contracts::from_texts(texts.iter().map(|(path, text)| (path, text)));
            let contracts = contracts.expect("the contracts are right");
            black_box(generate(&contracts, &Options::default())).expect("they can be typed");
        });
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let each = time.as_secs_f64() / count as f64;
        let first = *first.get_or_insert(each);
        println!(
            "time to generate a contract of {count}, of that of 100: {:.2}",
            each / first
        );
    }
}

/// What a build script costs when Cargo runs it again and the contracts are what they were, and what
/// its steps cost.
fn unchanged() {
    let folder = Folder::new();
    let (schemas, out) = (folder.0.join("schemas"), folder.0.join("out"));
    fs::create_dir_all(&schemas).expect("a directory can be made");
    for (path, text) in contracts(CONTRACTS) {
        fs::write(schemas.join(path), text).expect("a file can be written");
    }
    let generating = least(3, || {
        let _ = fs::remove_dir_all(&out);
        run_builder(&schemas, &out);
    });
    let again = least(3, || run_builder(&schemas, &out));
    let of_it = |time: Duration| time.as_secs_f64() / generating.as_secs_f64();
    println!(
        "time of a build script that finds nothing changed, of one that generates {CONTRACTS}: {:.2}",
        of_it(again)
    );

    let bytes = least(3, || {
        for entry in fs::read_dir(&schemas).expect("a readable directory") {
            let path = entry.expect("a readable entry").path();
            black_box(fs::read(path)).expect("a readable file");
        }
    });
    let read = least(3, || {
        black_box(Contracts::read(&[&schemas])).expect("the contracts are right");
    });
    println!(
        "of it, reading the files: {:.2}; reading them as contracts: {:.2}; the rest is generating",
        of_it(bytes),
        of_it(read)
    );
}

/// Runs the builder in a process of its own, as Cargo does.
fn run_builder(schemas: &Path, out: &Path) {
    let program = env::current_exe().expect("this program");
    let status = Command::new(program)
        .arg("--build")
        .arg(schemas)
        .env("OUT_DIR", out)
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "it failed");
}

/// Contracts as servers have them, each of its own names.
fn contracts(count: usize) -> impl Iterator<Item = (String, String)> {
    (0..count).map(|number| {
        let text = format!(
            r#"{{
  "name": "update_record_{number}",
  "description": "Changes the members of record {number} that are given, and keeps the others.",
  "inputSchema": {{
    "type": "object",
    "properties": {{
      "id": {{ "type": "integer", "minimum": 1, "description": "The record's number." }},
      "title": {{ "type": "string", "minLength": 1, "maxLength": 200 }},
      "state": {{ "enum": ["open", "waiting", "closed_{number}"], "description": "How far it has come." }},
      "labels": {{ "type": "array", "items": {{ "type": "string", "maxLength": 40 }}, "maxItems": 10 }},
      "owner": {{
        "type": "object",
        "properties": {{ "name": {{ "type": "string" }}, "mail": {{ "type": ["string", "null"] }} }},
        "required": ["name"]
      }}
    }},
    "required": ["id"],
    "additionalProperties": false
  }},
  "outputSchema": {{
    "type": "object",
    "properties": {{ "id": {{ "type": "integer" }}, "changed": {{ "type": "boolean" }} }},
    "required": ["id", "changed"]
  }},
  "annotations": {{ "idempotentHint": true }}
}}
"#
        );
        (format!("update_record_{number}.json"), text)
    })
}

fn least(rounds: usize, mut work: impl FnMut()) -> Duration {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// A directory that is gone after it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        Self(env::temp_dir().join(format!("relay-bench-{}", process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left to the system otherwise.
        let _ = fs::remove_dir_all(&self.0);
    }
}
