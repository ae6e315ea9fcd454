//! The measurements.

mod servers;

use std::env;
use std::path::PathBuf;

use relay_bench::asked::{Asked, Lines};
use relay_bench::cpu::Pinned;
use relay_bench::era::Era;
use relay_bench::load::{keep_in_flight, many};
use relay_bench::process::Served;
use relay_bench::ratios::Ratios;
use serde_json::Value;

/// Pairs of runs.
const ROUNDS: usize = 9;

/// Slow calls at once.
pub const SLOW: usize = 1000;

/// Serves, where this program is told to, or measures.
pub fn main() {
    let arguments: Vec<String> = env::args().collect();
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)
    };
    if let Some(kind) = after("--serve") {
        servers::serve(kind);
        return;
    }
    let calls = after("--calls").map_or(Ok(1_000_000), |calls| calls.parse());
    let calls = calls.expect("--calls takes a number, such as --calls 10000000");
    let _pinned = Pinned::to_one().expect("this thread can be bound to one processor");
    println!(
        "CPU of a call with 1,000 tools, of that with 1: {}",
        ratios("many", "one")
    );
    println!(
        "CPU of a call whose schema has 300 members, of that with 3, for the same arguments: {}",
        ratios("wide", "narrow")
    );
    slow_calls();
    memory_after(calls);
}

/// A server of this program.
fn start(kind: &str) -> Served {
    let program: PathBuf = env::current_exe().expect("this program");
    Served::start(&program, &["--serve", kind]).expect("it starts")
}

/// The processor time of a call of one server, of that of another.
fn ratios(kind: &str, baseline: &str) -> Ratios {
    let cost = |kind| {
        let cost = many(&mut start(kind), Era::Modern, Asked::Echo, 64, 1000, 20_000);
        cost.expect("every call is answered").cpu
    };
    let mut ratios = Ratios::default();
    for _ in 0..ROUNDS {
        let least = cost(baseline);
        ratios.add(cost(kind), least);
    }
    ratios
}

/// What calls that wait cost, while all of them wait.
fn slow_calls() {
    let mut server = start("slow");
    // What comes with the first call, such as the handlers' threads, is not that of each call.
    let lines = Asked::Echo.lines(Era::Modern, 1..2);
    server.send(&lines.bytes).expect("it reads");
    server.line().expect("it answers");
    let (memory, threads) = held(&server);
    for id in 0..SLOW {
        server.send(call(id, "wait").as_bytes()).expect("it reads");
    }
    // Once this is answered, all calls before it run.
    server
        .send(Era::Modern.request(SLOW, "tools/list", "").as_bytes())
        .expect("it reads");
    server.line().expect("it answers");
    let (memory_held, threads_held) = held(&server);
    server
        .send(call(SLOW + 1, "release").as_bytes())
        .expect("it reads");
    for _ in 0..=SLOW {
        let line = server.line().expect("it answers");
        let answer: Value = serde_json::from_slice(&line).expect("JSON");
        let text = &answer["result"]["content"][0]["text"];
        assert_eq!(text, "released", "{answer}");
    }
    #[expect(clippy::cast_precision_loss, reason = "a thousand")]
    let each = (memory_held - memory) / SLOW as f64;
    println!(
        "memory of a slow call, while {SLOW} of them wait: {each:.1} KiB; threads: {threads_held}, \
         and {threads} before"
    );
}

/// Memory in KiB, and threads.
fn held(server: &Served) -> (f64, f64) {
    let number = |name| server.status(name).expect("it runs");
    (number("VmRSS"), number("Threads"))
}

fn call(id: usize, tool: &str) -> String {
    let params = format!(r#""name":"{tool}","arguments":{{}},"#);
    Era::Modern.request(id, "tools/call", &params)
}

/// The memory of a server after 10,000 calls and after each tenfold of them.
fn memory_after(calls: usize) {
    const FIRST: usize = 10_000;

    let mut server = start("one");
    let (mut made, mut next, mut first) = (0, FIRST, None);
    while next <= calls {
        while made < next {
            let ids = made..made + FIRST;
            let lines: Lines = Asked::Echo.lines(Era::Modern, ids.clone());
            let answers = keep_in_flight(&mut server, &lines, 64).expect("it answers");
            Asked::Echo
                .check(Era::Modern, ids, &answers)
                .expect("every answer is right");
            made += FIRST;
        }
        let (memory, _) = held(&server);
        let first = *first.get_or_insert(memory);
        println!(
            "memory after {made} calls, of that after {FIRST}: {:.3}",
            memory / first
        );
        next *= 10;
    }
}
