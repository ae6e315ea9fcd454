//! The tools of the benchmark as rmcp's documentation writes them: a router made by its macro, over
//! `stdio_pipes`, which it recommends where both streams are pipes, and tokio's default runtime.

use std::error::Error;

use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::transport::stdio_pipes;
use rmcp::{ServiceExt, schemars, tool, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The arguments of `echo`, and its result.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Echo {
    text: String,
}

/// The arguments of `sum`.
#[derive(Deserialize, JsonSchema)]
struct Numbers {
    numbers: Vec<f64>,
}

/// The result of `sum`.
#[derive(Serialize, JsonSchema)]
struct Total {
    total: f64,
}

/// Both tools.
#[derive(Clone)]
struct Tools;

#[tool_router(server_handler)]
impl Tools {
    #[tool(description = "Gives the text back.")]
    fn echo(&self, Parameters(echo): Parameters<Echo>) -> Json<Echo> {
        Json(echo)
    }

    #[tool(description = "Adds numbers.")]
    fn sum(&self, Parameters(Numbers { numbers }): Parameters<Numbers>) -> Json<Total> {
        let total = numbers.iter().sum();
        Json(Total { total })
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    Tools.serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve())
}
