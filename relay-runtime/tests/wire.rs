//! The cases of `tests/wire`, on a server in this process; and those that are no text.

#![cfg(feature = "server")]

mod common;

use common::{cases, compare, server};
use std::time::Duration;

use relay_runtime::{CacheScope, Limits, Server, stdio};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Sends all, closes the stream, and gives back all that came.
async fn converse(server: Server, sent: &[u8], chunk: usize) -> (String, Result<(), String>) {
    let (client, ours) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(ours);
    let (mut answers, mut requests) = tokio::io::split(client);
    let send = async {
        for bytes in sent.chunks(chunk) {
            requests.write_all(bytes).await.expect("the server reads");
        }
        requests.shutdown().await.expect("the server reads");
    };
    let serve = async {
        // The writer is dropped with the future, which ends the answers.
        stdio::serve_stream(server, (), reader, writer)
            .await
            .map_err(|error| error.to_string())
    };
    let mut came = String::new();
    let (served, (), read) = tokio::join!(serve, send, answers.read_to_string(&mut came));
    read.expect("what is written is UTF-8");
    (came, served)
}

#[tokio::test]
async fn every_case_is_answered_as_it_says() {
    let cases = cases();
    assert!(cases.len() > 20, "the cases are there");
    let mut failures = Vec::new();
    for case in cases {
        for chunk in [1 << 16, 7] {
            let (came, served) = converse(server(), case.sent.as_bytes(), chunk).await;
            assert_eq!(served, Ok(()), "{}", case.name);
            failures.extend(compare(&case, &came).err());
            assert!(!came.contains(['\u{2028}', '\u{2029}']), "{}", case.name);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

async fn answers(limits: Limits, sent: impl AsRef<[u8]>) -> Vec<Value> {
    let (came, served) = converse(server().limits(limits), sent.as_ref(), 1 << 16).await;
    assert_eq!(served, Ok(()));
    came.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn echo(id: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{{META},"name":"echo","arguments":{{"text":"{text}"}}}},"id":{id}}}"#
    )
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"]
        .as_i64()
        .unwrap_or_else(|| panic!("no error: {answer}"))
}

#[tokio::test]
async fn the_list_is_sorted_and_the_schemas_are_as_they_were_given() {
    let sent = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let answers = answers(Limits::new(), sent).await;
    let result = &answers[0]["result"];
    let names: Vec<&str> = result["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    assert_eq!(names.len(), 14);
    assert_eq!(
        result["tools"][0],
        serde_json::json!({
            "name": "add",
            "title": "Add",
            "description": "Adds two integers.",
            "inputSchema": {
                "type": "object",
                "properties": { "b": { "type": "integer" }, "a": { "type": "integer" } },
                "required": ["a", "b"]
            },
            "outputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "idempotentHint": true }
        })
    );
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&0.into(), &"private".into())
    );
    assert_eq!(result["resultType"], "complete");
}

#[tokio::test]
async fn a_server_without_tools_serves() {
    let sent = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let (came, served) = converse(Server::new("empty", "1"), sent.as_bytes(), 64).await;
    assert_eq!(served, Ok(()));
    assert!(came.contains("\"tools\":[]"), "{came}");
}

#[tokio::test]
async fn results_need_not_say_who_the_server_is() {
    let list = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let metas = echo("2", "x").replace("\"echo\"", "\"metas\"");
    let sent = format!("{list}\n{}\n{metas}", echo("3", "x"));
    let quiet = server().info_in_results(false);
    let (came, served) = converse(quiet, sent.as_bytes(), 1 << 16).await;
    assert_eq!(served, Ok(()));
    assert_eq!(came.lines().count(), 3);
    assert!(!came.contains("serverInfo"), "{came}");
    assert!(
        came.contains(r#""_meta":{"example.com/test":"result"}}"#),
        "{came}"
    );
}

#[tokio::test]
async fn a_server_may_be_modern_only() {
    let sent = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let (came, served) = converse(server().modern_only(true), sent.as_bytes(), 1 << 16).await;
    assert_eq!(served, Ok(()));
    let answers: Vec<Value> = came
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!((code(&answers[0]), code(&answers[1])), (-32601, -32602));
    for answer in &answers {
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.contains("2026-07-28"), "{message}");
        assert!(!message.contains("2025"), "{message}");
    }
}

