//! A fuzz of the server: frames that are damaged, and calls, cancels and ends in every order.
//!
//! A run is a seed. What a connection must come to is read from the bytes that were sent, by a
//! parser and rules of the fuzz's own.

mod came;
mod check;
mod connection;
mod damage;
mod frames;
mod json;
mod meaning;
mod memory;
mod output;
mod panics;
mod shrunk;
mod talk;
mod tools;

use std::fmt;

use self::connection::Connection;
use self::frames::Script;

pub use self::memory::Counting;

/// A fuzz that goes on until so many frames were sent, or an invariant is broken.
#[derive(Debug)]
pub struct Fuzz {
    /// Where chance starts.
    pub seed: u64,
    /// How many frames are sent at least.
    pub frames: usize,
}

/// What a run has come to.
#[derive(Debug, Default)]
pub struct Report {
    /// How many frames were sent.
    pub frames: usize,
    /// On how many connections.
    pub connections: usize,
    /// How many messages came back.
    pub messages: usize,
    /// The most memory that a connection took, of what it may take, in percent.
    pub memory: usize,
    /// What went wrong, if anything did.
    pub failure: Option<Failure>,
}

/// A connection that breaks an invariant.
pub struct Failure {
    seed: u64,
    connection: usize,
    why: String,
    script: Script,
}

impl Fuzz {
    /// Runs.
    #[must_use]
    pub fn run(&self) -> Report {
        panics::watch();
        let mut report = Report::default();
        while report.frames < self.frames {
            let connection = Connection::new(self.seed, report.connections);
            report.frames += connection.script.frames.len();
            report.connections += 1;
            match connection.run(&connection.script) {
                Ok(went) => {
                    report.messages += went.messages;
                    report.memory = report.memory.max(went.memory);
                }
                Err(_) => {
                    let number = report.connections - 1;
                    report.failure = Some(Failure::new(self.seed, number, &connection));
                    break;
                }
            }
        }
        report
    }
}

impl Failure {
    /// The failure of a connection, by a script that is as small as can be found.
    fn new(seed: u64, number: usize, connection: &Connection) -> Self {
        let script = shrunk::shrunk(&connection.script, &mut |script| {
            connection.run(script).is_err()
        });
        let why = connection.run(&script).err();
        Self {
            seed,
            connection: number,
            why: why.unwrap_or_else(|| "it fails only now and then".into()),
            script,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} frames on {} connections, {} messages back, memory up to {} % of its bound, \
             invariants broken: {}",
            self.frames,
            self.connections,
            self.messages,
            self.memory,
            usize::from(self.failure.is_some())
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "seed {}, connection {}: {}\nsent{}:",
            self.seed,
            self.connection,
            self.why,
            if self.script.is_whole {
                ""
            } else {
                ", the last without a newline"
            }
        )?;
        for frame in &self.script.frames {
            // As text where it is one, to be sent again as it stands.
            match str::from_utf8(frame) {
                Ok(text) if !text.chars().any(char::is_control) => writeln!(f, "  {text}")?,
                _ => writeln!(f, "  bytes: {}", frame.escape_ascii())?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
