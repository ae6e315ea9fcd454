//! The runtime of Relay.
pub mod check;
#[expect(dead_code, reason = "the definitions that use it come next")]
mod codec;
