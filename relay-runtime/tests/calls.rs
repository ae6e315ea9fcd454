//! The life of calls: side by side, waiting, dropped; and the streams that they come from.

#![cfg(feature = "server")]

mod talk;

use std::io;
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use relay_runtime::content::ContentBlock;
use relay_runtime::stdio::{self, StdioError};
use relay_runtime::{Call, Definition, Limits, Server, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, ReadBuf};
use tokio::sync::{Semaphore, mpsc};

use talk::{Talk, modern, refused, text};

/// What the tools of these tests share with them: given to `serve` as the context.
struct Gate {
    /// A `wait` call ends with one permit.
    permits: Semaphore,
    /// Says that a `wait` call has started.
    started: mpsc::UnboundedSender<String>,
    /// How many `wait` calls were dropped or have ended.
    ended: AtomicUsize,
}

type Shared = Arc<Gate>;

fn any<I: Serialize + for<'de> Deserialize<'de>>(name: &str) -> Definition<I> {
    Definition::content(name, json!({"type": "object"}))
}

fn wait() -> Tool<Shared> {
    any::<Value>("wait").handle(|call: Call<Shared>, _| async move {
        struct Ended(Shared);
        impl Drop for Ended {
            fn drop(&mut self) {
                self.0.ended.fetch_add(1, Ordering::SeqCst);
            }
        }
        let gate = call.context();
        let _ended = Ended(Arc::clone(gate));
        gate.started.send(call.request_id().to_string())?;
        gate.permits.acquire().await?.forget();
        Ok(ContentBlock::text("waited").into())
    })
}

/// Goes on until it is told to stop.
fn heed() -> Tool<Shared> {
    any::<Value>("heed").handle(|call: Call<Shared>, _| async move {
        let started = &call.context().started;
        started.send(call.request_id().to_string())?;
        assert!(!call.is_cancelled());
        call.report_progress(1.0, None, Some("waiting"));
        call.cancelled().await;
        call.report_progress(2.0, None, Some("stopping"));
        assert!(call.is_cancelled());
        started.send(call.request_id().to_string())?;
        Ok(ContentBlock::text("stopped").into())
    })
}

fn brief() -> Tool<Shared> {
    any::<Value>("brief")
        .with_timeout(Duration::from_millis(10))
        .handle(|_: Call<Shared>, _| std::future::pending())
}

fn fill() -> Tool<Shared> {
    any::<Value>("fill").handle(|call: Call<Shared>, _| async move {
        call.context().started.send(call.request_id().to_string())?;
        Ok(ContentBlock::text("x".repeat(10_000)).into())
    })
}

/// A client of a server whose tools wait for each other.
struct Gated {
    talk: Talk,
    gate: Shared,
    started: mpsc::UnboundedReceiver<String>,
}

impl Gated {
    fn new(limits: Limits) -> Self {
        let (started_sender, started) = mpsc::unbounded_channel();
        let gate = Arc::new(Gate {
            permits: Semaphore::new(0),
            started: started_sender,
            ended: AtomicUsize::new(0),
        });
        let server = Server::new("gate", "1")
            .tools([wait(), heed(), brief(), fill()])
            .limits(limits);
        Self {
            talk: Talk::new(server, Arc::clone(&gate)),
            gate,
            started,
        }
    }

    async fn call(&mut self, id: u32, tool: &str) {
        self.send(&call(id, tool)).await;
    }

    async fn has_started(&mut self, id: u32) {
        assert_eq!(self.started.recv().await, Some(id.to_string()));
    }

    async fn end(self) -> Result<String, StdioError> {
        self.talk.end().await
    }
}

impl Deref for Gated {
    type Target = Talk;

    fn deref(&self) -> &Talk {
        &self.talk
    }
}

impl DerefMut for Gated {
    fn deref_mut(&mut self) -> &mut Talk {
        &mut self.talk
    }
}

fn call(id: u32, tool: &str) -> String {
    let arguments = json!({"padding": "x".repeat(100)});
    let params = json!({"name": tool, "arguments": arguments});
    modern(id, "tools/call", params, json!({}))
}

