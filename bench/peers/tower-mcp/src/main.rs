//! The tools of the benchmark as tower-mcp's documentation writes them: its builder, its router and
//! its transport, and tokio's default runtime.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tower_mcp::{BoxError, CallToolResult, McpRouter, StdioTransport, ToolBuilder};

/// What a call of 1 MiB needs.
const LONGEST_FRAME: usize = 16 << 20;

/// The arguments of `echo`, and its result.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Echo {
    text: String,
}

/// The arguments of `sum`.
#[derive(Debug, Deserialize, JsonSchema)]
struct Numbers {
    numbers: Vec<f64>,
}

/// The result of `sum`.
#[derive(Debug, Serialize, JsonSchema)]
struct Total {
    total: f64,
}

fn router() -> McpRouter {
    let echo = ToolBuilder::new("echo")
        .description("Gives the text back.")
        .output_schema_for::<Echo>()
        .handler(|echo: Echo| async move { CallToolResult::from_serialize(&echo) })
        .build();
    let sum = ToolBuilder::new("sum")
        .description("Adds numbers.")
        .output_schema_for::<Total>()
        .handler(|Numbers { numbers }: Numbers| async move {
            let total = numbers.iter().sum();
            CallToolResult::from_serialize(&Total { total })
        })
        .build();
    McpRouter::new()
        .server_info("bench", "0.0.0")
        .tool(echo)
        .tool(sum)
}

async fn serve() -> Result<(), BoxError> {
    let mut transport = StdioTransport::new(router()).max_frame_len(LONGEST_FRAME);
    transport.run().await?;
    Ok(())
}

fn main() -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve())
}
