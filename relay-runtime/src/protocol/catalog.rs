//! What a server offers, ready to be answered with: made once, at start.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::message::write_json;
use super::modern;
use crate::server::{CacheScope, Server};
use crate::tool::Tool;

/// The tools of a server by name, and the results that never change while it runs.
pub(crate) struct Catalog<C> {
    tools: BTreeMap<Arc<str>, Arc<Tool<C>>>,
    /// The member of every result's `_meta` that says who the server is; empty if none does.
    info_member: Vec<u8>,
    /// The result of `server/discover`.
    discover: Vec<u8>,
    /// The result of `tools/list`.
    list: Vec<u8>,
}

impl<C> Catalog<C> {
    /// Puts together what the server offers; fails with the reason why it cannot start.
    pub(crate) fn new(server: Server<C>) -> Result<Self, String> {
        let info = info_member(&server);
        let mut tools = BTreeMap::new();
        for tool in server.tools {
            check(&tool)?;
            let name = tool.shared_name();
            if tools.insert(Arc::clone(&name), Arc::new(tool)).is_some() {
                return Err(format!(
                    "two tools have the name `{name}`: give one of them another name"
                ));
            }
        }
        let cache = Cache {
            ttl_ms: server.list_ttl_ms,
            scope: server.cache_scope,
        };
        let instructions = server.instructions.as_deref();
        Ok(Self {
            discover: discover(&info, instructions, cache),
            list: list(&info, &tools, cache),
            info_member: info,
            tools,
        })
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<Tool<C>>> {
        self.tools.get(name)
    }

    pub(super) fn info_member(&self) -> &[u8] {
        &self.info_member
    }

    pub(crate) fn discover(&self) -> &[u8] {
        &self.discover
    }

    pub(crate) fn list(&self) -> &[u8] {
        &self.list
    }
}

/// How long and for whom a client may keep a result.
#[derive(Clone, Copy)]
struct Cache {
    ttl_ms: u64,
    scope: CacheScope,
}

/// A declaration is published as it stands, so it has to be JSON.
fn check<C>(tool: &Tool<C>) -> Result<(), String> {
    serde_json::from_str::<IgnoredAny>(tool.json())
        .map(drop)
        .map_err(|error| {
            format!(
                "the declaration of the tool `{}` is no JSON ({error}): generate the code again",
                tool.name()
            )
        })
}

fn info_member<C>(server: &Server<C>) -> Vec<u8> {
    if !server.info_in_results {
        return Vec::new();
    }
    let mut info = Map::new();
    info.insert("name".into(), json!(server.name));
    info.insert("version".into(), json!(server.version));
    let optional = [
        ("title", &server.title),
        ("description", &server.description),
        ("websiteUrl", &server.website_url),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            info.insert(name.into(), json!(value));
        }
    }
    if !server.icons.is_empty() {
        info.insert("icons".into(), json!(server.icons));
    }
    let mut out = br#""io.modelcontextprotocol/serverInfo":"#.to_vec();
    write_json(&mut out, &Value::Object(info));
    out
}

fn discover(info: &[u8], instructions: Option<&str>, cache: Cache) -> Vec<u8> {
    let mut out = br#"{"resultType":"complete","supportedVersions":"#.to_vec();
    write_json(&mut out, &modern::VERSIONS);
    out.extend_from_slice(br#","capabilities":{"tools":{}}"#);
    if let Some(instructions) = instructions {
        out.extend_from_slice(br#","instructions":"#);
        write_json(&mut out, instructions);
    }
    end(&mut out, info, cache);
    out
}

fn list<C>(info: &[u8], tools: &BTreeMap<Arc<str>, Arc<Tool<C>>>, cache: Cache) -> Vec<u8> {
    let mut out = br#"{"resultType":"complete","tools":["#.to_vec();
    for (index, tool) in tools.values().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(tool.json().as_bytes());
    }
    out.push(b']');
    end(&mut out, info, cache);
    out
}

fn end(out: &mut Vec<u8>, info: &[u8], cache: Cache) {
    out.extend_from_slice(br#","ttlMs":"#);
    write_json(out, &cache.ttl_ms);
    out.extend_from_slice(br#","cacheScope":"#);
    write_json(out, cache.scope.wire_name());
    out.extend_from_slice(br#","_meta":{"#);
    out.extend_from_slice(info);
    out.extend_from_slice(b"}}");
}
