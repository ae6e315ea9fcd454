//! The handlers lack the one tool there is.

use relay_runtime::{Server, stdio};

mod tools {
    relay_runtime::include_tools!("greeter.rs");
}

struct Greeter;

fn main() -> Result<(), stdio::StdioError> {
    let server = Server::new("greeter", "1.0.0").tools(tools::tools(Greeter));
    stdio::serve(server, ())
}
