//! The handler holds something across an await that only one thread may hold.

use std::rc::Rc;

use relay_runtime::{Call, ToolResult};
use tools::{Greet, GreetInput, GreetOutput};

mod tools {
    relay_runtime::include_tools!("greeter.rs");
}

struct Greeter;

impl Greet for Greeter {
    async fn greet(&self, _call: &Call, input: GreetInput) -> ToolResult<GreetOutput> {
        let name = Rc::new(input.name);
        std::future::ready(()).await;
        Ok(GreetOutput { message: name.to_string() }.into())
    }
}

fn main() {}
