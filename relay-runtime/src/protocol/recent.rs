//! What was last said of the client. The next request says the same, as a rule.

use std::sync::Arc;

use super::capabilities::Capabilities;
use super::envelope::Request;
use super::meta::client_info;
use super::scan::TextNumber;
use crate::client::{Client, ClientInfo, Profile};

/// What the last `initialize` has settled, and the texts that were read last, each with what it
/// says. It belongs to who reads.
#[derive(Default)]
pub(crate) struct Recent {
    pub(crate) session: Option<Arc<Profile>>,
    /// Of a whole `_meta` that says nothing of its one request.
    profile: Option<(TextNumber, Arc<Profile>)>,
    capabilities: Last<Option<Arc<Capabilities>>>,
    info: Last<Option<Arc<ClientInfo>>>,
}

#[derive(Default)]
struct Last<T> {
    text: String,
    says: T,
}

/// A longer text is read anew each time.
const MAX_TEXT: usize = 4 << 10;

impl Recent {
    /// The client of a request, if its `_meta` is the last one again.
    pub(super) fn client(&self, request: &Request<'_>) -> Option<Client> {
        let (number, profile) = self.profile.as_ref()?;
        (request.meta_text == Some(*number)).then(|| Client {
            profile: Arc::clone(profile),
            said: None,
        })
    }

    /// This client is what the `_meta` of this request describes.
    pub(super) fn remember(&mut self, request: &Request<'_>, client: &Client) {
        if let (Some(number), None) = (request.meta_text, &client.said) {
            self.profile = Some((number, Arc::clone(&client.profile)));
        }
    }

    /// The capabilities that a text declares; `None` when it is no object.
    pub(super) fn capabilities(&mut self, text: &str) -> Option<Arc<Capabilities>> {
        self.capabilities
            .look_up(text, |text| Capabilities::read(text).map(Arc::new))
    }

    /// The client's name and version; of a wrong type, they count as not given.
    pub(super) fn info(&mut self, text: &str) -> Option<Arc<ClientInfo>> {
        self.info.look_up(text, client_info)
    }
}

impl<T: Clone> Last<T> {
    fn look_up(&mut self, text: &str, read: impl FnOnce(&str) -> T) -> T {
        // No JSON text is empty, so that the first is always read.
        if self.text == text {
            return self.says.clone();
        }
        let says = read(text);
        self.remember(text, says.clone());
        says
    }

    fn remember(&mut self, text: &str, says: T) {
        if text.len() <= MAX_TEXT {
            self.text.clear();
            self.text.push_str(text);
            self.says = says;
        }
    }
}
