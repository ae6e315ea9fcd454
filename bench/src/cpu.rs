//! Processor time, and the processors that it is spent on.

use std::fs;

use rustix::param::clock_ticks_per_second;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// What the threads of a process have spent, in nanoseconds.
///
/// # Errors
///
/// If the process is gone, or the kernel keeps no such account.
pub fn of_process(id: u32) -> Result<f64, String> {
    let tasks = format!("/proc/{id}/task");
    let missing = |error| format!("{tasks} can't be read: {error}");
    let mut spent = 0.0;
    for task in fs::read_dir(&tasks).map_err(missing)? {
        let path = task.map_err(missing)?.path().join("schedstat");
        // A thread that has just ended has no account any more.
        let Ok(account) = fs::read_to_string(&path) else {
            continue;
        };
        spent += account
            .split_whitespace()
            .next()
            .and_then(|first| first.parse::<f64>().ok())
            .unwrap_or_default();
    }
    if spent > 0.0 {
        Ok(spent)
    } else {
        Err(format!(
            "{tasks}/*/schedstat has no times: the kernel has to be built with CONFIG_SCHED_INFO"
        ))
    }
}

/// What processes have spent that this one has waited for, and those that they have waited for, in
/// seconds: `cutime` and `cstime` of proc(5).
///
/// # Errors
///
/// If `/proc` is not there.
pub fn of_children() -> Result<f64, String> {
    let path = "/proc/self/stat";
    let stat =
        fs::read_to_string(path).map_err(|error| format!("{path} can't be read: {error}"))?;
    // The second field is the program's name, which may hold spaces.
    let rest = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = rest
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "a hundred or a thousand")]
    let ticks_a_second = clock_ticks_per_second() as f64;
    Ok(ticks / ticks_a_second)
}

/// While it lives, this thread and the processes that it starts share one processor.
///
/// Where they have two, what is measured is mostly how long one that sleeps takes to wake up.
#[derive(Debug)]
pub struct Pinned {
    before: CpuSet,
}

impl Pinned {
    /// Takes the last processor of those that this thread may use.
    ///
    /// # Errors
    ///
    /// If the system does not allow it.
    pub fn to_one() -> Result<Self, String> {
        let refused = |error| format!("this thread can't be bound to one processor: {error}");
        let before = sched_getaffinity(None).map_err(refused)?;
        let last = (0..CpuSet::MAX_CPU).rfind(|&number| before.is_set(number));
        let mut one = CpuSet::new();
        one.set(last.unwrap_or_default());
        sched_setaffinity(None, &one).map_err(refused)?;
        Ok(Self { before })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // It was allowed before.
        let _ = sched_setaffinity(None, &self.before);
    }
}
