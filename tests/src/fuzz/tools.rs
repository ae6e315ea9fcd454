//! The server that is fuzzed: a tool for each way in which a call can go on and end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use relay_runtime::{Call, Definition, Limits, Server, Tool, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Semaphore;

/// What a panic that is meant says.
pub(super) const MEANT: &str = "fuzz: this panic is meant";

/// The names of the tools, the more frequent ones first.
pub(super) const TOOLS: [&str; 9] = [
    "now", "later", "hold", "release", "nap", "big", "fail", "break", "stubborn",
];

/// What the tools of one connection share.
#[derive(Debug, Default)]
pub(super) struct Stage {
    /// The nonces of the calls that have reached a handler.
    pub(super) ran: Mutex<Vec<u64>>,
    gates: Mutex<BTreeMap<u64, Arc<Semaphore>>>,
}

type Shared = Arc<Stage>;

#[derive(Debug, Serialize, Deserialize)]
struct Input {
    nonce: u64,
    #[serde(default)]
    target: u64,
    #[serde(default)]
    size: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct Output {
    why: String,
    nonce: u64,
    padding: String,
}

/// The server with these limits.
pub(super) fn server(limits: Limits, says_who: bool) -> Server<Shared> {
    Server::new("fuzz", "1")
        .limits(limits)
        .info_in_results(says_who)
        .tools(TOOLS.map(tool))
}

fn tool(name: &'static str) -> Tool<Shared> {
    let definition: Definition<Input, Output> =
        Definition::new(name, json!({"type": "object"}), json!({"type": "object"}));
    definition.with_description("x".repeat(500)).handle(
        move |call: Call<Shared>, input| async move {
            call.context()
                .ran
                .lock()
                .expect("no panic")
                .push(input.nonce);
            let why = run(name, &call, &input).await?;
            let padding = if name == "big" {
                "y".repeat(input.size)
            } else {
                String::new()
            };
            let nonce = input.nonce;
            Ok(Output {
                why: why.into(),
                nonce,
                padding,
            }
            .into())
        },
    )
}

/// Does what the tool is for; says why it has ended.
async fn run(name: &str, call: &Call<Shared>, input: &Input) -> Result<&'static str, ToolError> {
    let stage = call.context();
    match name {
        "later" => {
            for step in 0..input.size % 8 {
                report(call, input.nonce, step);
                tokio::task::yield_now().await;
            }
        }
        "hold" => {
            report(call, input.nonce, 0);
            let gate = stage.gate(input.nonce);
            let end = tokio::select! {
                biased;
                () = call.cancelled() => "cancelled",
                _ = gate.acquire() => "released",
            };
            report(call, input.nonce, 1);
            return Ok(end);
        }
        "release" => stage.gate(input.target).add_permits(1),
        "nap" => {
            report(call, input.nonce, 0);
            let nap = Duration::from_millis(input.size as u64 % 60_000);
            tokio::select! {
                biased;
                () = call.cancelled() => return Ok("cancelled"),
                () = tokio::time::sleep(nap) => {}
            }
            report(call, input.nonce, 1);
        }
        "fail" => return Err(ToolError::message("refused")),
        "break" if input.size.is_multiple_of(2) => {
            return Err(std::io::Error::other("private").into());
        }
        "break" => panic!("{MEANT}"),
        "stubborn" => std::future::pending().await,
        _ => {}
    }
    Ok("done")
}

/// Reports that may not leave are among these: too many, too small, no numbers.
fn report(call: &Call<Shared>, nonce: u64, step: usize) {
    let step = step as f64;
    for progress in [step, step + 0.5, f64::NAN, step - 1.0, step + 0.5] {
        let words = nonce.is_multiple_of(3).then_some("line\u{2028}separated");
        call.report_progress(progress, Some(8.0), words);
    }
}

impl Stage {
    fn gate(&self, nonce: u64) -> Arc<Semaphore> {
        let mut gates = self.gates.lock().expect("no panic");
        let gate = gates
            .entry(nonce)
            .or_insert_with(|| Arc::new(Semaphore::new(0)));
        Arc::clone(gate)
    }
}
