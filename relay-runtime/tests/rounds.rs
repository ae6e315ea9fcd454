//! Handlers that ask a client of 2026-07-28.

#![cfg(feature = "server")]

mod asks;
mod talk;

use asks::{all, greet, talk};
use relay_runtime::content::ContentBlock;
use relay_runtime::input::Question;
use relay_runtime::{Call, Definition, Server, Tool, ToolError};
use serde_json::{Value, json};
use talk::{Talk, modern, refused, text};

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
            "\"name\" must be a text of at least 1 character",
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
async fn a_state_stays_until_there_is_another() {
    let mut talk = talk();
    talk.send(&call(1, "remember", &json!({}))).await;
    let asked = talk.answer().await;
    let page = json!({"page": {"action": "accept"}});
    talk.send(&again(2, "remember", &asked, page)).await;
    let asked = talk.answer().await;
    let roots = json!({"roots": {"roots": []}});
    talk.send(&again(3, "remember", &asked, roots)).await;
    assert_eq!(text(&talk.answer().await), r#"Some(String("precious"))"#);
}

enum Failed {
    Asking(ToolError),
    Alone,
}

impl From<ToolError> for Failed {
    fn from(error: ToolError) -> Self {
        Self::Asking(error)
    }
}

#[tokio::test]
async fn a_handler_with_errors_of_its_own_asks_too() {
    let definition: Definition<Value> = Definition::content("who", json!({"type": "object"}));
    let tool: Tool = definition.handle_with_error_renderer(
        |call: Call, _| async move {
            match call.ask("roots", Question::roots())?.first() {
                Some(root) => Ok(ContentBlock::text(root.uri.clone()).into()),
                None => Err(Failed::Alone),
            }
        },
        |failed| match failed {
            Failed::Asking(error) => error,
            Failed::Alone => ToolError::message("No roots."),
        },
    );
    let mut talk = Talk::new(Server::new("asks", "1").tool(tool), ());
    talk.send(&call(1, "who", &json!({}))).await;
    let asked = talk.answer().await;
    for (roots, said) in [
        (json!([{"uri": "file:///a"}]), "file:///a"),
        (json!([]), "No roots."),
    ] {
        let roots = json!({"roots": {"roots": roots}});
        talk.send(&again(2, "who", &asked, roots)).await;
        assert_eq!(text(&talk.answer().await), said);
    }
}

#[tokio::test]
async fn another_connection_of_the_process_goes_on() {
    let mut first = talk();
    first.send(&call(1, "greet", &json!({}))).await;
    let asked = first.answer().await;
    let mut second = talk();
    let answer = json!({"guest": {"action": "decline"}});
    second.send(&again(2, "greet", &asked, answer)).await;
    assert_eq!(text(&second.answer().await), "As you like.");
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

#[tokio::test]
async fn who_cannot_answer_all_is_not_asked_for_the_rest_again() {
    let mut talk = talk();
    let only_forms = json!({"elicitation": {}});
    let params = json!({"name": "pair"});
    talk.send(&modern(1, "tools/call", params.clone(), only_forms.clone()))
        .await;
    let asked = talk.answer().await;
    let mut params = params;
    params["requestState"] = asked["result"]["requestState"].clone();
    params["inputResponses"] = json!({"guest": {"action": "decline"}});
    talk.send(&modern(2, "tools/call", params, only_forms))
        .await;
    let refusal = talk.answer().await;
    assert_eq!(refused(&refusal), (-32021, 2));
    assert_eq!(
        refusal["error"]["data"]["requiredCapabilities"],
        json!({"roots": {}})
    );
}
