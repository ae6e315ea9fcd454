//! One connection: a script is sent in chunks of chance, at times of chance, and all that comes is
//! kept.
//!
//! All runs on one thread and a clock that stands still until nobody can go on: a seed is a run.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use relay_runtime::Limits;
use relay_runtime::stdio::{self, StdioError};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::tools::{Stage, server};
use crate::Rng;

/// What came of a connection.
#[derive(Debug)]
pub(super) struct Talked {
    pub(super) output: Vec<u8>,
    /// `None` if the server was stuck.
    pub(super) served: Option<Result<(), StdioError>>,
    /// The nonces of the calls that have reached a handler.
    pub(super) ran: Vec<u64>,
    /// The client has stopped reading before the end.
    pub(super) hung_up: bool,
}

/// How the client goes about it.
#[derive(Debug)]
struct Pace {
    /// The largest chunk that is written.
    chunk: usize,
    /// Of a hundred chunks, how many are followed by a rest.
    rests: usize,
    /// The largest chunk that is read.
    read: usize,
    /// Of a hundred reads, how many come late.
    late: usize,
    /// After how many bytes it hangs up.
    patience: usize,
}

/// How many lines have come.
#[derive(Default)]
struct Lines {
    count: Cell<usize>,
    more: Notify,
}

/// The client of a server with these limits sends all, and reads to the end.
pub(super) fn talk(sent: &[u8], limits: &Limits, rng: &mut Rng, output: Vec<u8>) -> Talked {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    runtime.block_on(converse(sent, limits, rng, output))
}

async fn converse(sent: &[u8], limits: &Limits, rng: &mut Rng, mut output: Vec<u8>) -> Talked {
    const BUFFERS: [usize; 4] = [64, 1 << 10, 1 << 14, 1 << 16];
    // More than all deadlines together, and on this clock no time at all.
    const FOR_EVER: Duration = Duration::from_secs(1 << 20);
    let (requests, reader) = tokio::io::duplex(*rng.pick(&BUFFERS));
    let (writer, answers) = tokio::io::duplex(*rng.pick(&BUFFERS));
    let stage = Arc::new(Stage::default());
    let server = server(limits.clone(), rng.below(2) == 0);
    let pace = Pace {
        chunk: *rng.pick(&[7, 100, 2000, 1 << 17]),
        rests: *rng.pick(&[0, 10, 50]),
        read: *rng.pick(&[30, 1000, 1 << 16]),
        late: *rng.pick(&[0, 10, 50]),
        patience: if rng.below(50) == 0 {
            rng.below(5000)
        } else {
            usize::MAX
        },
    };
    let lines = Lines::default();
    let mut other = Rng::new(rng.number());
    let all = async {
        tokio::join!(
            stdio::serve_stream(server, Arc::clone(&stage), reader, writer),
            send(requests, sent, &pace, &lines, rng),
            receive(answers, &mut output, &pace, &lines, &mut other),
        )
    };
    let ended = timeout(FOR_EVER, all).await.ok();
    let hung_up = ended.as_ref().is_some_and(|(_, _, hung_up)| *hung_up);
    let ran = std::mem::take(&mut *stage.ran.lock().expect("no panic"));
    Talked {
        output,
        served: ended.map(|(served, (), _)| served),
        ran,
        hung_up,
    }
}

/// Sends all, chunk by chunk, and closes the stream.
async fn send(
    mut stream: impl AsyncWrite + Unpin,
    mut rest: &[u8],
    pace: &Pace,
    lines: &Lines,
    rng: &mut Rng,
) {
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.len().min(1 + rng.below(pace.chunk)));
        rest = after;
        if stream.write_all(chunk).await.is_err() {
            // The server has ended: the client does not read any more.
            return;
        }
        if rng.below(100) >= pace.rests {
            continue;
        }
        match rng.below(10) {
            0..6 => turns(rng.below(20)).await,
            6..9 => {
                // Until something more has come, if anything will.
                let enough = lines.count.get() + 1;
                let more = async {
                    while lines.count.get() < enough {
                        lines.more.notified().await;
                    }
                };
                let _ = timeout(Duration::from_millis(10), more).await;
            }
            _ => sleep(Duration::from_millis(rng.below(3000) as u64)).await,
        }
    }
}

/// Reads all; says whether it has hung up before the end.
async fn receive(
    mut stream: impl AsyncRead + Unpin,
    output: &mut Vec<u8>,
    pace: &Pace,
    lines: &Lines,
    rng: &mut Rng,
) -> bool {
    let mut chunk = vec![0; pace.read];
    loop {
        if rng.below(100) < pace.late {
            match rng.below(20) {
                0 => sleep(Duration::from_millis(rng.below(3000) as u64)).await,
                _ => turns(rng.below(100)).await,
            }
        }
        let Ok(length @ 1..) = stream.read(&mut chunk).await else {
            return false;
        };
        let came = &chunk[..length];
        output.extend_from_slice(came);
        if output.len() > pace.patience {
            return true;
        }
        let ends = came.iter().filter(|byte| **byte == b'\n').count();
        lines.count.set(lines.count.get() + ends);
        lines.more.notify_one();
    }
}

/// Lets the others go on for a while.
async fn turns(count: usize) {
    for _ in 0..count {
        tokio::task::yield_now().await;
    }
}
