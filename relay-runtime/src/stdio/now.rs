//! Writing to standard output without waiting. What is in here is Unix's.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileTypeExt;

use rustix::net::SendFlags;

/// A stream that takes what it can take at once. The flags of its descriptor, which other processes
/// may share, stay as they are.
pub(super) enum Now {
    /// Opened anew, with flags of its own.
    Pipe(File),
    Socket(File),
    /// A regular file, which keeps nobody waiting.
    Regular(File),
}

impl Now {
    /// The same stream; `None` for a kind that may keep its writer waiting.
    pub(super) fn of(stream: &File) -> io::Result<Option<Self>> {
        let kind = stream.metadata()?.file_type();
        if kind.is_fifo() {
            return Ok(reopened(stream).map(Self::Pipe));
        }
        let own = stream.try_clone()?;
        Ok(if kind.is_socket() {
            Some(Self::Socket(own))
        } else if kind.is_file() {
            Some(Self::Regular(own))
        } else {
            None
        })
    }

    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Pipe(stream) | Self::Regular(stream) => Ok(rustix::io::write(stream, bytes)?),
            Self::Socket(stream) => {
                let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
                Ok(rustix::net::send(stream, bytes, flags)?)
            }
        }
    }
}

/// The write end of the same pipe; `None` where the system has no such way to it.
#[cfg(target_os = "linux")]
fn reopened(pipe: &File) -> Option<File> {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;

    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).ok()?;
    let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    let opened = File::options().write(true).custom_flags(flags).open(path);
    opened.ok()
}

#[cfg(not(target_os = "linux"))]
fn reopened(_: &File) -> Option<File> {
    None
}
