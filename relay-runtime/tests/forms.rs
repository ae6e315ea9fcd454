//! Forms as generated code makes them.

#![cfg(feature = "server")]

mod talk;

use relay_runtime::codegen as rt;
use relay_runtime::content::ContentBlock;
use relay_runtime::input::{Elicited, Form, InputRequest};
use relay_runtime::{Call, Definition, Server, Tool};
use serde_json::{Value, json};
use talk::{Talk, modern, text};

rt::object! {
    /// Where to go.
    pub struct Trip {
        /// The town.
        pub town: String,
        /// How long.
        pub days?: u64,
        ..
    }
    new(town: String)
}
rt::form! {
    Trip,
    r#"{"type":"object","title":"Trip","properties":{"town":{"type":"string","minLength":1},"days":{"type":"integer","minimum":1,"default":2}},"required":["town"]}"#
}

const SCHEMA: &str = r#"{"type":"object","title":"Trip","properties":{"town":{"type":"string","minLength":1},"days":{"type":"integer","minimum":1,"default":2}},"required":["town"]}"#;

fn server() -> Server {
    let plan: Definition<Value> = Definition::content("plan", json!({"type": "object"}));
    let plan: Tool = plan.handle(|call: Call, _| async move {
        let said = match call.ask("trip", Trip::form().question("Where to?"))? {
            Elicited::Accepted(Trip { town, days }) => format!("{town} {days:?}"),
            Elicited::Declined | Elicited::Cancelled => "nowhere".into(),
        };
        Ok(ContentBlock::text(said).into())
    });
    Server::new("trips", "1").tool(plan)
}

#[test]
fn a_form_asks_for_the_schema_as_it_is_written() {
    let question = Trip::form().question("Where to?");
    let request = question.request();
    assert_eq!(
        request.params["requestedSchema"],
        serde_json::from_str::<Value>(SCHEMA).expect("JSON")
    );
    let written = serde_json::to_string(request).expect("it encodes");
    let wanted = format!(
        r#"{{"method":"elicitation/create","params":{{"mode":"form","message":"Where to?","requestedSchema":{SCHEMA}}}}}"#
    );
    assert_eq!(written, wanted);
    let read: InputRequest = serde_json::from_str(&written).expect("it decodes");
    assert_eq!(&read, request);
    assert_eq!(serde_json::to_string(&read).expect("it encodes"), wanted);
    let answer = json!({"action": "accept", "content": {"town": "Bern"}});
    let answer = question.read(&answer).expect("an answer");
    assert_eq!(answer, Elicited::Accepted(Trip::new("Bern".into())));
}

#[test]
fn a_text_that_is_no_form_is_refused() {
    for (text, words) in [
        ("{", "it is no JSON"),
        (r#"{"type":"object"}"#, "it needs `properties`"),
    ] {
        let error = Form::<Value>::from_json(text).expect_err("none of a form");
        let error = error.to_string();
        assert!(
            error.starts_with("the schema is none of a form: "),
            "{error}"
        );
        assert!(error.contains(words), "{error}");
    }
}

#[tokio::test]
async fn a_modern_client_sees_the_fields_in_their_order_whenever_it_is_asked() {
    let mut talk = Talk::new(server(), ());
    let call = |more: &Value| {
        let mut params = json!({"name": "plan", "arguments": {}});
        for (name, value) in more.as_object().expect("an object") {
            params[name] = value.clone();
        }
        modern(1, "tools/call", params, json!({"elicitation": {}}))
    };
    talk.send(&call(&json!({}))).await;
    for _ in 0..2 {
        let asked = talk.line().await;
        assert!(asked.contains(SCHEMA), "{asked}");
        let asked: Value = serde_json::from_str(&asked).expect("JSON");
        let state = &asked["result"]["requestState"];
        talk.send(&call(&json!({"requestState": state}))).await;
    }
    let asked = talk.answer().await;
    let state = &asked["result"]["requestState"];
    let trip = json!({"action": "accept", "content": {"town": "Bern", "days": 3.0}});
    let answers = json!({"inputResponses": {"trip": trip}, "requestState": state});
    talk.send(&call(&answers)).await;
    assert_eq!(text(&talk.answer().await), "Bern Some(3)");
}

#[tokio::test]
async fn an_older_client_sees_the_fields_in_their_order() {
    for (version, schema) in [
        ("2025-11-25", SCHEMA.to_owned()),
        ("2025-06-18", SCHEMA.replace(r#","default":2"#, "")),
    ] {
        let mut talk = Talk::new(server(), ());
        let client = json!({
            "protocolVersion": version,
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "c", "version": "1"}
        });
        let initialize =
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client});
        talk.send(&initialize.to_string()).await;
        talk.line().await;
        talk.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        talk.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan"}}"#)
            .await;
        let asked = talk.line().await;
        assert!(asked.contains(&schema), "{asked}");
    }
}
