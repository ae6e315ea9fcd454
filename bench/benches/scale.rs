//! Whether serving stays what it is with many tools, large schemas, many calls at once and after
//! many calls.
//!
//! `cargo bench -p relay-bench --bench scale -- --calls 10000000` (Linux; a million calls unless
//! told)
//!
//! The servers are this program again.

#[cfg(target_os = "linux")]
mod scaled;

#[cfg(target_os = "linux")]
fn main() {
    scaled::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("SKIPPED: it needs Linux, where /proc tells what a process costs");
}
