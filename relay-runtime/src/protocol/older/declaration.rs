//! Declarations of tools, and of the server itself, for older clients.

use std::borrow::Cow;

use crate::check;
use crate::protocol::message::write_string;
use crate::protocol::revision::Revision;

/// The members that not every revision has, each with the first that has it.
type Since = [(&'static str, Revision)];

const TOOL: &Since = &[
    ("annotations", Revision::V2025_03_26),
    ("title", Revision::V2025_06_18),
    ("outputSchema", Revision::V2025_06_18),
    ("_meta", Revision::V2025_06_18),
    ("icons", Revision::V2025_11_25),
];

const SERVER: &Since = &[
    ("title", Revision::V2025_06_18),
    ("description", Revision::V2025_11_25),
    ("websiteUrl", Revision::V2025_11_25),
    ("icons", Revision::V2025_11_25),
];

/// Whether the server's description has this member in the revision.
pub(in crate::protocol) fn server_knows(member: &str, revision: Revision) -> bool {
    knows(SERVER, member, revision)
}

fn knows(since: &Since, member: &str, revision: Revision) -> bool {
    since
        .iter()
        .all(|(name, first)| *name != member || revision >= *first)
}

/// Appends the declaration of a tool. What stays keeps its order and its text.
pub(in crate::protocol) fn write_tool(out: &mut Vec<u8>, json: &str, revision: Revision) {
    let mut members = match check::members(json) {
        Some(members) if !revision.is_modern() => members,
        _ => return out.extend_from_slice(json.as_bytes()),
    };
    members.retain(|(name, value)| {
        knows(TOOL, name, revision) && (name != "outputSchema" || is_object_schema(value))
    });
    write_object(out, &members, &|out, name, value| match name {
        "inputSchema" | "outputSchema" => write_schema(out, value),
        _ => write(out, value),
    });
}

/// The older revisions say of both schemas that their root is `"type": "object"`, literally.
fn is_object_schema(schema: &str) -> bool {
    members(schema)
        .iter()
        .any(|(name, value)| name == "type" && *value == r#""object""#)
}

/// Appends a schema; the older revisions say of its properties that each is an object.
fn write_schema(out: &mut Vec<u8>, schema: &str) {
    write_object(out, &members(schema), &|out, name, value| match name {
        "properties" => write_object(out, &members(value), &write_property),
        _ => write(out, value),
    });
}

fn write_property(out: &mut Vec<u8>, _: &str, schema: &str) {
    match schema {
        "true" => out.extend_from_slice(b"{}"),
        "false" => out.extend_from_slice(br#"{"not":{}}"#),
        object => out.extend_from_slice(object.as_bytes()),
    }
}

fn write_object(
    out: &mut Vec<u8>,
    members: &[(Cow<'_, str>, &str)],
    write_value: &dyn Fn(&mut Vec<u8>, &str, &str),
) {
    out.push(b'{');
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_string(out, name);
        out.push(b':');
        write_value(out, name, value);
    }
    out.push(b'}');
}

fn write(out: &mut Vec<u8>, value: &str) {
    out.extend_from_slice(value.as_bytes());
}

/// Of anything but an object: none.
fn members(json: &str) -> Vec<(Cow<'_, str>, &str)> {
    check::members(json).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::write_tool;
    use crate::check::MAX_DEPTH;
    use crate::protocol::revision::Revision;

    const TOOL: &str = r#"{"name":"t","title":"T","inputSchema":{"required":["b"],"type":"object","properties":{"b":true,"a":false,"n":{"minimum":1.50}},"additionalProperties":false},"outputSchema":{"properties":{"x":true},"type":"object"},"annotations":{"readOnlyHint":true},"icons":[],"_meta":{"k":1}}"#;

    fn written(json: &str, revision: Revision) -> String {
        let mut out = Vec::new();
        write_tool(&mut out, json, revision);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_revision_gets_what_it_knows() {
        let input = r#""inputSchema":{"required":["b"],"type":"object","properties":{"b":{},"a":{"not":{}},"n":{"minimum":1.50}},"additionalProperties":false}"#;
        let output = r#""outputSchema":{"properties":{"x":{}},"type":"object"}"#;
        let hints = r#""annotations":{"readOnlyHint":true}"#;
        let meta = r#""_meta":{"k":1}"#;
        for (revision, wanted) in [
            (Revision::V2024_11_05, format!(r#"{{"name":"t",{input}}}"#)),
            (
                Revision::V2025_03_26,
                format!(r#"{{"name":"t",{input},{hints}}}"#),
            ),
            (
                Revision::V2025_06_18,
                format!(r#"{{"name":"t","title":"T",{input},{output},{hints},{meta}}}"#),
            ),
            (
                Revision::V2025_11_25,
                format!(r#"{{"name":"t","title":"T",{input},{output},{hints},"icons":[],{meta}}}"#),
            ),
            (Revision::V2026_07_28, TOOL.to_owned()),
        ] {
            assert_eq!(written(TOOL, revision), wanted, "{revision:?}");
        }
    }

    /// As deep as a server starts with.
    #[test]
    fn what_is_nested_deep_is_cut_all_the_same() {
        let levels = MAX_DEPTH - 1;
        let deep = "[".repeat(levels) + "0" + &"]".repeat(levels);
        let tool = format!(r#"{{"name":"t","title":"T","_meta":{deep}}}"#);
        assert_eq!(written(&tool, Revision::V2024_11_05), r#"{"name":"t"}"#);
    }

    #[test]
    fn an_output_schema_that_is_not_literally_an_object_is_left_out() {
        for schema in [
            "true",
            "{}",
            r#"{"type":["object"]}"#,
            r##"{"$ref":"#/$defs/a"}"##,
        ] {
            let tool = format!(
                r#"{{"name":"t","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}"#
            );
            assert_eq!(
                written(&tool, Revision::V2025_11_25),
                r#"{"name":"t","inputSchema":{"type":"object"}}"#
            );
        }
    }
}
