//! The checker against the oracle.

use relay_gen::{Contracts, Side, table_of};
use relay_runtime::check::Table;
use relay_tests::subjects::{Subject, contract_of};
use relay_tests::{instances, shrink};
use serde_json::{Value, json};

use crate::limits::{is_beyond, is_rounded};
use crate::oracle::Oracle;

/// What came of many values.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    schemas: usize,
    /// Schemas for which no valid value was found.
    barren: usize,
    values: usize,
    valid: usize,
    /// Differences that the documented limits of numbers allow.
    beyond: usize,
    /// Differences where the oracle reads another number than is written.
    rounded: usize,
    /// Schemas that the oracle does not read.
    unread: Vec<String>,
    /// Schemas that are refused, though the oracle reads them.
    refused: Vec<String>,
    differences: Vec<String>,
}

/// Tries each schema with `count` values.
pub(crate) fn run(what: &str, subjects: &[Subject], seed: u64, count: usize) -> Tally {
    let mut tally = Tally::default();
    for (number, subject) in subjects.iter().enumerate() {
        for (is_output, schema) in subject.schemas() {
            let side = if is_output { Side::Output } else { Side::Input };
            let place = format!("{}/{}", subject.directory, subject.file);
            tally.schema(
                &place,
                &subject.contract,
                schema,
                side,
                seed + number as u64,
                count,
            );
        }
    }
    println!(
        "checker, {what}: {} schemas ({} without a valid value), {} values, {} of them valid, {} beyond the limits of \
         numbers, {} rounded by the oracle, {} different; {} schemas refused, {} not read by the oracle",
        tally.schemas,
        tally.barren,
        tally.values,
        tally.valid,
        tally.beyond,
        tally.rounded,
        tally.differences.len(),
        tally.refused.len(),
        tally.unread.len(),
    );
    for text in &tally.unread {
        println!("not read by the oracle: {text}");
    }
    tally
}

impl Tally {
    fn schema(
        &mut self,
        place: &str,
        contract: &Value,
        schema: &Value,
        side: Side,
        seed: u64,
        count: usize,
    ) {
        let table = table(contract, side);
        let oracle = match Oracle::new(schema) {
            Ok(oracle) => oracle,
            Err(error) => {
                return self.unread.push(format!(
                    "{place} {side:?}: {error}; refused: {}",
                    table.is_err()
                ));
            }
        };
        let table = match table {
            Ok(table) => table,
            Err(report) => {
                return self
                    .refused
                    .push(format!("{place} {side:?}: {report}\n{schema}"));
            }
        };
        self.schemas += 1;
        let mut valid = 0;
        for text in instances(schema, seed, count) {
            self.values += 1;
            match compare(schema, &table, &oracle, &text) {
                Verdict::Same(is_valid) => valid += usize::from(is_valid),
                Verdict::Beyond => self.beyond += 1,
                Verdict::Rounded => self.rounded += 1,
                Verdict::Different(_) => self.different(place, schema, &text),
            }
        }
        self.valid += valid;
        self.barren += usize::from(valid == 0);
    }

    fn different(&mut self, place: &str, schema: &Value, text: &str) {
        // What comes after these is seldom new.
        if self.differences.len() >= 60 {
            return self.differences.push(String::new());
        }
        let (small, text) = shrink(schema, text, &mut |schema, text| {
            difference(schema, text).is_some()
        });
        let difference =
            difference(&small, &text).unwrap_or_else(|| "differs in its contract only".into());
        let text = if text.len() > 500 {
            format!("{} bytes", text.len())
        } else {
            text
        };
        self.differences.push(format!(
            "{place}\n  schema: {small}\n  value:  {text}\n  {difference}"
        ));
    }

    /// # Panics
    ///
    /// With all differences, if there is one.
    pub(crate) fn assert_none(&self) {
        let shown: Vec<&str> = self
            .differences
            .iter()
            .chain(&self.refused)
            .map(|text| &**text)
            .filter(|text| !text.is_empty())
            .collect();
        assert!(
            shown.is_empty(),
            "{} differences, {} refusals:\n{}",
            self.differences.len(),
            self.refused.len(),
            shown.join("\n")
        );
    }
}

enum Verdict {
    Same(bool),
    Beyond,
    Rounded,
    Different(String),
}

fn compare(schema: &Value, table: &Table, oracle: &Oracle, text: &str) -> Verdict {
    let ours = table.check(text);
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        // A number beyond f64: the oracle can't say, and Relay refuses it.
        return match ours {
            Err(_) => Verdict::Beyond,
            Ok(()) => Verdict::Different("accepted, though beyond f64".into()),
        };
    };
    let theirs = oracle.is_valid(&value);
    if ours.is_ok() == theirs {
        return Verdict::Same(theirs);
    }
    if theirs && is_beyond(&value) {
        return Verdict::Beyond;
    }
    if is_rounded(schema, text) {
        return Verdict::Rounded;
    }
    Verdict::Different(match ours {
        Ok(()) => format!("accepted; the oracle: {}", oracle.errors(&value)),
        Err(violations) => format!("refused: {violations}; the oracle: valid"),
    })
}

/// The difference between both, for a schema that stands alone.
pub(crate) fn difference(schema: &Value, text: &str) -> Option<String> {
    let oracle = Oracle::new(schema).ok()?;
    let table = table(&contract_of("t", schema), Side::Output).ok()?;
    match compare(schema, &table, &oracle, text) {
        Verdict::Different(difference) => Some(difference),
        _ => None,
    }
}

fn table(contract: &Value, side: Side) -> Result<Table, String> {
    let mut contract = contract.clone();
    if contract.get("name").is_none() {
        contract["name"] = json!("t");
    }
    let contracts = Contracts::from_texts([("t.json", contract.to_string())])
        .map_err(|report| report.to_string())?;
    let table =
        table_of(&contracts, &contracts.tools()[0], side).map_err(|report| report.to_string())?;
    table.ok_or_else(|| "no schema".into())
}
