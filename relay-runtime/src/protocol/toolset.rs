//! The tools of a server at one time, and the lists of them.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use serde::de::IgnoredAny;

use super::older;
use super::revision::Revision;
use crate::tool::Tool;

/// Tools by their names.
pub(crate) struct Toolset<C> {
    tools: BTreeMap<Arc<str>, Arc<Tool<C>>>,
    /// The results of `tools/list` with all of them, made when a client of the revision first
    /// asks.
    lists: [OnceLock<Arc<[u8]>>; Revision::ALL.len()],
}

impl<C> Toolset<C> {
    pub(crate) fn new() -> Self {
        Self {
            tools: BTreeMap::new(),
            lists: Default::default(),
        }
    }

    /// Adds tools; fails with what is wrong with one of them.
    pub(crate) fn add(
        &mut self,
        tools: impl IntoIterator<Item = Arc<Tool<C>>>,
    ) -> Result<(), String> {
        for tool in tools {
            let name = tool.shared_name();
            // A declaration is published as it stands, so it has to be JSON.
            serde_json::from_str::<IgnoredAny>(tool.json()).map_err(|error| {
                format!("the declaration of the tool `{name}` is no JSON ({error}): generate the code again")
            })?;
            if self.tools.insert(Arc::clone(&name), tool).is_some() {
                return Err(format!(
                    "two tools have the name `{name}`: give one of them another name"
                ));
            }
        }
        self.lists = Default::default();
        Ok(())
    }

    /// Takes tools out; says how many were there.
    pub(crate) fn remove(&mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
        let names = names.into_iter();
        let removed = names
            .filter_map(|name| self.tools.remove(name.as_ref()))
            .count();
        self.lists = Default::default();
        removed
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Tool<C>>> {
        self.tools.values()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Arc<Tool<C>>> {
        self.tools.get(name)
    }

    /// The result with all tools, which `make` makes once.
    pub(super) fn list(&self, revision: Revision, make: impl FnOnce() -> Vec<u8>) -> Arc<[u8]> {
        Arc::clone(self.lists[revision as usize].get_or_init(|| make().into()))
    }

    /// Appends an array of at most so many tools, from the first after a name; gives the name of
    /// the last, where others follow.
    pub(super) fn write_page(
        &self,
        out: &mut Vec<u8>,
        revision: Revision,
        after: Option<&str>,
        size: usize,
    ) -> Option<Arc<str>> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = self.tools.range::<str, _>((start, Bound::Unbounded));
        let mut last = None;
        out.push(b'[');
        for (name, tool) in rest.by_ref().take(size) {
            if last.is_some() {
                out.push(b',');
            }
            older::write_tool(out, tool.json(), revision);
            last = Some(name);
        }
        out.push(b']');
        last.filter(|_| rest.next().is_some()).cloned()
    }
}

impl<C> Clone for Toolset<C> {
    fn clone(&self) -> Self {
        Self {
            tools: self.tools.clone(),
            lists: Default::default(),
        }
    }
}
