//! Handlers that ask the client: the same ones for clients of every era.

#![cfg(feature = "server")]

mod talk;

use std::time::Duration;

use relay_runtime::content::ContentBlock;
use relay_runtime::input::{Elicited, Form, InputRequest, Question, Sampling};
use relay_runtime::{Call, Definition, Limits, Reply, Server, Tool, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};
use talk::{Talk, modern, refused, text};

#[derive(Debug, Deserialize)]
struct Guest {
    name: String,
    #[serde(default)]
    age: Option<u8>,
}

fn form() -> Form<Guest> {
    Form::new(json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "default": "Ada"},
            "age": {"type": "integer", "minimum": 0, "maximum": 150}
        },
        "required": ["name"]
    }))
}

fn content(name: &str) -> Definition<Value> {
    Definition::content(name, json!({"type": "object"}))
}

/// Asks one thing.
fn greet() -> Tool {
    content("greet").handle(|call: Call, _| async move {
        let said = match call.ask("guest", form().ask("Who are you?"))? {
            Elicited::Accepted(Guest { name, age }) => format!("Hello, {name} ({age:?})!"),
            Elicited::Declined => "As you like.".into(),
            Elicited::Cancelled => return Err(ToolError::message("Nobody is there.")),
        };
        Ok(ContentBlock::text(said).into())
    })
}

/// Asks several things at once and then one more, with a state of its own.
fn plan() -> Tool {
    content("plan").handle(|call: Call, _| async move {
        call.report_progress(1.0, None, None);
        let words = Sampling::new(10).user(ContentBlock::text("A word?")).ask();
        let Some(word) = call.answer("word", &words)? else {
            let requests = [
                ("word", InputRequest::from(words)),
                ("roots", Question::roots().into()),
            ];
            return Ok(Reply::request_input(requests).with_state(json!({"step": 1})));
        };
        let roots = call.ask("roots", Question::roots())?;
        let Some(state) = call.request_state().cloned() else {
            return Err(ToolError::message("lost"));
        };
        let page = Question::visit("Look.", "https://example.com/");
        if call.answer("page", &page)?.is_none() {
            return Ok(Reply::request_input([("page", page)]).with_state(json!([state, 2])));
        }
        let uris: Vec<&str> = roots.iter().map(|root| &*root.uri).collect();
        Ok(ContentBlock::text(format!("{} {uris:?} {state}", word.text())).into())
    })
}

/// Never has enough.
fn nag() -> Tool {
    content("nag").handle(|call: Call, _| async move {
        let times = call.request_state().and_then(Value::as_u64).unwrap_or(0);
        let none: [(&str, InputRequest); 0] = [];
        Ok(Reply::request_input(none).with_state(json!(times + 1)))
    })
}

/// Asks nothing and has no state.
fn mumble() -> Tool {
    content("mumble").handle(|_: Call, _| async move {
        let none: [(&str, InputRequest); 0] = [];
        Ok(Reply::request_input(none))
    })
}

fn talk() -> Talk {
    talk_with(Limits::new())
}

fn talk_with(limits: Limits) -> Talk {
    let server = Server::new("asks", "1")
        .tools([greet(), plan(), nag(), mumble()])
        .limits(limits);
    Talk::new(server, ())
}

fn all() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

fn call(id: u32, tool: &str, more: &Value) -> String {
    let mut params = json!({"name": tool, "arguments": {"b": 1, "a": [2.0]}});
    for (name, value) in more.as_object().expect("an object") {
        params[name] = value.clone();
    }
    modern(id, "tools/call", params, all())
}

/// Calls again with answers, and with the state that came.
fn again(id: u32, tool: &str, asked: &Value, answers: Value) -> String {
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required", "{asked}");
    let state = &result["requestState"];
    call(
        id,
        tool,
        &json!({"inputResponses": answers, "requestState": state}),
    )
}

