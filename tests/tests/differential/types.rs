//! The generated types against the oracle: what is accepted, and what is left of it.

use std::time::Instant;

use relay_tests::subjects::Subject;
use relay_tests::{Answer, Harness, Loss, instances, losses};
use serde_json::Value;

use crate::branches::Branches;
use crate::limits::{is_beyond, is_nearest, is_rounded};
use crate::oracle::Oracle;

/// What came of many values.
#[derive(Debug, Default)]
struct Tally {
    valid: usize,
    invalid: usize,
    beyond: usize,
    /// Integers that are rounded to the nearest number, by the type or by the oracle.
    nearest: usize,
    /// Members that came to nothing, and that no schema speaks of.
    unspoken: usize,
    problems: Vec<String>,
}

/// A schema, with what the oracle makes of it.
struct Judge<'s> {
    schema: &'s Value,
    oracle: Oracle,
    branches: Branches<'s>,
}

/// Generates and builds all contracts, and sends `count` values through each schema.
pub(crate) fn run(what: &str, crate_name: &str, subjects: &[Subject], seed: u64, count: usize) {
    let start = Instant::now();
    let harness = Harness::build(crate_name, subjects);
    let built = start.elapsed();
    let (mut judges, mut values, mut cases) = (Vec::new(), Vec::new(), Vec::new());
    for (number, subject) in subjects
        .iter()
        .enumerate()
        .filter(|(_, subject)| harness.knows(subject))
    {
        for (is_output, schema) in subject.schemas() {
            let Ok(oracle) = Oracle::new(schema) else {
                continue;
            };
            judges.push(Judge {
                schema,
                oracle,
                branches: Branches::new(schema),
            });
            for text in instances(schema, seed + number as u64, count) {
                values.push((subject, is_output, text));
                cases.push(judges.len() - 1);
            }
        }
    }
    let answers = harness.run(&values);
    let mut tally = Tally::default();
    for ((judge, (subject, is_output, text)), answer) in cases.iter().zip(&values).zip(&answers) {
        if let Some(problem) = tally.judge(&judges[*judge], text, answer) {
            let text = if text.len() > 700 {
                format!("{} bytes", text.len())
            } else {
                text.clone()
            };
            let side = if *is_output { "output" } else { "input" };
            tally.problems.push(format!(
                "{}/{} {side}: {problem}\n  schema: {}\n  value:  {text}",
                subject.directory, subject.file, judges[*judge].schema
            ));
        }
    }
    println!(
        "types, {what}: {} schemas, {} values: {} valid, {} invalid, {} beyond the limits of numbers, {} \
         rounded; {} members dropped \
         that no schema speaks of; {} wrong; {} contracts refused; built in {built:.1?}, all in {:.1?}",
        judges.len(),
        values.len(),
        tally.valid,
        tally.invalid,
        tally.beyond,
        tally.nearest,
        tally.unspoken,
        tally.problems.len(),
        harness.refused.len(),
        start.elapsed(),
    );
    for refused in &harness.refused {
        println!("refused: {refused}");
    }
    assert!(tally.problems.is_empty(), "{}", few(&tally.problems));
}

/// The problems, a few of each schema.
fn few(problems: &[String]) -> String {
    let mut shown: Vec<&String> = Vec::new();
    for problem in problems {
        let place = problem.split(": ").next();
        let before = shown
            .iter()
            .filter(|shown| shown.split(": ").next() == place);
        if before.count() < 2 {
            shown.push(problem);
        }
    }
    shown
        .into_iter()
        .take(40)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n")
}

impl Tally {
    fn judge(&mut self, judge: &Judge<'_>, text: &str, answer: &Answer) -> Option<String> {
        let Ok(before) = serde_json::from_str::<Value>(text) else {
            self.beyond += 1;
            return (!matches!(answer, Answer::Violations(_)))
                .then(|| "accepted, though beyond f64".into());
        };
        let is_valid = judge.oracle.is_valid(&before);
        match answer {
            Answer::Violations(_) if !is_valid => {
                self.invalid += 1;
                None
            }
            Answer::Violations(_) if is_beyond(&before) => {
                self.beyond += 1;
                None
            }
            Answer::Violations(violations) => {
                Some(format!("refused: {violations:?}; the oracle: valid"))
            }
            Answer::Encoding(_) if is_nearest(text) => {
                self.nearest += 1;
                None
            }
            Answer::Ok(_) if !is_valid && is_rounded(judge.schema, text) => {
                self.nearest += 1;
                None
            }
            Answer::Encoding(violations) => {
                Some(format!("decoded, but not encoded: {violations:?}"))
            }
            Answer::Ok(json) if !is_valid => Some(format!(
                "accepted; the oracle: {}; encoded {json}",
                judge.oracle.errors(&before)
            )),
            Answer::Ok(json) => {
                self.valid += 1;
                self.compare(judge, text, &before, json.get())
            }
        }
    }

    fn compare(
        &mut self,
        judge: &Judge<'_>,
        text: &str,
        before: &Value,
        json: &str,
    ) -> Option<String> {
        let after: Value = serde_json::from_str(json).expect("JSON");
        if !judge.oracle.is_valid(&after) && !is_nearest(text) {
            return Some(format!("encoded to what is invalid: {json}"));
        }
        let holds = |schema: &Value, value: &Value| judge.branches.holds(schema, value);
        let losses = losses(judge.schema, &holds, before, &after);
        let is_wrong = |loss: &Loss| !matches!(loss, Loss::Unspoken(..));
        self.unspoken += losses.iter().filter(|loss| !is_wrong(loss)).count();
        let wrong: Vec<&Loss> = losses.iter().filter(|loss| is_wrong(loss)).collect();
        if wrong.is_empty() {
            return None;
        }
        Some(format!("lost {wrong:?}; encoded {json}"))
    }
}
