//! The handler takes another type than the contract says.

use relay_runtime::{Call, ToolResult};
use tools::{Greet, GreetOutput};

mod tools {
    relay_runtime::include_tools!("greeter.rs");
}

struct Greeter;

impl Greet for Greeter {
    async fn greet(&self, _call: &Call, name: String) -> ToolResult<GreetOutput> {
        Ok(GreetOutput { message: name }.into())
    }
}

fn main() {}
