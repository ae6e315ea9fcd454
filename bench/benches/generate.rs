//! How long generating takes, against typify and prettyplease alone on the same schemas.
//!
//! `cargo bench -p relay-bench --bench generate`
//!
//! Both sides start from texts in memory and end with formatted Rust in memory. typify is given
//! only the schemas that it can do: those on which it panics or fails are left out of its time. The
//! runs take turns, so that whatever else the machine does falls on both.

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::{directories, quietly, relay, schemas, typify};

const ROUNDS: usize = 9;

fn main() {
    let Some(contracts) = relay_tests::shared("contracts") else {
        return;
    };
    let directories = directories(&contracts);
    let tools: usize = directories.iter().map(Vec::len).sum();
    let schemas: Vec<_> = directories
        .iter()
        .flatten()
        .flat_map(|(_, text)| schemas(text))
        .collect();
    let can_do: Vec<_> = quietly(|| {
        schemas
            .iter()
            .filter(|schema| typify(schema).is_some())
            .collect()
    });

    let (mut relay_times, mut typify_times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        relay_times.push(timed(|| {
            directories
                .iter()
                .for_each(|texts| drop(black_box(relay(texts))))
        }));
        typify_times.push(timed(|| {
            can_do
                .iter()
                .for_each(|schema| drop(black_box(typify(schema))))
        }));
    }
    let (relay_time, typify_time) = (median(relay_times), median(typify_times));
    println!(
        "relay-gen: {tools} contracts, {} schemas, {relay_time:.0?}",
        schemas.len()
    );
    println!(
        "typify and prettyplease: {} of these schemas, {typify_time:.0?}",
        can_do.len()
    );
    println!(
        "ratio: {:.2}",
        relay_time.as_secs_f64() / typify_time.as_secs_f64()
    );
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
