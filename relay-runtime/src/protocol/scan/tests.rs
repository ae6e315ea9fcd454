use super::*;

fn with_outline<T>(text: &str, look: impl FnOnce(&Outline<'_>) -> T) -> T {
    match scan(text, 64, &mut Notes::default()) {
        Ok(Root::Object(outline)) => look(&outline),
        other => panic!("{text}: {other:?}"),
    }
}

fn top(text: &str, name: &str) -> Option<String> {
    with_outline(text, |outline| outline.top.get(name).map(str::to_owned))
}

fn duplicate_in(text: &str) -> Option<String> {
    with_outline(text, |outline| outline.duplicate.clone())
}

#[test]
fn the_members_that_matter_are_found() {
    let text = r#" { "id" : 1 , "params":{"a":{"_meta":{"no":0}},"_meta":{"x":[{"_meta":{"no":0}}],"\u0079":2},"n":"t"}, "other":{"_meta":{"no":1}}, "z":[{"params":{"no":0}}] } "#;
    with_outline(text, |outline| {
        assert_eq!(outline.top.get("id"), Some("1"));
        assert_eq!(outline.params.get("n"), Some("\"t\""));
        assert_eq!(outline.meta.get("x"), Some(r#"[{"_meta":{"no":0}}]"#));
        assert_eq!(outline.meta.get("y"), Some("2"));
        assert_eq!(outline.meta.get("no"), None);
        assert_eq!(outline.params.get("no"), None);
        assert_eq!(outline.duplicate, None);
    });
}

#[test]
fn params_that_are_an_array_have_no_members() {
    with_outline(r#"{"params":[{"_meta":{"x":1}},{"a":1}]}"#, |outline| {
        assert_eq!(outline.params.get("a"), None);
        assert_eq!(outline.meta.get("x"), None);
    });
}

#[test]
fn nothing_is_left_of_the_line_before() {
    let mut notes = Notes::default();
    let full = r#"{"id":1,"params":{"name":"a","_meta":{"progressToken":1}}}"#;
    assert!(scan(full, 64, &mut notes).is_ok());
    assert!(scan(r#"{"id":{"broken":"#, 64, &mut notes).is_err());
    match scan("{}", 64, &mut notes) {
        Ok(Root::Object(Outline {
            top, params, meta, ..
        })) => {
            let members = [top, params, meta];
            assert!(
                members
                    .iter()
                    .all(|members| members.iter().next().is_none())
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_many_members_have_grown_is_given_back() {
    let members: Vec<String> = (0..100_000).map(|key| format!("\"{key}\":0")).collect();
    let many = format!("{{\"params\":{{{}}}}}", members.join(","));
    let mut notes = Notes::default();
    assert!(scan(&many, 64, &mut notes).is_ok());
    assert!(scan("{}", 64, &mut notes).is_ok());
    assert!(notes.open.capacity() + notes.params.capacity() < 10_000);
}

#[test]
fn a_duplicate_is_found_anywhere() {
    for text in [
        r#"{"a":1,"a":2}"#,
        r#"{"a":[{"b":1,"c":2,"\u0062":3}]}"#,
        r#"{"x":{"k1":0,"k2":0,"k3":0,"k4":0,"k5":0,"k6":0,"k7":0,"k8":0,"k9":0,"k3":0}}"#,
    ] {
        assert!(duplicate_in(text).is_some(), "{text}");
    }
    for text in [
        r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#,
        r#"{"\"a":1,"a":2}"#,
    ] {
        assert_eq!(duplicate_in(text), None, "{text}");
    }
}

#[test]
fn depth_is_bounded_without_recursion() {
    let is_too_deep = |levels: usize| {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        with_outline(&deep, |outline| outline.too_deep)
    };
    assert!(!is_too_deep(63));
    assert!(is_too_deep(64));
    assert!(is_too_deep(1_000_000));
    let text = r#"{"a":[[[[[[["]\"]"]]]]]]],"id":5}"#;
    assert_eq!(top(text, "id").as_deref(), Some("5"));
}

#[test]
fn it_agrees_with_serde_json_on_what_is_json() {
    for text in [
        "{}",
        "[]",
        "0",
        "-0",
        "-1.5e+3",
        "1e400",
        "\"\\ud83d\\ude00\"",
        "\"\u{2028}\"",
        "null",
        "true",
        "false",
        " [ 1 , 2 ] ",
        "{\"a\":[]}",
        "",
        " ",
        "{",
        "}",
        "[1,]",
        "[,1]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "01",
        "1.",
        ".5",
        "-",
        "1e",
        "+1",
        "NaN",
        "Infinity",
        "nul",
        "truee",
        "\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\t\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "{} {}",
        "[1 2]",
        "{\"a\" 1}",
        "'a'",
        "[\"a\":1]",
        "{\"a\",1}",
        "[}",
        "{]",
        "\u{feff}1",
    ] {
        // A number beyond f64 is JSON, though serde_json can't hold it.
        let json = text == "1e400" || serde_json::from_str::<serde_json::Value>(text).is_ok();
        assert_eq!(
            scan(text, 64, &mut Notes::default()).is_ok(),
            json,
            "{text}"
        );
    }
}

#[test]
fn the_first_byte_that_is_not_plain_is_found_wherever_it_stands() {
    for filler in [
        b'a', 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA0, 0xA2, 0xDC, 0xFF,
    ] {
        for length in 0..150 {
            let plain = vec![filler; length];
            assert_eq!(plain::plain_length(&plain), length);
            for special in [b'"', b'\\', 0x00, 0x1F, b'\n'] {
                let mut bytes = plain.clone();
                bytes.extend([special, filler, b'"', 0x00]);
                bytes.extend_from_slice(&plain);
                assert_eq!(
                    plain::plain_length(&bytes),
                    length,
                    "{filler:x} {special:x}"
                );
            }
        }
    }
}

#[test]
fn a_meta_like_the_last_is_read_like_any_other() {
    let mut notes = Notes::default();
    let lines = [
        r#"{"id":1,"params":{"_meta":{"a":"x","\u0062":{"c":[1]}}}}"#,
        r#"{"params" : { "name":"long", "_meta" :{"a":"x","\u0062":{"c":[1]}} , "z":0},"id":2}"#,
        r#"{"id":3,"params":{"_meta":{"a":"x","\u0062":{"c":[2]}}}}"#,
        r#"{"id":4,"params":{"_meta":{"a":"x","\u0062":{"c":[2]}},"_meta":{"a":"x","\u0062":{"c":[2]}}}}"#,
        r#"{"id":5,"params":{"_meta":{"a":1,"a":2}}}"#,
        r#"{"id":6,"params":{"_meta":{"a":1,"a":2}}}"#,
        r#"{"id":7,"params":{"_meta":{"a":"x","\u0062":{"c":[2]}}"#,
        r#"{"id":8,"params":{"_meta":{}}}"#,
        r#"{"id":9,"params":{"_meta":[]}}"#,
    ];
    for line in lines {
        let seen = |root: &Result<Root<'_>, Broken>| match root {
            Ok(Root::Object(outline)) => {
                let members = |members: &Members<'_>| {
                    let members = members.iter();
                    members
                        .map(|(name, value)| format!("{name} {value}"))
                        .collect::<Vec<_>>()
                };
                let all = [outline.top, outline.params, outline.meta].map(|of| members(&of));
                format!("{all:?} {:?}", outline.duplicate)
            }
            other => format!("{other:?}"),
        };
        let again = seen(&scan(line, 64, &mut notes));
        assert_eq!(
            again,
            seen(&scan(line, 64, &mut Notes::default())),
            "{line}"
        );
    }
}

#[test]
fn a_meta_has_the_number_of_the_last_only_if_it_is_the_same_text() {
    let mut notes = Notes::default();
    let mut number = |meta: &str| {
        let line = format!(r#"{{"params":{{"_meta":{meta}}}}}"#);
        match scan(&line, 64, &mut notes) {
            Ok(Root::Object(outline)) => outline.meta_text,
            other => panic!("{line}: {other:?}"),
        }
    };
    let first = number(r#"{"a":1}"#);
    assert!(first.is_some());
    assert_eq!(number(r#"{"a":1}"#), first);
    let second = number(r#"{"a":2}"#);
    assert!(second.is_some() && second != first);
    assert_eq!(number(r#"{"b":1,"b":1}"#), None);
    assert_eq!(number(r#"{"a":2}"#), second);
    let third = number(r#"{"a":1}"#);
    assert!(third.is_some() && third != first && third != second);
}
