//! A conversation with a server of its own.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use std::{env, thread};

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::SERVE;
use crate::common::{META, matches};
use crate::rows::{Era, Expected, Row, Step};

struct Talk {
    server: Child,
    /// `None` once it is closed.
    input: Option<ChildStdin>,
    output: Receiver<io::Result<Vec<u8>>>,
    /// What has to come yet.
    awaited: Vec<Expected>,
}

/// Only a server that is stuck takes as long as this to answer.
const STUCK: Duration = Duration::from_secs(120);

/// Has a row's conversation; says what came that is not in the row, or did not come.
pub fn talk(row: &Row, era: Era) -> Result<(), String> {
    let mut talk = Talk::start(&row.limits);
    talk.send(&row.first)?;
    if era == Era::Legacy {
        talk.open()?;
    }
    if row.tail.is_some() {
        // What follows a tail is no line of its own, so the good request comes first.
        talk.probe(era)?;
    }
    for step in &row.steps {
        match step {
            Step::Send(line) => {
                talk.settle()?;
                talk.send(line)?;
            }
            Step::Expect(expected) => talk.awaited.push(expected.clone()),
        }
    }
    match &row.tail {
        Some(tail) => talk.send(tail)?,
        None => {
            talk.settle()?;
            talk.probe(era)?;
        }
    }
    // A tool that must not run panics, which a client that gets no answer would not see.
    let may_panic = row.steps.iter().any(|step| {
        matches!(step, Step::Expect(Expected::Json(json)) if json.to_string().contains("Tool execution failed."))
    });
    talk.end(row.error.as_deref(), may_panic)
}

impl Talk {
    fn start(limits: &str) -> Self {
        let mut server = Command::new(env::current_exe().expect("the test knows its own path"))
            .env(SERVE, limits)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let output = BufReader::new(server.stdout.take().expect("piped"));
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || output.split(b'\n').try_for_each(|line| sender.send(line)));
        Self {
            input: server.stdin.take(),
            output: receiver,
            server,
            awaited: Vec::new(),
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let input = self.input.as_mut().expect("the input is open");
        let sent = input.write_all(bytes);
        sent.map_err(|error| format!("the server does not read: {error}"))
    }

    /// Opens a legacy session.
    fn open(&mut self) -> Result<(), String> {
        self.send(
            br#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"hostile","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#,
        )?;
        self.ask("open")
    }

    /// The server lives: a good request is answered.
    fn probe(&mut self, era: Era) -> Result<(), String> {
        let meta = if era == Era::Modern { META } else { "" };
        let good = format!(
            r#"{{"jsonrpc":"2.0","id":"probe","method":"tools/call","params":{{"_meta":{{{meta}}},"name":"echo","arguments":{{"text":"lives"}}}}}}"#
        );
        self.send(good.as_bytes())?;
        self.send(b"\n")?;
        self.ask("probe")
    }

    /// Reads the result of a request, before which nothing else may come.
    fn ask(&mut self, id: &str) -> Result<(), String> {
        let line = self.line()?.ok_or("the server has ended")?;
        let answer: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        if answer["id"] == id && answer.get("result").is_some() {
            return Ok(());
        }
        Err(format!("not expected: {}", cut(&line)))
    }

    /// Reads until nothing is awaited.
    fn settle(&mut self) -> Result<(), String> {
        while !self.awaited.is_empty() {
            let line = self.line()?.ok_or_else(|| self.missing())?;
            self.take(&line)?;
        }
        Ok(())
    }

    /// Finds a line among those that are awaited.
    fn take(&mut self, line: &str) -> Result<(), String> {
        serde_json::from_str::<IgnoredAny>(line)
            .map_err(|error| format!("{error}: {}", cut(line)))?;
        // What no `Value` can hold, such as an id of a thousand digits, is expected as text.
        let value: Option<Value> = serde_json::from_str(line).ok();
        let place = self.awaited.iter().position(|expected| match expected {
            Expected::Json(json) => value.as_ref().is_some_and(|value| matches(json, value)),
            Expected::Text(text) => text == line,
        });
        let Some(place) = place else {
            return Err(format!("not expected: {}\n  {}", cut(line), self.missing()));
        };
        self.awaited.remove(place);
        Ok(())
    }

    fn missing(&self) -> String {
        let texts = self.awaited.iter().map(|expected| match expected {
            Expected::Json(json) => cut(&json.to_string()),
            Expected::Text(text) => cut(text),
        });
        format!(
            "missing: {}",
            texts.collect::<Vec<_>>().join("\n           ")
        )
    }

    /// The next line that the server writes; `None` at the end.
    fn line(&mut self) -> Result<Option<String>, String> {
        let line = match self.output.recv_timeout(STUCK) {
            Ok(line) => line.map_err(|error| error.to_string())?,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.server.kill();
                return Err(format!("the server is stuck; {}", self.missing()));
            }
        };
        let line = String::from_utf8(line).map_err(|error| error.to_string())?;
        if line.contains(['\u{2028}', '\u{2029}', '\r']) {
            return Err(format!("a line end inside of a line: {}", cut(&line)));
        }
        Ok(Some(line))
    }

    /// Closes the input; what is awaited yet has to come, and nothing else.
    fn end(mut self, error: Option<&str>, may_panic: bool) -> Result<(), String> {
        self.input = None;
        while let Some(line) = self.line()? {
            self.take(&line)?;
        }
        if !self.awaited.is_empty() {
            return Err(self.missing());
        }
        let mut log = String::new();
        let mut errors = self.server.stderr.take().expect("piped");
        errors.read_to_string(&mut log).expect("the log is text");
        let status = self.server.wait().expect("the server ends");
        let wanted = error.map(|error| format!("serve: {error}"));
        let said = log.lines().find(|line| line.starts_with("serve: "));
        let ends_well = status.code() == Some(i32::from(error.is_some()));
        if !ends_well || said != wanted.as_deref() {
            return Err(format!("it ends with {status}, and says: {}", cut(&log)));
        }
        if !may_panic && log.contains("panicked") {
            return Err(format!("a panic: {}", cut(&log)));
        }
        Ok(())
    }
}

/// A text as it may stand in a report.
fn cut(text: &str) -> String {
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}
