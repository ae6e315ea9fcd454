//! Calls that come back without all that was asked, or with what was not.

#![cfg(feature = "server")]

mod asks;
mod talk;

use asks::{all, talk, talk_with};
use relay_runtime::Limits;
use serde_json::{Value, json};
use talk::{Talk, modern, refused, text};

/// Calls a tool for the first time; gives the state to come back with.
async fn state(talk: &mut Talk, tool: &str) -> Value {
    talk.send(&modern(1, "tools/call", json!({"name": tool}), all()))
        .await;
    talk.answer().await["result"]["requestState"].take()
}

#[tokio::test]
async fn who_comes_back_with_less_capabilities_is_not_asked_for_them() {
    let mut talk = talk();
    let state = state(&mut talk, "greet").await;
    let params = json!({"name": "greet", "requestState": state});
    talk.send(&modern(2, "tools/call", params.clone(), json!({})))
        .await;
    let refusal = talk.answer().await;
    assert_eq!(refused(&refusal), (-32021, 2));
    let needed = json!({"elicitation": {"form": {}}});
    assert_eq!(refusal["error"]["data"]["requiredCapabilities"], needed);
    talk.send(&modern(3, "tools/call", params, needed)).await;
    assert!(talk.answer().await["result"]["inputRequests"]["guest"].is_object());
}

#[tokio::test]
async fn a_handler_with_a_state_goes_on_without_what_is_not_declared() {
    let mut talk = talk();
    let state = state(&mut talk, "plan").await;
    let params = json!({"name": "plan", "requestState": state});
    talk.send(&modern(
        2,
        "tools/call",
        params.clone(),
        json!({"roots": {}}),
    ))
    .await;
    let asked = talk.answer().await;
    let requests = asked["result"]["inputRequests"].as_object().expect("some");
    assert_eq!(requests.keys().collect::<Vec<_>>(), ["roots"]);
    // The handler runs, and asks with its state again.
    talk.send(&modern(3, "tools/call", params, json!({}))).await;
    let asked = talk.answer().await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert!(asked["result"].get("inputRequests").is_none(), "{asked}");
}

#[tokio::test]
async fn what_is_asked_again_keeps_to_the_limit_of_replies() {
    let limits = Limits::new().with_reply_bytes(4096).expect("in range");
    let mut talk = talk_with(limits);
    let state = state(&mut talk, "plan").await;
    let long = json!({"type": "text", "text": "x".repeat(5000)});
    let word = json!({"role": "assistant", "content": long, "model": "m"});
    let params = json!({"name": "plan", "requestState": state, "inputResponses": {"word": word}});
    talk.send(&modern(2, "tools/call", params, all())).await;
    let failed = talk.answer().await;
    assert_eq!(failed["result"]["isError"], true);
    let said = text(&failed);
    assert!(
        said.starts_with("What the tool plan asks for has") && said.ends_with("limit of 4096."),
        "{said}"
    );
}

#[tokio::test]
async fn only_the_answers_that_were_asked_for_are_read() {
    let mut talk = talk();
    let state = state(&mut talk, "greet").await;
    let come_back = |id, responses: &str| {
        let params = json!({"name": "greet", "requestState": state, "inputResponses": "@"});
        modern(id, "tools/call", params, all()).replace("\"@\"", responses)
    };
    let good = r#"{"other":1e400,"\u0067uest":{"action":"decline"},"x":[{}]}"#;
    talk.send(&come_back(2, good)).await;
    assert_eq!(text(&talk.answer().await), "As you like.");
    let bad = r#"{"guest":{"action":"accept","content":{"name":1e400}}}"#;
    talk.send(&come_back(3, bad)).await;
    let refusal = talk.answer().await;
    assert_eq!(refused(&refusal), (-32602, 3));
    let message = refusal["error"]["message"].as_str().expect("a text");
    assert!(message.contains("inputResponses[\"guest\"]"), "{message}");
    // Without a state, nothing was asked.
    let params = json!({"name": "greet", "inputResponses": {"guest": "@"}});
    let line = modern(4, "tools/call", params, all()).replace("\"@\"", "1e400");
    talk.send(&line).await;
    assert!(talk.answer().await["result"]["requestState"].is_string());
}

#[tokio::test]
async fn null_is_neither_a_state_nor_answers() {
    let mut talk = talk();
    let params = json!({"name": "greet", "requestState": null, "inputResponses": null});
    talk.send(&modern(1, "tools/call", params, all())).await;
    let asked = talk.answer().await;
    let state = &asked["result"]["requestState"];
    let params = json!({"name": "greet", "requestState": state, "inputResponses": null});
    talk.send(&modern(2, "tools/call", params, all())).await;
    assert!(talk.answer().await["result"]["inputRequests"]["guest"].is_object());
}
