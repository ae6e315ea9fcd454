//! Serves a tool for each thing that a server can do. Clients are tested with it.

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Server, ToolError, ToolResult, stdio};
use tools::{Add, AddInput, AddOutput, Echo, EchoInput, Noargs, NoargsInput};

mod asking;
mod content;
mod failures;
mod time;
mod tools {
    relay_runtime::include_tools!();
}

struct Everything;

impl Echo for Everything {
    async fn echo(&self, _call: &Call, input: EchoInput) -> ToolResult<Vec<ContentBlock>> {
        Ok(ContentBlock::text(input.text).into())
    }
}

impl Add for Everything {
    async fn add(&self, _call: &Call, input: AddInput) -> ToolResult<AddOutput> {
        let AddInput { a, b } = input;
        let sum = a.checked_add(b).ok_or_else(|| {
            ToolError::message(format!("the sum of {a} and {b} needs more than 64 bits"))
        })?;
        Ok(AddOutput { sum }.into())
    }
}

impl Noargs for Everything {
    async fn noargs(&self, _call: &Call, _input: NoargsInput) -> ToolResult<Vec<ContentBlock>> {
        Ok(ContentBlock::text("It ran.").into())
    }
}

fn main() -> Result<(), stdio::StdioError> {
    let server = Server::new("everything", env!("CARGO_PKG_VERSION"))
        .title("Everything")
        .instructions("Tools to test a client with. None of them changes anything.")
        .tools(tools::tools(Everything));
    stdio::serve(server, ())
}
