//! A registry whose tools, iterators and listeners use it themselves, and changes in one step.

#![cfg(feature = "server")]

mod talk;

use std::sync::Arc;

use relay_runtime::{Call, Definition, Server, Tool, ToolRegistry};
use serde_json::{Value, json};
use talk::{Talk, modern, refused};

/// A tool whose handler holds something.
fn holding(name: &str, held: impl Send + Sync + 'static) -> Tool {
    let definition: Definition<Value> = Definition::content(name, json!({"type": "object"}));
    definition.handle(move |_: Call, _| {
        let _ = &held;
        async move { Ok(Vec::new().into()) }
    })
}

fn tool(name: &str) -> Tool {
    holding(name, ())
}

/// Takes another tool with it when it is dropped.
struct Guard(ToolRegistry, &'static str);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.remove([self.1]);
    }
}

fn names(registry: &ToolRegistry) -> String {
    format!("{registry:?}")
}

#[test]
fn what_is_added_may_look_at_the_registry_as_it_comes() {
    let registry = ToolRegistry::new();
    registry.add([tool("a")]).expect("a new name");
    let (seen, other) = (registry.clone(), registry.clone());
    let new = ["a", "b"].into_iter();
    let new = new.filter(move |name| !names(&seen).contains(name));
    registry.add(new.map(tool)).expect("only a new name");
    assert_eq!(names(&registry), r#"["a", "b"]"#);
    let all = ["a", "b", "c"].into_iter();
    let there = all.filter(move |name| names(&other).contains(name));
    assert_eq!(registry.remove(there), 2);
}

#[test]
fn what_is_removed_may_change_the_registry_as_it_goes() {
    let registry = ToolRegistry::new();
    let add = |registry: &ToolRegistry| {
        let guarded = holding("guarded", Guard(registry.clone(), "companion"));
        registry.add([guarded, tool("companion")])
    };
    add(&registry).expect("new names");
    assert_eq!(registry.remove(["guarded"]), 1);
    assert_eq!(names(&registry), "[]");
    add(&registry).expect("new names");
    let none: [Tool; 0] = [];
    registry.replace(["guarded"], none).expect("nothing new");
    assert_eq!(names(&registry), "[]");
    // One that is refused goes, too.
    registry.add([tool("companion")]).expect("a new name");
    let guarded = holding("guarded", Guard(registry.clone(), "companion"));
    let refused = registry.add([guarded, tool("companion")]);
    refused.expect_err("a name that is there");
    assert_eq!(names(&registry), "[]");
}

#[tokio::test]
async fn what_is_removed_does_not_wait_for_the_next_request() {
    let registry = ToolRegistry::new();
    let held = Arc::new(());
    registry
        .add([holding("a", Arc::clone(&held))])
        .expect("a new name");
    let mut talk = Talk::new(Server::new("held", "1").registry(&registry), ());
    talk.send(&modern(1, "tools/list", json!({}), json!({})))
        .await;
    talk.answer().await;
    assert_eq!(Arc::strong_count(&held), 2);
    registry.remove(["a"]);
    assert_eq!(Arc::strong_count(&held), 1);
}

#[tokio::test]
async fn tools_are_replaced_in_one_step_or_not_at_all() {
    let registry = ToolRegistry::new();
    registry
        .add([tool("a"), tool("b"), tool("c")])
        .expect("new names");
    let mut talk = Talk::new(Server::new("steps", "1").registry(&registry), ());
    let listen = json!({"notifications": {"toolsListChanged": true}});
    talk.send(&modern(1, "subscriptions/listen", listen, json!({})))
        .await;
    talk.answer().await;
    registry
        .replace(["a", "b", "none"], [tool("b"), tool("d")])
        .expect("names that are free then");
    assert_eq!(names(&registry), r#"["b", "c", "d"]"#);
    let error = registry
        .replace(["b"], [tool("e"), tool("c")])
        .expect_err("a name that stays");
    assert!(error.to_string().contains("`c`"), "{error}");
    assert_eq!(names(&registry), r#"["b", "c", "d"]"#);
    // Nothing changes.
    let none: [Tool; 0] = [];
    registry.replace(["none"], none).expect("nothing new");
    talk.send(&modern(2, "tools/call", json!({"name": "a"}), json!({})))
        .await;
    let told = talk.answer().await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(refused(&talk.answer().await), (-32602, 2));
}
