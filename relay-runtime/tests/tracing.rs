//! Spans of calls.

#![cfg(feature = "tracing")]

mod talk;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Definition, Server, Tool};
use serde_json::{Value, json};
use talk::{Talk, modern};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber, info};

/// Every span and event as its fields.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    spans: Vec<BTreeMap<String, String>>,
    /// What an event says, and the number of the span that it is in.
    events: Vec<(Option<u64>, BTreeMap<String, String>)>,
    entered: Vec<u64>,
}

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(
            field.name().to_owned(),
            format!("{value:?}").trim_matches('"').to_owned(),
        );
    }
}

impl Subscriber for Seen {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut state = self.0.lock().expect("no panic");
        let mut fields = BTreeMap::from([("span".to_owned(), span.metadata().name().to_owned())]);
        span.record(&mut Fields(&mut fields));
        state.spans.push(fields);
        Id::from_u64(state.spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let at = usize::try_from(span.into_u64()).expect("small") - 1;
        values.record(&mut Fields(&mut self.0.lock().expect("no panic").spans[at]));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = BTreeMap::new();
        event.record(&mut Fields(&mut fields));
        let mut state = self.0.lock().expect("no panic");
        let parent = event
            .parent()
            .map(Id::into_u64)
            .or(state.entered.last().copied());
        state.events.push((parent, fields));
    }

    fn enter(&self, span: &Id) {
        self.0
            .lock()
            .expect("no panic")
            .entered
            .push(span.into_u64());
    }

    fn exit(&self, _: &Id) {
        self.0.lock().expect("no panic").entered.pop();
    }
}

fn tool() -> Tool {
    let definition: Definition<Value> = Definition::content("say", json!({"type": "object"}));
    definition.handle(|_: Call, input: Value| async move {
        info!("in the handler");
        tokio::task::yield_now().await;
        match input["fail"].as_str() {
            Some(cause) => Err(cause.to_owned().into()),
            None => Ok(ContentBlock::text("said").into()),
        }
    })
}

/// Serves two calls on this thread, where the subscriber is.
fn seen(server: Server) -> State {
    let seen = Seen::default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    tracing::subscriber::with_default(seen.clone(), || {
        runtime.block_on(async {
            let mut talk = Talk::new(server, ());
            for (id, arguments) in [(1, json!({"secret": 7})), (2, json!({"fail": "a cause"}))] {
                let params = json!({"name": "say", "arguments": arguments});
                let params = modern(id, "tools/call", params, json!({}));
                let key = "\"_meta\":{\"io.github.gleam-dream/correlation\":\"c\",";
                talk.send(&params.replace("\"_meta\":{", key)).await;
                talk.answer().await;
            }
            talk.end().await.expect("a clean end");
        });
    });
    std::mem::take(&mut *seen.0.lock().expect("no panic"))
}

#[test]
fn each_call_is_a_span_without_its_arguments() {
    let State { spans, events, .. } = seen(Server::new("traced", "1").tool(tool()));
    assert_eq!(spans.len(), 2);
    for (index, (span, outcome)) in spans.iter().zip(["completed", "error"]).enumerate() {
        assert_eq!(span["span"], "tool_call");
        assert_eq!(span["tool"], "say");
        assert_eq!(span["request_id"], (index + 1).to_string());
        assert_eq!(span["correlation"], "c");
        assert_eq!(span["outcome"], outcome);
        assert!(span["invocation"].parse::<u64>().is_ok());
        assert!(span["duration_ms"].parse::<f64>().is_ok());
        assert!(!span.contains_key("arguments"));
    }
    let messages: Vec<_> = events
        .iter()
        .map(|(span, event)| (*span, &*event["message"]))
        .collect();
    assert_eq!(
        messages,
        [
            (Some(1), "in the handler"),
            (Some(1), "call ended"),
            (Some(2), "in the handler"),
            (Some(2), "tool say (request 2) failed: a cause"),
            (Some(2), "call ended"),
        ]
    );
}

#[test]
fn arguments_are_traced_where_the_application_asks() {
    let State { spans, .. } = seen(
        Server::new("traced", "1")
            .tool(tool())
            .trace_arguments(true),
    );
    assert!(spans[0]["arguments"].contains("secret"), "{:?}", spans[0]);
}
