//! Serves over standard input and output, or any other pair of byte streams.
//!
//! Messages are lines of JSON (spec page `basic/transports`). [`serve`] reads them from standard
//! input until it closes, answers on standard output, and writes nothing else there; what went
//! wrong in a handler is logged on standard error. It authorises nobody: run it only under a
//! parent process that you trust.
//!
//! Standard input and output may be pipes, sockets, terminals, files or /dev/null. A thread of its
//! own reads and may be blocked in that for ever; it is never joined. So one process can serve
//! standard input once.
//!
//! # Streams of its own
//!
//! Nothing but messages may reach the client. So on Unix [`serve`] and [`serve_async`] move
//! standard input and output to descriptors of their own, which child processes do not inherit.
//! From then on, whatever else uses the two, a `println!` in a handler or a child process, reads
//! nothing (`/dev/null`) and writes to standard error; or to nowhere where standard error is the
//! same stream, or both are terminals. This stays so when the serving has ended: what is printed
//! then is no message either. [`Config::with_private_streams`] turns it off.
//!
//! Standard error itself stays as it is: under `2>&1`, what is written there does reach the client.
//! On Windows all streams stay as they are: write to standard error.

mod blocking;
mod config;
mod error;
mod frames;
#[cfg(unix)]
mod now;
#[cfg(unix)]
mod private;
mod pump;
mod signals;
mod streams;
mod threads;

use std::future::{self, Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use self::config::MAX_CHUNK;
use self::signals::Signals;
use self::streams::Streams;
use self::threads::Threads;
use crate::call::Context;
use crate::engine::{Engine, Handlers, Host};
use crate::server::{Server, Setup};
use crate::thread;

pub use self::config::Config;
pub use self::error::StdioError;

/// Serves over standard input and output until standard input closes, or a signal tells it to end.
///
/// It blocks, and brings threads for the handlers, and a tokio runtime for what they await. What
/// they spawn there (`tokio::spawn`) runs on a single thread, which it must not block: for more,
/// await [`serve_async`] in a runtime of your own. Calls that are in flight when the input
/// ends go on for the grace of the [`Limits`](crate::Limits), and their replies are written.
///
/// SIGINT and SIGTERM (on Windows: Ctrl-C) end it at once while no call is in flight. Else the
/// handlers are told ([`Call::cancelled`](crate::Call::cancelled)) and have the grace to end, in
/// which their replies are written; a second signal ends it at once. The end by a signal is no
/// error. Only this function handles signals, and it does so for good: the process must end by
/// itself soon after, as it does when `main` returns.
///
/// # Errors
///
/// [`StdioError`] says which. Two tools of one name are `StartupFailed`, as is a second serving of
/// these streams, or a call inside of a tokio runtime: use [`serve_async`] there.
///
/// ```no_run
/// use relay_runtime::{Server, stdio};
///
/// fn main() -> Result<(), stdio::StdioError> {
///     stdio::serve(Server::new("empty", "1.0.0"), ())
/// }
/// ```
pub fn serve<C: Send + Sync + 'static>(server: Server<C>, context: C) -> Result<(), StdioError> {
    serve_with(server, context, Config::new())
}

/// [`serve`] with settings.
///
/// # Errors
///
/// As [`serve`], and [`StdioError::InvalidChunkSize`].
pub fn serve_with<C: Send + Sync + 'static>(
    server: Server<C>,
    context: C,
    config: Config,
) -> Result<(), StdioError> {
    serve_process(server.setup, Arc::new(context), &config)
}

fn serve_process(server: Setup, context: Context, config: &Config) -> Result<(), StdioError> {
    config.check()?;
    if Handle::try_current().is_ok() {
        return Err(startup_failed(
            "`stdio::serve` was called inside of a tokio runtime; await `stdio::serve_async` there",
        ));
    }
    let threads = Threads::new(server.limits.frame_bytes, config.chunk_size);
    let host = Arc::clone(&threads) as Arc<dyn Host>;
    let engine = Engine::new(server, context, Handlers::own(), Some(host))?;
    let streams = Streams::take(config)?;
    // A runtime of its own, which no handler can block.
    let clock = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(no_thread)?;
    let heeding = {
        let _inside = clock.enter();
        heed(Signals::new().map_err(no_signals)?, Arc::clone(&engine))
    };
    let result = serve_on_threads(&engine, &threads, streams, &clock, heeding);
    engine.end_handlers();
    result
}

/// [`serve`] as a future: the handlers run on the tokio runtime that it is awaited in.
///
/// Dropping it ends the calls in flight and the serving; signals are the application's to handle.
/// A handler that blocks its thread holds up other handlers on a runtime with a single thread, but
/// neither reading nor writing.
///
/// # Errors
///
/// As [`serve`]; `StartupFailed` also outside of a tokio runtime.
pub async fn serve_async<C: Send + Sync + 'static>(
    server: Server<C>,
    context: C,
) -> Result<(), StdioError> {
    serve_async_with(server, context, Config::new()).await
}

