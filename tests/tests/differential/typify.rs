//! What typify gets wrong, each as a case of its own with the right answers.

use relay_tests::subjects::Subject;
use relay_tests::{Answer, Harness, losses};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::cases::{Case, FAILURES, FORMS, FOUND, NO_SCHEMAS, VALUES};

pub(crate) fn run() {
    let cases: Vec<(&Case, Subject)> = FAILURES
        .iter()
        .chain(VALUES)
        .chain(FORMS)
        .chain(FOUND)
        .map(|case| (case, subject(case.name, case.schema)))
        .collect();
    let mut subjects: Vec<Subject> = cases.iter().map(|(_, subject)| subject.clone()).collect();
    subjects.extend(
        NO_SCHEMAS
            .iter()
            .map(|(name, schema)| subject(name, schema)),
    );
    let harness = Harness::build("differential-typify", &subjects);
    let mut problems: Vec<String> = Vec::new();
    for (name, _) in NO_SCHEMAS {
        if !harness
            .refused
            .iter()
            .any(|refused| refused.contains(&format!("/{name}.json")))
        {
            problems.push(format!("{name}: is not refused"));
        }
    }
    let mut values = Vec::new();
    for (case, subject) in &cases {
        if !harness.knows(subject) {
            problems.push(format!("{}: is refused: {:?}", case.name, harness.refused));
            continue;
        }
        for (is_kept, texts) in [(true, case.kept), (false, case.refused)] {
            values.extend(
                texts
                    .iter()
                    .map(|text| ((case, is_kept), (subject, true, (*text).to_owned()))),
            );
        }
    }
    let (expected, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    for (((case, is_kept), (_, _, text)), answer) in
        expected.iter().zip(&values).zip(harness.run(&values))
    {
        let is_right = match &answer {
            Answer::Ok(json) => *is_kept && equal(text, json) && in_order(case, json),
            Answer::Violations(_) => !is_kept,
            Answer::Encoding(_) => false,
        };
        if !is_right {
            problems.push(format!(
                "{}: {text}: {answer:?}\n  schema: {}",
                case.name, case.schema
            ));
        }
    }
    println!(
        "typify: {} cases, {} values, {} wrong",
        cases.len(),
        values.len(),
        problems.len()
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn subject(name: &str, schema: &str) -> Subject {
    let text =
        format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}"#);
    Subject::new("typify", &format!("{name}.json"), text)
}

/// Whether both are the same, numbers compared by value.
fn equal(text: &str, json: &RawValue) -> bool {
    let [one, other]: [Value; 2] =
        [text, json.get()].map(|text| serde_json::from_str(text).expect("JSON"));
    losses(&json!({}), &|_, _| true, &one, &other).is_empty()
}

/// Members that have a field come in the order of the schema.
fn in_order(case: &Case, json: &RawValue) -> bool {
    case.name != "order" || case.kept.contains(&json.get())
}
