//! What bounds a server.

use std::fmt;
use std::time::Duration;

use crate::paging::tools_are_paged;

/// What bounds a server: memory, nesting, concurrency and time.
///
/// | limit | default | allowed |
/// |---|---|---|
/// | frame bytes | 16 MiB | 1 KiB to 1 GiB |
/// | depth | 64 levels | 8 to 120 |
/// | calls in flight | 100 | 1 to 65,536 |
/// | queued calls | 10,000 | 0 to 1,000,000 |
/// | queued bytes | 64 MiB | 0 to 4 GiB |
/// | unsent bytes | 64 MiB | 1 KiB to 4 GiB |
/// | reply bytes | 10 MiB | 1 KiB to 1 GiB |
/// | handler timeout | 30 s | 1 ms to 24 h |
/// | grace | 5 s | 0 to 1 h |
/// | page size | all tools | 1 to 1,000,000 |
/// | state time to live | 10 min | 1 s to 24 h |
///
/// The defaults are Relay's own; MCP names none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub(crate) frame_bytes: usize,
    pub(crate) depth: usize,
    pub(crate) calls_in_flight: usize,
    pub(crate) queued_calls: usize,
    pub(crate) queued_bytes: usize,
    pub(crate) unsent_bytes: usize,
    pub(crate) reply_bytes: usize,
    pub(crate) handler_timeout: Duration,
    pub(crate) grace: Duration,
    /// `usize::MAX`: all tools.
    pub(crate) page_size: usize,
    pub(crate) state_ttl: Duration,
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const GIB: usize = 1 << 30;

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame_bytes: 16 * MIB,
            depth: 64,
            calls_in_flight: 100,
            queued_calls: 10_000,
            queued_bytes: 64 * MIB,
            unsent_bytes: 64 * MIB,
            reply_bytes: 10 * MIB,
            handler_timeout: Duration::from_secs(30),
            grace: Duration::from_secs(5),
            page_size: usize::MAX,
            state_ttl: Duration::from_secs(600),
        }
    }
}

impl Limits {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The longest message that is read, in bytes without its newline. Default: 16 MiB.
    ///
    /// A longer one is discarded and answered with -32600.
    ///
    /// # Errors
    ///
    /// Outside of 1 KiB to 1 GiB.
    pub fn with_frame_bytes(self, bytes: usize) -> Result<Self, LimitError> {
        let frame_bytes = check("frame_bytes", bytes, KIB, GIB)?;
        Ok(Self {
            frame_bytes,
            ..self
        })
    }

    /// How deep objects and arrays of a request may be nested, the message itself being the first
    /// level. Default: 64.
    ///
    /// A request that is deeper is answered with -32602.
    ///
    /// # Errors
    ///
    /// Outside of 8 to 120: fewer leave no room for the envelope, and serde_json decodes no more.
    pub fn with_depth(self, levels: usize) -> Result<Self, LimitError> {
        let depth = check("depth", levels, 8, 120)?;
        Ok(Self { depth, ..self })
    }

    /// How many handlers run at once; more calls wait in the queue. Default: 100.
    ///
    /// A call that waits for its client's answer (see [`Call::ask`](crate::Call::ask)) is none of
    /// them. As many of those may wait as may be queued.
    ///
    /// # Errors
    ///
    /// Outside of 1 to 65,536.
    pub fn with_calls_in_flight(self, calls: usize) -> Result<Self, LimitError> {
        let calls_in_flight = check("calls_in_flight", calls, 1, 65_536)?;
        Ok(Self {
            calls_in_flight,
            ..self
        })
    }

    /// How many calls wait for their turn. Default: 10,000.
    ///
    /// A call over that is answered with -32603.
    ///
    /// # Errors
    ///
    /// Over 1,000,000.
    pub fn with_queued_calls(self, calls: usize) -> Result<Self, LimitError> {
        let queued_calls = check("queued_calls", calls, 0, 1_000_000)?;
        Ok(Self {
            queued_calls,
            ..self
        })
    }

    /// How many bytes of requests wait for their turn. Default: 64 MiB.
    ///
    /// A call over that is answered with -32603.
    ///
    /// # Errors
    ///
    /// Over 4 GiB.
    pub fn with_queued_bytes(self, bytes: usize) -> Result<Self, LimitError> {
        let queued_bytes = check("queued_bytes", bytes, 0, GIB.saturating_mul(4))?;
        Ok(Self {
            queued_bytes,
            ..self
        })
    }

