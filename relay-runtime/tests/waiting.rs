//! Calls that wait for the answers of a client of an older revision.

#![cfg(feature = "server")]

mod talk;

use std::time::Duration;

use relay_runtime::content::ContentBlock;
use relay_runtime::input::{InputMethod, InputRequest, Question};
use relay_runtime::{Call, Definition, Limits, Reply, Server, Tool};
use serde_json::{Value, json};
use talk::{INITIALIZED, Talk, call, open_session, text};

fn content(name: &str) -> Definition<Value> {
    Definition::content(name, json!({"type": "object"}))
}

fn asks() -> Tool {
    content("asks").handle(|call: Call, _| async move {
        let roots = call.ask("roots", Question::roots())?;
        Ok(ContentBlock::text(format!("{} roots", roots.len())).into())
    })
}

/// Asks once it has been told to end.
fn asks_late() -> Tool {
    content("asks_late").handle(|call: Call, _| async move {
        call.report_progress(1.0, None, None);
        call.cancelled().await;
        call.ask("roots", Question::roots())?;
        Ok(ContentBlock::text("never").into())
    })
}

fn asks_two() -> Tool {
    content("asks_two").handle(|call: Call, _| async move {
        let request = InputRequest::from(Question::roots());
        match call.input_responses().len() {
            0 => Ok(Reply::request_input([
                ("a", request.clone()),
                ("b", request),
            ])),
            _ => Ok(ContentBlock::text("both").into()),
        }
    })
}

/// Asks for what 2025-06-18 has no form of, and for something else before.
fn asks_too_much() -> Tool {
    content("asks_too_much").handle(|_: Call, _| async move {
        let schema = json!({
            "type": "object",
            "properties": {"tags": {"type": "array", "items": {"type": "string", "enum": ["a"]}}},
            "required": ["tags"]
        });
        let params = json!({"mode": "form", "message": "?", "requestedSchema": schema});
        let Value::Object(params) = params else {
            unreachable!("it is one")
        };
        let form = InputRequest::new(InputMethod::Elicitation, params);
        Ok(Reply::request_input([
            ("a", Question::roots().into()),
            ("b", form),
        ]))
    })
}

fn quick() -> Tool {
    content("quick").handle(|_: Call, _| async move { Ok(ContentBlock::text("quick").into()) })
}

async fn talk(version: &str, limits: Limits) -> Talk {
    let tools = [asks(), asks_late(), asks_two(), asks_too_much(), quick()];
    let server = Server::new("waiting", "1").tools(tools).limits(limits);
    let mut talk = Talk::new(server, ());
    open_session(&mut talk, version, json!({"roots": {}, "elicitation": {}})).await;
    talk
}

async fn ready(limits: Limits) -> Talk {
    let mut talk = talk("2025-11-25", limits).await;
    talk.send(INITIALIZED).await;
    talk
}

#[tokio::test(start_paused = true)]
async fn who_is_never_ready_hears_why_at_the_end_of_the_input() {
    let mut talk = talk("2025-11-25", Limits::new()).await;
    talk.send(&call(1, "asks")).await;
    let before = tokio::time::Instant::now();
    let rest = talk.end().await.expect("a clean end");
    assert!(rest.contains("before the client was ready"), "{rest}");
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_for_a_call_that_is_over() {
    let with_token = call(1, "asks_late").replace(
        "\"params\":{",
        "\"params\":{\"_meta\":{\"progressToken\":1},",
    );
    let mut talk = ready(Limits::new()).await;
    talk.send(&with_token).await;
    assert_eq!(talk.answer().await["method"], "notifications/progress");
    talk.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    assert_eq!(talk.end().await.expect("a clean end"), "");

    let limits = Limits::new()
        .with_handler_timeout(Duration::from_secs(1))
        .expect("in range");
    let mut talk = ready(limits).await;
    talk.send(&call(1, "asks_late")).await;
    let failed = talk.answer().await;
    assert!(text(&failed).contains("time was over"), "{failed}");

    // At the end of the input nobody can answer any more.
    let mut talk = ready(Limits::new()).await;
    talk.send(&call(1, "asks_late")).await;
    let rest = talk.end().await.expect("a clean end");
    assert!(
        !rest.contains("roots/list") && rest.contains("connection ended"),
        "{rest}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_takes_no_slot() {
    let mut talk = ready(Limits::new().with_calls_in_flight(1).expect("in range")).await;
    talk.send(&call(1, "asks")).await;
    let asked = talk.answer().await;
    talk.send(&call(2, "quick")).await;
    assert_eq!(text(&talk.answer().await), "quick");
    talk.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": []}}).to_string())
        .await;
    assert_eq!(text(&talk.answer().await), "0 roots");
}

#[tokio::test(start_paused = true)]
async fn as_many_may_wait_as_may_run_or_queue() {
    let limits = Limits::new().with_calls_in_flight(1).expect("in range");
    let mut talk = ready(limits.with_queued_calls(2).expect("in range")).await;
    for id in 1..3 {
        talk.send(&call(id, "asks")).await;
        assert_eq!(talk.answer().await["method"], "roots/list");
    }
    talk.send(&call(3, "asks")).await;
    let failed = talk.answer().await;
    assert!(text(&failed).contains("Too many calls wait"), "{failed}");
}

#[tokio::test(start_paused = true)]
async fn one_refusal_ends_the_wait_for_the_others() {
    let mut talk = ready(Limits::new()).await;
    talk.send(&call(1, "asks_two")).await;
    let (first, second) = (talk.answer().await, talk.answer().await);
    let error = json!({"code": -1, "message": "no"});
    talk.send(&json!({"jsonrpc": "2.0", "id": second["id"], "error": error}).to_string())
        .await;
    // The other question is taken back.
    let taken_back = talk.answer().await;
    assert_eq!(
        taken_back["params"]["requestId"], first["id"],
        "{taken_back}"
    );
    let failed = talk.answer().await;
    assert!(
        text(&failed).contains("refused to answer \"b\": no"),
        "{failed}"
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_where_not_all_can_be() {
    let mut talk = talk("2025-06-18", Limits::new()).await;
    talk.send(INITIALIZED).await;
    talk.send(&call(1, "asks_too_much")).await;
    let failed = talk.answer().await;
    assert!(
        text(&failed).contains("cannot ask its user for \"b\""),
        "{failed}"
    );
    assert_eq!(talk.end().await.expect("a clean end"), "");
}
