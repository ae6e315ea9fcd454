//! Calls that are sent in one of two ways, and what they cost the server.

use std::ops::Range;
use std::time::Instant;

use serde_json::Value;

use crate::asked::{Asked, Lines};
use crate::era::Era;
use crate::process::Served;

/// What calls cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The median of the time to an answer, in nanoseconds; of calls one at a time alone.
    pub time: f64,
    /// The processor time of the server, in nanoseconds for each call.
    pub cpu: f64,
    /// The peak of the server's memory, in KiB, since it started.
    pub peak: f64,
}

/// Makes calls one at a time, after some that are not counted.
///
/// # Errors
///
/// If a call has no answer, or a wrong one.
pub fn one_by_one(
    server: &mut Served,
    era: Era,
    asked: Asked,
    warm: usize,
    count: usize,
) -> Result<Cost, String> {
    after_warming(server, era, asked, (warm, count), ask_each)
}

/// Makes calls with as many in flight as the window says, after some that are not counted.
///
/// # Errors
///
/// If a call has no answer, or a wrong one.
pub fn many(
    server: &mut Served,
    era: Era,
    asked: Asked,
    window: usize,
    warm: usize,
    count: usize,
) -> Result<Cost, String> {
    after_warming(
        server,
        era,
        asked,
        (warm, count),
        |server, lines, answers, _| {
            *answers = keep_in_flight(server, lines, window)?;
            Ok(())
        },
    )
}

/// Makes calls in some way, first those that are not counted; every answer is checked afterwards.
fn after_warming(
    server: &mut Served,
    era: Era,
    asked: Asked,
    (warm, count): (usize, usize),
    ask: impl Fn(&mut Served, &Lines, &mut Vec<u8>, &mut Vec<f64>) -> Result<(), String>,
) -> Result<Cost, String> {
    era.open(server)?;
    let (first, then) = ids(warm, count);
    let before = asked.lines(era, first.clone());
    let lines = asked.lines(era, then.clone());
    let (mut warmed, mut answers, mut times) = (Vec::new(), Vec::new(), Vec::new());
    ask(server, &before, &mut warmed, &mut times)?;
    times.clear();
    let spent = server.cpu()?;
    ask(server, &lines, &mut answers, &mut times)?;
    let cost = cost(server, spent, count, times)?;
    asked.check(era, first, &warmed)?;
    asked.check(era, then, &answers)?;
    Ok(cost)
}

/// Asks a server that has just been started for its tools; gives the processor time that it has
/// spent by then, in nanoseconds.
///
/// # Errors
///
/// If the answer does not hold `echo` and `sum`.
pub fn first_list(server: &mut Served, era: Era) -> Result<f64, String> {
    era.open(server)?;
    server.send(era.request(1, "tools/list", "").as_bytes())?;
    let line = server.line()?;
    let spent = server.cpu()?;
    let answer: Value = serde_json::from_slice(&line).unwrap_or_default();
    let tools = answer["result"]["tools"].as_array();
    let has = |name: &str| {
        tools.into_iter().flatten().any(|tool| {
            tool["name"] == name
                && tool["inputSchema"]["type"] == "object"
                && tool["outputSchema"]["type"] == "object"
        })
    };
    if has("echo") && has("sum") {
        Ok(spent)
    } else {
        let line = String::from_utf8_lossy(&line);
        Err(format!("`tools/list` was answered with {line}"))
    }
}

/// Sends lines so that never more than `window` of them are without an answer; gives the answers.
///
/// # Errors
///
/// If the server ends before it has answered.
pub fn keep_in_flight(
    server: &mut Served,
    lines: &Lines,
    window: usize,
) -> Result<Vec<u8>, String> {
    server.set_waiting(false)?;
    let count = lines.ends.len();
    let (mut answers, mut sent, mut answered) = (Vec::new(), 0, 0);
    while answered < count {
        let last = (answered + window).min(count);
        let allowed = last.checked_sub(1).map_or(0, |last| lines.ends[last]);
        let wrote = server.write(&lines.bytes[sent..allowed])?;
        sent += wrote;
        let start = answers.len();
        server.read(&mut answers)?;
        answered += memchr::memchr_iter(b'\n', &answers[start..]).count();
        if wrote == 0 && answers.len() == start {
            server.wait(sent < allowed)?;
        }
    }
    server.set_waiting(true)?;
    Ok(answers)
}

/// Sends each line once the one before it is answered, and takes the time of each.
fn ask_each(
    server: &mut Served,
    lines: &Lines,
    answers: &mut Vec<u8>,
    times: &mut Vec<f64>,
) -> Result<(), String> {
    let mut start = 0;
    for end in &lines.ends {
        let begun = Instant::now();
        server.send(&lines.bytes[start..*end])?;
        loop {
            server.read(answers)?;
            if answers.last() == Some(&b'\n') {
                break;
            }
        }
        times.push(begun.elapsed().as_secs_f64() * 1e9);
        start = *end;
    }
    Ok(())
}

/// The ids of the calls that are not counted, and of those that are.
fn ids(warm: usize, count: usize) -> (Range<usize>, Range<usize>) {
    (1..1 + warm, 1 + warm..1 + warm + count)
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn cost(server: &Served, spent: f64, count: usize, mut times: Vec<f64>) -> Result<Cost, String> {
    times.sort_by(f64::total_cmp);
    Ok(Cost {
        time: times.get(times.len() / 2).copied().unwrap_or_default(),
        cpu: (server.cpu()? - spent) / count as f64,
        peak: server.status("VmHWM")?,
    })
}
