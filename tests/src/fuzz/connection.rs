//! One connection of a run: what bounds the server, what is sent to it, and what comes of that.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use relay_runtime::Limits;

use super::check::check;
use super::frames::{Script, script};
use super::meaning::LineLimits;
use super::talk::talk;
use super::{memory, panics};
use crate::Rng;

/// One connection: all of it follows from its seed.
pub(super) struct Connection {
    seed: u64,
    limits: Limits,
    line_limits: LineLimits,
    /// The memory that the server may take, in bytes.
    memory: usize,
    pub(super) script: Script,
}

/// What a connection that went well came to.
pub(super) struct Went {
    pub(super) messages: usize,
    /// The memory that it took, of what it may take, in percent.
    pub(super) memory: usize,
}

impl Connection {
    pub(super) fn new(seed: u64, number: usize) -> Self {
        let mut rng = Rng::new(seed);
        let seed = rng.number() ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Rng::new(seed);
        let [frame_bytes, depth] = [
            *rng.pick(&[1 << 10, 1 << 12, 1 << 14]),
            *rng.pick(&[8, 64, 120]),
        ];
        let in_flight = *rng.pick(&[1, 2, 8, 100]);
        let queued_calls = *rng.pick(&[0, 3, 10_000]);
        let queued_bytes = *rng.pick(&[0, 2000, 1 << 20]);
        let unsent_bytes = *rng.pick(&[1 << 10, 1 << 14, 1 << 18]);
        let reply_bytes = *rng.pick(&[1 << 10, 1 << 14, 1 << 16]);
        let timeout = Duration::from_millis(*rng.pick(&[5, 1000, 30_000]));
        let grace = Duration::from_millis(*rng.pick(&[0, 5, 5000]));
        let limits = Limits::new()
            .with_frame_bytes(frame_bytes)
            .and_then(|limits| limits.with_depth(depth))
            .and_then(|limits| limits.with_calls_in_flight(in_flight))
            .and_then(|limits| limits.with_queued_calls(queued_calls))
            .and_then(|limits| limits.with_queued_bytes(queued_bytes))
            .and_then(|limits| limits.with_unsent_bytes(unsent_bytes))
            .and_then(|limits| limits.with_reply_bytes(reply_bytes))
            .and_then(|limits| limits.with_handler_timeout(timeout))
            .and_then(|limits| limits.with_grace(grace))
            .expect("in range");
        let frames = *rng.pick(&[3, 30, 100, 100, 300, 1000]);
        Self {
            seed,
            limits,
            line_limits: LineLimits {
                bytes: frame_bytes,
                depth,
            },
            memory: memory_bound(
                frame_bytes,
                in_flight,
                queued_bytes,
                unsent_bytes,
                reply_bytes,
            ),
            script: script(&mut rng, frames, frame_bytes),
        }
    }

    /// Runs a script, its own or a smaller one, at its pace.
    pub(super) fn run(&self, script: &Script) -> Result<Went, String> {
        let mut sent = script.frames.join(&b'\n');
        if script.is_whole {
            sent.push(b'\n');
        }
        // What the client keeps is not the server's memory.
        const ROOM: usize = 16 << 20;
        let output = Vec::with_capacity(ROOM);
        let before = memory::live();
        memory::start_over();
        panics::forget();
        let mut rng = Rng::new(self.seed.rotate_left(32));
        let talked = catch_unwind(AssertUnwindSafe(|| {
            talk(&sent, &self.limits, &mut rng, output)
        }));
        if let Some(panic) = panics::unmeant() {
            return Err(format!("a panic: {panic}"));
        }
        let talked = talked.map_err(|_| "a panic".to_owned())?;
        let took = memory::peak().saturating_sub(before);
        check(script, self.line_limits, &talked)?;
        let grown = talked.output.capacity().saturating_sub(ROOM);
        if took > self.memory + 3 * grown {
            return Err(format!(
                "{took} bytes of memory, over the bound of {}",
                self.memory
            ));
        }
        Ok(Went {
            messages: talked.output.iter().filter(|byte| **byte == b'\n').count(),
            memory: took * 100 / self.memory,
        })
    }
}

/// What a server may take, by its limits.
fn memory_bound(
    frame_bytes: usize,
    in_flight: usize,
    queued_bytes: usize,
    unsent_bytes: usize,
    reply_bytes: usize,
) -> usize {
    // The tools, the runtime, the streams' buffers and the chunk that is read.
    const FIXED: usize = 1 << 20;
    // A value's tree beside its text: a few bytes of text are a node.
    const TREE: usize = 80;
    // A call beside its message: its task and what is known of it.
    const CALL: usize = 4 << 10;
    // A call that waits, of its bytes: the message, and what is known of it.
    const WAITING: usize = 10;
    // A buffer that grows is there twice, and the batch that is written beside what comes next.
    const BUFFERS: usize = 6;
    FIXED
        + TREE * frame_bytes
        + in_flight * (CALL + frame_bytes)
        + WAITING * queued_bytes
        + BUFFERS * (unsent_bytes + in_flight * reply_bytes)
}
