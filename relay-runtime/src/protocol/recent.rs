//! What the last request said of its client. The next one says the same, as a rule.

use std::sync::{Arc, Mutex, PoisonError};

use super::capabilities::Capabilities;
use super::meta::client_info;
use crate::client::ClientInfo;

/// The texts that were read last, each with what it says.
#[derive(Default)]
pub(super) struct Recent {
    capabilities: Mutex<Last<Option<Arc<Capabilities>>>>,
    info: Mutex<Last<Option<Arc<ClientInfo>>>>,
}

#[derive(Default)]
struct Last<T> {
    text: String,
    says: T,
}

/// A longer text is read anew each time.
const MAX_TEXT: usize = 4 << 10;

impl Recent {
    /// The capabilities that a text declares; `None` when it is no object.
    pub(super) fn capabilities(&self, text: &str) -> Option<Arc<Capabilities>> {
        look_up(&self.capabilities, text, |text| {
            Capabilities::read(text).map(Arc::new)
        })
    }

    /// The client's name and version; of a wrong type, they count as not given.
    pub(super) fn info(&self, text: &str) -> Option<Arc<ClientInfo>> {
        look_up(&self.info, text, client_info)
    }
}

fn look_up<T: Clone>(last: &Mutex<Last<T>>, text: &str, read: impl FnOnce(&str) -> T) -> T {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    // No JSON text is empty, so that the first is always read.
    if last.text != text {
        let says = read(text);
        if text.len() > MAX_TEXT {
            return says;
        }
        last.text.clear();
        last.text.push_str(text);
        last.says = says;
    }
    last.says.clone()
}
