//! A schema or a value can make the checker neither run away nor give up in silence.
#![cfg(feature = "dynamic")]

use std::fmt::Write;

use relay_runtime::check::Table;

fn broken(schema: &str, value: &str) -> Vec<String> {
    let table = Table::compile(schema).expect("a schema");
    let violations = table.check(value).expect_err("it is not valid");
    violations.iter().map(ToString::to_string).collect()
}

/// A chain of refs that never looks at the value, and ends in a type.
fn chain(length: usize, root: &str) -> String {
    let mut defs = String::new();
    for place in 0..length {
        // Writing to a string does not fail.
        let _ = write!(defs, r##""d{place}":{{"$ref":"#/$defs/d{}"}},"##, place + 1);
    }
    format!(r##"{{{root},"$defs":{{{defs}"d{length}":{{"type":"string"}}}}}}"##)
}

#[test]
fn a_schema_within_its_limits_is_checked() {
    let schema = chain(300, r##""$ref":"#/$defs/d0""##);
    assert!(
        Table::compile(&schema)
            .expect("a schema")
            .check(r#""a""#)
            .is_ok()
    );
}

/// The limit is an error of the whole check: nothing that was left out counts as fitting or not.
#[test]
fn too_many_schemas_inside_each_other_are_an_error_even_in_not() {
    for root in [
        r##""$ref":"#/$defs/d0""##,
        r##""not":{"$ref":"#/$defs/d0"}"##,
        r##""anyOf":[{"$ref":"#/$defs/d0"},{}]"##,
    ] {
        let found = broken(&chain(1000, root), r#""a""#);
        assert_eq!(
            found,
            ["can't be checked: its schema applies over 400 schemas inside each other"],
            "{root}"
        );
    }
}

/// In the least stack that threads have, without optimisation.
#[test]
fn the_deepest_check_fits_the_stack() {
    let schema = r##"{"properties":{"a":{"anyOf":[{"allOf":[{"if":{},"then":{"$ref":"#"}}]}]}}}"##;
    let value = format!("{}1{}", r#"{"a":"#.repeat(110), "}".repeat(110));
    let work = move || {
        let found = Table::compile(schema).expect("a schema").check(&value);
        assert!(
            found
                .expect_err("over the limit")
                .to_string()
                .contains("inside each other")
        );
    };
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn a_schema_that_multiplies_its_work_is_stopped() {
    let mut schema = String::from("{\"$defs\":{");
    for place in 0..30 {
        let next = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, place + 1);
        let _ = write!(schema, r#""d{place}":{{"anyOf":[{next},{next}]}},"#);
    }
    schema += r##""d30":{"type":"string"}},"$ref":"#/$defs/d0"}"##;
    assert_eq!(
        broken(&schema, "1"),
        ["can't be checked: it takes over 10000000 steps"]
    );
}

#[test]
fn a_pattern_that_multiplies_its_work_is_stopped() {
    // Repeats inside repeats are not too much, but a look ahead from every place is.
    let long = format!("\"{}b\"", "a".repeat(200_000));
    let found = broken(r#"{"pattern":"^((a+)+)+$"}"#, &long);
    assert!(
        found[0].starts_with("must match the pattern"),
        "{}",
        found[0]
    );
    let found = broken(r#"{"pattern":"^((?!.*z)a)*$"}"#, &long);
    assert_eq!(
        found,
        ["can't be checked: its pattern takes too many steps"]
    );
}

#[test]
fn violations_are_few_and_short_whatever_comes() {
    let name = "k".repeat(100_000);
    let value = format!(r#"{{"{name}":[{}1]}}"#, "1e999,".repeat(50_000));
    let found = broken("{}", &value);
    assert_eq!(found.len(), 20);
    assert!(
        found.iter().all(|violation| violation.len() < 400),
        "{}",
        found[0]
    );
    let members: String = (0..50_000).fold(String::new(), |mut members, place| {
        let _ = write!(members, "\"m{place}\":1,");
        members
    });
    let found = broken(
        r#"{"additionalProperties":false}"#,
        &format!("{{{members}\"z\":1}}"),
    );
    assert_eq!(found.len(), 20);
}
