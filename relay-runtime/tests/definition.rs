//! What a definition publishes, and what is refused.

use relay_runtime::content::{ContentBlock, Icon, Meta};
use relay_runtime::{DefineError, Definition};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Input {
    name: String,
}

type Plain = Definition<Input, Value>;

fn object() -> Value {
    json!({"type": "object"})
}

fn refused(name: &str, input: Value, output: Value) -> (DefineError, String) {
    let error = Plain::try_new(name, input, output).expect_err("it is refused");
    let text = error.to_string();
    assert!(!text.contains('\n'), "one line: {text}");
    (error, text)
}

#[test]
fn a_name_is_checked() {
    assert_eq!(
        refused("", object(), object()),
        (
            DefineError::EmptyName,
            "a tool needs a name, but it is empty".to_owned()
        )
    );
    let name = "n".repeat(129);
    assert_eq!(
        refused(&name, object(), object()).0,
        DefineError::NameTooLong {
            name: name.clone(),
            max: 128,
            actual: 129
        }
    );
    for (name, character) in [
        ("get weather", ' '),
        ("wetter\n", '\n'),
        ("größe", 'ö'),
        ("a/b", '/'),
    ] {
        let (error, text) = refused(name, object(), object());
        assert_eq!(
            error,
            DefineError::InvalidNameCharacter {
                name: name.into(),
                character
            }
        );
        assert!(text.contains(&format!("{character:?}")), "{text}");
    }
    for name in ["a", "A-z_0.9", &"n".repeat(128)] {
        assert!(Plain::try_new(name, object(), object()).is_ok(), "{name}");
    }
}

#[test]
fn an_input_schema_is_of_an_object() {
    for (schema, kind) in [
        (json!(null), "null"),
        (json!(true), "a boolean"),
        (json!([]), "an array"),
        (json!({}), "without a `type`"),
        (json!({"type": "string"}), "of type \"string\""),
        (
            json!({"type": ["object", "null"]}),
            "of type [\"object\",\"null\"]",
        ),
    ] {
        let (error, text) = refused("t", schema.clone(), object());
        let wanted = DefineError::InputSchemaNotObject {
            name: "t".into(),
            kind: kind.into(),
        };
        assert_eq!(error, wanted);
        assert!(
            text.starts_with(&format!("tool `t`: the input schema is {kind}, ")),
            "{text}"
        );
        let content: Result<Definition<Input>, _> = Definition::try_content("t", schema);
        assert_eq!(content.expect_err("it is refused"), wanted);
    }
}

#[test]
fn an_output_schema_is_an_object_of_any_type() {
    for (schema, kind) in [
        (json!(false), "a boolean"),
        (json!("x"), "a string"),
        (json!(1), "a number"),
    ] {
        let (error, text) = refused("t", object(), schema);
        assert_eq!(
            error,
            DefineError::OutputSchemaNotObject {
                name: "t".into(),
                kind: kind.into()
            }
        );
        assert_eq!(
            text,
            format!("tool `t`: the output schema is {kind}, it must be a JSON object")
        );
    }
    assert!(Plain::try_new("t", object(), json!({"type": "array"})).is_ok());
}

#[test]
#[should_panic(expected = "tool `t`: the input schema is an array")]
fn new_panics_with_the_name() {
    let _ = Plain::new("t", json!([]), object());
}

#[test]
#[should_panic(expected = "the name has the character ' '")]
fn content_panics_with_the_name() {
    let _: Definition<Input> = Definition::content("a b", object());
}

#[test]
#[should_panic(expected = "tool `t`: the input schema is without a `type`")]
fn another_input_schema_is_checked_too() {
    let _ = Plain::new("t", object(), object()).with_input_schema(json!({}));
}

