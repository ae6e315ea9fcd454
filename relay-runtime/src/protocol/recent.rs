//! What the last request said of its client. The next one says the same, as a rule.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::capabilities::Capabilities;
use super::meta::client_info;
use crate::client::{Client, ClientInfo, Profile};

/// The texts that were read last, each with what it says.
#[derive(Default)]
pub(super) struct Recent {
    /// Of a whole `_meta` that says nothing of its one request.
    profile: Mutex<Last<Option<Arc<Profile>>>>,
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
    /// The client that a `_meta` describes, which is read if it is another than the last.
    pub(super) fn client<E>(
        &self,
        meta: &str,
        read: impl FnOnce() -> Result<Client, E>,
    ) -> Result<Client, E> {
        let last = lock(&self.profile);
        if last.text == meta
            && let Some(profile) = &last.says
        {
            let profile = Arc::clone(profile);
            return Ok(Client {
                profile,
                said: None,
            });
        }
        drop(last);
        let client = read()?;
        if client.said.is_none() {
            let profile = Arc::clone(&client.profile);
            lock(&self.profile).remember(meta, Some(profile));
        }
        Ok(client)
    }

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
    let mut last = lock(last);
    // No JSON text is empty, so that the first is always read.
    if last.text == text {
        return last.says.clone();
    }
    let says = read(text);
    last.remember(text, says.clone());
    says
}

fn lock<T>(last: &Mutex<Last<T>>) -> MutexGuard<'_, Last<T>> {
    last.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Last<T> {
    fn remember(&mut self, text: &str, says: T) {
        if text.len() <= MAX_TEXT {
            self.text.clear();
            self.text.push_str(text);
            self.says = says;
        }
    }
}
