//! Handlers that block.

use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Definition, Tool, blocking};
use serde_json::{Value, json};

use crate::{Talk, piped, request, run};

pub const TESTS: &[(&str, fn())] = &[
    (
        "handlers_that_block_their_threads",
        handlers_that_block_their_threads,
    ),
    ("work_that_blocks_in_the_pool", work_that_blocks_in_the_pool),
    (
        "a_panic_in_the_pool_fails_its_call",
        a_panic_in_the_pool_fails_its_call,
    ),
    (
        "a_handler_that_blocks_its_thread_is_timed_out",
        a_handler_that_blocks_is_timed_out,
    ),
    (
        "a_handler_that_never_ends_does_not_keep_the_process",
        never_ends,
    ),
    (
        "who_was_held_up_is_answered_though_no_more_is_sent",
        who_was_held_up_is_answered,
    ),
    (
        "who_is_held_up_after_a_report_is_relieved",
        who_has_reported_is_relieved,
    ),
    (
        "a_last_line_without_its_end_may_hold_its_thread_up",
        the_last_may_block,
    ),
    (
        "handlers_may_use_tokio_wherever_their_call_is_read",
        tokio_is_everywhere,
    ),
    #[cfg(target_os = "linux")]
    (
        "handlers_that_never_end_take_no_threads_without_end",
        threads_are_bounded,
    ),
    (
        "handlers_of_every_kind_at_once",
        handlers_of_every_kind_at_once,
    ),
    (
        "a_handler_that_panics_as_it_is_dropped_ends_no_other",
        panics_as_it_is_dropped,
    ),
];

/// More than the threads of the handlers.
const MANY: usize = 64;

/// `meet` ends once four calls of it run at the same time, each of which blocks its thread;
/// `gather` once there are many, which block threads of the pool.
pub fn tools() -> [Tool; 12] {
    let four = Arc::new(Barrier::new(4));
    let many = Arc::new(Barrier::new(MANY));
    let two = Arc::new(Barrier::new(2));
    let (held, told) = (Arc::clone(&two), Arc::clone(&two));
    [
        definition("hold").handle(move |_: Call, _| {
            held.wait();
            async move { Ok(ContentBlock::text("held").into()) }
        }),
        definition("tell_and_hold").handle(move |call: Call, _| {
            call.report_progress(1.0, None, None);
            told.wait();
            async move { Ok(ContentBlock::text("held").into()) }
        }),
        definition("release").handle(move |_: Call, _| {
            let two = Arc::clone(&two);
            async move {
                // Later, when another waits for more to read: sooner proves less.
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    two.wait();
                });
                Ok(ContentBlock::text("released").into())
            }
        }),
        definition("meet").handle(move |_: Call, _| {
            let four = Arc::clone(&four);
            async move {
                four.wait();
                Ok(ContentBlock::text("met").into())
            }
        }),
        definition("gather").handle(move |_: Call, _| {
            let many = Arc::clone(&many);
            async move {
                blocking(move || many.wait()).await;
                Ok(ContentBlock::text("gathered").into())
            }
        }),
        definition("nap").handle(|call: Call, _| async move {
            thread::sleep(some_time(&call));
            Ok(ContentBlock::text("slept").into())
        }),
        definition("doze").handle(|call: Call, _| async move {
            tokio::time::sleep(some_time(&call)).await;
            Ok(ContentBlock::text("dozed").into())
        }),
        // Blocks the thread that it goes on with.
        definition("doze_and_nap").handle(|call: Call, _| async move {
            tokio::time::sleep(some_time(&call)).await;
            thread::sleep(some_time(&call));
            Ok(ContentBlock::text("both").into())
        }),
        definition("break")
            .handle(|_: Call, _| async move { blocking(|| panic!("the work's secret")).await }),
        definition("stuck").handle(|_: Call, _| async move { block() }),
        definition("hurried")
            .with_timeout(Duration::from_millis(1))
            .handle(|_: Call, _| async move { block() }),
        definition("breaks")
            .with_timeout(Duration::from_millis(1))
            .handle(|_: Call, _| async move {
                let _breaks = Breaks;
                std::future::pending().await
            }),
    ]
}

/// Panics as it is dropped.
struct Breaks;

impl Drop for Breaks {
    fn drop(&mut self) {
        panic!("broken as it was dropped");
    }
}

fn definition(name: &str) -> Definition<Value> {
    Definition::content(name, json!({"type": "object"}))
}

/// Less and more than what makes another thread read.
fn some_time(call: &Call) -> Duration {
    let id = call.request_id().as_i64().unwrap_or(0);
    Duration::from_millis(id.unsigned_abs() % 13)
}

fn block() -> ! {
    loop {
        thread::park();
    }
}

fn handlers_that_block_their_threads() {
    fast_past(4, "meet");
}

fn work_that_blocks_in_the_pool() {
    fast_past(MANY, "gather");
}

/// So many calls of the tool block until the last comes; a fast one goes past them.
fn fast_past(many: usize, tool: &str) {
    let mut talk = Talk::new("");
    for id in 1..many {
        talk.call(id, tool);
    }
    talk.call(many + 1, "echo");
    assert_eq!(talk.answer()["id"], many + 1);
    talk.call(many, tool);
    let mut ids: Vec<u64> = (0..many)
        .filter_map(|_| talk.answer()["id"].as_u64())
        .collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(1..=many as u64));
    assert!(talk.close().success());
}

