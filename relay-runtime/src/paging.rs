//! What only a server needs that lists its tools in pages.
//!
//! It is known from the first page size on: only what sets one names it, so that no other server
//! links it.

use std::sync::OnceLock;

use crate::protocol::Sealer;

/// The cursors that lead from one page to the next.
pub(crate) trait Cursors: Send + Sync {
    /// The cursor of the page that ends with a tool.
    fn after(&self, tool: &str) -> String;

    /// The tool that was the last of the page; `None` if the cursor is no such one.
    fn last(&self, cursor: &str) -> Option<String>;
}

/// Makes them, with a key of the application's or the process's own.
type Make = fn(Option<&[u8]>) -> Result<Box<dyn Cursors>, String>;

/// For the whole process, as is the key.
static MAKE: OnceLock<Make> = OnceLock::new();

/// A server may list its tools in pages from now on.
pub(crate) fn tools_are_paged() {
    MAKE.get_or_init(|| |key| Ok(Box::new(key.map_or_else(Sealer::of_process, Sealer::new)?)));
}

/// `None` while no server can have pages; fails with the reason why it cannot start.
pub(crate) fn cursors(key: Option<&[u8]>) -> Result<Option<Box<dyn Cursors>>, String> {
    MAKE.get().map(|make| make(key)).transpose()
}
