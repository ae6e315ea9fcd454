//! What a request asks for: the era decides how that is said, and which methods there are.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::call_result::CallResult;
use super::catalog::Catalog;
use super::envelope::{Request, shortened, string};
use super::legacy::{self, Session};
use super::modern;
use super::refusal::Refusal;
use super::revision::Revision;
use super::scan::Members;
use crate::client::Client;
use crate::tool::Tool;

/// What a well-formed request asks for.
pub(crate) enum Ask<'a, C> {
    Discover,
    Initialize(Session),
    Ping,
    List(Revision),
    Call {
        tool: Arc<Tool<C>>,
        arguments: &'a str,
        client: Client,
    },
    /// A call that fails before its handler runs.
    Fail(Revision, CallResult),
}

/// Judges a request: what does it ask for, or why is it refused?
///
/// One that names its version is modern; any other belongs to the session that `initialize` has
/// opened. Both may come on one connection, in any order.
pub(crate) fn judge<'a, C>(
    catalog: &Catalog<C>,
    session: Option<&Session>,
    request: &Request<'a>,
) -> Result<Ask<'a, C>, Refusal> {
    let modern_only = catalog.modern_only();
    if modern_only || modern::claims(request) {
        return modern_ask(catalog, request);
    }
    match (&*request.method, session) {
        ("initialize", _) => legacy::initialize(request).map(Ask::Initialize),
        ("ping", _) => Ok(Ask::Ping),
        (_, None) => Err(modern::unversioned(request, modern_only)),
        (_, Some(session)) => tools(catalog, request, legacy::client(session, request)?),
    }
}

fn modern_ask<'a, C>(catalog: &Catalog<C>, request: &Request<'a>) -> Result<Ask<'a, C>, Refusal> {
    if request.method == "initialize" {
        return Err(modern::no_initialize(catalog.modern_only()));
    }
    let client = modern::client(request, catalog.modern_only())?;
    match &*request.method {
        "server/discover" => Ok(Ask::Discover),
        _ => tools(catalog, request, client),
    }
}

/// The methods of every era.
fn tools<'a, C>(
    catalog: &Catalog<C>,
    request: &Request<'a>,
    client: Client,
) -> Result<Ask<'a, C>, Refusal> {
    match &*request.method {
        "tools/list" => no_cursor(&request.params).map(|()| Ask::List(client.revision)),
        "tools/call" => call(catalog, request, client),
        other => Err(Refusal::unknown_method(format!(
            "Unknown method: {}",
            shortened(other)
        ))),
    }
}

/// The whole list is one page, so that no cursor was ever minted.
fn no_cursor(params: &Members<'_>) -> Result<(), Refusal> {
    match params.get("cursor") {
        None => Ok(()),
        Some(_) => Err(Refusal::invalid_params(
            "`cursor` is none of this server's: it lists all tools on one page",
        )),
    }
}

fn call<'a, C>(
    catalog: &Catalog<C>,
    request: &Request<'a>,
    client: Client,
) -> Result<Ask<'a, C>, Refusal> {
    let name =
        request.params.get("name").and_then(string).ok_or_else(|| {
            Refusal::invalid_params("`params.name` must be a string: a tool's name")
        })?;
    let tool = catalog
        .tool(&name)
        .ok_or_else(|| Refusal::invalid_params(format!("Unknown tool: {}", shortened(&name))))?;
    let missing = missing_capabilities(tool, &client.capabilities);
    if !missing.is_empty() {
        let refusal = Refusal::missing_capabilities(tool.name(), Value::Object(missing));
        // The older revisions have no such error, and a model reads only results.
        return if client.revision.is_modern() {
            Err(refusal)
        } else {
            Ok(Ask::Fail(
                client.revision,
                CallResult::failed(refusal.message),
            ))
        };
    }
    let arguments = match request.params.get("arguments") {
        None | Some("null") => "{}",
        Some(arguments) if arguments.starts_with('{') => arguments,
        Some(_) => {
            return Err(Refusal::invalid_params(
                "`params.arguments` must be an object",
            ));
        }
    };
    Ok(Ask::Call {
        tool: Arc::clone(tool),
        arguments,
        client,
    })
}

fn missing_capabilities<C>(tool: &Tool<C>, declared: &Map<String, Value>) -> Map<String, Value> {
    let mut missing = Map::new();
    for path in tool.required_client_capabilities() {
        let (name, part) = match path.split_once('.') {
            Some((name, part)) => (name, Some(part)),
            None => (path.as_str(), None),
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
