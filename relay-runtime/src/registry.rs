//! Tools that come and go while a server runs.

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::engine::Engine;
use crate::protocol::{Merged, Toolset, check_declaration};
use crate::tool::{AnyTool, Tool};

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
pub struct ToolRegistry<C = ()> {
    pub(crate) registry: Registry,
    context: PhantomData<fn(C) -> C>,
}

/// A registry, whatever the type of the context that its tools ask for.
#[derive(Clone)]
pub(crate) struct Registry(Arc<Shared>);

/// None of the locks is held while code of the application runs: its iterators, and what its tools
/// do when they are dropped, may use the registry.
struct Shared {
    tools: Mutex<Toolset>,
    /// Grows with each change.
    version: AtomicU64,
    listeners: Mutex<Vec<Arc<dyn Listen>>>,
}

impl<C> ToolRegistry<C> {
    /// A registry without tools.
    #[must_use]
    pub fn new() -> Self {
        let shared = Shared {
            tools: Mutex::new(Toolset::new()),
            version: AtomicU64::new(0),
            listeners: Mutex::default(),
        };
        Self {
            registry: Registry(Arc::new(shared)),
            context: PhantomData,
        }
    }

    /// Adds tools, as one change.
    ///
    /// # Errors
    ///
    /// When a name is there already; then none is added. A tool that is a server's own, by
    /// [`Server::tools`](crate::Server::tools), goes before one of its name in the registry.
    pub fn add(&self, tools: impl IntoIterator<Item = Tool<C>>) -> Result<(), AddToolError> {
        self.replace(NO_NAMES, tools)
    }

    /// Removes tools by their names, as one change; says how many were there.
    pub fn remove(&self, names: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
        self.registry.remove(&owned(names))
    }

    /// Removes tools by their names and adds others, as one change: clients see the tools from
    /// before or those from after. A name that is not there is ignored.
    ///
    /// ```
    /// # use relay_runtime::{Call, Definition, Tool, ToolRegistry};
    /// # fn tool(name: &str) -> Tool {
    /// #     let definition: Definition<serde_json::Value> =
    /// #         Definition::content(name, serde_json::json!({"type": "object"}));
    /// #     definition.handle(|_: Call, _| async move { Ok(Vec::new().into()) })
    /// # }
    /// # let registry = ToolRegistry::new();
    /// registry.add([tool("search")])?;
    /// registry.replace(["search"], [tool("search"), tool("index")])?;
    /// # Ok::<_, relay_runtime::AddToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a name that is added is there already and is not removed; then nothing changes.
    pub fn replace(
        &self,
        remove: impl IntoIterator<Item = impl AsRef<str>>,
        add: impl IntoIterator<Item = Tool<C>>,
    ) -> Result<(), AddToolError> {
        let names = owned(remove);
        let add = add.into_iter().map(|tool| Arc::new(tool.any));
        self.registry.replace(&names, &add.collect::<Vec<_>>())
    }
}

impl Registry {
    fn remove(&self, names: &[String]) -> usize {
        let mut tools = self.lock();
        let removed = tools.remove(names);
        self.changed(tools, !removed.is_empty());
        removed.len()
    }

    fn replace(&self, names: &[String], added: &[Arc<AnyTool>]) -> Result<(), AddToolError> {
        for tool in added {
            check_declaration(tool).map_err(|reason| AddToolError { reason })?;
        }
        let mut tools = self.lock();
        let mut new = tools.clone();
        let removed = new.remove(names);
        // Where it fails, it is dropped with all that it took, of which `added` has the last.
        new.add(added.iter().cloned())
            .map_err(|reason| AddToolError { reason })?;
        *tools = new;
        self.changed(tools, !(removed.is_empty() && added.is_empty()));
        Ok(())
    }

    /// Changes with the tools.
    pub(crate) fn version(&self) -> u64 {
        self.0.version.load(Ordering::Acquire)
    }

    pub(crate) fn tools(&self) -> Vec<Arc<AnyTool>> {
        self.lock().all().cloned().collect()
    }

    /// Has a listener hear of every change from now on, as long as it lives.
    pub(crate) fn listen<T: Send + Sync + 'static>(
        &self,
        listener: &Arc<T>,
        tell: impl Fn(&Arc<T>) + Send + Sync + 'static,
    ) {
        let listener = Listener(Arc::downgrade(listener), tell);
        let mut listeners = self.listeners();
        // Those of connections that have ended would else stay until the next change.
        listeners.retain(|listener| listener.lives());
        listeners.push(Arc::new(listener));
    }

    /// Gives the tools free, and says that they are others if they are.
    fn changed(&self, tools: MutexGuard<'_, Toolset>, changed: bool) {
        if !changed {
            return;
        }
        self.0.version.fetch_add(1, Ordering::Release);
        drop(tools);
        let listeners = self.listeners().clone();
        for listener in listeners {
            listener.tell();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Toolset> {
        self.0.tools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Arc<dyn Listen>>> {
        self.0
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a server does with its registry: only what gives it one names it, so that no other server
/// links it.
pub(crate) trait Served: Send + Sync {
    /// The server's own tools with those of the registry.
    fn tools(&self, own: &Toolset) -> Arc<Toolset>;

    /// Has the clients of a connection hear of every change from now on, as long as it lives.
    fn listen(&self, engine: &Arc<Engine>);
}

impl Served for Merged {
    fn tools(&self, own: &Toolset) -> Arc<Toolset> {
        self.with(own)
    }

    fn listen(&self, engine: &Arc<Engine>) {
        self.registry().listen(engine, Engine::tools_have_changed);
    }
}

/// For [`ToolRegistry::add`].
const NO_NAMES: [&str; 0] = [];

fn owned(names: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<String> {
    let names = names.into_iter();
    names.map(|name| name.as_ref().to_owned()).collect()
}

/// Hears of changes.
trait Listen: Send + Sync {
    fn lives(&self) -> bool;
    fn tell(&self);
}

/// Who listens, and what is done to tell it.
struct Listener<T, F>(Weak<T>, F);

impl<T: Send + Sync, F: Fn(&Arc<T>) + Send + Sync> Listen for Listener<T, F> {
    fn lives(&self) -> bool {
        self.0.strong_count() > 0
    }

    fn tell(&self) {
        if let Some(listener) = self.0.upgrade() {
            (self.1)(&listener);
        }
    }
}

impl<C> Default for ToolRegistry<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> Clone for ToolRegistry<C> {
    fn clone(&self) -> Self {
        Self {
            registry: self.registry.clone(),
            context: PhantomData,
        }
    }
}

impl<C> fmt::Debug for ToolRegistry<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = self.registry.tools();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_listen_no_more_are_forgotten() {
        let registry = ToolRegistry::<()>::new().registry;
        let told = Arc::new(AtomicU64::new(0));
        for _ in 0..3 {
            registry.listen(&Arc::new(()), |_| ());
            registry.listen(&told, |told| {
                told.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert_eq!(registry.listeners().len(), 3);
        registry.changed(registry.lock(), true);
        assert_eq!(told.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_listener_may_use_the_registry() {
        let registry = ToolRegistry::<()>::new().registry;
        let listener = Arc::new(Mutex::new(Some(registry.clone())));
        registry.listen(&listener, |held| {
            if let Some(registry) = held.lock().unwrap().take() {
                assert_eq!(registry.tools().len(), 0);
                registry.listen(&Arc::new(()), |_| ());
            }
        });
        registry.changed(registry.lock(), true);
        assert!(listener.lock().unwrap().is_none());
    }
}
