//! From a stream into the engine, and from the engine into a stream.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::error::MAX_TRAILING;
use super::frames::{Frames, Taken};
use crate::engine::{Batch, Engine, Frame, Reader};

/// Reads until the end of the stream, or until the engine wants no more.
pub(super) async fn read_all<R>(engine: Arc<Engine>, mut stream: R, chunk: usize)
where
    R: AsyncRead + Unpin,
{
    let mut frames = Frames::new(engine.limits().frame_bytes, chunk);
    let mut reader = engine.reader();
    loop {
        let buffer = frames.buffer();
        while engine.may_read().await {
            let Some(taken) = frames.next() else { break };
            engine.accept(&taken.frame(&buffer), &mut reader);
        }
        drop(buffer);
        engine.flush();
        if !engine.may_read().await {
            return;
        }
        match read_some(&mut stream, frames.space()).await {
            Ok(0) => {
                return finish(
                    &engine,
                    frames.last().as_ref(),
                    &frames.buffer(),
                    &mut reader,
                );
            }
            Ok(length) => frames.filled(length),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return engine.input_failed(error),
        }
    }
}

/// The input has ended, perhaps in the middle of a line.
pub(super) fn finish(
    engine: &Arc<Engine>,
    last: Option<&Taken>,
    buffer: &[u8],
    reader: &mut Reader,
) {
    let mut garbage = None;
    if let Some(last) = last {
        let frame = last.frame(buffer);
        let is_json = engine.accept(&frame, reader);
        if let Frame::Line(line) = frame
            && !is_json
        {
            garbage = Some(line[..line.len().min(MAX_TRAILING)].to_vec());
        }
    }
    engine.flush();
    engine.input_ended(garbage);
}

/// Writes what the engine has to say, as much at once as there is, until it has said all.
pub(super) async fn write_all<W>(engine: Arc<Engine>, mut writer: W)
where
    W: AsyncWrite + Unpin,
{
    let mut written = None;
    while let Some(mut batch) = engine.take(written).await {
        if let Err(error) = write_batch(&engine, &mut writer, &mut batch).await {
            return engine.output_broke(error);
        }
        written = Some(batch);
    }
    engine.output_written();
}

async fn write_batch<W>(engine: &Arc<Engine>, writer: &mut W, batch: &mut Batch) -> io::Result<()>
where
    W: AsyncWrite + Unpin,
{
    while !batch.rest().is_empty() {
        let rest = batch.rest();
        match poll_fn(|context| Pin::new(&mut *writer).poll_write(context, rest)).await {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => {
                engine.sent(length);
                batch.advance(length);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    poll_fn(|context| Pin::new(&mut *writer).poll_flush(context)).await
}

async fn read_some<R: AsyncRead + Unpin>(reader: &mut R, space: &mut [u8]) -> io::Result<usize> {
    poll_fn(|context| {
        let mut buffer = ReadBuf::new(space);
        ready!(Pin::new(&mut *reader).poll_read(context, &mut buffer))?;
        Poll::Ready(Ok(buffer.filled().len()))
    })
    .await
}
