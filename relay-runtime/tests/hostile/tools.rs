//! Tools beside those of the other tests: calls that stay in flight, and contracts that matter.

use std::sync::Arc;

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, Definition, Reply, Tool};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

pub fn tools() -> [Tool; 4] {
    let gate = Arc::new(Semaphore::new(0));
    let hold: Definition<Value> = Definition::content("hold", json!({"type": "object"}));
    let held = Arc::clone(&gate);
    let release: Definition<Value> = Definition::content("release", json!({"type": "object"}));
    [
        // In flight until `release` is called, or until it is cancelled; reports before and after.
        hold.handle(move |call: Call, _| {
            let gate = Arc::clone(&held);
            async move {
                call.report_progress(1.0, None, None);
                tokio::select! {
                    permit = gate.acquire() => permit?.forget(),
                    () = call.cancelled() => {}
                }
                call.report_progress(2.0, None, None);
                Ok(ContentBlock::text("held").into())
            }
        }),
        release.handle(move |_: Call, _| {
            gate.add_permits(1);
            async { Ok(ContentBlock::text("released").into()) }
        }),
        typed(),
        untrue(),
    ]
}

/// Gives back what it was given.
fn typed() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "integer": {"type": "integer"},
            "natural": {"type": "integer", "minimum": 0},
            "number": {"type": "number"},
            "string": {"type": "string", "maxLength": 10},
            "inner": {"type": "object", "properties": {"a/b": {"type": "boolean"}}}
        },
        "additionalProperties": false
    });
    let typed: Definition<Value, Value> = Definition::new("typed", input, json!({}));
    typed.handle(|_: Call, input| async move { Ok(Reply::new(input)) })
}

/// Its results are not what its contract says.
fn untrue() -> Tool {
    let output = json!({"type": "object", "required": ["promised"]});
    let untrue: Definition<Value, Value> =
        Definition::new("untrue", json!({"type": "object"}), output);
    untrue.handle(|_: Call, _| async move { Ok(Reply::new(json!({}))) })
}