    /// How many bytes of replies wait for the client to read them. Default: 64 MiB.
    ///
    /// Above that, no more is read and no queued call starts, until half of it is written. The
    /// calls that are in flight then still add their replies.
    ///
    /// # Errors
    ///
    /// Outside of 1 KiB to 4 GiB.
    pub fn with_unsent_bytes(self, bytes: usize) -> Result<Self, LimitError> {
        let unsent_bytes = check("unsent_bytes", bytes, KIB, GIB.saturating_mul(4))?;
        Ok(Self {
            unsent_bytes,
            ..self
        })
    }

    /// The largest result that is sent, in bytes of JSON. Default: 10 MiB, above which clients of
    /// the TypeScript SDK drop the connection.
    ///
    /// A larger one becomes a failed call that says so.
    ///
    /// # Errors
    ///
    /// Outside of 1 KiB to 1 GiB.
    pub fn with_reply_bytes(self, bytes: usize) -> Result<Self, LimitError> {
        let reply_bytes = check("reply_bytes", bytes, KIB, GIB)?;
        Ok(Self {
            reply_bytes,
            ..self
        })
    }

    /// How long a handler may take. Default: 30 s. A tool may have its own:
    /// [`Definition::with_timeout`](crate::Definition::with_timeout), `x-relay.timeoutMs`.
    ///
    /// Then its [`Call`](crate::Call) is cancelled and the grace runs: an answer within it is sent;
    /// else the call fails with a text that says so, and the handler is dropped at its `.await`. One
    /// that blocks its thread goes on till then, and no longer counts as in flight.
    ///
    /// # Errors
    ///
    /// Outside of 1 ms to 24 h.
    pub fn with_handler_timeout(self, timeout: Duration) -> Result<Self, LimitError> {
        let handler_timeout = check_time("handler_timeout", timeout, 1, 24 * HOUR_MS)?;
        Ok(Self {
            handler_timeout,
            ..self
        })
    }

    /// How long handlers may go on after their call was cancelled or timed out, or a signal came;
    /// and after the end of the input before their calls are cancelled. Default: 5 s.
    ///
    /// # Errors
    ///
    /// Over an hour.
    pub fn with_grace(self, grace: Duration) -> Result<Self, LimitError> {
        let grace = check_time("grace", grace, 0, HOUR_MS)?;
        Ok(Self { grace, ..self })
    }

    /// How many tools are listed at once; a client asks for the next page with the cursor of the
    /// last. Default: all of them.
    ///
    /// # Errors
    ///
    /// Outside of 1 to 1,000,000.
    pub fn with_page_size(self, tools: usize) -> Result<Self, LimitError> {
        let page_size = check("page_size", tools, 1, 1_000_000)?;
        tools_are_paged();
        Ok(Self { page_size, ..self })
    }

    /// How long a client may take to answer what a handler [asks](crate::Call::ask). Default:
    /// 10 min.
    ///
    /// # Errors
    ///
    /// Outside of 1 s to 24 h.
    pub fn with_state_ttl(self, ttl: Duration) -> Result<Self, LimitError> {
        let state_ttl = check_time("state_ttl", ttl, 1000, 24 * HOUR_MS)?;
        Ok(Self { state_ttl, ..self })
    }
}

const HOUR_MS: u64 = 3_600_000;

fn check_time(
    field: &'static str,
    value: Duration,
    min_ms: u64,
    max_ms: u64,
) -> Result<Duration, LimitError> {
    if (Duration::from_millis(min_ms)..=Duration::from_millis(max_ms)).contains(&value) {
        return Ok(value);
    }
    Err(LimitError {
        field,
        value: u64::try_from(value.as_millis()).unwrap_or(u64::MAX),
        min: min_ms,
        max: max_ms,
    })
}

/// A limit outside of what is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitError {
    /// The limit, such as `frame_bytes`.
    pub field: &'static str,
    /// The value that was refused; of a duration, its milliseconds.
    pub value: u64,
    /// The least that is allowed.
    pub min: u64,
    /// The most that is allowed.
    pub max: u64,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            value,
            min,
            max,
        } = self;
        write!(
            f,
            "the limit `{field}` must be from {min} to {max}, but is {value}"
        )
    }
}

impl std::error::Error for LimitError {}

pub(crate) fn check(
    field: &'static str,
    value: usize,
    min: usize,
    max: usize,
) -> Result<usize, LimitError> {
    if (min..=max).contains(&value) {
        return Ok(value);
    }
    // `usize` is at most 64 bits wide on every target that Rust has.
    let [value, min, max] = [value, min, max].map(|number| number as u64);
    Err(LimitError {
        field,
        value,
        min,
        max,
    })
}
