//! The handlers have one of two tools.

use relay_runtime::{Call, Server, ToolResult};
use tools::{Greet, GreetInput, GreetOutput};

mod tools {
    relay_runtime::include_tools!("twins.rs");
}

struct Greeter;

impl Greet for Greeter {
    async fn greet(&self, _call: &Call, input: GreetInput) -> ToolResult<GreetOutput> {
        Ok(GreetOutput { message: input.name }.into())
    }
}

fn main() {
    let _: Server = Server::new("greeter", "1.0.0").tools(tools::tools(Greeter));
}
