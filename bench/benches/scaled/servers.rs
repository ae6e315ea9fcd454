//! The servers that are measured.

use std::sync::Arc;

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Definition, Limits, Server, Tool, ToolResult, stdio};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::SLOW;

/// The tools that `bench-server` has.
mod small {
    relay_runtime::include_tools!();
}

/// An `echo` that knows three members more.
mod narrow {
    relay_runtime::include_tools!("narrow.rs");
}

/// An `echo` that knows 300 members more.
mod wide {
    relay_runtime::include_tools!("wide.rs");
}

/// Implements `echo` as a module has it.
macro_rules! echo {
    ($module:ident) => {
        impl $module::Echo for Handlers {
            async fn echo(
                &self,
                _call: &Call,
                input: $module::EchoInput,
            ) -> ToolResult<$module::EchoOutput> {
                Ok($module::EchoOutput { text: input.text }.into())
            }
        }
    };
}

struct Handlers;

echo!(small);
echo!(narrow);
echo!(wide);

impl small::Sum for Handlers {
    async fn sum(&self, _call: &Call, input: small::SumInput) -> ToolResult<small::SumOutput> {
        let total = input.numbers.iter().sum();
        Ok(small::SumOutput { total }.into())
    }
}

/// Serves until the input ends.
pub fn serve(kind: &str) {
    let server = Server::new("scale", "0.0.0");
    let server = match kind {
        "one" => server.tools(small::tools(Handlers)),
        "many" => server.tools(small::tools(Handlers)).tools(others()),
        "narrow" => server.tools(narrow::tools(Handlers)),
        "wide" => server.tools(wide::tools(Handlers)),
        _ => server
            .tools(small::tools(Handlers))
            .tools(slow())
            .limits(limits()),
    };
    stdio::serve(server, ()).expect("it serves");
}

/// The arguments of tools that take none.
#[derive(Serialize, Deserialize)]
struct Nothing {}

fn definition(name: String) -> Definition<Nothing> {
    let nothing: Value = json!({ "type": "object", "properties": {} });
    Definition::content(name, nothing)
}

fn others() -> impl Iterator<Item = Tool> {
    (2..1000).map(|number| {
        definition(format!("tool_{number}"))
            .handle(|_call: Call, _input| async { Ok(ContentBlock::text("done").into()) })
    })
}

/// `wait`, which waits for a call of `release`.
fn slow() -> [Tool; 2] {
    let (release, released) = watch::channel(false);
    let release = Arc::new(release);
    let wait = definition("wait".into()).handle(move |_call: Call, _input| {
        let mut released = released.clone();
        async move {
            released.wait_for(|released| *released).await?;
            Ok(ContentBlock::text("released").into())
        }
    });
    let release = definition("release".into()).handle(move |_call: Call, _input| {
        let release = Arc::clone(&release);
        async move {
            release.send_replace(true);
            Ok(ContentBlock::text("released").into())
        }
    });
    [wait, release]
}

/// Room for all slow calls, and for one more.
fn limits() -> Limits {
    Limits::new()
        .with_calls_in_flight(SLOW + 1)
        .expect("a number that is allowed")
}