#[tokio::test]
async fn a_modern_client_calls_again_with_the_answer() {
    let mut talk = talk();
    talk.send(&call(1, "greet", &json!({}))).await;
    let asked = talk.answer().await;
    assert_eq!(
        asked["result"]["inputRequests"],
        json!({"guest": {"method": "elicitation/create", "params": {
            "mode": "form", "message": "Who are you?", "requestedSchema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "minLength": 1, "default": "Ada"},
                    "age": {"type": "integer", "minimum": 0, "maximum": 150}
                },
                "required": ["name"]
            }
        }}})
    );
    assert_eq!(
        asked["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "asks"
    );
    for (id, answer, said) in [
        (
            2,
            json!({"action": "accept", "content": {"name": "Ada", "age": 36.0}}),
            "Hello, Ada (Some(36))!",
        ),
        (3, json!({"action": "decline"}), "As you like."),
        (4, json!({"action": "cancel"}), "Nobody is there."),
    ] {
        talk.send(&again(
            id,
            "greet",
            &asked,
            json!({"guest": answer, "other": 7}),
        ))
        .await;
        assert_eq!(text(&talk.answer().await), said);
    }
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn an_answer_that_breaks_the_form_is_refused_and_says_where() {
    let mut talk = talk();
    talk.send(&call(1, "greet", &json!({}))).await;
    let asked = talk.answer().await;
    for (answer, words) in [
        (json!(7), "no result of elicitation/create"),
        (json!({"action": "shrug"}), "shrug"),
        (json!({"action": "accept"}), "\"name\" is missing"),
        (
            json!({"action": "accept", "content": {"name": ""}}),
            "\"name\" must be a text of at least 1 characters",
        ),
        (
            json!({"action": "accept", "content": {"name": "x", "age": 1.5}}),
            "\"age\" must be an integer from 0 up to 150",
        ),
    ] {
        talk.send(&again(2, "greet", &asked, json!({"guest": answer})))
            .await;
        let refusal = talk.answer().await;
        assert_eq!(refused(&refusal), (-32602, 2));
        let message = refusal["error"]["message"].as_str().expect("a text");
        assert!(
            message.contains("inputResponses[\"guest\"]") && message.contains(words),
            "{message}"
        );
    }
}

#[tokio::test]
async fn what_is_missing_is_asked_again_without_the_handler() {
    let mut talk = talk();
    talk.send(&call(1, "plan", &json!({}))).await;
    let asked = talk.answer().await;
    let word =
        json!({"role": "assistant", "content": {"type": "text", "text": "yes"}, "model": "m"});
    talk.send(&again(2, "plan", &asked, json!({"word": word})))
        .await;
    let asked = talk.answer().await;
    assert_eq!(
        asked["result"]["inputRequests"],
        json!({"roots": {"method": "roots/list", "params": {}}})
    );
    let roots = json!({"roots": [{"uri": "file:///a", "name": "A"}]});
    talk.send(&again(3, "plan", &asked, json!({"roots": roots})))
        .await;
    let asked = talk.answer().await;
    let page = json!({"mode": "url", "message": "Look.", "url": "https://example.com/"});
    assert_eq!(asked["result"]["inputRequests"]["page"]["params"], page);
    talk.send(&again(
        4,
        "plan",
        &asked,
        json!({"page": {"action": "accept"}}),
    ))
    .await;
    assert_eq!(
        text(&talk.answer().await),
        r#"yes ["file:///a"] [{"step":1},2]"#
    );
}

#[tokio::test]
async fn a_state_that_is_not_this_call_s_is_refused() {
    let mut talk = talk();
    talk.send(&call(1, "greet", &json!({}))).await;
    let asked = talk.answer().await;
    let good = again(2, "greet", &asked, json!({}));
    for (bad, words) in [
        (good.replace("\"greet\"", "\"plan\""), "another tool"),
        (good.replace("\"b\":1", "\"b\":2"), "other arguments"),
        (
            good.replace("requestState\":\"", "requestState\":\"A"),
            "none of this server's",
        ),
        (
            call(2, "greet", &json!({"requestState": 7})),
            "must be a string",
        ),
        (
            call(2, "greet", &json!({"requestState": null})),
            "must be a string",
        ),
        (
            call(2, "greet", &json!({"inputResponses": []})),
            "must be an object",
        ),
    ] {
        talk.send(&bad).await;
        let refusal = talk.answer().await;
        assert_eq!(refused(&refusal), (-32602, 2), "{bad}");
        assert!(
            refusal["error"]["message"]
                .as_str()
                .expect("a text")
                .contains(words),
            "{refusal}"
        );
    }
    // The same arguments, however they are written.
    talk.send(&good.replace("{\"a\":[2.0],\"b\":1}", "{ \"b\":1.0, \"a\":[2] }"))
        .await;
    assert_eq!(
        talk.answer().await["result"]["resultType"],
        "input_required"
    );
}

#[tokio::test]
async fn a_client_that_declares_nothing_is_not_asked() {
    let mut talk = talk();
    let params = json!({"name": "greet"});
    for (capabilities, code) in [
        (json!({}), -32021),
        (json!({"elicitation": {"url": {}}}), -32021),
    ] {
        talk.send(&modern(1, "tools/call", params.clone(), capabilities))
            .await;
        let refusal = talk.answer().await;
        assert_eq!(refused(&refusal), (code, 1));
        assert_eq!(
            refusal["error"]["data"]["requiredCapabilities"],
            json!({"elicitation": {"form": {}}})
        );
    }
    talk.send(&modern(2, "tools/call", params, json!({"elicitation": {}})))
        .await;
    assert_eq!(
        talk.answer().await["result"]["resultType"],
        "input_required"
    );
    // With a state of its own, the handler goes on without what the client does not have.
    talk.send(&modern(
        3,
        "tools/call",
        json!({"name": "plan"}),
        json!({"roots": {}}),
    ))
    .await;
    let asked = talk.answer().await;
    let requests = asked["result"]["inputRequests"].as_object().expect("some");
    assert_eq!(requests.keys().collect::<Vec<_>>(), ["roots"]);
}

#[tokio::test]
async fn a_tool_asks_ten_times_at_most() {
    let mut talk = talk();
    talk.send(&call(0, "nag", &json!({}))).await;
    for id in 1..=10 {
        let asked = talk.answer().await;
        assert!(asked["result"].get("inputRequests").is_none());
        talk.send(&again(id, "nag", &asked, json!({}))).await;
    }
    assert_eq!(
        text(&talk.answer().await),
        "The tool nag asks for input more than 10 times."
    );
    talk.send(&call(11, "mumble", &json!({}))).await;
    assert_eq!(text(&talk.answer().await), "Tool execution failed.");
}

#[tokio::test]
async fn another_process_with_the_same_key_goes_on() {
    let serve = |key: u8| {
        let server = Server::new("asks", "1")
            .tool(greet())
            .with_state_key([key; 32]);
        Talk::new(server, ())
    };
    let mut first = serve(1);
    first.send(&call(1, "greet", &json!({}))).await;
    let asked = first.answer().await;
    let go_on = again(2, "greet", &asked, json!({"guest": {"action": "decline"}}));
    let mut second = serve(1);
    second.send(&go_on).await;
    assert_eq!(text(&second.answer().await), "As you like.");
    let mut third = serve(2);
    third.send(&go_on).await;
    assert_eq!(refused(&third.answer().await), (-32602, 2));
    let short: Server = Server::new("asks", "1").with_state_key(*b"short");
    let ended = Talk::new(short, ()).end().await.expect_err("too short");
    assert!(ended.to_string().contains("at least 32"), "{ended}");
}

/// Opens a session of an older revision.
async fn legacy(talk: &mut Talk, version: &str, capabilities: Value) {
    let params = json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": {"name": "c", "version": "1"}
    });
    let request = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    talk.send(&request.to_string()).await;
    assert_eq!(talk.answer().await["result"]["protocolVersion"], version);
}

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn old_call(id: u32, tool: &str) -> String {
    let params = json!({"name": tool, "arguments": {}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

fn response(to: &Value, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": to["id"], "result": result}).to_string()
}

#[tokio::test]
async fn an_older_client_is_asked_on_the_same_pipe() {
    let mut talk = talk();
    legacy(&mut talk, "2025-06-18", json!({"elicitation": {}})).await;
    talk.send(&old_call(1, "greet")).await;
    // Nothing is asked before the client says that it is ready; other calls go on.
    talk.send(&old_call(2, "mumble")).await;
    assert_eq!(talk.answer().await["id"], 2);
    talk.send(INITIALIZED).await;
    let asked = talk.answer().await;
    assert_eq!(asked["method"], "elicitation/create");
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "age": {"type": "integer", "minimum": 0, "maximum": 150}
        },
        "required": ["name"]
    });
    assert_eq!(
        asked["params"],
        json!({"message": "Who are you?", "requestedSchema": schema})
    );
    // What nobody waits for is ignored.
    talk.send(&response(&json!({"id": "relay-77"}), json!({})))
        .await;
    let answer = json!({"action": "accept", "content": {"name": "Ada"}});
    talk.send(&response(&asked, answer.clone())).await;
    let done = talk.answer().await;
    assert_eq!(
        (done["id"].as_u64(), text(&done)),
        (Some(1), "Hello, Ada (None)!")
    );
    talk.send(&response(&asked, answer)).await;
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn several_rounds_on_the_pipe() {
    let mut talk = talk();
    legacy(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&old_call(1, "plan")).await;
    let (roots, word) = (talk.answer().await, talk.answer().await);
    assert_eq!(
        (&roots["method"], &word["method"]),
        (&json!("roots/list"), &json!("sampling/createMessage"))
    );
    let said =
        json!({"role": "assistant", "content": [{"type": "text", "text": "yes"}], "model": "m"});
    talk.send(&response(&word, said)).await;
    talk.send(&response(&roots, json!({"roots": []}))).await;
    let page = talk.answer().await;
    assert!(page["params"]["elicitationId"].is_string(), "{page}");
    talk.send(&response(&page, json!({"action": "decline"})))
        .await;
    assert_eq!(text(&talk.answer().await), r#"yes [] [{"step":1},2]"#);
}

#[tokio::test]
async fn an_older_client_that_refuses_fails_its_call() {
    let mut talk = talk();
    legacy(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    let refusals = [
        (r#""error":{"code":-1,"message":"not now"}"#, "not now"),
        (
            r#""result":{"action":"accept","content":{"name":7}}"#,
            "\"name\" must be a text",
        ),
        (
            r#""result":{"action":"accept","action":"decline"}"#,
            "malformed",
        ),
    ];
    for (id, (body, words)) in (1..).zip(refusals) {
        talk.send(&old_call(id, "greet")).await;
        let asked = talk.answer().await;
        talk.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{},{body}}}"#,
            asked["id"]
        ))
        .await;
        let failed = talk.answer().await;
        assert_eq!(failed["result"]["isError"], true);
        assert!(text(&failed).contains(words), "{failed}");
    }
}

