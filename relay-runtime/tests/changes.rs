//! Lists in pages, and tools that come and go while clients listen.

#![cfg(feature = "server")]

mod talk;

use relay_runtime::{Call, Definition, Limits, Server, Tool, ToolRegistry};
use serde_json::{Value, json};
use talk::{Talk, modern, refused};

fn tool(name: &str) -> Tool {
    let definition: Definition<Value> = Definition::content(name, json!({"type": "object"}));
    definition.handle(|_: Call, _| async move { Ok(Vec::new().into()) })
}

fn ask(id: u32, method: &str, params: Value) -> String {
    modern(id, method, params, json!({}))
}

fn names(answer: &Value) -> Vec<&str> {
    let tools = answer["result"]["tools"].as_array().expect("a list");
    tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect()
}

#[tokio::test]
async fn a_list_comes_in_pages() {
    let server = Server::new("pages", "1")
        .tools(["b", "a", "d", "c", "e"].map(tool))
        .limits(Limits::new().with_page_size(2).expect("in range"));
    let mut talk = Talk::new(server, ());
    let mut cursor = None;
    for (page, more) in [
        (vec!["a", "b"], true),
        (vec!["c", "d"], true),
        (vec!["e"], false),
    ] {
        let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
        talk.send(&ask(1, "tools/list", params)).await;
        let answer = talk.answer().await;
        assert_eq!(names(&answer), page);
        assert_eq!(answer["result"]["cacheScope"], "private");
        cursor = answer["result"].get("nextCursor").cloned();
        assert_eq!(cursor.is_some(), more);
    }
    for wrong in [json!(""), json!("b"), json!(7), json!(null)] {
        talk.send(&ask(2, "tools/list", json!({"cursor": wrong})))
            .await;
        assert_eq!(refused(&talk.answer().await), (-32602, 2));
    }
}

#[tokio::test]
async fn a_page_that_fits_has_no_cursor() {
    let server = Server::new("pages", "1")
        .tools(["b", "a"].map(tool))
        .limits(Limits::new().with_page_size(2).expect("in range"));
    let mut talk = Talk::new(server, ());
    talk.send(&ask(1, "tools/list", json!({}))).await;
    let answer = talk.answer().await;
    assert_eq!(names(&answer), ["a", "b"]);
    assert!(answer["result"].get("nextCursor").is_none());
}

/// A server whose tools change, and its registry.
fn changing() -> (Talk, ToolRegistry) {
    let registry = ToolRegistry::new();
    let server = Server::new("changes", "1")
        .tool(tool("own"))
        .registry(&registry);
    (Talk::new(server, ()), registry)
}

#[tokio::test]
async fn tools_come_and_go_and_who_listens_hears_of_it() {
    let (mut talk, registry) = changing();
    talk.send(&ask(1, "server/discover", json!({}))).await;
    let answer = talk.answer().await;
    assert_eq!(
        answer["result"]["capabilities"],
        json!({"tools": {"listChanged": true}})
    );
    let wanted = json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}});
    talk.send(&ask(7, "subscriptions/listen", wanted)).await;
    let tag = json!({"io.modelcontextprotocol/subscriptionId": 7});
    assert_eq!(
        talk.answer().await,
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {"toolsListChanged": true}, "_meta": tag}
        })
    );
    registry.add([tool("b"), tool("a")]).expect("new names");
    let told = json!({
        "jsonrpc": "2.0",
        "method": "notifications/tools/list_changed",
        "params": {"_meta": tag}
    });
    assert_eq!(talk.answer().await, told);
    talk.send(&ask(2, "tools/list", json!({}))).await;
    assert_eq!(names(&talk.answer().await), ["a", "b", "own"]);
    talk.send(&ask(3, "tools/call", json!({"name": "a"}))).await;
    assert_eq!(talk.answer().await["result"]["content"], json!([]));
    assert_eq!(registry.remove(["a", "none"]), 1);
    assert_eq!(registry.remove(["none"]), 0);
    assert_eq!(talk.answer().await, told);
    talk.send(&ask(4, "tools/call", json!({"name": "a"}))).await;
    assert_eq!(refused(&talk.answer().await), (-32602, 4));
    // The server ends the stream: its result first.
    let rest = talk.end().await.expect("a clean end");
    let rest: Vec<Value> = rest
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        rest,
        [
            json!({"jsonrpc": "2.0", "id": 7, "result": {"resultType": "complete", "_meta": tag}}),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}),
        ]
    );
}

