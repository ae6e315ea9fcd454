//! What a server offers, and the results that say so.

use std::sync::Arc;
use std::time::Duration;

use super::call_result::CallResult;
use super::capabilities::Missing;
use super::message::{Response, success, to_json, write_json, write_string};
use super::modern::SERVER_INFO;
use super::older;
use super::refusal::Refusal;
use super::revision::Revision;
use super::rounds::{self, Open, now_ms};
use super::seal::Sealer;
use super::toolset::{Toolset, check_declaration};
use crate::call::Facts;
use crate::check::Text;
use crate::content::Meta;
use crate::paging::{Cursors, cursors};
use crate::registry::Served;
use crate::server::{CacheScope, Setup};
use crate::tool::AnyTool;

/// Who a server is, its tools, and the results that say so.
pub(crate) struct Catalog {
    tools: Toolset,
    registry: Option<Box<dyn Served>>,
    page_size: usize,
    /// Where tools can be listed in pages.
    cursors: Option<Box<dyn Cursors>>,
    reply_bytes: usize,
    /// With the application's key, if it has one.
    sealer: Option<Sealer>,
    state_ttl: Duration,
    info: Info,
    instructions: Option<String>,
    cache: Cache,
    modern_only: bool,
    /// The member of every modern result's `_meta` that says who the server is; empty if none
    /// does.
    info_member: Vec<u8>,
    /// The result of `server/discover`.
    discover: Vec<u8>,
}

impl Catalog {
    /// Puts together what the server offers; fails with the reason why it cannot start.
    pub(crate) fn new(server: Setup) -> Result<Self, String> {
        let info = Info::new(&server);
        let key = server.state_key.as_deref();
        let mut tools = Toolset::new();
        server.tools.iter().try_for_each(check_declaration)?;
        tools.add(server.tools.into_iter().map(Arc::new))?;
        let cache = Cache {
            ttl_ms: server.list_ttl_ms,
            scope: server.cache_scope,
        };
        let info_member = if server.info_in_results {
            info.member()
        } else {
            Vec::new()
        };
        let changes = server.registry.is_some();
        Ok(Self {
            discover: discover(&info_member, server.instructions.as_deref(), changes, cache),
            registry: server.registry,
            page_size: server.limits.page_size,
            cursors: cursors(key)?,
            reply_bytes: server.limits.reply_bytes,
            state_ttl: server.limits.state_ttl,
            instructions: server.instructions,
            modern_only: server.modern_only,
            sealer: key.map(Sealer::new).transpose()?,
            info_member,
            info,
            tools,
            cache,
        })
    }
}

impl Catalog {
    pub(crate) fn tool(&self, name: &str) -> Option<Arc<AnyTool>> {
        self.with_tools(|tools| tools.get(name).cloned())
    }

    /// The name of the tool that was most likely meant by one that no tool has.
    pub(super) fn nearest_tool(&self, name: &str) -> Option<Text> {
        self.with_tools(|tools| tools.nearest(name))
    }

    /// The registry whose tools come and go, if there is one.
    pub(crate) fn registry(&self) -> Option<&dyn Served> {
        self.registry.as_deref()
    }

    /// What seals the state of a call; fails where the system has no random numbers.
    pub(super) fn sealer(&self) -> Result<Sealer, String> {
        self.sealer.clone().map_or_else(Sealer::of_process, Ok)
    }

    /// The last tool of the page that ends with this cursor; `None` if no page does.
    pub(super) fn last_of_page(&self, cursor: &str) -> Option<String> {
        self.cursors.as_ref()?.last(cursor)
    }

