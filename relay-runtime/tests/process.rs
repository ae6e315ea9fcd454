//! A server as a process, on streams of every kind.
//!
//! The executable runs itself again as the server, so it has a `main` of its own: libtest's would
//! write to standard output.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{
    Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitCode, ExitStatus, Stdio,
};
use std::time::Duration;
use std::{env, fs, panic, thread};

use common::{Case, cases, compare, server};
use relay_runtime::{Limits, stdio};
use serde_json::Value;
use tokio::runtime::Runtime;

const SERVE: &str = "RELAY_TEST_SERVE";

#[path = "process/blocked.rs"]
mod blocked;
#[cfg(unix)]
#[path = "process/private.rs"]
mod private;
#[cfg(unix)]
#[path = "process/signals.rs"]
mod signals;

fn main() -> ExitCode {
    if let Ok(how) = env::var(SERVE) {
        return serve(&how);
    }
    let tests: &[(&str, fn())] = &[
        ("every_case_over_pipes", every_case_over_pipes),
        ("files", files),
        ("dev_null", dev_null),
        (
            "many_calls_before_one_reply_is_read",
            many_calls_before_one_reply_is_read,
        ),
        ("a_reader_that_is_gone", a_reader_that_is_gone),
        ("a_process_serves_once", a_process_serves_once),
        #[cfg(unix)]
        ("a_socket", unix::a_socket),
        #[cfg(unix)]
        ("closed_streams", unix::closed_streams),
        #[cfg(target_os = "linux")]
        ("a_terminal", unix::a_terminal),
    ];
    let groups = [
        tests,
        blocked::TESTS,
        #[cfg(unix)]
        private::TESTS,
        #[cfg(unix)]
        signals::TESTS,
    ];
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let mut failed = false;
    for (name, test) in groups.into_iter().flatten() {
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

/// The server of the tests, in the way that one of them wants.
fn serve(how: &str) -> ExitCode {
    let grace = if how == "no grace" { 0 } else { 3600 };
    let mut limits = Limits::new()
        .with_grace(Duration::from_secs(grace))
        .expect("in range");
    if how == "one at a time" {
        limits = limits.with_calls_in_flight(1).expect("in range");
    }
    let server = || {
        let server = server().limits(limits.clone()).tools(blocked::tools());
        #[cfg(unix)]
        let server = server.tools(private::tools()).tools(signals::tools());
        server
    };
    let config = stdio::Config::new().with_private_streams(how != "shared streams");
    let result = match how {
        "async" => Runtime::new()
            .expect("a runtime")
            .block_on(stdio::serve_async_with(server(), (), config)),
        "twice" => stdio::serve(server(), ()).and_then(|()| stdio::serve(server(), ())),
        #[cfg(unix)]
        "after reading and printing" => {
            private::read_and_print();
            stdio::serve_with(server(), (), config).inspect(|()| println!("printed after"))
        }
        _ => stdio::serve_with(server(), (), config),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("serve: {error}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> Command {
    let mut command = Command::new(env::current_exe().expect("the test knows its own path"));
    command.env(SERVE, "").stderr(Stdio::piped());
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

fn piped(how: &str) -> Child {
    command()
        .env(SERVE, how)
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

/// A server, and a client that speaks with it in turns.
struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    log: BufReader<ChildStderr>,
}

impl Talk {
    fn new(how: &str) -> Self {
        let mut child = piped(how);
        Self {
            input: child.stdin.take().expect("piped"),
            output: BufReader::new(child.stdout.take().expect("piped")),
            log: BufReader::new(child.stderr.take().expect("piped")),
            child,
        }
    }

    fn call(&mut self, id: usize, tool: &str) {
        self.send(&request(id, tool));
    }

    fn send(&mut self, line: &str) {
        let sent = self.input.write_all(line.as_bytes());
        sent.expect("the server reads");
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next line on standard error, without its end.
    fn log_line(&mut self) -> String {
        let mut line = String::new();
        self.log.read_line(&mut line).expect("UTF-8");
        line.trim_end().to_owned()
    }

    /// Closes the input and waits for the end.
    fn close(mut self) -> ExitStatus {
        drop(self.input);
        self.child.wait().expect("the server ends")
    }
}

fn every_case_over_pipes() {
    for case in cases() {
        let (status, came, _) = run(piped(""), case.sent.as_bytes());
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
    let mut child = piped("");
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

fn a_reader_that_is_gone() {
    let mut child = piped("");
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

fn a_process_serves_once() {
    let (status, came, log) = run(piped("twice"), request(1, "echo").as_bytes());
    assert!(!status.success());
    assert_eq!(came.lines().count(), 1, "{came}");
    assert!(log.contains("served once in a process"), "{log}");
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
                .env(SERVE, "")
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
        // A terminal has its own name, and that of whoever it controls.
        for redirection in ["", "2>/dev/tty"] {
            let run_on_it = format!("exec '{}' {redirection}", exe.display());
            let mut script = Command::new("script");
            script.args(["-qec", &run_on_it, "/dev/null"]);
            script
                .env(SERVE, "")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let Ok(child) = script.spawn() else {
                println!("test a_terminal: skipped, there is no `script`");
                return;
            };
            let calls = request(1, "echo") + &request(2, "prints");
            let (status, came, log) = run(child, calls.as_bytes());
            assert!(status.success(), "{came}{log}");
            // The terminal echoes the requests, and ends lines its own way.
            let answers = came.lines().filter(|line| line.contains("\"result\""));
            assert_eq!(answers.count(), 2, "{came}");
            assert!(!came.contains("from a handler"), "{came}");
        }
    }
}
