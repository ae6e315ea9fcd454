//! What a server offers, and the results that say so.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::call_result::CallResult;
use super::message::write_json;
use super::modern::SERVER_INFO;
use super::older;
use super::revision::Revision;
use crate::content::Meta;
use crate::server::{CacheScope, Server};
use crate::tool::Tool;

/// The tools of a server by name, and the results that never change while it runs.
pub(crate) struct Catalog<C> {
    tools: BTreeMap<Arc<str>, Arc<Tool<C>>>,
    info: Map<String, Value>,
    instructions: Option<String>,
    cache: Cache,
    modern_only: bool,
    /// The member of every modern result's `_meta` that says who the server is; empty if none
    /// does.
    info_member: Vec<u8>,
    /// The result of `server/discover`.
    discover: Vec<u8>,
    /// The results of `tools/list`, made when a client of the revision first asks.
    lists: [OnceLock<Vec<u8>>; Revision::ALL.len()],
}

impl<C> Catalog<C> {
    /// Puts together what the server offers; fails with the reason why it cannot start.
    pub(crate) fn new(server: Server<C>) -> Result<Self, String> {
        let info = info(&server);
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
        let info_member = if server.info_in_results {
            info_member(&info)
        } else {
            Vec::new()
        };
        Ok(Self {
            discover: discover(&info_member, server.instructions.as_deref(), cache),
            lists: Default::default(),
            instructions: server.instructions,
            modern_only: server.modern_only,
            info_member,
            info,
            tools,
            cache,
        })
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<Tool<C>>> {
        self.tools.get(name)
    }

    pub(super) fn modern_only(&self) -> bool {
        self.modern_only
    }

    /// The result of `server/discover`.
    pub(crate) fn discover(&self) -> &[u8] {
        &self.discover
    }

    /// The result of `initialize`.
    pub(crate) fn initialize(&self, revision: Revision) -> Vec<u8> {
        let mut info = self.info.clone();
        info.retain(|member, _| older::server_knows(member, revision));
        let mut result = json!({
            "protocolVersion": revision.name(),
            "capabilities": { "tools": {} },
            "serverInfo": info,
        });
        if let Some(instructions) = &self.instructions {
            result["instructions"] = json!(instructions);
        }
        let mut out = Vec::new();
        write_json(&mut out, &result);
        out
    }

    /// The result of `tools/list`.
    pub(crate) fn list(&self, revision: Revision) -> &[u8] {
        self.lists[revision as usize].get_or_init(|| {
            let mut out = Vec::new();
            begin(&mut out, revision);
            self.write_tools(&mut out, revision);
            if revision.is_modern() {
                end(&mut out, &self.info_member, self.cache);
            } else {
                out.push(b'}');
            }
            out
        })
    }

    fn write_tools(&self, out: &mut Vec<u8>, revision: Revision) {
        out.extend_from_slice(br#""tools":["#);
        for (index, tool) in self.tools.values().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            older::write_tool(out, tool.json(), revision);
        }
        out.push(b']');
    }

    /// The result of `tools/call`.
    pub(crate) fn call_result(&self, revision: Revision, result: CallResult) -> Vec<u8> {
        let result = older::call_result(result, revision);
        let mut out = Vec::new();
        begin(&mut out, revision);
        out.extend_from_slice(br#""content":"#);
        write_json(&mut out, &result.content);
        if let Some(structured) = &result.structured {
            out.extend_from_slice(br#","structuredContent":"#);
            out.extend_from_slice(structured.get().as_bytes());
        }
        if result.is_error {
            out.extend_from_slice(br#","isError":true"#);
        }
        if revision.is_modern() {
            write_meta(&mut out, &self.info_member, &result.meta);
        } else {
            write_meta(&mut out, &[], &result.meta);
        }
        out.push(b'}');
        out
    }
}

/// Starts a result; every modern one says of which kind it is.
fn begin(out: &mut Vec<u8>, revision: Revision) {
    out.push(b'{');
    if revision.is_modern() {
        out.extend_from_slice(br#""resultType":"complete","#);
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

fn info<C>(server: &Server<C>) -> Map<String, Value> {
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
    info
}

fn info_member(info: &Map<String, Value>) -> Vec<u8> {
    let mut out = Vec::new();
    write_json(&mut out, SERVER_INFO);
    out.push(b':');
    write_json(&mut out, info);
    out
}

fn discover(info: &[u8], instructions: Option<&str>, cache: Cache) -> Vec<u8> {
    let versions: Vec<&str> = Revision::modern().map(Revision::name).collect();
    let mut out = br#"{"resultType":"complete","supportedVersions":"#.to_vec();
    write_json(&mut out, &versions);
    out.extend_from_slice(br#","capabilities":{"tools":{}}"#);
    if let Some(instructions) = instructions {
        out.extend_from_slice(br#","instructions":"#);
        write_json(&mut out, instructions);
    }
    end(&mut out, info, cache);
    out
}

/// Ends a result that a client may keep.
fn end(out: &mut Vec<u8>, info: &[u8], cache: Cache) {
    out.extend_from_slice(br#","ttlMs":"#);
    write_json(out, &cache.ttl_ms);
    out.extend_from_slice(br#","cacheScope":"#);
    write_json(out, cache.scope.wire_name());
    write_meta(out, info, &Meta::new());
    out.push(b'}');
}

/// Appends `_meta`, if it has any member; only the server itself says who it is.
fn write_meta(out: &mut Vec<u8>, info: &[u8], meta: &Meta) {
    let own = meta.iter().filter(|(key, _)| *key != SERVER_INFO);
    if info.is_empty() && own.clone().next().is_none() {
        return;
    }
    out.extend_from_slice(br#","_meta":{"#);
    out.extend_from_slice(info);
    for (index, (key, value)) in own.enumerate() {
        if index > 0 || !info.is_empty() {
            out.push(b',');
        }
        write_json(out, key);
        out.push(b':');
        write_json(out, value);
    }
    out.push(b'}');
}
