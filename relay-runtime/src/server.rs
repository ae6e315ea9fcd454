//! A server: who it is and what it offers.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::time::Duration;

use crate::asking::clients_are_asked;
use crate::call::Call;
use crate::content::Icon;
use crate::hook::{Hook, Next, hook};
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::protocol::Merged;
use crate::registry::{Served, ToolRegistry};
use crate::tool::{AnyTool, Tool};

/// A server: its name, its tools and its limits. Serve it with
/// [`stdio::serve`](crate::stdio::serve).
///
/// ```
/// use relay_runtime::{Limits, Server};
///
/// # fn main() -> Result<(), relay_runtime::LimitError> {
/// let server: Server = Server::new("notes", "1.0.0")
///     .title("Notes")
///     .instructions("Search before you write.")
///     .limits(Limits::new().with_calls_in_flight(10)?);
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is served yet"]
pub struct Server<C = ()> {
    pub(crate) setup: Setup,
    context: PhantomData<fn(C) -> C>,
}

/// What a server is made of, whatever the type of its context.
pub(crate) struct Setup {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) website_url: Option<String>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) instructions: Option<String>,
    pub(crate) tools: Vec<AnyTool>,
    pub(crate) limits: Limits,
    pub(crate) list_ttl_ms: u64,
    pub(crate) cache_scope: CacheScope,
    pub(crate) info_in_results: bool,
    pub(crate) modern_only: bool,
    pub(crate) state_key: Option<Vec<u8>>,
    pub(crate) registry: Option<Box<dyn Served>>,
    pub(crate) hooks: Vec<Hook>,
    pub(crate) trace_arguments: bool,
}

/// Who may use a cached list of tools (spec page `server/utilities/caching`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CacheScope {
    /// Only whoever received it. The default.
    #[default]
    Private,
    /// Anybody: the list has nothing that depends on who asks.
    Public,
}

impl CacheScope {
    /// The name on the wire: `private` or `public`.
    pub fn wire_name(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}

impl<C> Server<C> {
    /// A server without tools, with the default limits.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        let setup = Setup {
            name: name.into(),
            version: version.into(),
            title: None,
            description: None,
            website_url: None,
            icons: Vec::new(),
            instructions: None,
            tools: Vec::new(),
            limits: Limits::new(),
            list_ttl_ms: 0,
            cache_scope: CacheScope::Private,
            info_in_results: true,
            modern_only: false,
            state_key: None,
            registry: None,
            hooks: Vec::new(),
            trace_arguments: false,
        };
        Self {
            setup,
            context: PhantomData,
        }
    }

    /// Sets the name that people see.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.setup.title = Some(title.into());
        self
    }

    /// Sets what the server is for, in a sentence.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.setup.description = Some(description.into());
        self
    }

    /// Replaces the icons that a client may show for the server.
    pub fn icons(mut self, icons: impl Into<Vec<Icon>>) -> Self {
        self.setup.icons = icons.into();
        self
    }

    /// Sets the URL of the server's web site.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.setup.website_url = Some(url.into());
        self
    }

    /// Sets what a model should know to use the tools well; a client may add it to its prompt.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.setup.instructions = Some(instructions.into());
        self
    }

    /// Adds tools. May be called many times; each name may be there once, or serving fails at
    /// start.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<C>>) -> Self {
        let tools = tools.into_iter().map(|tool| tool.any);
        self.setup.tools.extend(tools);
        self
    }

    /// Adds one tool.
    pub fn tool(mut self, tool: Tool<C>) -> Self {
        self.setup.tools.push(tool.any);
        self
    }

    /// Replaces the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.setup.limits = limits;
        self
    }

    /// Sets whether every result says in its `_meta` who the server is, as the spec page
    /// `basic/index` recommends. Default: it does. A client of an older revision hears it in
    /// the answer to `initialize` either way.
    pub fn info_in_results(mut self, info: bool) -> Self {
        self.setup.info_in_results = info;
        self
    }

    /// Sets whether the revisions before 2026-07-28 are refused: `initialize` is then an unknown
    /// method, and its error names the versions served. Default: they are served.
    pub fn modern_only(mut self, modern_only: bool) -> Self {
        self.setup.modern_only = modern_only;
        self
    }

    /// Sets the key that seals what a client keeps for the server while it is asked something
    /// (see [`Call::ask`](crate::Call::ask)): at least 32 bytes, secret, the same for every
    /// instance and every start. Then a call goes on after a restart, or with another instance.
    /// Default: a random key for each process.
    ///
    /// Serving fails with a shorter key.
    pub fn with_state_key(mut self, key: impl Into<Vec<u8>>) -> Self {
        // What an instance has asked, or this one before its start, may come back.
        clients_are_asked();
        self.setup.state_key = Some(key.into());
        self
    }

    /// Serves the tools of a registry too, which come and go while the server runs. A server has
    /// at most one registry; a registry may be that of many servers.
    pub fn registry(mut self, registry: &ToolRegistry<C>) -> Self {
        let merged = Merged::new(registry.registry.clone());
        self.setup.registry = Some(Box::new(merged));
        self
    }

    /// Runs this round every call that the protocol lets through: to authorise, to meter, to
    /// limit. May be called many times; the first one is the outermost.
    ///
    /// It sees the call and, where it runs the rest, the outcome; it may answer with an
    /// [`Outcome`] of its own instead, such as a [`ToolError`](crate::ToolError). The handler's
    /// timeout is its timeout, too.
    ///
    /// It may [ask](Call::ask) as well, and then it runs again with the handler. Its questions and
    /// its state are the call's: names that no handler uses keep their questions apart.
    ///
    /// ```
    /// use relay_runtime::{Outcome, Server, ToolError};
    ///
    /// let server: Server = Server::new("notes", "1.0.0").around(|call, next| async move {
    ///     if call.tool() == "delete_all" {
    ///         return Outcome::from(ToolError::message("Not today."));
    ///     }
    ///     let started = std::time::Instant::now();
    ///     let outcome = next.run().await;
    ///     eprintln!("{}: {} in {:?}", call.tool(), outcome.kind().name(), started.elapsed());
    ///     outcome
    /// });
    /// # let _ = server;
    /// ```
    pub fn around<F, Fut>(mut self, around: F) -> Self
    where
        C: Send + Sync + 'static,
        F: Fn(Call<C>, Next) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Outcome> + Send + 'static,
    {
        self.setup.hooks.push(hook(around));
        self
    }

    /// Sets whether the spans of calls have their arguments, as JSON text. Default: they do not,
    /// since arguments may be private.
    #[cfg(feature = "tracing")]
    pub fn trace_arguments(mut self, arguments: bool) -> Self {
        self.setup.trace_arguments = arguments;
        self
    }

    /// Sets for how long a client may keep the list of tools: `ttlMs`, in whole milliseconds.
    /// Default: zero, ask each time.
    pub fn list_ttl(mut self, ttl: Duration) -> Self {
        // The largest integer that a JSON reader with doubles keeps exactly.
        const MAX_MS: u64 = (1 << 53) - 1;
        self.setup.list_ttl_ms = u64::try_from(ttl.as_millis()).unwrap_or(MAX_MS).min(MAX_MS);
        self
    }

    /// Sets who may use a cached list of tools. Default: [`CacheScope::Private`].
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.setup.cache_scope = scope;
        self
    }
}

impl<C> fmt::Debug for Server<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("name", &self.setup.name)
            .field("version", &self.setup.version)
            .field("tools", &self.setup.tools)
            .finish_non_exhaustive()
    }
}