#[tokio::test]
async fn what_an_older_client_cannot_answer_is_said() {
    for (version, capabilities) in [
        ("2025-11-25", json!({})),
        ("2025-03-26", json!({"elicitation": {}})),
    ] {
        let mut talk = talk();
        legacy(&mut talk, version, capabilities).await;
        talk.send(INITIALIZED).await;
        talk.send(&old_call(1, "greet")).await;
        let failed = talk.answer().await;
        assert_eq!(failed["result"]["isError"], true);
        assert!(text(&failed).contains("elicitation"), "{failed}");
    }
}

#[tokio::test]
async fn a_cancelled_call_takes_its_questions_back() {
    let mut talk = talk();
    legacy(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&old_call(1, "greet")).await;
    let asked = talk.answer().await;
    talk.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    let taken_back = talk.answer().await;
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    talk.send(&response(&asked, json!({"action": "decline"})))
        .await;
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn the_end_of_the_input_ends_the_wait_for_an_answer() {
    let mut talk = talk();
    legacy(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&old_call(1, "greet")).await;
    talk.answer().await;
    let rest = talk.end().await.expect("a clean end");
    assert!(rest.contains("connection ended"), "{rest}");
}

#[tokio::test(start_paused = true)]
async fn waiting_for_an_answer_is_none_of_the_handler_s_time() {
    let limits = Limits::new()
        .with_handler_timeout(Duration::from_secs(1))
        .expect("in range");
    let limits = limits
        .with_state_ttl(Duration::from_secs(60))
        .expect("in range");
    let mut talk = talk_with(limits);
    legacy(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&old_call(1, "greet")).await;
    let asked = talk.answer().await;
    tokio::time::advance(Duration::from_secs(59)).await;
    talk.send(&response(&asked, json!({"action": "decline"})))
        .await;
    assert_eq!(text(&talk.answer().await), "As you like.");
    // But it ends at some time.
    talk.send(&old_call(2, "greet")).await;
    let asked = talk.answer().await;
    let (one, other) = (talk.answer().await, talk.answer().await);
    let (taken_back, failed) = if one["id"].is_null() {
        (one, other)
    } else {
        (other, one)
    };
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    assert_eq!(
        text(&failed),
        "The client did not answer what the tool asked within 60 s."
    );
    assert_eq!(talk.end().await.expect("a clean end"), "");
}
