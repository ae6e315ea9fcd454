//! The server that the tests talk to, and the cases of `tests/wire`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use relay_runtime::content::{
    Annotations, ContentBlock, Icon, IconTheme, Meta, ResourceContents, ResourceLink, Role,
};
use relay_runtime::{Call, Definition, Reply, Server, Tool, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Add {
    a: i64,
    b: i64,
}

#[derive(Serialize, Deserialize)]
pub struct Sum {
    sum: i64,
}

#[derive(Serialize, Deserialize)]
pub struct Text {
    text: String,
}

#[derive(Serialize, Deserialize)]
pub struct Size {
    bytes: usize,
}

/// A server with a tool for everything that a call can come to.
pub fn server() -> Server {
    Server::new("test", "1.2.3")
        .title("Test")
        .description("For the tests.")
        .icons([Icon::new("https://example.com/i.png").with_mime_type("image/png")])
        .website_url("https://example.com")
        .instructions("Call the tools.")
        .tools([
            add(),
            echo(),
            kinds(),
            metas(),
            worded(),
            needs(),
            steps(),
            info(),
            big(),
        ])
        .tools([fail(), private_fail(), bad_output(), panics(), print_err()])
}

fn add() -> Tool {
    let numbers = json!({
        "type": "object",
        "properties": { "b": { "type": "integer" }, "a": { "type": "integer" } },
        "required": ["a", "b"]
    });
    let definition: Definition<Add, Sum> =
        Definition::new("add", numbers, json!({"type": "object"}));
    definition
        .with_title("Add")
        .with_description("Adds two integers.")
        .with_read_only_hint(true)
        .with_idempotent_hint(true)
        .handle(|_: Call, input| async move {
            let sum = input
                .a
                .checked_add(input.b)
                .ok_or(ToolError::message("Too large."))?;
            Ok(Sum { sum }.into())
        })
}

fn echo() -> Tool {
    content("echo")
        .handle(|_: Call, input: Text| async move { Ok(ContentBlock::text(input.text).into()) })
}

/// All kinds of content, with all their members.
fn kinds() -> Tool {
    content("kinds").handle(|_: Call, _: Value| async move { Ok(all_kinds().into()) })
}

fn metas() -> Tool {
    let definition: Definition<Value, Value> =
        Definition::new("metas", json!({"type": "object"}), json!({}));
    definition.handle(|_: Call, input| async move {
        Ok(Reply::new(input)
            .with_meta(meta("block"))
            .with_result_meta(meta("result")))
    })
}

fn worded() -> Tool {
    let definition: Definition<Value, Value> =
        Definition::new("worded", json!({"type": "object"}), json!({}));
    definition.handle(|_: Call, _| async move {
        let words = [ContentBlock::text("in words")];
        Ok(Reply::new(json!([1, 2]))
            .with_content(words)
            .with_meta(meta("not here")))
    })
}

fn needs() -> Tool {
    content("needs")
        .with_required_client_capabilities(["elicitation", "sampling.tools", "elicitation.form"])
        .handle(|_: Call, _: Value| async move { Ok(ContentBlock::text("granted").into()) })
}

fn info() -> Tool {
    let definition: Definition<Value, Value> =
        Definition::new("info", json!({"type": "object"}), json!({}));
    definition.handle(|call: Call, _| async move {
        let client = call
            .client_info()
            .map(|client| format!("{} {}", client.name, client.version));
        Ok(json!({
            "tool": call.tool(),
            "id": call.request_id().as_str(),
            "number": call.request_id().as_i64(),
            "text": call.request_id().to_string(),
            "client": client,
            "capabilities": call.client_capabilities(),
            "version": call.protocol_version(),
            "traceparent": call.trace_context().traceparent,
            "key": call.idempotency_key(),
            "correlation": call.correlation(),
        })
        .into())
    })
}

/// Reports its progress, with reports in between that are none.
fn steps() -> Tool {
    content("steps").handle(|call: Call, _: Value| async move {
        call.report_progress(0.5, Some(3.0), Some("half a step"));
        for wrong in [0.5, 0.25, f64::NAN, f64::INFINITY] {
            call.report_progress(wrong, None, None);
        }
        call.report_progress(2.0, Some(f64::NAN), None);
        call.report_progress(3.0, None, Some("line\u{2028}separated"));
        Ok(ContentBlock::text("done").into())
    })
}

fn big() -> Tool {
    content("big").handle(|_: Call, input: Size| async move {
        Ok(ContentBlock::text("x".repeat(input.bytes)).into())
    })
}

fn fail() -> Tool {
    content("fail").handle(|_: Call, input: Value| async move {
        Err(match input.get("structured") {
            Some(structured) => {
                ToolError::with([ContentBlock::text("Refused.")], Some(structured.clone()))
            }
            None => ToolError::message("Refused."),
        })
    })
}

fn private_fail() -> Tool {
    content("private_fail").handle(|_: Call, _: Value| async move {
        let number: i64 = "secret".parse().map_err(|cause| Outer { cause })?;
        Ok(ContentBlock::text(number.to_string()).into())
    })
}

/// Its result has a key that is no string, so that it is no JSON.
fn bad_output() -> Tool {
    let definition: Definition<Value, BTreeMap<Vec<u8>, u8>> = Definition::new(
        "bad_output",
        json!({"type": "object"}),
        json!({"type": "object"}),
    );
    definition.handle(|_: Call, _| async move { Ok(BTreeMap::from([(vec![1], 1)]).into()) })
}

fn panics() -> Tool {
    content("panics").handle(|_: Call, _: Value| async move { panic!("the handler's secret") })
}

fn print_err() -> Tool {
    content("print_err").handle(|_: Call, _: Value| async move {
        eprintln!("from the handler");
        Ok(Vec::new().into())
    })
}

#[derive(Debug)]
struct Outer {
    cause: std::num::ParseIntError,
}

impl std::fmt::Display for Outer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the number could not be read")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

fn content<I: Serialize + for<'de> Deserialize<'de>>(name: &str) -> Definition<I> {
    Definition::content(name, json!({"type": "object"}))
}

fn meta(value: &str) -> Meta {
    Meta::from_iter([("example.com/test".to_owned(), json!(value))])
}

/// Every block with every optional member.
pub fn all_kinds() -> Vec<ContentBlock> {
    let annotations = Annotations::new()
        .with_audience([Role::User, Role::Assistant])
        .with_priority(0.5)
        .with_last_modified("2025-01-12T15:00:58Z");
    let icon = Icon::new("https://example.com/i.svg")
        .with_mime_type("image/svg+xml")
        .with_sizes(["48x48", "any"])
        .with_theme(IconTheme::Dark);
    let link = ResourceLink::new("file:///a.txt", "a")
        .with_title("A")
        .with_description("The first.")
        .with_mime_type("text/plain")
        .with_size(12)
        .with_icons([icon]);
    let text = ResourceContents::text("file:///b.txt", "b").with_mime_type("text/plain");
    let blob = ResourceContents::blob("file:///c", [0, 255]).with_meta(meta("blob"));
    [
        ContentBlock::text("line\u{2028}separated"),
        ContentBlock::image([137, 80, 78, 71], "image/png"),
        ContentBlock::audio([1, 2, 3], "audio/wav"),
        link.into(),
        ContentBlock::embedded(text),
        ContentBlock::embedded(blob),
    ]
    .into_iter()
    .map(|block| {
        block
            .with_annotations(annotations.clone())
            .with_meta(meta("block"))
    })
    .collect()
}

/// A case of `tests/wire`: what is sent, and what comes back in whatever order.
pub struct Case {
    pub name: String,
    pub sent: String,
    pub expected: Vec<Value>,
}

/// The two keys that a modern request has in its `_meta`.
pub const META: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
/// The `serverInfo` key of a result's `_meta`.
pub const INFO: &str = r#""io.modelcontextprotocol/serverInfo":{"description":"For the tests.","icons":[{"mimeType":"image/png","src":"https://example.com/i.png"}],"name":"test","title":"Test","version":"1.2.3","websiteUrl":"https://example.com"}"#;

/// The cases of every file of `tests/wire`, by file and line. The format is in its README.
pub fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let files: BTreeMap<String, String> = fs::read_dir(folder)
        .expect("tests/wire is there")
        .map(|entry| entry.expect("tests/wire can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a case file is text");
            (
                path.file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                text,
            )
        })
        .collect();
    files
        .iter()
        .flat_map(|(file, text)| file_cases(file, text))
        .collect()
}

