//! Hooks round the calls.

#![cfg(feature = "server")]

mod talk;

use std::sync::{Arc, Mutex};

use relay_runtime::content::ContentBlock;
use relay_runtime::input::Question;
use relay_runtime::{Call, Definition, Outcome, OutcomeKind, Server, Tool, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use talk::{Talk, modern, text};

#[derive(Serialize, Deserialize)]
struct Text {
    text: String,
}

type Log = Arc<Mutex<Vec<String>>>;

fn tool(name: &str) -> Tool<Log> {
    let definition: Definition<Text> = Definition::content(name, json!({"type": "object"}));
    definition.handle(|call: Call<Log>, input: Text| async move {
        call.context()
            .lock()
            .expect("no panic")
            .push("handler".into());
        match call.tool() {
            "panic" => panic!("on purpose"),
            "fail" => Err(ToolError::message("Refused.")),
            "private" => Err("secret".into()),
            _ => Ok(ContentBlock::text(input.text).into()),
        }
    })
}

fn note(call: &Call<Log>, line: String) {
    call.context().lock().expect("no panic").push(line);
}

#[tokio::test]
async fn hooks_see_every_call_and_its_outcome_or_answer_themselves() {
    let log = Log::default();
    let server = Server::new("hooks", "1")
        .tools(["echo", "panic", "fail", "private", "forbidden"].map(tool))
        .around(|call: Call<Log>, next| async move {
            note(&call, format!("before {}", call.tool()));
            let outcome = next.run().await;
            note(&call, format!("after {}", outcome.kind().name()));
            outcome
        })
        .around(|call: Call<Log>, next| async move {
            if call.tool() == "forbidden" {
                return Outcome::from(ToolError::message("Not for you."));
            }
            next.run().await
        });
    let mut talk = Talk::new(server, Arc::clone(&log));
    let good = json!({"text": "hello"});
    for (tool, arguments, said, seen) in [
        ("echo", &good, "hello", "completed"),
        ("echo", &json!({}), "are invalid", "invalid_arguments"),
        ("panic", &good, "Tool execution failed.", "panicked"),
        ("fail", &good, "Refused.", "failed"),
        ("private", &good, "Tool execution failed.", "error"),
        ("forbidden", &good, "Not for you.", "failed"),
    ] {
        let params = json!({"name": tool, "arguments": arguments});
        talk.send(&modern(1, "tools/call", params, json!({}))).await;
        let answer = talk.answer().await;
        assert!(text(&answer).contains(said), "{answer}");
        let lines = std::mem::take(&mut *log.lock().expect("no panic"));
        let ran = !["invalid_arguments", "failed"].contains(&seen) || tool == "fail";
        let mut wanted = vec![format!("before {tool}"), format!("after {seen}")];
        if ran {
            wanted.insert(1, "handler".into());
        }
        assert_eq!(lines, wanted);
    }
    // What the protocol refuses is no call.
    talk.send(&modern(2, "tools/call", json!({"name": "none"}), json!({})))
        .await;
    talk.answer().await;
    assert!(log.lock().expect("no panic").is_empty());
}

#[tokio::test]
async fn a_hook_that_panics_fails_its_call_only() {
    let server = Server::new("hooks", "1")
        .tool(tool("echo"))
        .around(|call: Call<Log>, next| {
            assert_ne!(call.request_id().as_i64(), Some(1), "on purpose");
            async move { next.run().await }
        });
    let mut talk = Talk::new(server, Log::default());
    let params = json!({"name": "echo", "arguments": {"text": "hello"}});
    talk.send(&modern(1, "tools/call", params.clone(), json!({})))
        .await;
    assert_eq!(text(&talk.answer().await), "Tool execution failed.");
    talk.send(&modern(2, "tools/call", params, json!({}))).await;
    assert_eq!(text(&talk.answer().await), "hello");
}

#[tokio::test]
async fn every_call_has_numbers_of_its_own() {
    let server =
        Server::new("hooks", "1")
            .tool(tool("echo"))
            .around(|call: Call<Log>, next| async move {
                let outcome = next.run().await;
                note(
                    &call,
                    format!("{} {}", call.invocation_id(), call.correlation()),
                );
                assert_eq!(call.correlation(), call.clone().correlation());
                outcome
            });
    let log = Log::default();
    let mut talk = Talk::new(server, Arc::clone(&log));
    let params = json!({"name": "echo", "arguments": {"text": "hello"}});
    for id in 1..4 {
        talk.send(&modern(id, "tools/call", params.clone(), json!({})))
            .await;
        assert_eq!(text(&talk.answer().await), "hello");
    }
    let lines = log.lock().expect("no panic").clone();
    let seen: std::collections::HashSet<&str> = lines
        .iter()
        .flat_map(|line| line.split(' '))
        .filter(|word| *word != "handler")
        .collect();
    assert_eq!(seen.len(), 6, "{lines:?}");
}

#[tokio::test]
async fn nothing_of_a_hook_runs_before_the_one_around_it_says_so() {
    let log = Log::default();
    let server = Server::new("hooks", "1")
        .tool(tool("echo"))
        .around(|call: Call<Log>, next| async move {
            if call.request_id().as_i64() == Some(1) {
                return Outcome::from(ToolError::message("Denied."));
            }
            let outcome = next.run().await;
            note(&call, outcome.kind().name().into());
            outcome
        })
        .around(|call: Call<Log>, next| {
            note(&call, "inner".into());
            assert_eq!(call.request_id().as_i64(), Some(2), "on purpose");
            async move { next.run().await }
        });
    let mut talk = Talk::new(server, Arc::clone(&log));
    let params = json!({"name": "echo", "arguments": {"text": "hello"}});
    for (id, said, seen) in [
        (1, "Denied.", &[][..]),
        (2, "hello", &["inner", "handler", "completed"]),
        (3, "Tool execution failed.", &["inner", "panicked"]),
    ] {
        talk.send(&modern(id, "tools/call", params.clone(), json!({})))
            .await;
        assert_eq!(text(&talk.answer().await), said);
        assert_eq!(std::mem::take(&mut *log.lock().expect("no panic")), seen);
    }
}

#[tokio::test]
async fn a_hook_answers_with_content_or_asks_first() {
    let server =
        Server::new("hooks", "1")
            .tool(tool("echo"))
            .around(|call: Call<Log>, next| async move {
                if call.request_id().as_i64() == Some(1) {
                    return Outcome::content([ContentBlock::text("from the cache")]);
                }
                match call.ask("hook:roots", Question::roots()) {
                    Ok(roots) => note(&call, format!("{} roots", roots.len())),
                    Err(error) => {
                        assert!(error.is_question());
                        return error.into();
                    }
                }
                let outcome = next.run().await;
                assert_eq!(outcome.kind(), OutcomeKind::Completed);
                outcome
            });
    let log = Log::default();
    let mut talk = Talk::new(server, Arc::clone(&log));
    let call = |id, state: &Value| {
        let params = json!({
            "name": "echo",
            "arguments": {"text": "hello"},
            "requestState": state,
            "inputResponses": {"hook:roots": {"roots": []}}
        });
        modern(id, "tools/call", params, json!({"roots": {}}))
    };
    talk.send(&call(1, &json!(null))).await;
    let answer = talk.answer().await;
    assert_eq!(text(&answer), "from the cache");
    assert!(answer["result"].get("isError").is_none(), "{answer}");
    talk.send(&call(2, &json!(null))).await;
    let asked = talk.answer().await;
    talk.send(&call(3, &asked["result"]["requestState"])).await;
    assert_eq!(text(&talk.answer().await), "hello");
    let lines = log.lock().expect("no panic").clone();
    assert_eq!(lines, ["0 roots", "handler"]);
    assert!(!ToolError::message("no").is_question());
    assert!(!ToolError::from("no").is_question());
}