#[tokio::test]
async fn a_stream_ends_by_the_client_s_cancel() {
    let (mut talk, registry) = changing();
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    talk.send(&ask(1, "subscriptions/listen", wanted.clone()))
        .await;
    talk.answer().await;
    talk.send(&ask(1, "tools/list", json!({}))).await;
    assert_eq!(refused(&talk.answer().await), (-32600, 1));
    talk.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    talk.send(&ask(1, "tools/list", json!({}))).await;
    assert_eq!(names(&talk.answer().await), ["own"]);
    registry.add([tool("a")]).expect("a new name");
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn only_what_was_asked_for_is_told() {
    let (mut talk, registry) = changing();
    for (id, wanted) in [
        (1, json!({})),
        (2, json!({"toolsListChanged": false, "other": 7})),
    ] {
        talk.send(&ask(
            id,
            "subscriptions/listen",
            json!({"notifications": wanted}),
        ))
        .await;
        assert_eq!(talk.answer().await["params"]["notifications"], json!({}));
    }
    for (id, wrong) in [
        (3, json!({})),
        (4, json!({"notifications": []})),
        (5, json!({"notifications": {"toolsListChanged": "yes"}})),
    ] {
        talk.send(&ask(id, "subscriptions/listen", wrong)).await;
        assert_eq!(refused(&talk.answer().await), (-32602, u64::from(id)));
    }
    registry.add([tool("a")]).expect("a new name");
    talk.send(&ask(6, "tools/list", json!({}))).await;
    assert_eq!(talk.answer().await["id"], 6);
}

#[tokio::test]
async fn a_server_whose_tools_stay_tells_nothing() {
    let mut talk = Talk::new(Server::new("still", "1").tool(tool("own")), ());
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    talk.send(&ask(1, "subscriptions/listen", wanted)).await;
    assert_eq!(talk.answer().await["params"]["notifications"], json!({}));
}

#[tokio::test]
async fn an_older_client_hears_of_changes_once_it_is_ready() {
    let (mut talk, registry) = changing();
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}});
    let request = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    talk.send(&request.to_string()).await;
    let answer = talk.answer().await;
    assert_eq!(
        answer["result"]["capabilities"],
        json!({"tools": {"listChanged": true}})
    );
    registry.add([tool("a")]).expect("a new name");
    talk.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    talk.send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .await;
    assert_eq!(talk.answer().await["id"], 1);
    registry.add([tool("b")]).expect("a new name");
    assert_eq!(
        talk.answer().await,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
}

#[tokio::test]
async fn names_in_a_registry_are_unique_and_a_server_s_own_go_first() {
    let (mut talk, registry) = changing();
    let error = registry
        .add([tool("a"), tool("a")])
        .expect_err("the same name");
    assert!(error.to_string().contains("`a`"), "{error}");
    assert_eq!(format!("{registry:?}"), "[]");
    registry.add([tool("own")]).expect("unique in the registry");
    talk.send(&ask(1, "tools/list", json!({}))).await;
    assert_eq!(names(&talk.answer().await), ["own"]);
}

/// A server that keeps little for a client that does not read, and its registry.
fn crowded() -> (Talk, ToolRegistry) {
    keeping(2048)
}

/// A server that keeps so many bytes for a client that does not read, and its registry.
fn keeping(bytes: usize) -> (Talk, ToolRegistry) {
    let registry = ToolRegistry::new();
    let limits = Limits::new().with_unsent_bytes(bytes).expect("in range");
    let server = Server::new("changes", "1")
        .registry(&registry)
        .limits(limits);
    (Talk::new(server, ()), registry)
}

