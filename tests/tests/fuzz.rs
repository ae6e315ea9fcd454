//! A short fuzz, the same in every run; `cargo run --release -p relay-tests --bin fuzz` is the long one.

use relay_tests::fuzz::{Counting, Fuzz};

#[global_allocator]
static MEMORY: Counting = Counting;

#[test]
fn no_frame_breaks_an_invariant() {
    let fuzz = Fuzz {
        seed: 1,
        frames: 10_000,
    };
    let report = fuzz.run();
    println!("{report}");
    assert!(report.failure.is_none(), "{:?}", report.failure);
    // Frames that are never answered would break nothing.
    assert!(report.messages > report.frames / 2, "{report}");
}
