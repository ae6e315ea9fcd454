//! `relay-gen validate`

use std::io::{self, BufRead, Write};

use relay_gen::{Contracts, Side, table_of};
use relay_runtime::check::{Table, Violation};
use relay_runtime::suggest::nearest;
use serde::Serialize;

use super::{Failure, Outcome, Validate, render, tell};

pub(super) fn run(arguments: &Validate) -> Result<Outcome, Failure> {
    let contracts = Contracts::read(&arguments.directories)?;
    if !contracts.warnings().is_empty() {
        tell(&render(contracts.warnings()));
    }
    let table = table(&contracts, arguments)?;
    let mut all_valid = true;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| Failure::stream("standard input", "read", error))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let verdict = Verdict::of(&table, &line);
        all_valid &= verdict.valid;
        let verdict = serde_json::to_string(&verdict).map_err(io::Error::from);
        let verdict = verdict.map_err(|error| Failure::stream("the verdict", "written", error))?;
        // A program on the other side may wait for each verdict.
        writeln!(out, "{verdict}")
            .and_then(|()| out.flush())
            .map_err(|error| Failure::stream("standard output", "written", error))?;
    }
    Ok(if all_valid {
        Outcome::Fine
    } else {
        Outcome::Findings
    })
}

fn table(contracts: &Contracts, arguments: &Validate) -> Result<Table, Failure> {
    let name = &arguments.tool;
    let tool = contracts
        .tools()
        .iter()
        .find(|tool| tool.name() == name)
        .ok_or_else(|| {
            let near = nearest(name, contracts.tools().iter().map(|tool| tool.name()));
            let hint = near
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            Failure::Argument(format!(
                "there is no tool `{name}` in these directories{hint}"
            ))
        })?;
    let side = if arguments.output {
        Side::Output
    } else {
        Side::Input
    };
    table_of(contracts, tool, side)?
        .ok_or_else(|| Failure::Argument(format!("the tool `{name}` has no `outputSchema`")))
}

/// What is said of one line.
#[derive(Serialize)]
struct Verdict {
    valid: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Error>,
}

#[derive(Serialize)]
struct Error {
    instance: String,
    schema: String,
    message: String,
}

impl Verdict {
    fn of(table: &Table, line: &[u8]) -> Self {
        let errors = match std::str::from_utf8(line).map(|text| table.check(text.trim())) {
            Ok(Ok(())) => Vec::new(),
            Ok(Err(violations)) => violations.iter().map(Error::from).collect(),
            Err(_) => vec![Error {
                instance: String::new(),
                schema: String::new(),
                message: "the line is not UTF-8".into(),
            }],
        };
        Self {
            valid: errors.is_empty(),
            errors,
        }
    }
}

impl From<&Violation> for Error {
    fn from(violation: &Violation) -> Self {
        Self {
            instance: violation.instance.clone(),
            schema: violation.schema.clone(),
            message: violation.message.clone(),
        }
    }
}
