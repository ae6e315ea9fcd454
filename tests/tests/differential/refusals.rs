//! Arguments that are refused whatever the schema says.

use relay_tests::subjects::{Subject, contract_of};
use relay_tests::{Answer, Harness};
use serde_json::json;

/// A schema that allows anything below its one member, a struct, a map, a list and a union.
fn subject() -> Subject {
    let schema = json!({
        "type": "object",
        "properties": {
            "any": true,
            "a": {"type": "object", "properties": {"b": {"type": ["integer", "null"]}}},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "union": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"b": {"type": "integer"}}}]},
        },
        "additionalProperties": {"type": "string"},
    });
    Subject::new(
        "refusals",
        "any.json",
        contract_of("any", &schema).to_string(),
    )
}

#[test]
fn a_member_that_is_there_twice_is_refused_at_any_depth() {
    let texts = [
        r#"{"any":1,"any":1}"#,
        r#"{"any":{"x":1,"x":2}}"#,
        r#"{"any":[{"x":[{"y":null,"y":null}]}]}"#,
        r#"{"a":{"b":1,"b":null}}"#,
        r#"{"a":{"b":null,"b":null}}"#,
        r#"{"a":{"z":1,"z":2}}"#,
        r#"{"map":{"x":1,"x":1}}"#,
        r#"{"union":{"b":1,"b":1}}"#,
        r#"{"x":"a","x":"b"}"#,
        r#"{"x":"a","\u0078":"b"}"#,
        r#"{"any":{"":1,"":1}}"#,
        "{\"any\":{\"\u{e9}\":1,\"\\u00e9\":1}}",
    ];
    refused(&texts.map(str::to_owned), "differential-twice");
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let deep = |levels: usize| {
        [
            format!("{{\"any\":{}1{}}}", "[".repeat(levels), "]".repeat(levels)),
            format!(
                "{{\"any\":{}1{}}}",
                "{\"a\":".repeat(levels),
                "}".repeat(levels)
            ),
        ]
    };
    let subject = subject();
    let harness = Harness::build("differential-deep", std::slice::from_ref(&subject));
    let values = [deep(60), deep(110)]
        .concat()
        .into_iter()
        .map(|text| (&subject, false, text));
    for answer in harness.run(&values.collect::<Vec<_>>()) {
        assert!(matches!(answer, Answer::Ok(_)), "{answer:?}");
    }
    // serde_json, with which the program reads its lines, allows 127 levels.
    let values = deep(122).into_iter().map(|text| (&subject, false, text));
    for answer in harness.run(&values.collect::<Vec<_>>()) {
        let Answer::Violations(texts) = answer else {
            panic!("{answer:?}")
        };
        assert!(texts[0].contains("nested deeper"), "{texts:?}");
    }
}

fn refused(texts: &[String], name: &str) {
    let subject = subject();
    let harness = Harness::build(name, std::slice::from_ref(&subject));
    for is_output in [false, true] {
        let values: Vec<_> = texts
            .iter()
            .map(|text| (&subject, is_output, text.clone()))
            .collect();
        for (text, answer) in texts.iter().zip(harness.run(&values)) {
            assert!(
                matches!(answer, Answer::Violations(_)),
                "{text}: {answer:?}"
            );
        }
    }
}
