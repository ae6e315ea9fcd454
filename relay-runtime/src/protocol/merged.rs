//! A server's own tools and those of its registry, as one set.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::toolset::Toolset;
use crate::registry::Registry;

/// The server's own tools with those of a registry.
pub(crate) struct Merged {
    registry: Registry,
    current: Arc<Current>,
}

/// The tools as they last were, and the registry's version of them; nothing after a change.
struct Current(Mutex<Option<(u64, Arc<Toolset>)>>);

impl Merged {
    pub(crate) fn new(registry: Registry) -> Self {
        let current = Arc::new(Current(Mutex::new(None)));
        registry.listen(&current, |current| current.forget());
        Self { registry, current }
    }
}

impl Merged {
    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// They are put together once for each change.
    pub(crate) fn with(&self, own: &Toolset) -> Arc<Toolset> {
        let mut current = self.current.lock();
        // A change after this is seen by whoever asks next.
        let version = self.registry.version();
        if let Some((of, tools)) = &*current
            && *of == version
        {
            return Arc::clone(tools);
        }
        let others = self.registry.tools();
        let mut merged = own.clone();
        merged.fill_up(&others);
        let merged = Arc::new(merged);
        let before = current.replace((version, Arc::clone(&merged)));
        drop(current);
        // These may be the last of a tool that was just removed, and what its handler holds may
        // use the registry when it is dropped.
        drop((before, others));
        merged
    }
}

impl Current {
    /// A tool that was removed does not live on until somebody asks for the tools.
    fn forget(&self) {
        let before = self.lock().take();
        drop(before);
    }

    fn lock(&self) -> MutexGuard<'_, Option<(u64, Arc<Toolset>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
