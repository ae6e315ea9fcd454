//! Tools that come and go while a server runs.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::protocol::Toolset;
use crate::tool::Tool;

/// Tools that come and go while their server runs: see
/// [`Server::registry`](crate::Server::registry). A clone is the same registry.
///
/// Clients that listen hear of each change (spec page `basic/utilities/subscriptions`), those of
/// older revisions by `notifications/tools/list_changed`. A call that is in flight goes on when
/// its tool is removed.
///
/// ```
/// # use relay_runtime::{Call, Definition, Server, Tool, ToolRegistry};
/// # fn tool(name: &str) -> Tool {
/// #     let definition: Definition<serde_json::Value> =
/// #         Definition::content(name, serde_json::json!({"type": "object"}));
/// #     definition.handle(|_: Call, _| async move { Ok(Vec::new().into()) })
/// # }
/// let registry = ToolRegistry::new();
/// let server = Server::new("plugins", "1.0.0").registry(&registry);
///
/// // Later, while `server` is served:
/// registry.add([tool("first"), tool("second")])?;
/// assert_eq!(registry.remove(["first"]), 1);
/// # let _ = server;
/// # Ok::<_, relay_runtime::AddToolError>(())
/// ```
pub struct ToolRegistry<C = ()>(Arc<Shared<C>>);

struct Shared<C> {
    tools: Mutex<Toolset<C>>,
    /// Grows with each change.
    version: AtomicU64,
    listeners: Mutex<Vec<Box<Listener>>>,
}

/// Hears of a change; `false` when it wants to hear of no other.
type Listener = dyn Fn() -> bool + Send + Sync;

impl<C> ToolRegistry<C> {
    /// A registry without tools.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Shared {
            tools: Mutex::new(Toolset::new()),
            version: AtomicU64::new(0),
            listeners: Mutex::default(),
        }))
    }

    /// Adds tools, as one change.
    ///
    /// # Errors
    ///
    /// When a name is there already; then none is added. A tool that is a server's own, by
    /// [`Server::tools`](crate::Server::tools), goes before one of its name in the registry.
    pub fn add(&self, tools: impl IntoIterator<Item = Tool<C>>) -> Result<(), AddToolError> {
        let mut current = self.lock();
        let mut changed = current.clone();
        changed
            .add(tools.into_iter().map(Arc::new))
            .map_err(|reason| AddToolError { reason })?;
        *current = changed;
        drop(current);
        self.tell();
        Ok(())
    }

    /// Removes tools by their names, as one change; says how many were there.
    pub fn remove(&self, names: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
        let removed = self.lock().remove(names);
        if removed > 0 {
            self.tell();
        }
        removed
    }

    /// Changes with the tools.
    pub(crate) fn version(&self) -> u64 {
        self.0.version.load(Ordering::Acquire)
    }

    pub(crate) fn tools(&self) -> Vec<Arc<Tool<C>>> {
        self.lock().all().cloned().collect()
    }

    /// Has a listener hear of every change from now on.
    pub(crate) fn listen(&self, listener: impl Fn() -> bool + Send + Sync + 'static) {
        self.listeners().push(Box::new(listener));
    }

    fn tell(&self) {
        self.0.version.fetch_add(1, Ordering::Release);
        self.listeners().retain(|listener| listener());
    }

    fn lock(&self) -> MutexGuard<'_, Toolset<C>> {
        self.0.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Box<Listener>>> {
        self.0
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> Default for ToolRegistry<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> Clone for ToolRegistry<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C> fmt::Debug for ToolRegistry<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = self.tools();
        let names = tools.iter().map(|tool| tool.name());
        f.debug_list().entries(names).finish()
    }
}

/// Why tools were not added to a [`ToolRegistry`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddToolError {
    reason: String,
}

impl fmt::Display for AddToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tools were not added: {}", self.reason)
    }
}

impl std::error::Error for AddToolError {}
