//! Serves `greet` over stdio, with a greeting of its own.

use relay_runtime::{Call, Server, ToolResult, stdio};
use tools::{Greet, GreetInput, GreetOutput};

mod tools {
    relay_runtime::include_tools!();
}

struct Greeter {
    greeting: String,
}

impl Greet for Greeter {
    async fn greet(&self, _call: &Call, input: GreetInput) -> ToolResult<GreetOutput> {
        let message = format!("{}, {}!", self.greeting, input.name);
        Ok(GreetOutput { message }.into())
    }
}

fn main() -> Result<(), stdio::StdioError> {
    let greeter = Greeter {
        greeting: "Hello".into(),
    };
    let server = Server::new("greeter", env!("CARGO_PKG_VERSION")).tools(tools::tools(greeter));
    stdio::serve(server, ())
}