    fn with_tools<T>(&self, look: impl FnOnce(&Toolset) -> T) -> T {
        match &self.registry {
            None => look(&self.tools),
            Some(registry) => look(&registry.tools(&self.tools)),
        }
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
        let mut out = br#"{"protocolVersion":"#.to_vec();
        write_string(&mut out, revision.name());
        out.extend_from_slice(br#","capabilities":"#);
        out.extend_from_slice(capabilities(self.registry.is_some()));
        out.extend_from_slice(br#","serverInfo":"#);
        self.info.write(&mut out, Some(revision));
        if let Some(instructions) = &self.instructions {
            out.extend_from_slice(br#","instructions":"#);
            write_string(&mut out, instructions);
        }
        out.push(b'}');
        out
    }

    /// The result of `tools/list`: the page after the tool of this name.
    pub(crate) fn list(&self, revision: Revision, after: Option<&str>) -> Arc<[u8]> {
        self.with_tools(|tools| {
            if after.is_none() && self.page_size == usize::MAX {
                return tools.list(revision, || self.page(tools, revision, None));
            }
            self.page(tools, revision, after).into()
        })
    }

    fn page(&self, tools: &Toolset, revision: Revision, after: Option<&str>) -> Vec<u8> {
        let mut out = Vec::new();
        begin(&mut out, revision);
        out.extend_from_slice(br#""tools":"#);
        let last = tools.write_page(&mut out, revision, after, self.page_size);
        if let (Some(last), Some(cursors)) = (last, &self.cursors) {
            out.extend_from_slice(br#","nextCursor":"#);
            write_string(&mut out, &cursors.after(&last));
        }
        if revision.is_modern() {
            end(&mut out, &self.info_member, self.cache);
        } else {
            out.push(b'}');
        }
        out
    }

    /// The result of a call that needs the client's answers before it can go on; fails as
    /// [`bounded`](Self::bounded) and [`sealer`](Self::sealer) do.
    pub(crate) fn input_required(
        &self,
        open: &Open,
        tool: &str,
        arguments: &str,
    ) -> Result<Vec<u8>, String> {
        let mut out = br#"{"resultType":"input_required""#.to_vec();
        if !open.requests.is_empty() {
            out.extend_from_slice(br#","inputRequests":"#);
            write_json(&mut out, &open.requests);
        }
        let ttl_ms = u64::try_from(self.state_ttl.as_millis()).unwrap_or(u64::MAX);
        let expires_ms = now_ms().saturating_add(ttl_ms);
        let state = rounds::seal(&self.sealer()?, open, tool, arguments, expires_ms);
        out.extend_from_slice(br#","requestState":"#);
        write_string(&mut out, &state);
        write_meta(&mut out, &self.info_member, &Meta::new());
        out.push(b'}');
        self.bounded(tool, out.len())?;
        Ok(out)
    }

    /// Fails where what a tool asks for is longer than a reply may be: with what its call fails
    /// with.
    pub(crate) fn bounded(&self, tool: &str, bytes: usize) -> Result<(), String> {
        let limit = self.reply_bytes;
        if bytes <= limit {
            return Ok(());
        }
        Err(format!(
            "What the tool {tool} asks for has {bytes} bytes, over the limit of {limit}."
        ))
    }

    /// What a client gets whose call needs capabilities that it did not declare.
    pub(crate) fn missing_capabilities(
        &self,
        revision: Revision,
        tool: &str,
        missing: &Missing,
    ) -> Result<Vec<u8>, Refusal> {
        let refusal = Refusal::missing_capabilities(tool, missing);
        if revision.is_modern() {
            return Err(refusal);
        }
        // The older revisions have no such error, and a model reads only results.
        Ok(self.call_result(revision, CallResult::failed(refusal.message)))
    }

    /// The result of `tools/call`.
    pub(crate) fn call_result(&self, revision: Revision, mut result: CallResult) -> Vec<u8> {
        let mut out = Vec::with_capacity(result.size_hint());
        self.write_call_result(&mut out, revision, &mut result);
        out
    }

    /// The response to a call. One over the limit says so instead.
    pub(crate) fn call_response(&self, call: &Facts, mut result: Box<CallResult>) -> Vec<u8> {
        let (id, revision) = (call.request_id(), call.revision());
        let limit = self.reply_bytes;
        let mut response = Response::open(id, result.size_hint() + self.info_member.len());
        self.write_call_result(response.result(), revision, &mut result);
        let bytes = response.result_bytes();
        if bytes <= limit {
            return response.close();
        }
        let too_large = CallResult::failed(format!(
            "The result of the tool {} has {bytes} bytes, over the limit of {limit}. \
             Ask for less.",
            call.tool()
        ));
        success(id, &self.call_result(revision, too_large))
    }

    fn write_call_result(&self, out: &mut Vec<u8>, revision: Revision, result: &mut CallResult) {
        older::shape_result(result, revision);
        begin(out, revision);
        out.extend_from_slice(br#""content":"#);
        match &result.structured {
            Some(structured) if result.mirrors => {
                out.extend_from_slice(br#"[{"type":"text","text":"#);
                write_string(out, structured);
                out.extend_from_slice(b"}]");
            }
            _ => write_json(out, &result.content),
        }
        if let Some(structured) = &result.structured {
            out.extend_from_slice(br#","structuredContent":"#);
            out.extend_from_slice(structured.as_bytes());
        }
        if result.is_error {
            out.extend_from_slice(br#","isError":true"#);
        }
        if revision.is_modern() {
            write_meta(out, &self.info_member, &result.meta);
        } else {
            write_meta(out, &[], &result.meta);
        }
        out.push(b'}');
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

/// Who the server is: each member with its JSON text.
struct Info(Vec<(&'static str, Vec<u8>)>);

impl Info {
    fn new(server: &Setup) -> Self {
        let strings = [
            ("name", Some(&server.name)),
            ("version", Some(&server.version)),
            ("title", server.title.as_ref()),
            ("description", server.description.as_ref()),
            ("websiteUrl", server.website_url.as_ref()),
        ];
        let strings = strings.into_iter();
        let mut members: Vec<_> = strings
            .filter_map(|(name, text)| Some((name, to_json(text?))))
            .collect();
        if !server.icons.is_empty() {
            members.push(("icons", to_json(&server.icons)));
        }
        Self(members)
    }

    /// Appends an object, with what an older revision knows.
    fn write(&self, out: &mut Vec<u8>, older: Option<Revision>) {
        let is_known = |member| older.is_none_or(|older| older::server_knows(member, older));
        let known = self.0.iter().filter(|(member, _)| is_known(member));
        for (index, (member, json)) in known.enumerate() {
            out.push(if index > 0 { b',' } else { b'{' });
            write_string(out, member);
            out.push(b':');
            out.extend_from_slice(json);
        }
        out.push(b'}');
    }

    /// The member of a result's `_meta` that says so.
    fn member(&self) -> Vec<u8> {
        let mut out = to_json(SERVER_INFO);
        out.push(b':');
        self.write(&mut out, None);
        out
    }
}

/// What the server can do, as JSON text; `changes` when its tools come and go.
fn capabilities(changes: bool) -> &'static [u8] {
    if changes {
        br#"{"tools":{"listChanged":true}}"#
    } else {
        br#"{"tools":{}}"#
    }
}

fn discover(info: &[u8], instructions: Option<&str>, changes: bool, cache: Cache) -> Vec<u8> {
    let versions: Vec<&str> = Revision::modern().map(Revision::name).collect();
    let mut out = br#"{"resultType":"complete","supportedVersions":"#.to_vec();
    write_json(&mut out, &versions);
    out.extend_from_slice(br#","capabilities":"#);
    out.extend_from_slice(capabilities(changes));
    if let Some(instructions) = instructions {
        out.extend_from_slice(br#","instructions":"#);
        write_string(&mut out, instructions);
    }
    end(&mut out, info, cache);
    out
}

/// Ends a result that a client may keep.
fn end(out: &mut Vec<u8>, info: &[u8], cache: Cache) {
    out.extend_from_slice(br#","ttlMs":"#);
    write_json(out, &cache.ttl_ms);
    out.extend_from_slice(br#","cacheScope":"#);
    write_string(out, cache.scope.wire_name());
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
        write_string(out, key);
        out.push(b':');
        write_json(out, value);
    }
    out.push(b'}');
}
