//! The generated types against the oracle: what is accepted, and what is left of it.

use std::time::Instant;

use relay_tests::subjects::Subject;
use relay_tests::{Answer, Harness, Loss, instances, losses};
use serde_json::Value;

use crate::limits::is_beyond;
use crate::oracle::Oracle;

/// What came of many values.
#[derive(Debug, Default)]
struct Tally {
    valid: usize,
    invalid: usize,
    beyond: usize,
    /// Members that came to nothing, and that no schema speaks of.
    unspoken: usize,
    problems: Vec<String>,
}

struct Case<'s> {
    schema: &'s Value,
    oracle: usize,
}

/// Generates and builds all contracts, and sends `count` values through each schema.
pub(crate) fn run(what: &str, crate_name: &str, subjects: &[Subject], seed: u64, count: usize) {
    let start = Instant::now();
    let harness = Harness::build(crate_name, subjects);
    let built = start.elapsed();
    let (mut oracles, mut values, mut cases) = (Vec::new(), Vec::new(), Vec::new());
    for (number, subject) in subjects
        .iter()
        .enumerate()
        .filter(|(_, subject)| harness.knows(subject))
    {
        for (is_output, schema) in subject.schemas() {
            let Ok(oracle) = Oracle::new(schema) else {
                continue;
            };
            oracles.push(oracle);
            for text in instances(schema, seed + number as u64, count) {
                values.push((subject, is_output, text));
                cases.push(Case {
                    schema,
                    oracle: oracles.len() - 1,
                });
            }
        }
    }
    let answers = harness.run(&values);
    let mut tally = Tally::default();
    for ((case, (subject, is_output, text)), answer) in cases.iter().zip(&values).zip(&answers) {
        if let Some(problem) = tally.judge(case.schema, &oracles[case.oracle], text, answer) {
            let text = if text.len() > 700 {
                format!("{} bytes", text.len())
            } else {
                text.clone()
            };
            let side = if *is_output { "output" } else { "input" };
            tally.problems.push(format!(
                "{}/{} {side}: {problem}\n  schema: {}\n  value:  {text}",
                subject.directory, subject.file, case.schema
            ));
        }
    }
    println!(
        "types, {what}: {} schemas, {} values: {} valid, {} invalid, {} beyond the limits of numbers; {} members dropped \
         that no schema speaks of; {} wrong; {} contracts refused; built in {built:.1?}, all in {:.1?}",
        oracles.len(),
        values.len(),
        tally.valid,
        tally.invalid,
        tally.beyond,
        tally.unspoken,
        tally.problems.len(),
        harness.refused.len(),
        start.elapsed(),
    );
    for refused in &harness.refused {
        println!("refused: {refused}");
    }
    assert!(
        tally.problems.is_empty(),
        "{}",
        tally
            .problems
            .iter()
            .take(60)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n")
    );
}

impl Tally {
    fn judge(
        &mut self,
        schema: &Value,
        oracle: &Oracle,
        text: &str,
        answer: &Answer,
    ) -> Option<String> {
        let Ok(before) = serde_json::from_str::<Value>(text) else {
            self.beyond += 1;
            return (!matches!(answer, Answer::Violations(_)))
                .then(|| "accepted, though beyond f64".into());
        };
        let is_valid = oracle.is_valid(&before);
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
            Answer::Encoding(violations) => {
                Some(format!("decoded, but not encoded: {violations:?}"))
            }
            Answer::Ok(json) if !is_valid => Some(format!(
                "accepted; the oracle: {}; encoded {json}",
                oracle.errors(&before)
            )),
            Answer::Ok(json) => {
                self.valid += 1;
                self.compare(schema, oracle, &before, json.get())
            }
        }
    }

    fn compare(
        &mut self,
        schema: &Value,
        oracle: &Oracle,
        before: &Value,
        json: &str,
    ) -> Option<String> {
        let after: Value = serde_json::from_str(json).expect("JSON");
        if !oracle.is_valid(&after) {
            return Some(format!("encoded to what is invalid: {json}"));
        }
        let losses = losses(schema, before, &after);
        let is_wrong = |loss: &Loss| !matches!(loss, Loss::Unspoken(..));
        self.unspoken += losses.iter().filter(|loss| !is_wrong(loss)).count();
        let wrong: Vec<&Loss> = losses.iter().filter(|loss| is_wrong(loss)).collect();
        if wrong.is_empty() {
            return None;
        }
        let evaluated = oracle.evaluated(before);
        let is_held = |loss: &Loss| match loss {
            Loss::Spoken(at, name) => evaluated
                .iter()
                .any(|(object, known)| object == at && known == name),
            _ => true,
        };
        let held = if wrong.iter().any(|loss| is_held(loss)) {
            "by what holds"
        } else {
            "by what does not hold"
        };
        Some(format!("lost ({held}): {wrong:?}; encoded {json}"))
    }
}
