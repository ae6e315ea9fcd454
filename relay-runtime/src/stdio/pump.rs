//! From the stream into the engine, and from the engine into the stream.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::ready;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::error::MAX_TRAILING;
use super::frames::Frames;
use crate::engine::{Engine, Frame};

/// Reads until the end of the stream, or until the engine wants no more.
pub(super) async fn read_all<C, R>(engine: Arc<Engine<C>>, mut reader: R, chunk_size: usize)
where
    C: Send + Sync + 'static,
    R: AsyncRead + Unpin,
{
    let mut frames = Frames::new(engine.limits().frame_bytes);
    let mut chunk = vec![0; chunk_size];
    while engine.may_read().await {
        match read_some(&mut reader, &mut chunk).await {
            Ok(0) => return finish(&engine, frames),
            Ok(length) => frames.feed(&chunk[..length], |frame| {
                engine.accept(&frame);
            }),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return engine.input_failed(error),
        }
    }
}

fn finish<C: Send + Sync + 'static>(engine: &Arc<Engine<C>>, frames: Frames) {
    let mut garbage = None;
    frames.finish(|frame| {
        let is_json = engine.accept(&frame);
        if let Frame::Line(line) = frame
            && !is_json
        {
            garbage = Some(line[..line.len().min(MAX_TRAILING)].to_vec());
        }
    });
    engine.input_ended(garbage);
}

/// Writes what the engine has to say, as much at once as there is, until it has said all.
pub(super) async fn write_all<C, W>(engine: Arc<Engine<C>>, mut writer: W)
where
    C: Send + Sync + 'static,
    W: AsyncWrite + Unpin,
{
    let mut batch = Vec::new();
    while engine.take(&mut batch).await {
        if let Err(error) = write_batch(&engine, &mut writer, &batch).await {
            return engine.output_broke(error);
        }
    }
    engine.output_written();
}

async fn write_batch<C, W>(engine: &Arc<Engine<C>>, writer: &mut W, batch: &[u8]) -> io::Result<()>
where
    C: Send + Sync + 'static,
    W: AsyncWrite + Unpin,
{
    let mut rest = batch;
    while !rest.is_empty() {
        match poll_fn(|context| Pin::new(&mut *writer).poll_write(context, rest)).await {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(length) => {
                engine.sent(length);
                rest = rest.get(length..).unwrap_or_default();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    poll_fn(|context| Pin::new(&mut *writer).poll_flush(context)).await
}

async fn read_some<R: AsyncRead + Unpin>(reader: &mut R, chunk: &mut [u8]) -> io::Result<usize> {
    poll_fn(|context| {
        let mut buffer = ReadBuf::new(chunk);
        ready!(Pin::new(&mut *reader).poll_read(context, &mut buffer))?;
        std::task::Poll::Ready(Ok(buffer.filled().len()))
    })
    .await
}
