//! The revision 2026-07-28: every request says for itself which version it speaks.

use std::sync::Arc;

use super::envelope::{Request, string};
use super::meta::{check_objects, said, wrong_type};
use super::recent::Recent;
use super::refusal::Refusal;
use super::revision::{Revision, names};
use super::scan::Members;
use crate::client::{Client, Profile};

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(super) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Whether a request is of this era.
pub(super) fn claims(request: &Request<'_>) -> bool {
    request.meta.get(PROTOCOL_VERSION).is_some()
}

/// What the request says of its client; the version is judged before anything else.
pub(super) fn client(
    request: &Request<'_>,
    recent: &mut Recent,
    modern_only: bool,
) -> Result<Client, Refusal> {
    check_objects(request)?;
    let client = read_client(&request.meta, recent, modern_only)?;
    recent.remember(request, &client);
    Ok(client)
}

// Outlined: most clients say what they said last.
#[inline(never)]
fn read_client(
    meta: &Members<'_>,
    recent: &mut Recent,
    modern_only: bool,
) -> Result<Client, Refusal> {
    let revision = match meta.find(PROTOCOL_VERSION) {
        Some(version) => served(version)?,
        None => return Err(missing_keys(meta, modern_only)),
    };
    let capabilities = match meta
        .find(CLIENT_CAPABILITIES)
        .map(|text| recent.capabilities(text))
    {
        Some(Some(capabilities)) => capabilities,
        Some(None) => return Err(wrong_type(CLIENT_CAPABILITIES, "an object")),
        None => return Err(missing_keys(meta, modern_only)),
    };
    if let Some(level) = meta.find(LOG_LEVEL) {
        check_log_level(level)?;
    }
    let said = said(meta)?;
    let profile = Arc::new(Profile {
        info: meta.find(CLIENT_INFO).and_then(|text| recent.info(text)),
        capabilities,
        revision,
    });
    Ok(Client { profile, said })
}

/// Why a request is refused that neither names its version nor belongs to a session.
pub(super) fn unversioned(request: &Request<'_>, modern_only: bool) -> Refusal {
    check_objects(request)
        .err()
        .unwrap_or_else(|| missing_keys(&request.meta, modern_only))
}

/// There is no `initialize` here. A client of an older revision shows its user nothing but this
/// message.
pub(super) fn no_initialize(modern_only: bool) -> Refusal {
    let who = if modern_only {
        "This server speaks only"
    } else {
        "This request speaks"
    };
    Refusal::unknown_method(format!(
        "Unknown method: initialize. {who} MCP {}, which has no handshake: each request names its \
         version in params._meta[\"{PROTOCOL_VERSION}\"]",
        names(Revision::modern())
    ))
}

fn served(version: &str) -> Result<Revision, Refusal> {
    let requested = string(version).ok_or_else(|| wrong_type(PROTOCOL_VERSION, "a string"))?;
    Revision::modern()
        .find(|served| served.name() == requested)
        .ok_or_else(|| Refusal::unsupported_version(&requested))
}

fn missing_keys(meta: &Members<'_>, modern_only: bool) -> Refusal {
    let missing: Vec<String> = [PROTOCOL_VERSION, CLIENT_CAPABILITIES]
        .into_iter()
        .filter(|key| meta.find(key).is_none())
        .map(|key| format!("\"{key}\""))
        .collect();
    let older = if modern_only {
        String::new()
    } else {
        format!("; after `initialize`: {}", names(Revision::legacy()))
    };
    Refusal::invalid_params(format!(
        "`params._meta` lacks {}; versions served: {}{older}",
        missing.join(" and "),
        names(Revision::modern())
    ))
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
