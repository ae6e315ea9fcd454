//! A part of the work, beside other work that does as little as possible for the same.
//!
//! Both are counted in instructions, where valgrind is there: any machine can repeat that. The time
//! says less, and is the least of many runs that take turns.

use std::env;
use std::fmt;
use std::process::Command;
use std::time::{Duration, Instant};

/// How often each side runs for its time.
const TURNS: usize = 60;

/// Work that is done again and again.
pub type Work<'a> = Box<dyn FnMut() + 'a>;

/// What is measured.
pub struct Part<'a> {
    /// What it is.
    pub title: &'static str,
    /// What it is compared with.
    pub against: &'static str,
    /// What Relay does.
    pub ours: Work<'a>,
    /// What it is compared with does.
    pub theirs: Work<'a>,
    /// What the public interface adds to ours, and the server does not do: it is taken off.
    pub less: Option<Work<'a>>,
}

/// One of the works of a part.
#[derive(Debug, Clone, Copy)]
enum Side {
    Ours,
    Theirs,
    Less,
}

impl Side {
    const ALL: [Self; 3] = [Self::Ours, Self::Theirs, Self::Less];
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part")
            .field("title", &self.title)
            .finish_non_exhaustive()
    }
}

impl Part<'_> {
    /// Does the work of one side once.
    fn run(&mut self, side: Side) {
        match (side, &mut self.less) {
            (Side::Ours, _) => (self.ours)(),
            (Side::Theirs, _) => (self.theirs)(),
            (Side::Less, Some(less)) => less(),
            (Side::Less, None) => {}
        }
    }

    /// The ratio of the least times.
    fn times(&mut self) -> f64 {
        let mut least = [Duration::MAX; 3];
        for _ in 0..TURNS {
            for (side, least) in Side::ALL.into_iter().zip(&mut least) {
                let start = Instant::now();
                self.run(side);
                *least = (*least).min(start.elapsed());
            }
        }
        let [ours, theirs, less] = least.map(|time| time.as_secs_f64());
        (ours - less) / theirs
    }

    /// The ratio of the instructions, where they can be counted.
    fn instructions(&self, number: usize) -> Option<f64> {
        let [ours, theirs] = [Side::Ours, Side::Theirs].map(|side| instructions(number, side));
        let less = match self.less {
            Some(_) => instructions(number, Side::Less)?,
            None => 0.0,
        };
        let (ours, theirs) = (ours?, theirs?);
        Some((ours - less) / theirs)
    }
}

/// Measures the parts, and prints a line for each.
pub fn measure(mut parts: Vec<Part<'_>>) {
    let arguments: Vec<String> = env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--count") {
        run_side(&mut parts, &arguments[at + 1..]);
        return;
    }
    for (number, part) in parts.iter_mut().enumerate() {
        let counted = part.instructions(number);
        let counted = counted.map_or("instructions not counted (no valgrind)".into(), |ratio| {
            format!("{ratio:.2} by instructions")
        });
        let timed = part.times();
        println!(
            "{}, of {}: {counted}, {timed:.2} by time",
            part.title, part.against
        );
    }
}

/// Runs one side of one part: `NUMBER SIDE TIMES`.
fn run_side(parts: &mut [Part<'_>], arguments: &[String]) {
    let numbers: Vec<usize> = arguments
        .iter()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let [number, side, times] = numbers[..] else {
        return;
    };
    if let (Some(part), Some(side)) = (parts.get_mut(number), Side::ALL.get(side)) {
        (0..times).for_each(|_| part.run(*side));
    }
}

/// The instructions of one run of a side: what three runs take more than one.
#[expect(clippy::cast_precision_loss, reason = "it becomes a ratio")]
fn instructions(number: usize, side: Side) -> Option<f64> {
    let one = count(number, side, 1)?;
    let three = count(number, side, 3)?;
    Some(three.checked_sub(one)? as f64 / 2.0)
}

/// The instructions of a process of this program that does nothing else.
fn count(number: usize, side: Side, times: usize) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().ok()?)
        .args([
            "--count",
            &number.to_string(),
            &(side as usize).to_string(),
            &times.to_string(),
        ])
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    collected?.1.trim().parse().ok()
}
