//! What a client has declared, and what is missing.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::revision::Revision;
use crate::client::Client;
use crate::input::{InputMethod, InputRequest};

/// Of the capabilities that are needed, those that are not declared, as a client would declare
/// them. A part of one is named after a dot: `sampling.tools`.
pub(super) fn missing<'a>(
    needed: impl IntoIterator<Item = &'a str>,
    declared: &Map<String, Value>,
) -> Map<String, Value> {
    let mut missing = Map::new();
    for path in needed {
        let (name, part) = match path.split_once('.') {
            Some((name, part)) => (name, Some(part)),
            None => (path, None),
        };
        if declares(declared, name, part) {
            continue;
        }
        let entry = missing
            .entry(name)
            .or_insert_with(|| Value::Object(Map::new()));
        if let (Some(part), Value::Object(parts)) = (part, entry) {
            parts.insert(part.to_owned(), Value::Object(Map::new()));
        }
    }
    missing
}

/// Takes out the requests that the client cannot answer; gives the capabilities that they need.
pub(crate) fn leave_out_undeclared(
    requests: &mut BTreeMap<String, InputRequest>,
    client: &Client,
) -> Map<String, Value> {
    let mut lacking = Vec::new();
    requests.retain(|_, request| {
        let (path, since) = needed(request);
        let known = client.revision >= since;
        let declared = known && missing([path], &client.capabilities).is_empty();
        if !declared {
            lacking.push(path);
        }
        declared
    });
    missing(lacking, &Map::new())
}

/// The capability that a request needs, and the first revision that has it.
fn needed(request: &InputRequest) -> (&'static str, Revision) {
    match request.method {
        InputMethod::Elicitation if request.is_visit() => {
            ("elicitation.url", Revision::V2025_11_25)
        }
        InputMethod::Elicitation => ("elicitation.form", Revision::V2025_06_18),
        InputMethod::Sampling if uses_tools(request) => ("sampling.tools", Revision::V2025_11_25),
        InputMethod::Sampling => ("sampling", Revision::V2024_11_05),
        InputMethod::Roots => ("roots", Revision::V2024_11_05),
    }
}

fn uses_tools(request: &InputRequest) -> bool {
    ["tools", "toolChoice"]
        .iter()
        .any(|name| request.params.contains_key(*name))
}

fn declares(declared: &Map<String, Value>, name: &str, part: Option<&str>) -> bool {
    let Some(Value::Object(parts)) = declared.get(name) else {
        return false;
    };
    match part {
        None => true,
        // An empty `elicitation` means forms, as it did before there was anything else.
        Some("form") if name == "elicitation" && parts.is_empty() => true,
        Some(part) => parts.get(part).is_some_and(Value::is_object),
    }
}
