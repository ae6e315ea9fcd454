//! The contract has renamed a member that the handler still gives.

use relay_runtime::{Call, ToolResult};
use tools::{Greet, GreetInput, GreetOutput};

mod tools {
    relay_runtime::include_tools!("greeter.rs");
}

struct Greeter;

impl Greet for Greeter {
    async fn greet(&self, _call: &Call, input: GreetInput) -> ToolResult<GreetOutput> {
        Ok(GreetOutput { text: input.name }.into())
    }
}

fn main() {}