fn file_cases(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", index + 1);
        let filled = line.replace("$META", META).replace("$INFO", INFO);
        if let Some(name) = line.strip_prefix("# ") {
            let name = format!("{place}: {name}");
            cases.push(Case {
                name,
                sent: String::new(),
                expected: Vec::new(),
            });
        } else if !line.is_empty() {
            let case = cases
                .last_mut()
                .unwrap_or_else(|| panic!("{place}: a case needs a name"));
            if let Some(sent) = filled.strip_prefix('>') {
                case.sent.push_str(sent.strip_prefix(' ').unwrap_or(sent));
                case.sent.push('\n');
            } else if let Some(expected) = filled.strip_prefix("< ") {
                let expected = serde_json::from_str(expected);
                case.expected
                    .push(expected.unwrap_or_else(|error| panic!("{place}: {error}")));
            } else {
                panic!("{place}: a line starts with `# `, `>` or `< `");
            }
        }
    }
    cases
}

/// Says how the written lines differ from what the case expects.
pub fn compare(case: &Case, written: &str) -> Result<(), String> {
    let mut left: Vec<Value> = Vec::new();
    for line in written.lines() {
        left.push(serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?);
    }
    for expected in &case.expected {
        let Some(found) = left.iter().position(|actual| matches(expected, actual)) else {
            return Err(format!(
                "{}\n  missing: {expected}\n  came: {written}",
                case.name
            ));
        };
        left.remove(found);
    }
    if left.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n  not expected: {left:?}", case.name))
}

/// Equal, where the string `$ANY` equals anything and `$ANY text` any string with that text.
pub fn matches(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(text), _) if text == "$ANY" => true,
        (Value::String(text), Value::String(actual)) if text.starts_with("$ANY ") => {
            actual.contains(&text["$ANY ".len()..])
        }
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len()
                && expected
                    .iter()
                    .zip(actual)
                    .all(|(expected, actual)| matches(expected, actual))
        }
        (Value::Object(expected), Value::Object(actual)) => {
            expected.len() == actual.len()
                && expected.iter().all(|(key, value)| {
                    actual.get(key).is_some_and(|actual| matches(value, actual))
                })
        }
        (expected, actual) => expected == actual,
    }
}
