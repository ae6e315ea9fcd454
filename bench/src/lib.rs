//! What the benchmarks share: servers that run, what they are asked, and what they cost.
//!
//! Servers are measured on Linux alone, since only there a process tells what each of its threads
//! has cost.

#[cfg(target_os = "linux")]
pub mod asked;
#[cfg(target_os = "linux")]
pub mod cpu;
#[cfg(target_os = "linux")]
pub mod era;
#[cfg(target_os = "linux")]
pub mod load;
pub mod part;
#[cfg(target_os = "linux")]
pub mod process;
pub mod ratios;