fn a_panic_in_the_pool_fails_its_call() {
    let calls = request(1, "break") + &request(2, "echo");
    let (status, came, log) = run(piped(""), calls.as_bytes());
    assert!(status.success());
    assert!(came.contains("Tool execution failed."), "{came}");
    assert!(came.contains(r#""text":"hello""#), "{came}");
    assert!(
        log.contains("failed: the handler panicked: the work's secret"),
        "{log}"
    );
}

fn a_handler_that_blocks_is_timed_out() {
    let mut talk = Talk::new("no grace");
    for id in [1, 1] {
        talk.call(id, "hurried");
        let answer = talk.answer().to_string();
        assert!(answer.contains("timed out after 0.001 s."), "{answer}");
    }
    assert!(talk.close().success());
}

fn never_ends() {
    let (status, came, log) = run(piped("no grace"), request(1, "stuck").as_bytes());
    assert!(status.success());
    assert_eq!(came, "");
    assert!(
        log.contains("calls dropped, unanswered, at the end of the server: 1"),
        "{log}"
    );
}

fn who_was_held_up_is_answered() {
    let mut talk = Talk::new("");
    talk.call(1, "hold");
    is_released(talk);
}

/// Both of them are answered, the one that is held up and the one that releases it.
fn is_released(mut talk: Talk) {
    talk.call(2, "release");
    let answers = [talk.answer(), talk.answer()];
    assert!(
        answers.iter().all(|answer| answer["result"].is_object()),
        "{answers:?}"
    );
    assert!(talk.close().success());
}

/// Others know of its call already, and yet its thread is the one that reads.
fn who_has_reported_is_relieved() {
    let mut talk = Talk::new("");
    let call = request(1, "tell_and_hold");
    talk.send(&call.replace(r#""_meta":{"#, r#""_meta":{"progressToken":7,"#));
    assert_eq!(talk.answer()["method"], "notifications/progress");
    is_released(talk);
}

fn the_last_may_block() {
    let call = request(1, "hurried");
    let (status, came, _) = run(piped("no grace"), call.trim_end().as_bytes());
    assert!(status.success());
    assert!(came.contains("timed out"), "{came}");
}

/// The first line, a later one, and one that ends with the input only.
fn tokio_is_everywhere() {
    for how in ["", "async"] {
        for calls in 1..4 {
            let lines: String = (1..=calls).map(|id| request(id, "doze")).collect();
            let (status, came, log) = run(piped(how), lines.trim_end().as_bytes());
            assert!(status.success(), "{how}: {log}");
            assert_eq!(came.matches("dozed").count(), calls, "{how}: {came}");
        }
    }
}

#[cfg(target_os = "linux")]
fn threads_are_bounded() {
    const CALLS: usize = 400;
    let mut talk = Talk::new("no grace");
    for id in 0..CALLS {
        talk.call(id, "hurried");
    }
    for _ in 0..CALLS {
        let answer = talk.answer();
        assert_eq!(answer["result"]["isError"], true, "{answer}");
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", talk.child.id()));
    let status = status.expect("the server runs");
    let threads = status
        .lines()
        .find_map(|line| line.strip_prefix("Threads:"));
    let threads: usize = threads.expect("a count").trim().parse().expect("a number");
    assert!(threads < 300, "{threads}");
    talk.child.kill().expect("the server runs");
    talk.child.wait().expect("it is killed");
}

fn panics_as_it_is_dropped() {
    let mut talk = Talk::new("no grace");
    for id in 0..20 {
        talk.call(id, "breaks");
        let answer = talk.answer().to_string();
        assert!(answer.contains("timed out"), "{answer}");
        while !talk
            .log_line()
            .starts_with("relay: a value of the application panicked")
        {}
    }
    talk.call(20, "echo");
    assert_eq!(talk.answer()["id"], 20);
    assert!(talk.close().success());
}

/// Whoever reads changes all the time, and no answer is lost or comes twice.
fn handlers_of_every_kind_at_once() {
    const CALLS: usize = 600;
    let tools = [
        "echo",
        "nap",
        "doze",
        "echo",
        "doze_and_nap",
        "echo",
        "panics",
    ];
    let is_cancelled = |id: usize| id % 11 == 3;
    let mut sent = String::new();
    for id in 0..CALLS {
        sent += &request(id, tools[id % tools.len()]);
        if is_cancelled(id) {
            let params = json!({"requestId": id});
            let cancel =
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            sent += &format!("{cancel}\n");
        }
    }
    let (status, came, _) = run(piped(""), sent.as_bytes());
    assert!(status.success());
    let mut answers = vec![0; CALLS];
    for line in came.lines() {
        let answer: Value = serde_json::from_str(line).expect("a message");
        let id = answer["id"].as_u64().expect("an id");
        answers[usize::try_from(id).expect("one of ours")] += 1;
    }
    for (id, count) in answers.into_iter().enumerate() {
        // A call may have been answered before its cancel was read.
        assert!(
            count == 1 || is_cancelled(id) && count == 0,
            "{id}: {count}"
        );
    }
}
