//! Hostile input: the rows of `tests/hostile`, each on a process of its own, in both eras of MCP.
//!
//! The executable runs itself again as the server, so it has a `main` of its own: libtest's would
//! write to standard output.

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "../common/mod.rs"]
mod common;
mod rows;
mod talk;
mod tools;

use std::process::ExitCode;
use std::{env, io::Write as _};

use relay_runtime::{Limits, stdio};

use crate::rows::{Era, rows};
use crate::talk::talk;

/// Set for the server; holds its limits.
const SERVE: &str = "RELAY_TEST_HOSTILE";

fn main() -> ExitCode {
    if let Ok(limits) = env::var(SERVE) {
        return serve(&limits);
    }
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let mut failures = Vec::new();
    for era in [Era::Modern, Era::Legacy] {
        let rows = rows(era);
        assert!(rows.len() > 60, "the rows are there");
        for row in rows {
            let name = format!("{} ({era:?})", row.name);
            if !wanted.is_empty() && !wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
                continue;
            }
            // Named before it runs: a server that never answers is seen by its row.
            print!("test {name} ... ");
            let _ = std::io::stdout().flush();
            match talk(&row, era) {
                Ok(()) => println!("ok"),
                Err(why) => {
                    println!("FAILED");
                    failures.push(format!("{name}\n  {why}"));
                }
            }
        }
    }
    if failures.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\n{}", failures.join("\n"));
    ExitCode::FAILURE
}

fn serve(limits: &str) -> ExitCode {
    let limits = limits.split_whitespace().fold(Limits::new(), set);
    let server = common::server().limits(limits).tools(tools::tools());
    match stdio::serve(server, ()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("serve: {error}");
            ExitCode::FAILURE
        }
    }
}

fn set(limits: Limits, limit: &str) -> Limits {
    let (name, value) = limit.split_once('=').expect("a limit is `name=value`");
    let value: usize = value.parse().expect("a number");
    let set = match name {
        "frame_bytes" => limits.with_frame_bytes(value),
        "depth" => limits.with_depth(value),
        "calls_in_flight" => limits.with_calls_in_flight(value),
        "queued_calls" => limits.with_queued_calls(value),
        "queued_bytes" => limits.with_queued_bytes(value),
        "reply_bytes" => limits.with_reply_bytes(value),
        "grace_ms" => limits.with_grace(std::time::Duration::from_millis(value as u64)),
        _ => panic!("there is no limit {name}"),
    };
    set.expect("in range")
}
