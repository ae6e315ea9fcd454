//! A server that runs in a process of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::process::{Pid, Signal, kill_process};

use crate::cpu;

/// How long a server may run: a figure takes some seconds of it.
const LIMIT: Duration = Duration::from_secs(120);

/// What is read at once, at most.
const CHUNK: usize = 1 << 20;

/// A running server, with both ends of its streams. It ends when this is dropped.
#[derive(Debug)]
pub struct Served {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Bytes that came behind the last line that was taken.
    rest: Vec<u8>,
    limit: Option<Limit>,
}

impl Served {
    /// Starts a program; what it says on standard error is not heard.
    ///
    /// # Errors
    ///
    /// If it can't be started.
    pub fn start<S: AsRef<OsStr>>(program: &Path, arguments: &[S]) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{} can't be started: {error}", program.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{} has no pipes", program.display()));
        };
        let limit = Some(Limit::of(&child));
        Ok(Self {
            child,
            input,
            output,
            rest: Vec::new(),
            limit,
        })
    }

    /// Writes everything, and waits for it.
    ///
    /// # Errors
    ///
    /// If the server reads no more.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.input
            .write_all(bytes)
            .map_err(|error| format!("the server reads no more: {error}"))
    }

    /// Waits for one line that is no notification.
    ///
    /// # Errors
    ///
    /// If the server ends first.
    pub fn line(&mut self) -> Result<Vec<u8>, String> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.rest) {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                if memchr::memmem::find(&line, b"\"id\"").is_some() {
                    return Ok(line);
                }
            } else {
                let mut came = std::mem::take(&mut self.rest);
                let read = self.read(&mut came);
                self.rest = came;
                read?;
            }
        }
    }

    /// Sets whether the streams are to be waited for in [`Served::read`] and [`Served::write`].
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn set_waiting(&self, waiting: bool) -> Result<(), String> {
        ioctl_fionbio(&self.input, !waiting)
            .and_then(|()| ioctl_fionbio(&self.output, !waiting))
            .map_err(|error| format!("the pipes can't be set: {error}"))
    }

    /// Appends what there is; gives how much that was, 0 where it would have to be waited for.
    ///
    /// # Errors
    ///
    /// If the server has ended.
    pub fn read(&mut self, into: &mut Vec<u8>) -> Result<usize, String> {
        into.reserve(CHUNK);
        match read(&self.output, spare_capacity(into)) {
            Ok(0) => Err(self.ended()),
            Ok(count) => Ok(count),
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            Err(error) => Err(format!("the server's output can't be read: {error}")),
        }
    }

    /// Writes what fits; gives how much that was.
    ///
    /// # Errors
    ///
    /// If the server reads no more.
    pub fn write(&mut self, bytes: &[u8]) -> Result<usize, String> {
        match write(&self.input, bytes) {
            Ok(count) => Ok(count),
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            Err(error) => Err(format!("the server reads no more: {error}")),
        }
    }

    /// Waits until there is something to read, or room to write where that is wanted.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn wait(&self, to_write: bool) -> Result<(), String> {
        let mut streams = [
            PollFd::new(&self.output, PollFlags::IN),
            PollFd::new(&self.input, PollFlags::OUT),
        ];
        let count = if to_write { 2 } else { 1 };
        match poll(&mut streams[..count], None) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(format!("the pipes can't be waited for: {error}")),
        }
    }

    /// The processor time of all its threads, in nanoseconds.
    ///
    /// # Errors
    ///
    /// If the process is gone.
    pub fn cpu(&self) -> Result<f64, String> {
        cpu::of_process(self.child.id())
    }

    /// A number of `/proc/<pid>/status`, such as `VmHWM`, the peak of its memory in KiB, or
    /// `Threads`.
    ///
    /// # Errors
    ///
    /// If the process is gone, or the kernel does not tell.
    pub fn status(&self, name: &str) -> Result<f64, String> {
        let path = format!("/proc/{}/status", self.child.id());
        let status =
            fs::read_to_string(&path).map_err(|error| format!("{path} can't be read: {error}"))?;
        status
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| *key == name)
            .and_then(|(_, value)| value.split_whitespace().next()?.parse().ok())
            .ok_or_else(|| format!("{path} has no number {name}"))
    }

    fn ended(&mut self) -> String {
        // The other end of the pipe is closed; the process is about to follow.
        match self.child.wait() {
            Ok(status) => format!(
                "the server ended before it had answered ({status}; one that takes more than {} s is killed)",
                LIMIT.as_secs()
            ),
            Err(error) => format!("the server ended before it had answered: {error}"),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.limit.take();
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills a process that takes too long, since whoever waits for it can't.
#[derive(Debug)]
struct Limit {
    over: Option<Sender<()>>,
    watch: Option<JoinHandle<()>>,
}

impl Limit {
    fn of(child: &Child) -> Self {
        let process = Pid::from_child(child);
        let (over, until) = channel();
        let watch = spawn(move || {
            if until.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
                let _ = kill_process(process, Signal::KILL);
            }
        });
        Self {
            over: Some(over),
            watch: Some(watch),
        }
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        self.over.take();
        if let Some(watch) = self.watch.take() {
            let _ = watch.join();
        }
    }
}
