//! The revisions before 2026-07-28: one handshake says who the client is and which version it
//! speaks, for all requests after it (spec page `basic/lifecycle`).

use std::sync::Arc;

use super::capabilities::Capabilities;
use super::envelope::{Request, string};
use super::meta::{check_objects, client_info, said};
use super::refusal::Refusal;
use super::revision::{Revision, names};
use crate::client::{Client, Profile};

/// Reads an `initialize`. A version that is not known is answered with the newest that is.
pub(super) fn initialize(request: &Request<'_>) -> Result<Profile, Refusal> {
    check_objects(request)?;
    let params = &request.params;
    let requested = params
        .find("protocolVersion")
        .and_then(string)
        .ok_or_else(|| {
            Refusal::invalid_params(format!(
                "`params.protocolVersion` must be a string, one of {}",
                names(Revision::legacy())
            ))
        })?;
    let capabilities = match params.find("capabilities").map(Capabilities::read) {
        None => Arc::default(),
        Some(Some(capabilities)) => Arc::new(capabilities),
        Some(None) => {
            return Err(Refusal::invalid_params(
                "`params.capabilities` must be an object",
            ));
        }
    };
    Ok(Profile {
        revision: Revision::legacy()
            .find(|revision| revision.name() == requested)
            .unwrap_or(Revision::NEWEST_LEGACY),
        info: params.find("clientInfo").and_then(client_info),
        capabilities,
    })
}

/// The client of a request after this handshake.
pub(super) fn client(session: &Arc<Profile>, request: &Request<'_>) -> Result<Client, Refusal> {
    check_objects(request)?;
    let said = said(&request.meta)?;
    let profile = Arc::clone(session);
    Ok(Client { profile, said })
}
