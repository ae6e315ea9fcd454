//! Numbers and texts that nobody else has.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers that no other has had in this process, from 1: each greater than the one before. Those
/// of a later one that has begun are greater, too.
#[derive(Default)]
pub(crate) struct Numbers {
    left: Range<u64>,
}

impl Numbers {
    /// So many are had at a time.
    const MANY: u64 = 64;

    /// The next of them.
    pub(crate) fn next(&mut self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        if self.left.is_empty() {
            let first = NEXT.fetch_add(Self::MANY, Ordering::Relaxed);
            self.left = first..first + Self::MANY;
        }
        let number = self.left.start;
        self.left.start += 1;
        number
    }
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
