//! What a violation says: each in one voice, for a model to act on.
#![cfg(feature = "dynamic")]

use relay_runtime::check::Table;

#[test]
fn violations_say_what_was_wanted_and_what_came() {
    let change = r##"{"oneOf":[
        {"type":"object","properties":{"kind":{"const":"receive"},"amount":{"type":"integer","minimum":1}},"required":["kind","amount"]},
        {"type":"object","properties":{"kind":{"const":"ship"},"to":{"type":"string"}},"required":["kind","to"]}
    ]}"##;
    let either =
        r#"{"anyOf":[{"type":"object","required":["x"]},{"type":"object","required":["y"]}]}"#;
    for (schema, value, wanted) in [
        (
            r#"{"type":"string"}"#,
            "5",
            "must be a string, but is the number 5",
        ),
        (
            r#"{"type":["integer","null"]}"#,
            "1.5",
            "must be an integer or null, but is the number 1.5",
        ),
        (
            r#"{"enum":["small","large"]}"#,
            r#""smal""#,
            r#"must be one of "small", "large", but is the string "smal"; did you mean "small"?"#,
        ),
        (
            r#"{"const":[1,{"a":null}]}"#,
            "[]",
            r#"must be [1,{"a":null}], but is an array of 0 items"#,
        ),
        (
            r#"{"minLength":2}"#,
            r#""é""#,
            "must have at least 2 characters, but has 1",
        ),
        (
            r#"{"pattern":"^a"}"#,
            r#""b""#,
            r#"must match the pattern ^a, but is "b""#,
        ),
        (
            r#"{"exclusiveMaximum":0.1}"#,
            "0.10",
            "must be less than 0.1, but is 0.10",
        ),
        (
            r#"{"multipleOf":0.01}"#,
            "0.015",
            "must be a multiple of 0.01, but is 0.015",
        ),
        (
            r#"{"required":["a"]}"#,
            "{}",
            r#"must have the member "a", which is missing"#,
        ),
        (
            r#"{"uniqueItems":true}"#,
            "[1,2,1.0]",
            "must have no item twice, but items 0 and 2 are equal",
        ),
        (
            r#"{"items":{"type":"integer","minimum":0}}"#,
            "[-1]",
            "/0: must be at least 0, but is -1",
        ),
        (
            r#"{"items":{"type":"integer","minimum":0}}"#,
            "[18446744073709551616]",
            "/0: must be an integer of at most 18446744073709551615, but is 18446744073709551616",
        ),
        (
            r#"{"properties":{"a/b":false}}"#,
            r#"{"a/b":1}"#,
            "/a~1b: is not allowed here",
        ),
        (
            change,
            r#"{"kind":"shp","to":"Bob"}"#,
            r#"/kind: must be one of "receive", "ship", but is the string "shp"; did you mean "ship"?"#,
        ),
        (
            change,
            r#"{"kind":"receive","amount":0}"#,
            "must fit one of its 2 allowed forms, but an object of 2 members fits none\n/amount: must be at least 1, but is 0",
        ),
        (
            either,
            "{}",
            "must fit one of its 2 allowed forms, but an object of 0 members fits none",
        ),
    ] {
        let table = Table::compile(schema).expect("a schema");
        let violations = table.check(value).expect_err("it is not valid");
        assert_eq!(violations.to_string(), wanted, "{schema}");
    }
}
