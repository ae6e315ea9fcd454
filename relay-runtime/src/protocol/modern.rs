//! The revision 2026-07-28: every request says for itself which version it speaks.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::call_result::CallResult;
use super::catalog::Catalog;
use super::envelope::{Request, shortened, string};
use super::message::write_json;
use super::refusal::Refusal;
use super::scan::Members;
use crate::client::{Client, ClientInfo, TraceContext};
use crate::tool::Tool;

/// The modern versions that are served, the newest first.
pub(crate) const VERSIONS: [&str; 1] = ["2026-07-28"];

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
const IDEMPOTENCY_KEY: &str = "io.github.gleam-dream/idempotency-key";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// What a well-formed request asks for.
#[expect(
    clippy::large_enum_variant,
    reason = "taken apart as soon as it is made"
)]
pub(crate) enum Ask<'a, C> {
    Discover,
    List,
    Call {
        tool: Arc<Tool<C>>,
        arguments: &'a str,
        client: Client,
    },
}

/// Judges a request: what does it ask for, or why is it refused?
pub(crate) fn judge<'a, C>(
    catalog: &Catalog<C>,
    request: &Request<'a>,
) -> Result<Ask<'a, C>, Refusal> {
    if request.method == "initialize" {
        return Err(no_initialize());
    }
    let client = client(request)?;
    match &*request.method {
        "server/discover" => Ok(Ask::Discover),
        "tools/list" => no_cursor(&request.params).map(|()| Ask::List),
        "tools/call" => call(catalog, request, client),
        other => Err(Refusal::unknown_method(format!(
            "Unknown method: {}",
            shortened(other)
        ))),
    }
}

/// The result of `tools/call`, as JSON text.
pub(crate) fn call_result<C>(catalog: &Catalog<C>, result: &CallResult) -> Vec<u8> {
    let mut out = br#"{"resultType":"complete","content":"#.to_vec();
    write_json(&mut out, &result.content);
    if let Some(structured) = &result.structured {
        out.extend_from_slice(br#","structuredContent":"#);
        out.extend_from_slice(structured.get().as_bytes());
    }
    if result.is_error {
        out.extend_from_slice(br#","isError":true"#);
    }
    out.extend_from_slice(br#","_meta":{"#);
    out.extend_from_slice(catalog.info_member());
    let mut first = catalog.info_member().is_empty();
    for (key, value) in result.meta.iter().filter(|(key, _)| *key != SERVER_INFO) {
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        write_json(&mut out, key);
        out.push(b':');
        write_json(&mut out, value);
    }
    out.extend_from_slice(b"}}");
    out
}

/// A client of an older revision shows its user nothing but this message.
fn no_initialize() -> Refusal {
    Refusal::unknown_method(format!(
        "Unknown method: initialize. This server speaks MCP {} only, which has no handshake: each \
         request names its version in params._meta[\"{PROTOCOL_VERSION}\"]",
        VERSIONS.join(", ")
    ))
}

/// What the request says of its client; the version is judged before anything else.
fn client(request: &Request<'_>) -> Result<Client, Refusal> {
    let meta = &request.meta;
    check_objects(request)?;
    let protocol_version = match meta.get(PROTOCOL_VERSION) {
        Some(version) => served(version)?,
        None => return Err(missing_keys(meta)),
    };
    let capabilities = match meta.get(CLIENT_CAPABILITIES).map(object) {
        Some(Some(capabilities)) => capabilities,
        Some(None) => return Err(wrong_type(CLIENT_CAPABILITIES, "an object")),
        None => return Err(missing_keys(meta)),
    };
    if let Some(level) = meta.get(LOG_LEVEL) {
        check_log_level(level)?;
    }
    if let Some(token) = meta.get("progressToken") {
        check_progress_token(token)?;
    }
    Ok(Client {
        info: meta.get(CLIENT_INFO).and_then(client_info),
        capabilities,
        protocol_version,
        trace_context: trace_context(meta),
        idempotency_key: meta.get(IDEMPOTENCY_KEY).map(idempotency_key).transpose()?,
    })
}

fn check_objects(request: &Request<'_>) -> Result<(), Refusal> {
    match request.raw_params {
        Some(params) if !params.starts_with('{') => {
            Err(Refusal::invalid_params("`params` must be an object"))
        }
        _ => match request.params.get("_meta") {
            Some(meta) if !meta.starts_with('{') => {
                Err(Refusal::invalid_params("`params._meta` must be an object"))
            }
            _ => Ok(()),
        },
    }
}

fn served(version: &str) -> Result<&'static str, Refusal> {
    let requested = string(version).ok_or_else(|| wrong_type(PROTOCOL_VERSION, "a string"))?;
    VERSIONS
        .into_iter()
        .find(|served| *served == requested)
        .ok_or_else(|| Refusal::unsupported_version(&requested))
}

fn missing_keys(meta: &Members<'_>) -> Refusal {
    let missing: Vec<String> = [PROTOCOL_VERSION, CLIENT_CAPABILITIES]
        .into_iter()
        .filter(|key| meta.get(key).is_none())
        .map(|key| format!("\"{key}\""))
        .collect();
    Refusal::invalid_params(format!(
        "`params._meta` lacks {}; versions served: {}",
        missing.join(" and "),
        VERSIONS.join(", ")
    ))
}

fn wrong_type(key: &str, wanted: &str) -> Refusal {
    Refusal::invalid_params(format!("`params._meta[\"{key}\"]` must be {wanted}"))
}

/// Relay sends no log messages, but a level that does not exist is a mistake of the client's.
fn check_log_level(level: &str) -> Result<(), Refusal> {
    const LEVELS: [&str; 8] = [
        "debug",
        "info",
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
    ];
    match string(level) {
        Some(level) if LEVELS.contains(&&*level) => Ok(()),
        _ => Err(wrong_type(
            LOG_LEVEL,
            &format!("one of {}", LEVELS.join(", ")),
        )),
    }
}

/// A progress token follows the rules of an id.
fn check_progress_token(token: &str) -> Result<(), Refusal> {
    match crate::request_id::RequestId::parse(token) {
        Some(_) => Ok(()),
        None => Err(wrong_type(
            "progressToken",
            "a string or an integer of at most 1024 bytes",
        )),
    }
}

/// The client's name and version; of a wrong type, they count as not given.
fn client_info(json: &str) -> Option<ClientInfo> {
    serde_json::from_str(json).ok()
}

/// Handed to the handler as it stands; what is no string counts as not given.
fn trace_context(meta: &Members<'_>) -> TraceContext {
    let text = |name| meta.get(name).and_then(string).map(Cow::into_owned);
    TraceContext {
        traceparent: text("traceparent"),
        tracestate: text("tracestate"),
        baggage: text("baggage"),
    }
}

/// A key that is not understood must not be taken for none: the call would run twice.
fn idempotency_key(json: &str) -> Result<String, Refusal> {
    const MAX: usize = 128;
    let is_key = |key: &str| {
        (1..=MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match string(json) {
        Some(key) if is_key(&key) => Ok(key.into_owned()),
        _ => Err(wrong_type(
            IDEMPOTENCY_KEY,
            "1 to 128 visible ASCII characters",
        )),
    }
}

fn object(json: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(json).ok()
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
    check_capabilities(tool, &client.capabilities)?;
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

fn check_capabilities<C>(tool: &Tool<C>, declared: &Map<String, Value>) -> Result<(), Refusal> {
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
    if missing.is_empty() {
        return Ok(());
    }
    Err(Refusal::missing_capabilities(
        tool.name(),
        Value::Object(missing),
    ))
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
