//! Nothing but messages reaches the client, whatever handlers print and start.

use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Definition, Tool};
use serde_json::{Value, json};

use crate::{SERVE, Talk, command, piped, request, run};

pub const TESTS: &[(&str, fn())] = &[
    ("prints_go_to_standard_error", prints_go_to_standard_error),
    (
        "a_child_process_reads_and_writes_no_message",
        a_child_process_reads_and_writes_no_message,
    ),
    (
        "prints_go_nowhere_where_standard_error_is_standard_output",
        one_stream_for_output_and_error,
    ),
    ("shared_streams_are_shared", shared_streams_are_shared),
    (
        "what_was_read_and_printed_before",
        what_was_read_and_printed_before,
    ),
];

pub fn tools() -> [Tool; 2] {
    let any = |name| -> Definition<Value> { Definition::content(name, json!({"type": "object"})) };
    [
        any("prints").handle(|_: Call, _| async move {
            println!("from a handler");
            Ok(ContentBlock::text("printed").into())
        }),
        // `cat` ends at the end of its input; the list says which descriptors it would inherit.
        any("starts").handle(|_: Call, _| async move {
            Command::new("sh")
                .args(["-c", "echo from a child; ls -l /proc/self/fd; cat"])
                .status()?;
            Ok(ContentBlock::text("started").into())
        }),
    ]
}

fn prints_go_to_standard_error() {
    for how in ["", "async"] {
        let calls = request(1, "prints") + &request(2, "starts");
        let (status, came, log) = run(piped(how), calls.as_bytes());
        assert!(status.success());
        assert_eq!(ids(&came), [1, 2]);
        assert!(log.contains("from a handler\n"), "{log}");
        assert!(log.contains("from a child\n"), "{log}");
    }
}

fn a_child_process_reads_and_writes_no_message() {
    let mut talk = Talk::new("");
    let (stdin, stdout, stderr) = (
        inode(&talk.input),
        inode(talk.output.get_ref()),
        inode(talk.log.get_ref()),
    );
    // The child ends while the input is open, and has not eaten what follows.
    talk.input
        .write_all((request(1, "starts") + &request(2, "echo")).as_bytes())
        .expect("the server reads");
    let mut ids = [talk.answer(), talk.answer()].map(|answer| answer["id"].as_u64());
    ids.sort_unstable();
    assert_eq!(ids, [Some(1), Some(2)]);
    drop(talk.input);
    assert!(talk.child.wait().expect("the server ends").success());
    let mut log = String::new();
    talk.log.read_to_string(&mut log).expect("UTF-8");
    assert!(log.starts_with("from a child\n"), "{log}");
    if cfg!(target_os = "linux") {
        assert!(log.contains(&format!("pipe:[{stderr}]")), "{log}");
        assert!(!log.contains(&format!("pipe:[{stdin}]")), "{log}");
        assert!(!log.contains(&format!("pipe:[{stdout}]")), "{log}");
    }
}

/// What both ends of a pipe have in common.
fn inode(end: impl AsFd) -> u64 {
    let end = end.as_fd().try_clone_to_owned().expect("a descriptor");
    let metadata = fs::File::from(end).metadata();
    metadata.expect("the pipe is there").ino()
}

fn one_stream_for_output_and_error() {
    let (mut output, end) = io::pipe().expect("a pipe");
    let mut child = {
        // In a block: the command keeps the descriptors until it is dropped.
        let mut command = command();
        command
            .env(SERVE, "")
            .stdin(Stdio::piped())
            .stdout(OwnedFd::from(end.try_clone().expect("a descriptor")))
            .stderr(OwnedFd::from(end));
        command.spawn().expect("the server starts")
    };
    let calls = request(1, "prints") + &request(2, "prints");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(calls.as_bytes()).expect("the server reads");
    drop(input);
    let mut came = String::new();
    output.read_to_string(&mut came).expect("UTF-8");
    assert_eq!(ids(&came), [1, 2]);
    assert!(child.wait().expect("the server ends").success());
}

fn shared_streams_are_shared() {
    let (status, came, log) = run(piped("shared streams"), request(1, "prints").as_bytes());
    assert!(status.success());
    assert!(came.starts_with("from a handler\n"), "{came}");
    assert_eq!(came.lines().count(), 2, "{came}");
    assert_eq!(log, "");
}

/// Reads the first line of the input, for which the standard library reads more, and prints
/// without an end of the line, which the standard library keeps.
pub fn read_and_print() {
    let mut first = String::new();
    io::stdin().read_line(&mut first).expect("UTF-8");
    print!("{} ", first.trim_end());
}

fn what_was_read_and_printed_before() {
    let sent = format!("hello\n{}", request(1, "echo"));
    let (status, came, log) = run(piped("after reading and printing"), sent.as_bytes());
    assert!(status.success());
    let messages = came
        .strip_prefix("hello ")
        .unwrap_or_else(|| panic!("{came}"));
    assert_eq!(ids(messages), [1]);
    assert_eq!(log, "printed after\n");
}

/// The ids of the answers, in order. Fails on anything that is no answer.
fn ids(came: &str) -> Vec<u64> {
    let mut ids: Vec<u64> = came
        .lines()
        .map(|line| {
            let answer: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
            assert!(answer["result"]["content"].is_array(), "{line}");
            answer["id"].as_u64().expect("a number")
        })
        .collect();
    ids.sort_unstable();
    ids
}
