//! The handler gives another type than the contract says.

use relay_runtime::{Call, ToolResult};
use tools::{Greet, GreetInput};

mod tools {
    relay_runtime::include_tools!("greeter.rs");
}

struct Greeter;

impl Greet for Greeter {
    async fn greet(&self, _call: &Call, input: GreetInput) -> ToolResult<String> {
        Ok(input.name.into())
    }
}

fn main() {}