/// [`serve_async`] with settings.
///
/// # Errors
///
/// As [`serve_async`], and [`StdioError::InvalidChunkSize`].
pub async fn serve_async_with<C: Send + Sync + 'static>(
    server: Server<C>,
    context: C,
    config: Config,
) -> Result<(), StdioError> {
    serve_beside(server.setup, Arc::new(context), config).await
}

/// Serves on threads of its own, while this future waits.
async fn serve_beside(server: Setup, context: Context, config: Config) -> Result<(), StdioError> {
    config.check()?;
    let threads = Threads::new(server.limits.frame_bytes, config.chunk_size);
    let host = Arc::clone(&threads) as Arc<dyn Host>;
    let engine = Engine::new(
        server,
        context,
        Handlers::of(current_runtime()?),
        Some(host),
    )?;
    // Here, not on the thread: what the caller does next must find them taken.
    let streams = Streams::take(&config)?;
    let _stop = StopOnDrop(Arc::clone(&engine));
    let (done, wait) = oneshot::channel();
    let main = move || {
        let clock = Builder::new_current_thread().enable_time().build();
        let result = clock.map_err(no_thread).and_then(|clock| {
            serve_on_threads(&engine, &threads, streams, &clock, future::pending())
        });
        // Nobody waits any more if the future was dropped.
        let _ = done.send(result);
    };
    thread::start("relay", Box::new(main)).map_err(no_thread)?;
    wait.await
        .unwrap_or_else(|_| Err(startup_failed("the thread that serves has ended")))
}

/// Serves over any two byte streams, such as the halves of a Unix socket, until the reader ends.
///
/// All of it runs in the tokio runtime that it is awaited in, which needs its time driver
/// (`enable_time`): there, a handler that blocks its thread may hold up the rest.
///
/// # Errors
///
/// As [`serve_async`].
///
/// ```
/// use relay_runtime::{Server, stdio};
/// use tokio::io::{AsyncReadExt, AsyncWriteExt};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (client, server) = tokio::io::duplex(4096);
/// let (reader, writer) = tokio::io::split(server);
/// let serving = tokio::spawn(stdio::serve_stream(Server::new("empty", "1.0.0"), (), reader, writer));
///
/// let (mut answers, mut requests) = tokio::io::split(client);
/// requests.write_all(b"[]\n").await?;
/// requests.shutdown().await?;
/// let mut answer = String::new();
/// answers.read_to_string(&mut answer).await?;
/// assert!(answer.contains("-32600"));
/// serving.await??;
/// # Ok(())
/// # }
/// ```
pub async fn serve_stream<C, R, W>(
    server: Server<C>,
    context: C,
    reader: R,
    writer: W,
) -> Result<(), StdioError>
where
    C: Send + Sync + 'static,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let engine = Engine::new(
        server.setup,
        Arc::new(context),
        Handlers::of(current_runtime()?),
        None,
    )?;
    let _stop = StopOnDrop(Arc::clone(&engine));
    let read = pump::read_all(Arc::clone(&engine), reader, Config::new().chunk_size);
    let write = pump::write_all(Arc::clone(&engine), writer);
    alongside(alongside(engine.run(), read), write).await
}

/// Serves with threads of its own; this one waits for the end, and does something meanwhile.
fn serve_on_threads(
    engine: &Arc<Engine>,
    threads: &Arc<Threads>,
    streams: Streams,
    clock: &Runtime,
    meanwhile: impl Future<Output = ()>,
) -> Result<(), StdioError> {
    threads.start(engine, streams).map_err(no_thread)?;
    let result = thread::wait_for(clock, alongside(engine.run(), meanwhile));
    threads.close();
    result
}

/// Interrupts the serving at each signal.
async fn heed(mut signals: Signals, engine: Arc<Engine>) {
    loop {
        signals.next().await;
        engine.interrupt();
    }
}

/// Awaits the first, and drives the other meanwhile.
async fn alongside<T>(main: impl Future<Output = T>, other: impl Future<Output = ()>) -> T {
    let mut main = pin!(main);
    let mut other = pin!(other);
    let mut other_runs = true;
    poll_fn(|context| {
        other_runs = other_runs && other.as_mut().poll(context).is_pending();
        main.as_mut().poll(context)
    })
    .await
}

/// Ends the calls of a connection whose future is dropped.
struct StopOnDrop(Arc<Engine>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn current_runtime() -> Result<Handle, StdioError> {
    Handle::try_current().map_err(|_| {
        startup_failed("there is no tokio runtime here; call `stdio::serve`, which brings its own")
    })
}

fn no_thread(error: io::Error) -> StdioError {
    startup_failed(format!("the system gives no thread: {error}"))
}

fn no_signals(error: io::Error) -> StdioError {
    startup_failed(format!("the system gives no signals: {error}"))
}

fn startup_failed(reason: impl Into<String>) -> StdioError {
    StdioError::StartupFailed {
        reason: reason.into(),
    }
}