#[tokio::test]
async fn a_list_may_be_kept_for_as_long_as_the_server_says() {
    let sent = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let kept = server()
        .list_ttl(Duration::from_secs(60))
        .cache_scope(CacheScope::Public);
    let (came, _) = converse(kept, sent.as_bytes(), 1 << 16).await;
    assert!(
        came.contains(r#""ttlMs":60000,"cacheScope":"public""#),
        "{came}"
    );
}

/// Random calls and cancels, the same in every run. The even ids are never cancelled: each of
/// their requests has one answer. Of the others, none has more.
#[tokio::test]
async fn cancels_between_calls_do_no_harm() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    const IDS: usize = 8;
    let mut asked = [0; IDS];
    let mut sent = String::new();
    for _ in 0..5_000 {
        let id = usize::try_from(random(IDS as u64)).expect("small");
        if id % 2 == 1 && random(3) == 0 {
            sent += &format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
            );
        } else {
            asked[id] += 1;
            sent += &echo(&id.to_string(), "x");
        }
        sent.push('\n');
    }
    let limits = Limits::new().with_calls_in_flight(2).expect("in range");
    let (came, served) = converse(server().limits(limits), sent.as_bytes(), 200).await;
    assert_eq!(served, Ok(()));
    let mut answered = [0; IDS];
    for line in came.lines() {
        let answer: Value = serde_json::from_str(line).expect("JSON");
        let id = answer["id"]
            .as_u64()
            .and_then(|id| usize::try_from(id).ok());
        answered[id.expect("an id that was sent")] += 1;
    }
    let unanswered = asked.iter().sum::<usize>() - answered.iter().sum::<usize>();
    assert!(unanswered > 0, "some cancel came in time");
    for id in 0..IDS {
        if id % 2 == 0 {
            assert_eq!(answered[id], asked[id], "{id}");
        } else {
            assert!((1..=asked[id]).contains(&answered[id]), "{id}");
        }
    }
}

/// Random damage, the same in every run: each line is answered as one message, or not at all.
#[tokio::test]
async fn damaged_lines_do_no_harm() {
    let good: Vec<String> = cases()
        .iter()
        .flat_map(|case| case.sent.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| !line.contains("\"big\"") && !line.contains("panics"))
        .collect();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut sent = Vec::new();
    const LINES: usize = 5_000;
    const DAMAGE: &[u8] = b"{}[]\",:\\0eE-.u\xff\x01";
    for _ in 0..LINES {
        let mut line = good[random(good.len())].clone().into_bytes();
        for _ in 0..random(4) {
            let at = random(line.len());
            match random(4) {
                0 => line.truncate(at),
                1 => line.insert(at, DAMAGE[random(DAMAGE.len())]),
                2 if at < line.len() => line[at] = DAMAGE[random(DAMAGE.len())],
                _ if at < line.len() => drop(line.remove(at)),
                _ => {}
            }
        }
        line.retain(|byte| *byte != b'\n');
        sent.extend_from_slice(&line);
        sent.push(b'\n');
    }
    let (came, served) = converse(server(), &sent, 1 << 16).await;
    assert_eq!(served, Ok(()));
    let mut answers = 0;
    for line in came.lines() {
        let answer: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(answer["jsonrpc"], "2.0");
        if answer["method"] == "notifications/progress" {
            continue;
        }
        answers += 1;
        assert!(
            answer.get("result").is_some() != answer.get("error").is_some(),
            "{line}"
        );
    }
    assert!(answers <= LINES);
}
