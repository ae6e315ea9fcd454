//! Signals that tell the server to end.

use std::io::{BufRead, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::thread;

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Definition, Tool};
use serde_json::{Value, json};

use crate::Talk;

pub const TESTS: &[(&str, fn())] = &[
    ("a_signal_ends_an_idle_server", a_signal_ends_an_idle_server),
    (
        "a_signal_leaves_calls_the_grace",
        a_signal_leaves_calls_the_grace,
    ),
    (
        "a_second_signal_ends_the_server",
        a_second_signal_ends_the_server,
    ),
    (
        "a_client_that_does_not_read_keeps_no_server",
        a_client_that_does_not_read_keeps_no_server,
    ),
    (
        "without_its_own_runtime_no_signal_is_handled",
        without_its_own_runtime_no_signal_is_handled,
    ),
];

const INTERRUPT: i32 = 2;
const TERMINATE: i32 = 15;

/// `heeds` and `ignores` say on standard error when they have begun and when they are told to end.
/// The one does so; the other does not, and blocks its thread.
pub fn tools() -> [Tool; 3] {
    let any = |name| -> Definition<Value> { Definition::content(name, json!({"type": "object"})) };
    [
        any("heeds").handle(|call: Call, _| async move {
            told(&call).await;
            Ok(ContentBlock::text("ended").into())
        }),
        any("ignores").handle(|call: Call, _| async move {
            told(&call).await;
            loop {
                thread::park();
            }
        }),
        any("long")
            .handle(|_: Call, _| async move { Ok(ContentBlock::text("x".repeat(1 << 20)).into()) }),
    ]
}

async fn told(call: &Call) {
    eprintln!("begun");
    call.cancelled().await;
    eprintln!("told");
}

impl Talk {
    fn signal(&self, signal: i32) {
        let id = self.child.id().to_string();
        let kill = format!("kill -{signal} {id}");
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.expect("there is a shell").success());
    }

    /// Waits for the end, with the input open.
    fn ends_well(mut self) {
        let status = self.child.wait().expect("the server ends");
        assert!(status.success(), "{status}");
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("UTF-8");
        assert_eq!(rest, "");
    }
}

fn a_signal_ends_an_idle_server() {
    for signal in [INTERRUPT, TERMINATE] {
        let mut talk = Talk::new("");
        talk.call(1, "echo");
        talk.answer();
        talk.signal(signal);
        talk.ends_well();
    }
}

fn a_signal_leaves_calls_the_grace() {
    let mut talk = Talk::new("one at a time");
    talk.call(1, "heeds");
    assert_eq!(talk.log_line(), "begun");
    talk.call(2, "echo");
    // Its answer says that the call before it has been read, too.
    talk.call(3, "no such tool");
    assert_eq!(talk.answer()["id"], 3);
    talk.signal(TERMINATE);
    let mut answers = [talk.answer(), talk.answer()];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let [ended, refused] = answers;
    assert_eq!(ended["result"]["content"][0]["text"], "ended");
    assert_eq!(
        refused["error"]["message"],
        "the server ends before the turn of this call came"
    );
    assert_eq!(talk.log_line(), "told");
    talk.ends_well();
}

fn a_second_signal_ends_the_server() {
    let mut talk = Talk::new("");
    talk.call(1, "ignores");
    assert_eq!(talk.log_line(), "begun");
    talk.signal(INTERRUPT);
    assert_eq!(talk.log_line(), "told");
    // Nothing begins any more; the rest is answered.
    talk.call(2, "echo");
    let refused = talk.answer();
    assert_eq!(refused["error"]["code"], -32603, "{refused}");
    talk.call(3, "no such tool");
    assert_eq!(talk.answer()["error"]["code"], -32602);
    talk.signal(TERMINATE);
    assert_eq!(
        talk.log_line(),
        "relay: calls dropped, unanswered, at the end of the server: 1"
    );
    talk.ends_well();
}

fn a_client_that_does_not_read_keeps_no_server() {
    let mut talk = Talk::new("");
    talk.call(1, "long");
    // The reply has begun to come, and is more than the pipe can hold.
    talk.output.fill_buf().expect("a reply");
    talk.signal(TERMINATE);
    assert!(talk.child.wait().expect("the server ends").success());
}

fn without_its_own_runtime_no_signal_is_handled() {
    let mut talk = Talk::new("async");
    talk.call(1, "echo");
    talk.answer();
    talk.signal(TERMINATE);
    let status = talk.child.wait().expect("the server ends");
    assert_eq!(status.signal(), Some(TERMINATE));
}
