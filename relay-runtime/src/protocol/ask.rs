//! What a request asks for: the era decides how that is said, and which methods there are.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::capabilities::Missing;
use super::catalog::Catalog;
use super::envelope::{Request, object, shortened, string};
use super::legacy;
use super::meta::check_objects;
use super::modern;
use super::recent::Recent;
use super::refusal::Refusal;
use super::revision::Revision;
use super::rounds::{Return, Round, foreign_state};
use super::scan::Members;
use super::subscription::Filter;
use crate::asking::asking;
use crate::client::{Client, Profile};
use crate::tool::AnyTool;

/// What a well-formed request asks for.
pub(crate) enum Ask<'a> {
    Discover,
    Initialize(Profile),
    Ping,
    /// The page of tools after the one of this name.
    List {
        revision: Revision,
        after: Option<String>,
    },
    /// Notifications of what changes.
    Listen(Filter),
    Call {
        tool: Arc<AnyTool>,
        arguments: &'a str,
        client: Client,
        round: Round,
    },
    /// A call that is answered without its handler, with this result.
    Answer(Vec<u8>),
}

/// Judges a request: what does it ask for, or why is it refused?
///
/// One that names its version is modern; any other belongs to the session that `initialize` has
/// opened. Both may come on one connection, in any order.
pub(crate) fn judge<'a>(
    catalog: &Catalog,
    recent: &mut Recent,
    request: &Request<'a>,
) -> Result<Ask<'a>, Refusal> {
    let modern_only = catalog.modern_only();
    if let Some(client) = recent.client(request) {
        return modern_ask(catalog, request, Ok(client));
    }
    if modern_only || modern::claims(request) {
        let client = modern::client(request, recent, modern_only);
        return modern_ask(catalog, request, client);
    }
    match (&*request.method, &recent.session) {
        ("initialize", _) => legacy::initialize(request).map(Ask::Initialize),
        ("ping", _) => check_objects(request).map(|()| Ask::Ping),
        (_, None) => Err(modern::unversioned(request, modern_only)),
        (_, Some(session)) => tools(catalog, request, legacy::client(session, request)?),
    }
}

fn modern_ask<'a>(
    catalog: &Catalog,
    request: &Request<'a>,
    client: Result<Client, Refusal>,
) -> Result<Ask<'a>, Refusal> {
    if request.method == "initialize" {
        return Err(modern::no_initialize(catalog.modern_only()));
    }
    let client = client?;
    match &*request.method {
        "server/discover" => Ok(Ask::Discover),
        "subscriptions/listen" => {
            Filter::read(&request.params, catalog.registry().is_some()).map(Ask::Listen)
        }
        _ => tools(catalog, request, client),
    }
}

/// The methods of every era.
fn tools<'a>(catalog: &Catalog, request: &Request<'a>, client: Client) -> Result<Ask<'a>, Refusal> {
    match &*request.method {
        "tools/list" => Ok(Ask::List {
            revision: client.revision,
            after: cursor(catalog, &request.params)?,
        }),
        "tools/call" => call(catalog, request, client),
        other => Err(Refusal::unknown_method(format!(
            "Unknown method: {}",
            shortened(other)
        ))),
    }
}

/// The name of the tool that the wanted page comes after.
fn cursor(catalog: &Catalog, params: &Members<'_>) -> Result<Option<String>, Refusal> {
    let Some(json) = params.find("cursor") else {
        return Ok(None);
    };
    string(json)
        .and_then(|cursor| catalog.last_of_page(&cursor))
        .map(Some)
        .ok_or_else(|| {
            Refusal::invalid_params(
                "`params.cursor` is none of this server's: ask without it first",
            )
        })
}

fn call<'a>(catalog: &Catalog, request: &Request<'a>, client: Client) -> Result<Ask<'a>, Refusal> {
    let name =
        request.params.get("name").and_then(string).ok_or_else(|| {
            Refusal::invalid_params("`params.name` must be a string: a tool's name")
        })?;
    let tool = catalog
        .tool(&name)
        .ok_or_else(|| unknown_tool(catalog, &name))?;
    let missing = Missing::of(tool.required_client_capabilities(), &client.capabilities);
    if !missing.is_empty() {
        return catalog
            .missing_capabilities(client.revision, tool.name(), &missing)
            .map(Ask::Answer);
    }
    let arguments = object(request.params.get("arguments"), "arguments")?.unwrap_or("{}");
    match round(catalog, &request.params, &client, tool.name(), arguments)? {
        ControlFlow::Break(result) => Ok(Ask::Answer(result)),
        ControlFlow::Continue(round) => Ok(Ask::Call {
            tool,
            arguments,
            client,
            round,
        }),
    }
}

#[cold]
fn unknown_tool(catalog: &Catalog, name: &str) -> Refusal {
    let near = catalog.nearest_tool(name);
    let hint = near.map(|near| format!("; did you mean `{}`?", &*near));
    Refusal::invalid_params(format!(
        "Unknown tool: {}{}",
        shortened(name),
        hint.unwrap_or_default()
    ))
}

/// The round in which the handler runs; the result of the call where it does not, since answers
/// are missing.
fn round(
    catalog: &Catalog,
    params: &Members<'_>,
    client: &Client,
    tool: &str,
    arguments: &str,
) -> Result<ControlFlow<Vec<u8>, Round>, Refusal> {
    if !client.revision.is_modern() {
        return Ok(ControlFlow::Continue(Round::default()));
    }
    let responses = object(params.get("inputResponses"), "inputResponses")?.unwrap_or("{}");
    // Without a state of ours nobody knows what these answers are to: the handler asks anew.
    let state = match params.get("requestState") {
        None | Some("null") => return Ok(ControlFlow::Continue(Round::default())),
        Some(state) => state,
    };
    let state = string(state)
        .ok_or_else(|| Refusal::invalid_params("`params.requestState` must be a string"))?;
    let Some(asking) = asking() else {
        return Err(foreign_state());
    };
    let call = Return {
        client,
        tool,
        arguments,
        state: &state,
        responses,
    };
    (asking.go_on)(catalog, &call)
}
