//! Texts that nobody else has.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that no other has had in this process, from 1: a call's.
pub(crate) fn number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// A text that no other has had in this process, nor in any other as far as chance goes. Not
/// secret.
pub(crate) fn text() -> String {
    static PROCESS: OnceLock<u64> = OnceLock::new();
    static LAST: AtomicU64 = AtomicU64::new(0);
    // Where the system has no random numbers, the hasher's seed is what it has.
    let process = PROCESS
        .get_or_init(|| getrandom::u64().unwrap_or_else(|_| RandomState::new().hash_one("relay")));
    format!(
        "{process:016x}-{}",
        LAST.fetch_add(1, Ordering::Relaxed) + 1
    )
}
