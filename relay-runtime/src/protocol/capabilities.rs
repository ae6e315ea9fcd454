//! What a client has declared, and what is missing.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::{Map, Value};

use super::envelope;
use super::message::write_string;
use super::revision::Revision;
use crate::check;
use crate::client::Client;
use crate::input::{InputMethod, InputRequest};

/// What a client has declared. It stays text as long as nobody asks for all of it.
#[derive(Debug)]
pub(crate) struct Capabilities {
    json: Box<str>,
    members: OnceLock<Map<String, Value>>,
    /// What it was asked for, which the server's contracts bound: a client of an older revision
    /// may declare a lot once, and then call often.
    known: Mutex<Vec<(Box<str>, bool)>>,
}

impl Capabilities {
    /// From a JSON text; `None` when it is no object.
    pub(super) fn read(json: &str) -> Option<Self> {
        json.starts_with('{').then(|| Self::of(json))
    }

    fn of(json: &str) -> Self {
        Self {
            json: json.into(),
            members: OnceLock::new(),
            known: Mutex::default(),
        }
    }

    /// All that is declared. A number that no `Value` can hold, such as `1e400`, counts as not given,
    /// and nothing around it: the capability that it is a setting of is declared all the same.
    pub(crate) fn members(&self) -> &Map<String, Value> {
        self.members.get_or_init(|| {
            let declared = check::parse(&self.json).ok();
            match declared.and_then(|declared| declared.to_json()) {
                Some(Value::Object(members)) => members,
                _ => Map::new(),
            }
        })
    }

    /// Whether a capability is declared, or a part of one, which is named after a dot:
    /// `sampling.tools`.
    fn declare(&self, path: &str) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, declared)) = known.iter().find(|(known, _)| **known == *path) {
            return *declared;
        }
        let declared = self.find(path);
        known.push((path.into(), declared));
        declared
    }

    fn find(&self, path: &str) -> bool {
        let (name, part) = name_and_part(path);
        let Some(parts) = envelope::member(&self.json, name).filter(|json| json.starts_with('{'))
        else {
            return false;
        };
        let Some(part) = part else { return true };
        // An empty `elicitation` means forms, as it did before there was anything else.
        let is_empty = || check::members(parts).is_some_and(|parts| parts.is_empty());
        envelope::member(parts, part).is_some_and(|json| json.starts_with('{'))
            || (path == "elicitation.form" && is_empty())
    }
}

impl Default for Capabilities {
    fn default() -> Self {
        Self::of("{}")
    }
}

/// Capabilities that a client did not declare, each with the parts of it that are needed.
#[derive(Debug, Default)]
pub(crate) struct Missing(Vec<(String, Vec<String>)>);

impl Missing {
    /// Of those that are needed, those that are not declared.
    pub(super) fn of(needed: &[String], declared: &Capabilities) -> Self {
        let mut missing = Self::default();
        for path in needed.iter().filter(|path| !declared.declare(path)) {
            missing.add(path);
        }
        missing
    }

    fn add(&mut self, path: &str) {
        let (name, part) = name_and_part(path);
        let known = self.0.iter().position(|(known, _)| known == name);
        let place = known.unwrap_or_else(|| {
            self.0.push((name.to_owned(), Vec::new()));
            self.0.len() - 1
        });
        let parts = &mut self.0[place].1;
        if let Some(part) = part
            && !parts.iter().any(|known| known == part)
        {
            parts.push(part.to_owned());
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends them as a client would declare them.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (index, (name, parts)) in self.0.iter().enumerate() {
            begin_member(out, index, name);
            out.push(b'{');
            for (index, part) in parts.iter().enumerate() {
                begin_member(out, index, part);
                out.extend_from_slice(b"{}");
            }
            out.push(b'}');
        }
        out.push(b'}');
    }
}

fn begin_member(out: &mut Vec<u8>, index: usize, name: &str) {
    if index > 0 {
        out.push(b',');
    }
    write_string(out, name);
    out.push(b':');
}

fn name_and_part(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((name, part)) => (name, Some(part)),
        None => (path, None),
    }
}

/// Takes out the requests that the client cannot answer; gives the capabilities that they need.
pub(crate) fn leave_out_undeclared(
    requests: &mut BTreeMap<String, InputRequest>,
    client: &Client,
) -> Missing {
    let mut missing = Missing::default();
    requests.retain(|_, request| {
        let lacking = needed(request, client.revision)
            .filter(|(path, since)| client.revision < *since || !client.capabilities.declare(path));
        let mut answerable = true;
        for (path, _) in lacking {
            missing.add(path);
            answerable = false;
        }
        answerable
    });
    missing
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::client::Profile;
    use crate::content::ContentBlock;
    use crate::input::Sampling;

    fn lacks(params: &[(&str, Value)], revision: Revision, sampling: Value) -> Value {
        let declared = json!({ "sampling": sampling }).to_string();
        let declared = Capabilities::read(&declared).unwrap();
        let profile = Arc::new(Profile {
            info: None,
            capabilities: Arc::new(declared),
            revision,
        });
        let client = Client {
            profile,
            said: None,
        };
        let sampling = Sampling::new(1).user(ContentBlock::text("?"));
        let sampling = params.iter().fold(sampling, |sampling, (name, value)| {
            sampling.with_param(*name, value.clone())
        });
        let mut requests = BTreeMap::from([("a".to_owned(), sampling.question().into())]);
        let lacking = leave_out_undeclared(&mut requests, &client);
        assert_eq!(requests.is_empty(), !lacking.is_empty());
        let mut json = Vec::new();
        lacking.write(&mut json);
        serde_json::from_slice(&json).unwrap()
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

    #[test]
    fn a_number_that_nothing_holds_takes_no_capability_with_it() {
        let declared =
            r#"{"elicitation":{"form":{},"y":1e400},"roots":{"x":[1e400,{}]},"z":1e400}"#;
        let declared = Capabilities::read(declared).unwrap();
        assert_eq!(
            Value::Object(declared.members().clone()),
            json!({"elicitation": {"form": {}}, "roots": {"x": [{}]}})
        );
        for (path, wanted) in [
            ("elicitation", true),
            ("elicitation.form", true),
            ("elicitation.y", false),
            ("roots", true),
            ("z", false),
        ] {
            assert_eq!(declared.declare(path), wanted, "{path}");
        }
    }

    #[test]
    fn what_a_client_declares_is_looked_through_once() {
        let declared = Capabilities::read(r#"{"sampling":{}}"#).unwrap();
        let ask = || ["sampling", "sampling.tools"].map(|path| declared.declare(path));
        assert_eq!(ask(), [true, false]);
        // An answer that no look at the text would give.
        declared.known.lock().unwrap()[1].1 = true;
        assert_eq!(ask(), [true, true]);
        assert_eq!(declared.known.lock().unwrap().len(), 2);
    }
}
