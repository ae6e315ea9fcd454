//! Fuzzes the server: `fuzz [--frames N] [--seed N]`. Exits with 1 when an invariant is broken.

use std::process::ExitCode;
use std::time::Instant;

use relay_tests::fuzz::{Counting, Fuzz};

#[global_allocator]
static MEMORY: Counting = Counting;

fn main() -> ExitCode {
    let mut fuzz = Fuzz {
        seed: 1,
        frames: 1_000_000,
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().and_then(|value| value.parse().ok());
        match (name.as_str(), value) {
            ("--frames", Some(frames)) => {
                fuzz.frames = usize::try_from(frames).unwrap_or(usize::MAX)
            }
            ("--seed", Some(seed)) => fuzz.seed = seed,
            _ => {
                eprintln!("usage: fuzz [--frames N] [--seed N]");
                return ExitCode::from(3);
            }
        }
    }
    let start = Instant::now();
    let report = fuzz.run();
    println!("{report}, in {} s", start.elapsed().as_secs());
    match report.failure {
        None => ExitCode::SUCCESS,
        Some(failure) => {
            println!("{failure}");
            ExitCode::FAILURE
        }
    }
}
