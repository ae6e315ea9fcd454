//! What generated code does with the runtime.

use relay_runtime::Definition;
use relay_runtime::check::Table;
use relay_runtime::codegen::{Contract, INTERFACE, definition, interface, table};
use serde_json::Value;

const _: () = interface(INTERFACE);

/// A schema without a keyword: it takes everything.
const ANYTHING: Table = table! { [] };

const DECLARATION: &str = r#"{
  "name": "half",
  "inputSchema": {"type":"object","properties":{"z":{"maximum":1.50},"a":{"minimum":1E+2}}},
  "annotations": {"readOnlyHint":true}
}"#;

static HALF: Contract = Contract {
    name: "half",
    declaration: DECLARATION,
    input: ANYTHING,
    output: Some(ANYTHING),
    required_client_capabilities: &["roots"],
    timeout_ms: None,
};

#[test]
fn a_setter_keeps_the_text_of_the_schemas() {
    let half: Definition<Value, Value> = definition(&HALF);
    assert_eq!(
        (half.name(), half.required_client_capabilities()),
        ("half", &["roots".to_owned()][..])
    );
    let declaration = half.with_title("Half").declaration();
    assert_eq!(
        serde_json::to_string(&declaration).expect("it encodes"),
        r#"{"name":"half","title":"Half","inputSchema":{"type":"object","properties":{"z":{"maximum":1.50},"a":{"minimum":1E+2}}},"annotations":{"readOnlyHint":true}}"#
    );
}

#[test]
#[should_panic(expected = "update relay-runtime")]
fn code_of_a_newer_generator_is_refused() {
    interface(INTERFACE + 1);
}

#[test]
#[should_panic(expected = "generate the code again")]
fn code_of_an_older_generator_is_refused() {
    interface(INTERFACE - 1);
}

#[cfg(feature = "server")]
#[tokio::test]
async fn the_list_has_the_declaration_as_it_stands() {
    use relay_runtime::codegen::content_definition;
    use relay_runtime::{Call, Server, Tool, stdio};
    use tokio::io::AsyncReadExt;

    let handled: Definition<Value> = content_definition(&HALF);
    let tool: Tool = handled.handle(|_: Call, _| async move { Ok(Vec::new().into()) });
    let request = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let (mut answers, writer) = tokio::io::duplex(1 << 16);
    stdio::serve_stream(Server::new("s", "1").tool(tool), (), &request[..], writer)
        .await
        .expect("a clean end");
    let mut came = String::new();
    answers.read_to_string(&mut came).await.expect("UTF-8");
    // But for its line breaks, which would end the message.
    let listed = DECLARATION.replace('\n', " ");
    assert!(came.contains(&format!("\"tools\":[{listed}]")), "{came}");
    assert_eq!(came.lines().count(), 1);
}

#[cfg(feature = "server")]
#[tokio::test]
async fn a_declaration_that_cannot_be_published_stops_the_start() {
    use relay_runtime::codegen::content_definition;
    use relay_runtime::{Call, Server, Tool, stdio};

    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"name":"t","inputSchema":{{"type":"object","default":{open}0{close}}}}}"#)
    };
    for (declaration, problem) in [
        (nested(118), None),
        (
            nested(119),
            Some("nests deeper than 120 levels: flatten it"),
        ),
        ("{".into(), Some("is no JSON (")),
        ("[]".into(), Some("is no JSON object")),
    ] {
        let declaration = &*declaration.leak();
        let contract: &'static Contract = Box::leak(Box::new(Contract {
            name: "t",
            declaration,
            input: ANYTHING,
            output: None,
            required_client_capabilities: &[],
            timeout_ms: None,
        }));
        let handled: Definition<Value> = content_definition(contract);
        let tool: Tool = handled.handle(|_: Call, _| async move { Ok(Vec::new().into()) });
        let server = Server::new("s", "1").tool(tool);
        let served = stdio::serve_stream(server, (), tokio::io::empty(), tokio::io::sink());
        let error = served.await.map_err(|error| error.to_string()).err();
        let problem = problem.map(|it| format!("the declaration of the tool `t` {it}"));
        match (&error, problem) {
            (None, None) => {}
            (Some(error), Some(problem)) if error.contains(&problem) => {}
            _ => panic!("{declaration}: {error:?}"),
        }
    }
}

/// A trait as `relay-gen` writes it, its implementation as users write it, and `tools()`.
#[cfg(feature = "server")]
mod shape {
    use std::future::Future;
    use std::sync::Arc;

    use relay_runtime::{Call, Server, Tool, ToolResult, codegen, stdio};
    use serde_json::{Value, json};

    use super::HALF;

    trait Half<C = ()> {
        fn half(
            &self,
            call: &Call<C>,
            input: Value,
        ) -> impl Future<Output = ToolResult<Value>> + Send;
    }

    fn tools<C, H>(handlers: H) -> Vec<Tool<C>>
    where
        C: Send + Sync + 'static,
        H: Half<C> + Send + Sync + 'static,
    {
        let handlers = Arc::new(handlers);
        vec![
            codegen::definition::<Value, Value>(&HALF).handle(move |call, input| {
                let handlers = Arc::clone(&handlers);
                async move { handlers.half(&call, input).await }
            }),
        ]
    }

    struct Halver;

    impl Half for Halver {
        async fn half(&self, _call: &Call, input: Value) -> ToolResult<Value> {
            let number: f64 = input["number"].to_string().parse()?;
            tokio::task::yield_now().await;
            Ok(json!({ "half": number / 2.0 }).into())
        }
    }

    impl Half<u32> for Halver {
        async fn half(&self, call: &Call<u32>, _input: Value) -> ToolResult<Value> {
            Ok(json!(call.context()).into())
        }
    }

    /// As a `main` is written: nothing says which context the tools have but `()`.
    #[expect(dead_code, reason = "it is enough that it compiles")]
    fn main() -> Result<(), stdio::StdioError> {
        stdio::serve(Server::new("s", "1").tools(tools(Halver)), ())
    }

    #[test]
    fn handlers_become_tools() {
        let server: Server = Server::new("s", "1").tools(tools(Halver));
        assert!(format!("{server:?}").contains("half"));
        let _: Server<u32> = Server::new("s", "1").tools(tools(Halver));
    }
}
