//! Settings, and what keeps a server from starting.

#![cfg(feature = "server")]

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use relay_runtime::content::ContentBlock;
use relay_runtime::stdio::{self, StdioError};
use relay_runtime::{Call, Definition, Limits, Server, Tool};
use serde_json::{Value, json};

fn echo() -> Tool {
    let echo: Definition<Value> = Definition::content("echo", json!({"type": "object"}));
    echo.handle(|_: Call, _| async move { Ok(ContentBlock::text("echo").into()) })
}

fn server() -> Server {
    Server::new("s", "1").tool(echo())
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let twice = server().tools([echo()]);
    let error = stdio::serve_async(twice, ())
        .await
        .expect_err("two of a name");
    assert!(matches!(error, StdioError::StartupFailed { .. }));
    assert_eq!(
        error.to_string(),
        "the server could not start: two tools have the name `echo`: give one of them another name"
    );

    let error = stdio::serve(server(), ()).expect_err("inside of a runtime");
    assert!(matches!(error, StdioError::StartupFailed { .. }));
    assert!(error.to_string().contains("stdio::serve_async"), "{error}");
}

#[test]
fn what_needs_a_runtime_says_so() {
    let mut serving = pin!(stdio::serve_async(server(), ()));
    match serving
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(Err(StdioError::StartupFailed { reason })) => {
            assert!(reason.contains("`stdio::serve`"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn settings_are_checked() {
    for size in [0, (16 << 20) + 1] {
        let config = stdio::Config::new().with_chunk_size(size);
        let error = stdio::serve_with(server(), (), config).expect_err("out of range");
        assert_eq!(
            error.to_string(),
            format!("the read chunk must be from 1 to 16777216 bytes, but is {size}")
        );
    }
    let error = Limits::new().with_depth(7).expect_err("out of range");
    assert_eq!(
        (error.field, error.value, error.min, error.max),
        ("depth", 7, 8, 120)
    );
    assert_eq!(
        error.to_string(),
        "the limit `depth` must be from 8 to 120, but is 7"
    );
    for (field, result) in [
        ("frame_bytes", Limits::new().with_frame_bytes(0)),
        ("calls_in_flight", Limits::new().with_calls_in_flight(0)),
        ("queued_calls", Limits::new().with_queued_calls(usize::MAX)),
        ("queued_bytes", Limits::new().with_queued_bytes(usize::MAX)),
        ("unsent_bytes", Limits::new().with_unsent_bytes(1)),
        ("reply_bytes", Limits::new().with_reply_bytes(1)),
        (
            "handler_timeout",
            Limits::new().with_handler_timeout(Duration::ZERO),
        ),
        ("grace", Limits::new().with_grace(Duration::MAX)),
        ("page_size", Limits::new().with_page_size(0)),
        (
            "state_ttl",
            Limits::new().with_state_ttl(Duration::from_millis(999)),
        ),
    ] {
        assert_eq!(result.expect_err("out of range").field, field);
    }
}
