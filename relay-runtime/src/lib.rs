//! The runtime of Relay.
pub mod check;
#[expect(dead_code, reason = "the definitions that use it come next")]
mod codec;

/// The version of what generated code and this crate have agreed on.
#[doc(hidden)]
pub const INTERFACE_VERSION: u32 = 1;
