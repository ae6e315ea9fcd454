//! A client of a server in the same process.

#![allow(dead_code, reason = "not every test needs all of it")]

use relay_runtime::Server;
use relay_runtime::stdio::{self, StdioError};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::task::JoinHandle;

/// A client and a server at work.
pub struct Talk {
    pub requests: Option<DuplexStream>,
    pub answers: BufReader<DuplexStream>,
    pub serving: JoinHandle<Result<(), StdioError>>,
}

impl Talk {
    pub fn new<C: Send + Sync + 'static>(server: Server<C>, context: C) -> Self {
        let (requests, reader) = tokio::io::duplex(1 << 10);
        let (writer, answers) = tokio::io::duplex(1 << 10);
        Self {
            requests: Some(requests),
            answers: BufReader::new(answers),
            serving: tokio::spawn(stdio::serve_stream(server, context, reader, writer)),
        }
    }

    pub async fn send(&mut self, line: &str) {
        let requests = self.requests.as_mut().expect("the input is open");
        requests
            .write_all(format!("{line}\n").as_bytes())
            .await
            .expect("the server reads");
    }

    pub async fn answer(&mut self) -> Value {
        let line = self.line().await;
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next message as it stands.
    pub async fn line(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).await.expect("UTF-8");
        line
    }

    /// Ends the input; gives what was not read yet, once the server has ended.
    pub async fn end(mut self) -> Result<String, StdioError> {
        self.requests = None;
        let mut rest = String::new();
        self.answers.read_to_string(&mut rest).await.expect("UTF-8");
        self.serving.await.expect("no panic").map(|()| rest)
    }
}

/// A request of 2026-07-28 by a client with these capabilities.
pub fn modern(id: u32, method: &str, params: Value, capabilities: Value) -> String {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// The text of a call's result.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("{answer}"))
}

/// The code of a refusal and the id of its request.
pub fn refused(answer: &Value) -> (i64, u64) {
    let code = answer["error"]["code"].as_i64();
    (
        code.unwrap_or_else(|| panic!("{answer}")),
        answer["id"].as_u64().expect("an id"),
    )
}

/// What a client of an older revision says once it is ready.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Opens a session of an older revision.
pub async fn open_session(talk: &mut Talk, version: &str, capabilities: Value) {
    let params = json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": {"name": "c", "version": "1"}
    });
    let request = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    talk.send(&request.to_string()).await;
    assert_eq!(talk.answer().await["result"]["protocolVersion"], version);
}

/// A call in such a session.
pub fn call(id: u32, tool: &str) -> String {
    let params = json!({"name": tool, "arguments": {}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}
