//! How a call goes on that comes back.

use std::ops::ControlFlow;

use super::open::Round;
use super::resume::{Resumed, foreign_state, resume};
use crate::client::Client;
use crate::protocol::call_result::CallResult;
use crate::protocol::capabilities::leave_out_undeclared;
use crate::protocol::catalog::Catalog;
use crate::protocol::refusal::Refusal;

/// A call that comes back, with the state that it was given.
pub(crate) struct Return<'a> {
    pub(in crate::protocol) client: &'a Client,
    pub(in crate::protocol) tool: &'a str,
    pub(in crate::protocol) arguments: &'a str,
    pub(in crate::protocol) state: &'a str,
    /// JSON text of an object.
    pub(in crate::protocol) responses: &'a str,
}

/// The round in which the handler runs; the result of the call where it does not, since answers
/// are missing.
pub(crate) fn go_on(
    catalog: &Catalog,
    call: &Return<'_>,
) -> Result<ControlFlow<Vec<u8>, Round>, Refusal> {
    let Return {
        client,
        tool,
        arguments,
        ..
    } = *call;
    let mut open = match resume(&catalog.sealer().map_err(|_| foreign_state())?, call)? {
        Resumed::Run(round) => return Ok(ControlFlow::Continue(round)),
        Resumed::Asks(open) => open,
    };
    // This is another request than the one that was asked so: it may declare less.
    let missing = leave_out_undeclared(&mut open.requests, client);
    if !open.requests.is_empty() {
        let result = catalog
            .input_required(&open, tool, arguments)
            .unwrap_or_else(|why| catalog.call_result(client.revision, CallResult::failed(why)));
        return Ok(ControlFlow::Break(result));
    }
    if !open.has_state() {
        let result = catalog.missing_capabilities(client.revision, tool, &missing)?;
        return Ok(ControlFlow::Break(result));
    }
    // Nothing is left that the client can answer: the handler goes on by its state.
    Ok(ControlFlow::Continue(open.into_round()))
}
