//! The server that is measured: two small tools, each with a structured result.

use relay_runtime::{Call, Server, ToolResult, stdio};
use tools::{Echo, EchoInput, EchoOutput, Sum, SumInput, SumOutput};

mod tools {
    relay_runtime::include_tools!();
}

struct Handlers;

impl Echo for Handlers {
    async fn echo(&self, _call: &Call, input: EchoInput) -> ToolResult<EchoOutput> {
        Ok(EchoOutput { text: input.text }.into())
    }
}

impl Sum for Handlers {
    async fn sum(&self, _call: &Call, input: SumInput) -> ToolResult<SumOutput> {
        let total = input.numbers.iter().sum();
        Ok(SumOutput { total }.into())
    }
}

fn main() -> Result<(), stdio::StdioError> {
    let server = Server::new("bench", env!("CARGO_PKG_VERSION")).tools(tools::tools(Handlers));
    stdio::serve(server, ())
}
