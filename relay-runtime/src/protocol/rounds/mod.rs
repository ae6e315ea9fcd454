//! Calls that take more than one round, since their handlers ask the client (spec page
//! `basic/patterns/mrtr`).

mod go_on;
mod open;
mod responses;
mod resume;

pub(crate) use go_on::{Return, go_on};
pub(crate) use open::{Open, Round};
pub(super) use resume::{foreign_state, seal};

use std::time::{SystemTime, UNIX_EPOCH};

/// How often a call may ask.
pub(crate) const MAX_ROUNDS: u32 = 10;

/// The milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
