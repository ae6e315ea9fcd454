//! The two eras of MCP, as a client speaks them.

use serde_json::Value;

use crate::process::Served;

/// A way to speak MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Each request names its version.
    Modern,
    /// The client begins with `initialize`.
    Legacy,
}

impl Era {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Modern, Self::Legacy];

    /// The revision of MCP that is spoken.
    #[must_use]
    pub fn revision(self) -> &'static str {
        match self {
            Era::Modern => "2026-07-28",
            Era::Legacy => "2025-11-25",
        }
    }

    /// A request as one line; its parameters are members of an object, each with a comma behind it.
    #[must_use]
    pub fn request(self, id: usize, method: &str, params: &str) -> String {
        let params = match self {
            Era::Modern => format!(
                r#"{params}"_meta":{{"io.modelcontextprotocol/protocolVersion":"{}","io.modelcontextprotocol/clientInfo":{{"name":"relay-bench","version":"0"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}"#,
                self.revision()
            ),
            Era::Legacy => params.trim_end_matches(',').to_owned(),
        };
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#) + "\n"
    }

    /// What comes before the first request.
    ///
    /// # Errors
    ///
    /// If the server does not speak this revision.
    pub fn open(self, server: &mut Served) -> Result<(), String> {
        if self == Era::Modern {
            return Ok(());
        }
        let initialize = self.request(
            0,
            "initialize",
            &format!(
                r#""protocolVersion":"{}","capabilities":{{}},"clientInfo":{{"name":"relay-bench","version":"0"}}"#,
                self.revision()
            ),
        );
        server.send(initialize.as_bytes())?;
        let line = server.line()?;
        let answer: Value = serde_json::from_slice(&line).unwrap_or_default();
        if answer["result"]["protocolVersion"] != self.revision() {
            let line = String::from_utf8_lossy(&line);
            return Err(format!("`initialize` was answered with {line}"));
        }
        server.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")
    }
}
