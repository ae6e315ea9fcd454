use super::*;

fn outline(text: &str) -> Outline<'_> {
    match scan(text, 64) {
        Ok(Root::Object(outline)) => outline,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn the_members_that_matter_are_found() {
    let outline = outline(
        r#" { "id" : 1 , "params":{"a":{"_meta":{"no":0}},"_meta":{"x":[{"_meta":{"no":0}}],"\u0079":2},"n":"t"}, "other":{"_meta":{"no":1}}, "z":[{"params":{"no":0}}] } "#,
    );
    assert_eq!(outline.top.get("id"), Some("1"));
    assert_eq!(outline.params.get("n"), Some("\"t\""));
    assert_eq!(outline.meta.get("x"), Some(r#"[{"_meta":{"no":0}}]"#));
    assert_eq!(outline.meta.get("y"), Some("2"));
    assert_eq!(outline.meta.get("no"), None);
    assert_eq!(outline.params.get("no"), None);
    assert_eq!(outline.duplicate, None);
}

#[test]
fn params_that_are_an_array_have_no_members() {
    let outline = outline(r#"{"params":[{"_meta":{"x":1}},{"a":1}]}"#);
    assert_eq!(outline.params.get("a"), None);
    assert_eq!(outline.meta.get("x"), None);
}

#[test]
fn a_duplicate_is_found_anywhere() {
    for text in [
        r#"{"a":1,"a":2}"#,
        r#"{"a":[{"b":1,"c":2,"\u0062":3}]}"#,
        r#"{"x":{"k1":0,"k2":0,"k3":0,"k4":0,"k5":0,"k6":0,"k7":0,"k8":0,"k9":0,"k3":0}}"#,
    ] {
        assert!(outline(text).duplicate.is_some(), "{text}");
    }
    assert!(
        outline(r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#)
            .duplicate
            .is_none()
    );
}

#[test]
fn depth_is_bounded_without_recursion() {
    let deep = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(!outline(&deep(63)).too_deep);
    assert!(outline(&deep(64)).too_deep);
    assert!(outline(&deep(1_000_000)).too_deep);
    assert_eq!(
        outline(r#"{"a":[[[[[[["]\"]"]]]]]]],"id":5}"#)
            .top
            .get("id"),
        Some("5")
    );
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
        assert_eq!(scan(text, 64).is_ok(), json, "{text}");
    }
}

#[test]
fn the_first_byte_that_is_not_plain_is_found_wherever_it_stands() {
    for filler in [
        b'a', 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA0, 0xA2, 0xDC, 0xFF,
    ] {
        for length in 0..150 {
            let plain = vec![filler; length];
            assert_eq!(super::plain_length(&plain), length);
            for special in [b'"', b'\\', 0x00, 0x1F, b'\n'] {
                let mut bytes = plain.clone();
                bytes.extend([special, filler, b'"', 0x00]);
                bytes.extend_from_slice(&plain);
                assert_eq!(
                    super::plain_length(&bytes),
                    length,
                    "{filler:x} {special:x}"
                );
            }
        }
    }
}
