//! What the parts of a call cost, each beside the least that could do for it.
//!
//! `cargo bench -p relay-bench --bench parts`

use std::hint::black_box;
use std::io::Cursor;

use relay_bench::part::{Part, measure};
use relay_runtime::{Definition, Server, stdio};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use serde_json::value::RawValue;
use tokio::io::sink;
use tokio::runtime::{Builder, Runtime};

/// The tools whose tables are walked.
#[allow(missing_docs, reason = "generated")]
mod tools {
    relay_runtime::include_tools!("parts.rs");
}

use tools::definitions;

/// How often a run does what is small.
const REPEATS: usize = 1000;

/// As a model writes a note.
const NOTE: &str = r#"{"title":"Water the plants","body":"The ones on the balcony every day, the ones in the kitchen once a week.","tags":["home","plants"],"priority":"high","due":"2026-12-31"}"#;

/// The same note as the notebook gives it back.
const STORED: &str = r#"{"id":17,"title":"Water the plants","body":"The ones on the balcony every day, the ones in the kitchen once a week.","tags":["home","plants"],"priority":"high","due":"2026-12-31","created":1790000000}"#;

/// What only the checker decides over.
const ADDRESS: &str = r#"{"name":"Ada Lovelace","street":"12 St James's Square","country":"GB","code":"SW1Y 4JH","tags":["mathematics","engines"]}"#;

fn main() {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    measure(vec![
        framing(&runtime),
        envelope(&runtime, "envelope (ping, 2025-11-25)", ""),
        envelope(
            &runtime,
            "envelope (ping, 2026-07-28)",
            r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}"#,
        ),
        decoding("fast path", definitions::remark(), NOTE),
        derived(),
        decoding("fast path (`uniqueItems`)", definitions::add_note(), NOTE),
        checker(),
        encoding("encoding", definitions::remark()),
        encoding("encoding (`uniqueItems`)", definitions::add_note()),
    ]);
}

/// Long lines that ask for nothing, so that finding where they end is most of it.
fn framing(runtime: &Runtime) -> Part<'_> {
    let text = "a line that has an end ".repeat(3000);
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/nothing\",\"params\":{{\"text\":\"{text}\"}}}}\n"
    );
    lines(runtime, "framing (lines of 64 KiB)", line.repeat(100))
}

/// Short lines that ask for nothing but an answer.
fn envelope<'a>(runtime: &'a Runtime, title: &'static str, params: &str) -> Part<'a> {
    let lines_of = (0..REPEATS)
        .map(|id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"{params}}}\n"));
    lines(runtime, title, lines_of.collect())
}

/// Serves lines, against finding and reading them.
fn lines<'a>(runtime: &'a Runtime, title: &'static str, lines: String) -> Part<'a> {
    let same = lines.clone().into_bytes();
    Part {
        title,
        against: "memchr and `from_slice::<IgnoredAny>`",
        ours: Box::new(move || {
            let reader = Cursor::new(lines.clone());
            let server = Server::new("bench", "0.0.0");
            runtime
                .block_on(stdio::serve_stream(server, (), reader, sink()))
                .expect("it serves");
        }),
        theirs: Box::new(move || {
            let same = same.clone();
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', &same) {
                let line = &same[start..end];
                black_box(serde_json::from_slice::<IgnoredAny>(line).expect("JSON"));
                start = end + 1;
            }
        }),
        less: None,
    }
}

/// Arguments, decoded and checked.
fn decoding<I: DeserializeOwned + 'static, O: 'static>(
    title: &'static str,
    definition: Definition<I, O>,
    arguments: &'static str,
) -> Part<'static> {
    let raw: Box<RawValue> = serde_json::from_str(arguments).expect("JSON");
    Part {
        title,
        against: "`from_slice` into the same struct",
        ours: repeated(move || {
            black_box(definition.decode_input(black_box(&raw))).expect("it fits");
        }),
        theirs: repeated(move || {
            let bytes = black_box(arguments).as_bytes();
            black_box(serde_json::from_slice::<I>(bytes)).expect("it fits");
        }),
        less: None,
    }
}

/// The same beside what serde's own derive reads, which takes more than the contract lets pass.
fn derived() -> Part<'static> {
    /// The note without any of its bounds.
    #[derive(Deserialize)]
    struct Note {
        title: String,
        body: Option<String>,
        tags: Option<Vec<String>>,
        priority: Option<Priority>,
        due: Option<Option<String>>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Priority {
        Low,
        Normal,
        High,
    }

    let Part { ours, .. } = decoding("", definitions::remark(), NOTE);
    Part {
        title: "fast path",
        against: "`from_slice` into a struct of serde's derive",
        ours,
        theirs: repeated(|| {
            let bytes = black_box(NOTE).as_bytes();
            let note: Note = serde_json::from_slice(bytes).expect("it fits");
            black_box((&note.title, &note.body, &note.tags, &note.due));
            black_box(note.priority.map(|priority| match priority {
                Priority::Low | Priority::Normal | Priority::High => 1,
            }));
        }),
        less: None,
    }
}

/// Arguments that have to be parsed and checked, and decoded then.
fn checker() -> Part<'static> {
    Part {
        against: "`from_slice::<Value>`",
        theirs: repeated(|| {
            let bytes = black_box(ADDRESS).as_bytes();
            black_box(serde_json::from_slice::<Value>(bytes)).expect("JSON");
        }),
        ..decoding(
            "checker (`unevaluatedProperties`)",
            definitions::register(),
            ADDRESS,
        )
    }
}

/// A result, encoded and checked before it leaves.
fn encoding<I: 'static, O: Serialize + Clone + 'static>(
    title: &'static str,
    definition: Definition<I, O>,
) -> Part<'static> {
    let stored: Box<RawValue> = serde_json::from_str(STORED).expect("JSON");
    let note = definition.decode_output(&stored).expect("it fits");
    let same = note.clone();
    Part {
        title,
        against: "`to_vec`",
        ours: repeated(move || {
            black_box(definition.encode_output(black_box(&note))).expect("it fits");
        }),
        theirs: repeated(move || {
            black_box(serde_json::to_vec(black_box(&same))).expect("it has a JSON form");
        }),
        // It gives a `RawValue`, which reads the text once more.
        less: Some(repeated(|| {
            black_box(RawValue::from_string(black_box(STORED).to_owned())).expect("JSON");
        })),
    }
}

fn repeated<'a>(mut work: impl FnMut() + 'a) -> Box<dyn FnMut() + 'a> {
    Box::new(move || {
        for _ in 0..REPEATS {
            work();
        }
    })
}
