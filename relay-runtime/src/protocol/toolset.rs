//! The tools of a server at one time, and the lists of them.

use std::sync::{Arc, OnceLock};

use super::older;
use super::revision::Revision;
use super::scan::{Broken, Notes, Root, scan};
use crate::check::{MAX_DEPTH, Text};
use crate::suggest::nearest;
use crate::tool::AnyTool;

/// Fails where what is published of a tool is no JSON object, since it is published as it stands; or
/// where it nests deeper than what is cut to an older revision, and than many a client reads.
pub(crate) fn check_declaration(tool: &AnyTool) -> Result<(), String> {
    let problem = match scan(tool.json(), MAX_DEPTH, &mut Notes::default()) {
        Ok(Root::Object(outline)) if !outline.too_deep => return Ok(()),
        Ok(Root::Object(_)) => format!(
            "nests deeper than {MAX_DEPTH} levels: flatten it, or name parts of its schemas under \
             `$defs`"
        ),
        Ok(_) => "is no JSON object: generate the code again".to_owned(),
        Err(Broken { at, what }) => {
            format!("is no JSON ({what}, byte {at}): generate the code again")
        }
    };
    let name = tool.name();
    Err(format!("the declaration of the tool `{name}` {problem}"))
}

/// Tools by their names.
pub(crate) struct Toolset {
    /// In the order of their names.
    tools: Vec<Arc<AnyTool>>,
    /// The results of `tools/list` with all of them, made when a client of the revision first
    /// asks.
    lists: [OnceLock<Arc<[u8]>>; Revision::ALL.len()],
}

impl Toolset {
    pub(crate) fn new() -> Self {
        Self {
            tools: Vec::new(),
            lists: Default::default(),
        }
    }

    /// Adds tools; fails where two have the same name.
    pub(crate) fn add(
        &mut self,
        tools: impl IntoIterator<Item = Arc<AnyTool>>,
    ) -> Result<(), String> {
        for tool in tools {
            match self.find(tool.name()) {
                Err(place) => self.tools.insert(place, tool),
                Ok(_) => {
                    let name = tool.name();
                    return Err(format!(
                        "two tools have the name `{name}`: give one of them another name"
                    ));
                }
            }
        }
        self.lists = Default::default();
        Ok(())
    }

    /// Adds those tools of which none has the name.
    pub(super) fn fill_up(&mut self, tools: &[Arc<AnyTool>]) {
        for tool in tools {
            if let Err(place) = self.find(tool.name()) {
                self.tools.insert(place, Arc::clone(tool));
            }
        }
        self.lists = Default::default();
    }

    /// Takes tools out; gives those that were there.
    pub(crate) fn remove(&mut self, names: &[String]) -> Vec<Arc<AnyTool>> {
        self.lists = Default::default();
        let names = names.iter();
        names
            .filter_map(|name| Some(self.tools.remove(self.find(name).ok()?)))
            .collect()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<AnyTool>> {
        self.tools.iter()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Arc<AnyTool>> {
        self.find(name).ok().map(|place| &self.tools[place])
    }

    /// The name of the tool that was most likely meant by one that no tool has.
    pub(super) fn nearest(&self, name: &str) -> Option<Text> {
        // Of very many, not all are looked at: the thread that reads does this.
        const MOST: usize = 1000;
        let names = self.tools.iter().take(MOST).map(|tool| tool.name());
        let near = nearest(name, names)?;
        self.get(near).map(|tool| tool.shared_name())
    }

    /// The place of a tool; where there is none of this name, the one that it would have.
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.tools.binary_search_by(|tool| tool.name().cmp(name))
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
    ) -> Option<Text> {
        let start = after.map_or(0, |after| match self.find(after) {
            Ok(place) => place + 1,
            Err(place) => place,
        });
        let rest = &self.tools[start..];
        let page = &rest[..size.min(rest.len())];
        out.push(b'[');
        for (index, tool) in page.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            older::write_tool(out, tool.json(), revision);
        }
        out.push(b']');
        let last = page.last()?;
        (page.len() < rest.len()).then(|| last.shared_name())
    }
}

impl Clone for Toolset {
    fn clone(&self) -> Self {
        Self {
            tools: self.tools.clone(),
            lists: Default::default(),
        }
    }
}