#[tokio::test]
async fn a_slow_call_does_not_hold_up_a_fast_one() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    talk.call(2, "fill").await;
    assert_eq!(talk.answer().await["id"], 2);
    talk.gate.permits.add_permits(1);
    assert_eq!(text(&talk.answer().await), "waited");
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn an_id_in_flight_is_refused_and_free_after_the_reply() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    talk.call(1, "fill").await;
    assert_eq!(refused(&talk.answer().await), (-32600, 1));
    talk.send(&call(1, "fill").replace("tools/call", "tools/list"))
        .await;
    assert_eq!(refused(&talk.answer().await), (-32600, 1));
    talk.gate.permits.add_permits(1);
    assert_eq!(text(&talk.answer().await), "waited");
    talk.call(1, "fill").await;
    assert_eq!(text(&talk.answer().await).len(), 10_000);
}

fn cancel(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"tired"}}}}"#
    )
}

#[tokio::test]
async fn a_cancelled_call_is_told_and_never_answered() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "heed").await;
    talk.has_started(1).await;
    talk.send(&cancel("1")).await;
    // It says so itself once it has heard of it.
    talk.has_started(1).await;
    talk.call(2, "fill").await;
    assert_eq!(talk.answer().await["id"], 2);
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn progress_is_told_until_the_cancel() {
    let mut talk = Gated::new(Limits::new());
    let with_token = call(1, "heed").replace("\"_meta\":{", "\"_meta\":{\"progressToken\":\"t\",");
    talk.send(&with_token).await;
    talk.has_started(1).await;
    let told = talk.answer().await;
    assert_eq!(
        told["params"],
        json!({"progressToken": "t", "progress": 1.0, "message": "waiting"})
    );
    talk.send(&cancel("1")).await;
    talk.has_started(1).await;
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn the_id_of_a_cancelled_call_is_free_at_once() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    talk.send(&cancel("1")).await;
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    // The first one ends too, and its answer is not taken for that of the second.
    talk.gate.permits.add_permits(2);
    assert_eq!(text(&talk.answer().await), "waited");
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn a_call_in_the_queue_is_cancelled_too() {
    let limits = Limits::new().with_calls_in_flight(1).expect("in range");
    let mut talk = Gated::new(limits);
    for id in 1..4 {
        talk.call(id, "wait").await;
    }
    talk.has_started(1).await;
    talk.send(&cancel("2")).await;
    talk.gate.permits.add_permits(1);
    assert_eq!(talk.answer().await["id"], 1);
    talk.has_started(3).await;
    talk.gate.permits.add_permits(1);
    assert_eq!(talk.answer().await["id"], 3);
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn a_cancel_that_names_no_call_is_ignored() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    for line in [
        cancel("\"1\""),
        cancel("2"),
        cancel("1.0"),
        cancel("[1]"),
        cancel("1,\"requestId\":1"),
        cancel("1").replace("2.0", "1.0"),
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.to_owned(),
    ] {
        talk.send(&line).await;
    }
    talk.gate.permits.add_permits(1);
    assert_eq!(text(&talk.answer().await), "waited");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_takes_too_long_is_told_then_dropped() {
    let limits = Limits::new().with_handler_timeout(Duration::from_millis(1500));
    let mut talk = Gated::new(limits.expect("in range"));
    talk.call(1, "wait").await;
    talk.call(2, "heed").await;
    // What the handler answers within the grace is sent.
    let answer = talk.answer().await;
    assert_eq!((&answer["id"], text(&answer)), (&2.into(), "stopped"));
    let answer = talk.answer().await;
    assert_eq!(
        (&answer["id"], text(&answer)),
        (&1.into(), "Tool execution timed out after 1.5 s.")
    );
    assert_eq!(answer["result"]["isError"], true);
    // The handler is gone, and its place is free.
    talk.call(1, "fill").await;
    assert_eq!(text(&talk.answer().await).len(), 10_000);
    assert_eq!(talk.gate.ended.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_handler_that_goes_on_is_dropped_and_frees_its_place() {
    let limits = Limits::new().with_calls_in_flight(1).expect("in range");
    let mut talk = Gated::new(limits);
    talk.call(1, "wait").await;
    talk.call(2, "fill").await;
    talk.send(&cancel("1")).await;
    assert_eq!(talk.answer().await["id"], 2);
    assert_eq!(talk.gate.ended.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_may_have_a_time_of_its_own() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "wait").await;
    talk.call(2, "brief").await;
    let answer = talk.answer().await;
    assert_eq!(
        (&answer["id"], text(&answer)),
        (&2.into(), "Tool execution timed out after 0.01 s.")
    );
    let answer = talk.answer().await;
    assert_eq!(
        (&answer["id"], text(&answer)),
        (&1.into(), "Tool execution timed out after 30 s.")
    );
}

#[tokio::test]
async fn calls_over_the_limit_wait_in_their_order() {
    let limits = Limits::new().with_calls_in_flight(1).expect("in range");
    let mut talk = Gated::new(limits);
    for id in 1..4 {
        talk.call(id, "wait").await;
    }
    // An id that waits in the queue is in flight too; and its refusal shows that all are read.
    talk.call(3, "wait").await;
    assert_eq!(refused(&talk.answer().await), (-32600, 3));
    for id in 1..4 {
        talk.has_started(id).await;
        assert!(talk.started.try_recv().is_err(), "one at a time");
        talk.gate.permits.add_permits(1);
        assert_eq!(talk.answer().await["id"], id);
    }
}

#[tokio::test(start_paused = true)]
async fn what_waits_when_the_server_ends_is_answered_and_never_begins() {
    let limits = Limits::new().with_calls_in_flight(1).expect("in range");
    let timeout = Duration::from_secs(60);
    let mut talk = Gated::new(limits.with_handler_timeout(timeout).expect("in range"));
    talk.call(1, "heed").await;
    talk.call(2, "wait").await;
    talk.has_started(1).await;
    talk.requests = None;
    assert_eq!(refused(&talk.answer().await), (-32603, 2));
    // The one that runs is told, and has the time to answer.
    assert_eq!(text(&talk.answer().await), "stopped");
    talk.has_started(1).await;
    assert!(talk.started.try_recv().is_err(), "the second never began");
    assert_eq!(talk.end().await.expect("a clean end"), "");
}

#[tokio::test]
async fn a_full_queue_refuses_and_says_so() {
    let one = Limits::new().with_calls_in_flight(1).expect("in range");
    let few_calls = one.clone().with_queued_calls(1).expect("in range");
    let few_bytes = one.with_queued_bytes(400).expect("in range");
    for limits in [few_calls, few_bytes] {
        let mut talk = Gated::new(limits);
        for id in 1..4 {
            talk.call(id, "wait").await;
        }
        let answer = talk.answer().await;
        assert_eq!(refused(&answer), (-32603, 3));
        assert!(
            answer["error"]["message"]
                .as_str()
                .is_some_and(|text| text.contains("full"))
        );
        talk.gate.permits.add_permits(2);
        assert_eq!(talk.answer().await["id"], 1);
        assert_eq!(talk.answer().await["id"], 2);
    }
}

#[tokio::test]
async fn what_is_in_flight_at_the_end_is_answered() {
    let limits = Limits::new().with_calls_in_flight(1).expect("in range");
    let mut talk = Gated::new(limits);
    talk.call(1, "wait").await;
    talk.call(2, "wait").await;
    talk.has_started(1).await;
    let gate = Arc::clone(&talk.gate);
    let (rest, ()) = tokio::join!(talk.end(), async { gate.permits.add_permits(2) });
    let rest = rest.expect("a clean end");
    assert_eq!(rest.lines().count(), 2, "{rest}");
}

#[tokio::test]
async fn what_goes_on_after_the_grace_is_dropped() {
    let mut talk = Gated::new(Limits::new().with_grace(Duration::ZERO).expect("in range"));
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    let gate = Arc::clone(&talk.gate);
    assert_eq!(talk.end().await.expect("a clean end"), "");
    until(|| gate.ended.load(Ordering::SeqCst) == 1).await;
}

#[tokio::test]
async fn dropping_the_future_drops_the_calls() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    talk.serving.abort();
    until(|| talk.gate.ended.load(Ordering::SeqCst) == 1).await;
}

#[tokio::test]
async fn an_output_that_nobody_reads_ends_it() {
    let mut talk = Gated::new(Limits::new());
    talk.call(1, "wait").await;
    talk.has_started(1).await;
    talk.answers = BufReader::new(tokio::io::duplex(1).0);
    talk.call(2, "fill").await;
    let served = talk.talk.serving.await.expect("no panic");
    assert!(
        matches!(served, Err(StdioError::StdoutBroken { .. })),
        "{served:?}"
    );
    until(|| talk.gate.ended.load(Ordering::SeqCst) == 1).await;
}

/// Lets the other tasks of this thread run until something holds; no time is waited.
async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn unsent_replies_are_bounded_and_then_reading_pauses() {
    const CALLS: u32 = 200;
    let limits = Limits::new().with_unsent_bytes(30_000).expect("in range");
    let mut talk = Gated::new(limits);
    let mut requests = talk.requests.take().expect("the input is open");
    let sending = tokio::spawn(async move {
        for id in 0..CALLS {
            let line = call(id, "fill") + "\n";
            requests
                .write_all(line.as_bytes())
                .await
                .expect("the server reads");
        }
    });
    // All runs on this thread: after so many turns, whoever can go on has gone on.
    for _ in 0..10_000 {
        tokio::task::yield_now().await;
    }
    assert!(!sending.is_finished(), "the server has stopped reading");
    let mut started = 0;
    while talk.started.try_recv().is_ok() {
        started += 1;
    }
    // The limit, the calls of one chunk of input, and those that the full streams hold.
    assert!(started < 30, "{started} calls have run");
    let rest = talk.end().await.expect("a clean end");
    assert_eq!(rest.lines().count(), CALLS as usize);
    sending.await.expect("all was sent");
}

/// An error that panics when it should say what it is.
#[derive(Debug)]
struct Mute;

impl std::fmt::Display for Mute {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("no words")
    }
}

impl std::error::Error for Mute {}

/// A type that panics wherever user code runs.
#[derive(Deserialize)]
#[serde(try_from = "Value")]
struct Explosive {
    at: String,
}

impl TryFrom<Value> for Explosive {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let at = value["at"].as_str().unwrap_or_default().to_owned();
        assert_ne!(at, "decode");
        Ok(Self { at })
    }
}

impl Serialize for Explosive {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        assert_ne!(self.at, "encode");
        serializer.serialize_unit()
    }
}

