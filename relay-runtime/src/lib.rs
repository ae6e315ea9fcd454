//! The runtime of Relay.
pub mod check;
