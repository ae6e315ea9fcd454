//! A server as a process, on streams of every kind.
//!
//! The executable runs itself again as the server, so it has a `main` of its own: libtest's would
//! write to standard output.

mod common;

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Barrier};
use std::time::Duration;
use std::{env, fs, panic, thread};

use common::{Case, cases, compare, server};
use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Definition, Limits, stdio};
use serde_json::{Value, json};

const SERVE: &str = "RELAY_TEST_SERVE";

fn main() -> ExitCode {
    if env::var_os(SERVE).is_some() {
        return serve();
    }
    let tests: &[(&str, fn())] = &[
        ("every_case_over_pipes", every_case_over_pipes),
        ("files", files),
        ("dev_null", dev_null),
        (
            "many_calls_before_one_reply_is_read",
            many_calls_before_one_reply_is_read,
        ),
        (
            "handlers_that_block_their_threads",
            handlers_that_block_their_threads,
        ),
        (
            "a_handler_that_never_ends_does_not_keep_the_process",
            never_ends,
        ),
        (
            "a_handler_that_blocks_its_thread_is_timed_out",
            a_handler_that_blocks_is_timed_out,
        ),
        ("a_reader_that_is_gone", a_reader_that_is_gone),
        ("a_tail_that_is_no_json", a_tail_that_is_no_json),
        #[cfg(unix)]
        ("a_socket", unix::a_socket),
        #[cfg(unix)]
        ("closed_streams", unix::closed_streams),
        #[cfg(target_os = "linux")]
        ("a_terminal", unix::a_terminal),
    ];
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let mut failed = false;
    for (name, test) in tests {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let passed = panic::catch_unwind(test).is_ok();
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed |= !passed;
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The server of the tests, with handlers that block.
fn serve() -> ExitCode {
    let grace = if env::var_os(SERVE).is_some_and(|value| value == "no grace") {
        0
    } else {
        3600
    };
    let limits = Limits::new()
        .with_grace(Duration::from_secs(grace))
        .expect("in range");
    match stdio::serve(server().limits(limits).tools(blocking_tools()), ()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("serve: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `meet` ends once four calls of it run at the same time, each of which blocks its thread.
fn blocking_tools() -> [relay_runtime::Tool; 3] {
    let barrier = Arc::new(Barrier::new(4));
    let meet: Definition<Value> = Definition::content("meet", json!({"type": "object"}));
    let stuck: Definition<Value> = Definition::content("stuck", json!({"type": "object"}));
    let hurried: Definition<Value> = Definition::content("hurried", json!({"type": "object"}));
    [
        meet.handle(move |_: Call, _| {
            let barrier = Arc::clone(&barrier);
            async move {
                barrier.wait();
                Ok(ContentBlock::text("met").into())
            }
        }),
        stuck.handle(|_: Call, _| async move { block() }),
        hurried
            .with_timeout(Duration::from_millis(1))
            .handle(|_: Call, _| async move { block() }),
    ]
}

fn block() -> ! {
    loop {
        thread::park();
    }
}

fn command() -> Command {
    let mut command = Command::new(env::current_exe().expect("the test knows its own path"));
    command.env(SERVE, "1").stderr(Stdio::piped());
    command
}

/// Sends all, closes the input and gives back what came, on both outputs.
fn run(mut child: Child, sent: &[u8]) -> (ExitStatus, String, String) {
    let mut input = child.stdin.take().expect("piped");
    thread::scope(|scope| {
        scope.spawn(move || {
            // A server that has ended already is judged by its status.
            let _ = input.write_all(sent);
        });
        let output = child.wait_with_output().expect("the server ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status, text(output.stdout), text(output.stderr))
    })
}

fn piped() -> Child {
    command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts")
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn request(id: usize, tool: &str) -> String {
    let arguments = r#"{"text":"hello"}"#;
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{{META},"name":"{tool}","arguments":{arguments}}}}}"#
    ) + "\n"
}

fn every_case_over_pipes() {
    for case in cases() {
        let (status, came, _) = run(piped(), case.sent.as_bytes());
        assert!(status.success(), "{}", case.name);
        compare(&case, &came).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

fn some_case() -> Case {
    let case = cases().into_iter().find(|case| case.expected.len() > 2);
    case.expect("there is one with some answers")
}

fn files() {
    let case = some_case();
    let folder = env::temp_dir().join(format!("relay-files-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let (input, output) = (folder.join("in"), folder.join("out"));
    fs::write(&input, &case.sent).expect("a file");
    let status = command()
        .stdin(fs::File::open(&input).expect("a file"))
        .stdout(fs::File::create(&output).expect("a file"))
        .status()
        .expect("the server starts");
    let came = fs::read_to_string(&output).expect("UTF-8");
    fs::remove_dir_all(&folder).expect("the folder");
    assert!(status.success());
    compare(&case, &came).unwrap_or_else(|difference| panic!("{difference}"));
}

fn dev_null() {
    let output = command()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .output()
        .expect("it starts");
    assert!(output.status.success());
    assert!(output.stdout.is_empty() && output.stderr.is_empty());

    let child = command()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let (status, _, _) = run(child, some_case().sent.as_bytes());
    assert!(status.success());
}

fn many_calls_before_one_reply_is_read() {
    const MANY: usize = 2000;
    let mut child = piped();
    let mut input = child.stdin.take().expect("piped");
    let calls: String = (0..MANY).map(|id| request(id, "echo")).collect();
    // The pipes hold a fraction of this, and nobody reads yet.
    input
        .write_all(calls.as_bytes())
        .expect("the server reads on");
    drop(input);
    let output = child.wait_with_output().expect("the server ends");
    assert!(output.status.success());
    let mut ids: Vec<u64> = String::from_utf8(output.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|answer| answer["result"]["content"][0]["text"] == "hello")
        .filter_map(|answer| answer["id"].as_u64())
        .collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(0..MANY as u64));
}

fn handlers_that_block_their_threads() {
    let mut child = piped();
    let mut input = child.stdin.take().expect("piped");
    let mut output = io::BufReader::new(child.stdout.take().expect("piped"));
    let mut answer = || {
        let mut line = String::new();
        io::BufRead::read_line(&mut output, &mut line).expect("UTF-8");
        serde_json::from_str::<Value>(&line).expect("JSON")
    };
    // Three block until the fourth comes; a fast one goes past them.
    for id in 1..4 {
        input
            .write_all(request(id, "meet").as_bytes())
            .expect("the server reads");
    }
    input
        .write_all(request(5, "echo").as_bytes())
        .expect("the server reads");
    assert_eq!(answer()["id"], 5);
    input
        .write_all(request(4, "meet").as_bytes())
        .expect("the server reads");
    let mut ids: Vec<u64> = (0..4).filter_map(|_| answer()["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3, 4]);
    drop(input);
    assert!(child.wait().expect("the server ends").success());
}

fn a_handler_that_blocks_is_timed_out() {
    let mut child = command()
        .env(SERVE, "no grace")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = io::BufReader::new(child.stdout.take().expect("piped"));
    for id in [1, 1] {
        input
            .write_all(request(id, "hurried").as_bytes())
            .expect("the server reads");
        let mut line = String::new();
        io::BufRead::read_line(&mut output, &mut line).expect("UTF-8");
        assert!(line.contains("timed out after 0.001 s."), "{line}");
    }
    drop(input);
    assert!(child.wait().expect("the server ends").success());
}

fn never_ends() {
    let mut command = command();
    command
        .env(SERVE, "no grace")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let child = command.spawn().expect("the server starts");
    let (status, came, log) = run(child, request(1, "stuck").as_bytes());
    assert!(status.success());
    assert_eq!(came, "");
    assert!(
        log.contains("calls dropped at the end of the grace after the end of input: 1"),
        "{log}"
    );
}

fn a_reader_that_is_gone() {
    let mut child = piped();
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(request(1, "echo").as_bytes())
        .expect("the server reads");
    // The input stays open: it is the output that ends the server.
    let mut log = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut log)
        .expect("UTF-8");
    assert!(!child.wait().expect("the server ends").success());
    assert!(
        log.starts_with("serve: the output could not be written: "),
        "{log}"
    );
    assert_eq!(log.lines().count(), 1, "{log}");
    drop(input);
}

fn a_tail_that_is_no_json() {
    let (status, came, log) = run(piped(), b"{\"jsonrpc\"");
    assert!(!status.success());
    assert!(came.contains("-32700"), "{came}");
    assert!(
        log.contains("serve: the input ended in the middle of a message"),
        "{log}"
    );
}

#[cfg(unix)]
mod unix {
    use std::net::Shutdown;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use super::*;

    pub fn a_socket() {
        let case = some_case();
        let (mut ours, theirs) = UnixStream::pair().expect("a pair of sockets");
        let same = theirs.try_clone().expect("a second descriptor");
        let mut child = {
            // In a block: the command keeps the descriptors until it is dropped.
            let mut command = command();
            command
                .stdin(OwnedFd::from(theirs))
                .stdout(OwnedFd::from(same));
            command.spawn().expect("the server starts")
        };
        ours.write_all(case.sent.as_bytes())
            .expect("the server reads");
        ours.shutdown(Shutdown::Write).expect("the socket");
        let mut came = String::new();
        ours.read_to_string(&mut came).expect("UTF-8");
        assert!(child.wait().expect("the server ends").success());
        compare(&case, &came).unwrap_or_else(|difference| panic!("{difference}"));
    }

    pub fn closed_streams() {
        let exe = env::current_exe().expect("the test knows its own path");
        let shell = |redirections: &str| {
            let mut command = Command::new("sh");
            command
                .arg("-c")
                .arg(format!("exec \"$0\" {redirections}"))
                .arg(&exe);
            command
                .env(SERVE, "1")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped());
            command
                .stderr(Stdio::piped())
                .spawn()
                .expect("there is a shell")
        };
        for redirections in ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-", "2>&-"] {
            let (status, came, log) =
                run(shell(redirections), request(1, "private_fail").as_bytes());
            assert!(status.success(), "{redirections}: {log}");
            let answered = redirections == "2>&-";
            assert_eq!(
                came.contains("Tool execution failed."),
                answered,
                "{redirections}"
            );
        }
    }

    /// A terminal is made by util-linux's `script`; where that is missing, nothing is tested.
    #[cfg(target_os = "linux")]
    pub fn a_terminal() {
        let exe = env::current_exe().expect("the test knows its own path");
        let mut script = Command::new("script");
        script.args(["-qec", &format!("exec '{}'", exe.display()), "/dev/null"]);
        script
            .env(SERVE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let Ok(child) = script.spawn() else {
            println!("test a_terminal: skipped, there is no `script`");
            return;
        };
        let (status, came, log) = run(child, request(1, "echo").as_bytes());
        assert!(status.success(), "{came}{log}");
        // The terminal echoes the request, and ends lines its own way.
        let answers = came.lines().filter(|line| line.contains("\"result\""));
        assert_eq!(answers.count(), 1, "{came}");
    }
}
