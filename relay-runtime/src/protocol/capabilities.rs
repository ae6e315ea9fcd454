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
        let before = lacking.len();
        lacking.extend(needed(request, client.revision).filter(|(path, since)| {
            client.revision < *since || !missing([*path], &client.capabilities).is_empty()
        }));
        lacking.len() == before
    });
    let lacking = lacking.into_iter().map(|(path, _)| path);
    missing(lacking, &Map::new())
}

/// The capabilities that a request needs, each with the first revision that has it.
fn needed(
    request: &InputRequest,
    revision: Revision,
) -> impl Iterator<Item = (&'static str, Revision)> {
    let first = match request.method {
        InputMethod::Elicitation if request.is_visit() => {
            ("elicitation.url", Revision::V2025_11_25)
        }
        InputMethod::Elicitation => ("elicitation.form", Revision::V2025_06_18),
        InputMethod::Sampling if uses_tools(request) => ("sampling.tools", Revision::V2025_11_25),
        InputMethod::Sampling => ("sampling", Revision::V2024_11_05),
        InputMethod::Roots => ("roots", Revision::V2024_11_05),
    };
    // Before it was a capability, any client that samples had it.
    let context = ("sampling.context", Revision::V2025_11_25);
    let includes = uses_context(request) && revision >= context.1;
    [first].into_iter().chain(includes.then_some(context))
}

fn uses_context(request: &InputRequest) -> bool {
    let includes = request.params.get("includeContext");
    request.method == InputMethod::Sampling && includes.is_some_and(|context| context != "none")
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::content::ContentBlock;
    use crate::input::Sampling;

    fn lacks(params: &[(&str, Value)], revision: Revision, sampling: Value) -> Value {
        let client = Client {
            info: None,
            capabilities: Arc::new(Map::from_iter([("sampling".to_owned(), sampling)])),
            revision,
            said: None,
        };
        let sampling = Sampling::new(1).user(ContentBlock::text("?"));
        let sampling = params.iter().fold(sampling, |sampling, (name, value)| {
            sampling.with_param(*name, value.clone())
        });
        let mut requests = BTreeMap::from([("a".to_owned(), sampling.question().into())]);
        let lacking = leave_out_undeclared(&mut requests, &client);
        assert_eq!(requests.is_empty(), !lacking.is_empty());
        lacking.into()
    }

    #[test]
    fn what_a_completion_uses_has_to_be_declared() {
        let (new, old) = (Revision::V2025_11_25, Revision::V2025_06_18);
        let tools = ("tools", json!([]));
        let context = |which: &str| ("includeContext", json!(which));
        let both = [tools.clone(), context("thisServer")];
        let everything = json!({"tools": {}, "context": {}});
        for (params, revision, declared, lacking) in [
            (&[][..], new, json!({}), json!({})),
            (&[context("none")], new, json!({}), json!({})),
            (
                &[context("allServers")],
                new,
                json!({"tools": {}}),
                json!({"sampling": {"context": {}}}),
            ),
            (&[context("allServers")], old, json!({}), json!({})),
            (
                &both[..1],
                old,
                everything.clone(),
                json!({"sampling": {"tools": {}}}),
            ),
            (&both, new, json!({}), json!({"sampling": everything})),
            (&both, new, everything.clone(), json!({})),
        ] {
            assert_eq!(lacks(params, revision, declared), lacking, "{params:?}");
        }
    }
}