impl Drop for Explosive {
    fn drop(&mut self) {
        assert_ne!(self.at, "drop");
    }
}

#[tokio::test]
async fn a_panic_anywhere_fails_only_its_call() {
    let definition: Definition<Explosive, Explosive> =
        Definition::new("explode", json!({"type": "object"}), json!({}));
    let tool: Tool = definition.handle(|_: Call, input| {
        assert_ne!(input.at, "call");
        async move {
            tokio::task::yield_now().await;
            assert_ne!(input.at, "run");
            if input.at == "display" {
                return Err(Mute.into());
            }
            Ok(input.into())
        }
    });
    let (client, ours) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(ours);
    let serving = stdio::serve_stream(Server::new("s", "1").tool(tool), (), reader, writer);
    let serving = tokio::spawn(serving);
    let (mut answers, mut requests) = tokio::io::split(client);
    for (id, at) in [
        "call", "run", "decode", "encode", "drop", "display", "nowhere",
    ]
    .iter()
    .enumerate()
    {
        let line = call(id as u32, "explode")
            .replace(r#""padding":""#, &format!(r#""at":"{at}","padding":""#));
        requests
            .write_all((line + "\n").as_bytes())
            .await
            .expect("the server reads");
    }
    requests.shutdown().await.expect("the server reads");
    let mut came = String::new();
    answers.read_to_string(&mut came).await.expect("UTF-8");
    serving.await.expect("no panic").expect("a clean end");
    assert_eq!(came.lines().count(), 7, "{came}");
    assert_eq!(came.matches("Tool execution failed.").count(), 6, "{came}");
}

#[tokio::test]
async fn a_reader_that_fails_is_read_failed() {
    struct Failing;
    impl AsyncRead for Failing {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()))
        }
    }
    let empty: Server = Server::new("s", "1");
    let served = stdio::serve_stream(empty, (), Failing, tokio::io::sink()).await;
    assert!(
        matches!(served, Err(StdioError::ReadFailed { .. })),
        "{served:?}"
    );
}
