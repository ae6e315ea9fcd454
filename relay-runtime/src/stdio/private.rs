//! Standard streams that nothing else in the process can reach. What is in here is Unix's.

use std::fs::File;
use std::io::{self, Cursor, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;

use rustix::stdio::{dup2_stdin, dup2_stdout};

use super::blocking::persist;
use super::error::StdioError;
use super::now::Now;
use super::startup_failed;
use super::streams::{Source, Streams};

/// Moves standard input and output to descriptors of their own, which no child process inherits.
///
/// What uses the descriptors 0 and 1 from now on reads nothing and writes to standard error, or to
/// nowhere where that is where messages go.
pub(super) fn streams() -> Result<Streams, StdioError> {
    // What was printed until now goes where it was printed to.
    persist(|| io::stdout().flush()).map_err(|source| StdioError::StdoutBroken { source })?;
    let (stdin, stdout) = moved().map_err(not_private)?;
    let now = Now::of(&stdout).map_err(not_private)?;
    let read_ahead = read_ahead();
    let stdin = Plain(stdin);
    let reader: Box<dyn Source> = if read_ahead.is_empty() {
        Box::new(stdin)
    } else {
        Box::new(Cursor::new(read_ahead).chain(stdin))
    };
    Ok(Streams {
        reader,
        writer: Box::new(stdout),
        now,
    })
}

/// Reads by the system call alone: libc's `read` is a point where a thread may be cancelled, which
/// costs wherever there is more than one.
struct Plain(File);

impl Read for Plain {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(&self.0, buffer)?)
    }
}

fn not_private(error: io::Error) -> StdioError {
    startup_failed(format!(
        "the standard streams cannot be made private ({error}); \
         `Config::with_private_streams(false)` leaves them as they are"
    ))
}

/// Standard input and output at their new places, with others in their old ones.
fn moved() -> io::Result<(File, File)> {
    let stdin = own(io::stdin())?;
    let stdout = own(io::stdout())?;
    let stderr = own(io::stderr())?;
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let prints_go_to = if same(&stdout, &stderr)? {
        &null
    } else {
        &stderr
    };
    dup2_stdin(&null)?;
    dup2_stdout(prints_go_to)?;
    Ok((stdin, stdout))
}

/// A descriptor that is closed in child processes; never one of the standard three.
fn own(stream: impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// Whether what is written to the one may be read from the other. A terminal has several names.
fn same(one: &File, other: &File) -> io::Result<bool> {
    if one.is_terminal() && other.is_terminal() {
        return Ok(true);
    }
    let (one, other) = (one.metadata()?, other.metadata()?);
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// What the standard library has read already, for somebody who wanted less: it stands before what
/// standard input reads now, which is nothing.
fn read_ahead() -> Vec<u8> {
    let mut bytes = Vec::new();
    // /dev/null can be read; whatever comes is the connection's.
    let _ = io::stdin().lock().read_to_end(&mut bytes);
    bytes
}
