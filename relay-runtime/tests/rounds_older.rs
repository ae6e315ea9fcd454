//! The same handlers, and clients of the older revisions.

#![cfg(feature = "server")]

mod asks;
mod talk;

use std::time::Duration;

use asks::{all, talk, talk_with};
use relay_runtime::Limits;
use serde_json::{Value, json};
use talk::{INITIALIZED, call, open_session, text};

fn response(to: &Value, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": to["id"], "result": result}).to_string()
}

#[tokio::test]
async fn an_older_client_is_asked_on_the_same_pipe() {
    let mut talk = talk();
    open_session(&mut talk, "2025-06-18", json!({"elicitation": {}})).await;
    talk.send(&call(1, "greet")).await;
    // Nothing is asked before the client says that it is ready; other calls go on.
    talk.send(&call(2, "mumble")).await;
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
    open_session(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&call(1, "plan")).await;
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
    open_session(&mut talk, "2025-11-25", all()).await;
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
        talk.send(&call(id, "greet")).await;
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
        open_session(&mut talk, version, capabilities).await;
        talk.send(INITIALIZED).await;
        talk.send(&call(1, "greet")).await;
        let failed = talk.answer().await;
        assert_eq!(failed["result"]["isError"], true);
        assert!(text(&failed).contains("elicitation"), "{failed}");
    }
}

#[tokio::test]
async fn a_cancelled_call_takes_its_questions_back() {
    let mut talk = talk();
    open_session(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&call(1, "greet")).await;
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
    open_session(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&call(1, "greet")).await;
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
    open_session(&mut talk, "2025-11-25", all()).await;
    talk.send(INITIALIZED).await;
    talk.send(&call(1, "greet")).await;
    let asked = talk.answer().await;
    tokio::time::advance(Duration::from_secs(59)).await;
    talk.send(&response(&asked, json!({"action": "decline"})))
        .await;
    assert_eq!(text(&talk.answer().await), "As you like.");
    // But it ends at some time.
    talk.send(&call(2, "greet")).await;
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