#[test]
fn the_declaration_has_what_was_set_and_nothing_else() {
    let bare = Definition::<Input>::content("t", object());
    assert_eq!(
        serde_json::to_string(&bare.declaration()).expect("it encodes"),
        r#"{"name":"t","inputSchema":{"type":"object"}}"#
    );
    let full = Plain::new("t", object(), object())
        .with_title("T")
        .with_description("Does.")
        .with_read_only_hint(true)
        .with_destructive_hint(false)
        .with_idempotent_hint(true)
        .with_open_world_hint(false)
        .with_icons([Icon::new("https://example.com/i")])
        .with_meta(Meta::from_iter([("example.com/a".to_owned(), json!(1))]))
        .with_required_client_capabilities(["elicitation"])
        .with_input_schema(json!({"type": "object", "title": "published"}));
    let declaration = full.declaration();
    assert_eq!(
        serde_json::to_value(&declaration).expect("it encodes"),
        json!({
            "name": "t",
            "title": "T",
            "description": "Does.",
            "inputSchema": {"type": "object", "title": "published"},
            "outputSchema": {"type": "object"},
            "annotations": {
                "readOnlyHint": true, "destructiveHint": false,
                "idempotentHint": true, "openWorldHint": false
            },
            "icons": [{"src": "https://example.com/i"}],
            "_meta": {"example.com/a": 1}
        })
    );
    assert_eq!(declaration.annotations.read_only_hint, Some(true));
    assert_eq!(full.required_client_capabilities(), ["elicitation"]);
}

#[test]
fn values_cross_the_wire_and_come_back() {
    let tool = Plain::new("t", object(), object());
    let input = Input { name: "n".into() };
    let json = tool.encode_input(&input).expect("it encodes");
    assert_eq!(json.get(), r#"{"name":"n"}"#);
    assert_eq!(tool.decode_input(&json), Ok(input));
    let json = tool.encode_output(&json!({"n": [1]})).expect("it encodes");
    assert_eq!(tool.decode_output(&json), Ok(json!({"n": [1]})));

    let content = Definition::<Input>::content("t", object());
    let blocks = vec![ContentBlock::text("a")];
    let json = content.encode_output(&blocks).expect("it encodes");
    assert_eq!(content.decode_output(&json), Ok(blocks));
}

#[cfg(not(feature = "dynamic"))]
#[test]
fn without_a_table_serde_alone_decides() {
    let strict =
        json!({"type": "object", "properties": {"name": {"type": "string", "minLength": 5}}});
    let tool = Plain::new("t", strict, object());
    use serde_json::value::RawValue;

    let json = RawValue::from_string(r#"{"name":"n"}"#.into()).expect("JSON");
    assert!(tool.decode_input(&json).is_ok());
    let json = RawValue::from_string(r#"{"name":1}"#.into()).expect("JSON");
    let violations = tool.decode_input(&json).expect_err("serde refuses it");
    assert_eq!(violations.iter().count(), 1);
}

#[test]
fn a_clone_is_the_same_and_debug_names_it() {
    let tool = Plain::new("t", object(), object());
    assert_eq!(tool.clone().name(), "t");
    assert!(format!("{tool:?}").starts_with("Definition { name: \"t\""));
}

/// With `dynamic`, what the schema says is checked, whatever serde would take.
#[cfg(feature = "dynamic")]
#[test]
fn schemas_made_by_hand_decide() {
    use relay_runtime::{DefineError, Definition};
    use serde_json::{Value, json, value::to_raw_value};

    let schema = json!({ "type": "object", "properties": { "n": { "minimum": 1 } }, "additionalProperties": false });
    let definition: Definition<Value> = Definition::content("count", schema);
    let decode = |value: Value| definition.decode_input(&to_raw_value(&value).expect("it encodes"));
    assert_eq!(
        decode(json!({ "n": 1 })).expect("it is valid"),
        json!({ "n": 1 })
    );
    let broken = decode(json!({ "n": 0, "m": 1 }))
        .expect_err("it is not")
        .to_string();
    assert_eq!(
        broken,
        "/m: is no member that the contract knows; did you mean \"n\"?\n/n: must be at least 1, but is 0"
    );
    let bad = json!({ "type": "object", "properties": { "n": { "minimum": "1" } } });
    let refused = Definition::<Value>::try_content("count", bad).expect_err("it is no schema");
    assert!(
        matches!(refused, DefineError::InvalidSchema { side: "input", .. }),
        "{refused}"
    );
    assert!(
        refused.to_string().contains("/properties/n/minimum"),
        "{refused}"
    );
}
