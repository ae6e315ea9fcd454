//! What a request says of its client.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The client's name and version, as it gives them itself: nothing proves them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ClientInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a request says of its client.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) info: Option<ClientInfo>,
    pub(crate) capabilities: Map<String, Value>,
    pub(crate) protocol_version: &'static str,
}
