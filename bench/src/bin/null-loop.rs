//! The baseline: the least correct work that one thread can do for the tools `echo` and `sum`.
//!
//! It borrows what it can of a line, checks nothing beyond the types of the arguments, and writes
//! what it has to say once no whole line is left in its buffer. The table (`bench/table`) builds it
//! in a package of its own, with serde_json as it comes.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// As much as a pipe holds.
const CHUNK: usize = 64 << 10;

const TOOLS: &str = r#""tools":[{"name":"echo","description":"Gives the text back.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"outputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},{"name":"sum","description":"Adds numbers.","inputSchema":{"type":"object","properties":{"numbers":{"type":"array","items":{"type":"number"}}},"required":["numbers"]},"outputSchema":{"type":"object","properties":{"total":{"type":"number"}},"required":["total"]}}]"#;

/// What is read of a request.
#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow, default)]
    params: Params<'a>,
}

/// What is read of the parameters, of every method.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    protocol_version: Option<Cow<'a, str>>,
}

/// The arguments of `echo`, and its result.
#[derive(Deserialize, Serialize)]
struct Echo<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// The arguments of `sum`.
#[derive(Deserialize)]
struct Numbers {
    numbers: Vec<f64>,
}

/// The result of `sum`.
#[derive(Serialize)]
struct Total {
    total: f64,
}

/// What is to be written, and room for one result.
#[derive(Default)]
struct Answers {
    bytes: Vec<u8>,
    result: Vec<u8>,
}

impl Answers {
    /// Answers a line, unless it is a notification.
    fn add(&mut self, line: &[u8]) -> io::Result<()> {
        let Ok(request) = serde_json::from_slice::<Request>(line) else {
            return self.error("null", -32700, "Parse error");
        };
        let Some(id) = request.id.map(RawValue::get) else {
            return Ok(());
        };
        let params = request.params;
        match &*request.method {
            "tools/call" => self.call(id, &params),
            "tools/list" => self.text(
                id,
                &format!(r#"{TOOLS},"resultType":"complete","ttlMs":0,"cacheScope":"private""#),
            ),
            "initialize" => {
                let version = params.protocol_version.as_deref().unwrap_or("2025-11-25");
                self.text(id, &format!(r#""protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"null-loop","version":"0"}}"#))
            }
            "ping" => self.text(id, ""),
            _ => self.error(id, -32601, "Method not found"),
        }
    }

    fn call(&mut self, id: &str, params: &Params) -> io::Result<()> {
        let arguments = params.arguments.map_or("{}", RawValue::get);
        match params.name.as_deref() {
            Some("echo") => match serde_json::from_str::<Echo>(arguments) {
                Ok(echo) => self.result(id, &echo),
                Err(_) => self.error(id, -32602, "Invalid arguments"),
            },
            Some("sum") => match serde_json::from_str::<Numbers>(arguments) {
                Ok(Numbers { numbers }) => {
                    let total = numbers.iter().sum();
                    self.result(id, &Total { total })
                }
                Err(_) => self.error(id, -32602, "Invalid arguments"),
            },
            _ => self.error(id, -32602, "Unknown tool"),
        }
    }

    /// A structured result, and the text that mirrors it.
    fn result(&mut self, id: &str, value: &impl Serialize) -> io::Result<()> {
        self.result.clear();
        serde_json::to_writer(&mut self.result, value)?;
        // Without unsafe code this has to be looked at once more; it is a small part of the work.
        let text = std::str::from_utf8(&self.result).map_err(io::Error::other)?;
        self.bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        self.bytes.extend_from_slice(id.as_bytes());
        self.bytes
            .extend_from_slice(br#","result":{"resultType":"complete","structuredContent":"#);
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes
            .extend_from_slice(br#","content":[{"type":"text","text":"#);
        serde_json::to_writer(&mut self.bytes, text)?;
        self.bytes.extend_from_slice(b"}]}}\n");
        Ok(())
    }

    /// A result whose members are written already.
    fn text(&mut self, id: &str, members: &str) -> io::Result<()> {
        writeln!(
            self.bytes,
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{{members}}}}}"#
        )
    }

    fn error(&mut self, id: &str, code: i32, message: &str) -> io::Result<()> {
        writeln!(
            self.bytes,
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}"}}}}"#
        )
    }
}

/// Answers lines until there are no more.
fn serve(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut answers = Answers::default();
    let mut buffer = vec![0; CHUNK];
    let mut filled = 0;
    loop {
        let count = match input.read(&mut buffer[filled..]) {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        // What was there before has no end of a line in it.
        let (mut start, mut from) = (0, filled);
        filled += count;
        while let Some(length) = memchr::memchr(b'\n', &buffer[from..filled]) {
            answers.add(&buffer[start..from + length])?;
            (start, from) = (from + length + 1, from + length + 1);
        }
        if !answers.bytes.is_empty() {
            output.write_all(&answers.bytes)?;
            answers.bytes.clear();
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
        if filled == buffer.len() {
            buffer.resize(2 * filled, 0);
        }
    }
}

/// Files, since the standard library's own streams lock, and end their writes at lines.
#[cfg(unix)]
fn main() -> io::Result<()> {
    use std::fs::File;
    use std::os::fd::AsFd;

    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    serve(File::from(input), File::from(output))
}

#[cfg(not(unix))]
fn main() -> io::Result<()> {
    serve(io::stdin().lock(), io::stdout().lock())
}