#[tokio::test]
async fn while_nobody_reads_one_notification_stands_for_all() {
    let (mut talk, registry) = crowded();
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    talk.send(&ask(1, "subscriptions/listen", wanted)).await;
    talk.answer().await;
    for round in 0..200 {
        registry
            .add([tool(&format!("t{round}"))])
            .expect("a new name");
    }
    let mut told = Vec::new();
    // When the first is answered, all before it was read; so the second stands after all else.
    for id in [2, 3] {
        talk.send(&ask(id, "server/discover", json!({}))).await;
        loop {
            let message = talk.answer().await;
            if message["id"] == id {
                break;
            }
            assert_eq!(message["method"], "notifications/tools/list_changed");
            told.push(message.to_string().len() + 1);
        }
    }
    // As many as fit into half of the limit, and one for all others.
    assert_eq!(told.len(), 1024 / told[0] + 1);
}

#[tokio::test]
async fn a_notification_larger_than_the_room_for_it_is_told_when_nothing_else_is_there() {
    let (mut talk, registry) = keeping(1024);
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let long = format!("\"id\":\"{}\"", "x".repeat(1000));
    let listen = ask(1, "subscriptions/listen", wanted).replace("\"id\":1", &long);
    talk.send(&listen).await;
    talk.answer().await;
    registry.add([tool("a")]).expect("a new name");
    let told = talk.answer().await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
    talk.send(&ask(2, "server/discover", json!({}))).await;
    assert_eq!(talk.answer().await["id"], 2);
}

#[tokio::test]
async fn every_stream_hears_of_a_change_once_however_many_there_are() {
    let (mut talk, registry) = crowded();
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    for id in 0..30 {
        talk.send(&ask(id, "subscriptions/listen", wanted.clone()))
            .await;
        talk.answer().await;
    }
    registry.add([tool("a")]).expect("a new name");
    let mut told = std::collections::BTreeSet::new();
    for _ in 0..30 {
        let message = talk.answer().await;
        let id = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        assert!(told.insert(id.as_u64().expect("an id")), "{message}");
    }
    talk.send(&ask(30, "tools/list", json!({}))).await;
    assert_eq!(talk.answer().await["id"], 30);
}

/// What a tool's handler holds goes with the tool, and then runs this.
struct Leaves<F: Fn()>(F);

impl<F: Fn()> Drop for Leaves<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The last that holds a tool may be the queue, and what its handler holds may be anything.
async fn a_tool_goes_with_its_last_call(
    registry: &ToolRegistry,
    leaves: impl Fn() + Send + Sync + 'static,
) -> Talk {
    let leaves = Leaves(leaves);
    let definition: Definition<Value> = Definition::content("leaves", json!({"type": "object"}));
    let leaving = definition.handle(move |_: Call, _| {
        let _ = &leaves;
        std::future::pending()
    });
    let definition: Definition<Value> = Definition::content("waits", json!({"type": "object"}));
    let waits = definition.handle(|_: Call, _| std::future::pending());
    registry.add([leaving]).expect("a new name");
    let limits = Limits::new().with_calls_in_flight(1).expect("in range");
    let server = Server::new("changes", "1")
        .tool(waits)
        .registry(registry)
        .limits(limits);
    let mut talk = Talk::new(server, ());
    talk.send(&ask(1, "tools/call", json!({"name": "waits"})))
        .await;
    talk.send(&ask(2, "tools/call", json!({"name": "leaves"})))
        .await;
    talk.send(&ask(3, "tools/list", json!({}))).await;
    assert_eq!(names(&talk.answer().await), ["leaves", "waits"]);
    registry.remove(["leaves"]);
    talk.send(&ask(4, "tools/list", json!({}))).await;
    assert_eq!(names(&talk.answer().await), ["waits"]);
    talk.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#)
        .await;
    talk
}

#[tokio::test]
async fn what_goes_with_a_call_may_change_the_registry() {
    let registry = ToolRegistry::new();
    let own = registry.clone();
    let leaves = move || own.add([tool("left")]).expect("a new name");
    let mut talk = a_tool_goes_with_its_last_call(&registry, leaves).await;
    talk.send(&ask(5, "tools/list", json!({}))).await;
    assert_eq!(names(&talk.answer().await), ["left", "waits"]);
}

#[tokio::test]
async fn what_goes_with_a_call_may_panic() {
    let leaves = || panic!("on purpose");
    let mut talk = a_tool_goes_with_its_last_call(&ToolRegistry::new(), leaves).await;
    talk.send(&ask(5, "tools/list", json!({}))).await;
    assert_eq!(names(&talk.answer().await), ["waits"]);
}
