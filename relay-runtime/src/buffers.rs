//! Buffers that are kept for whoever needs one next.
//!
//! Memory that is fresh from the system costs more than what is then written into it, and large
//! messages seldom come alone. Small ones cost little, but there is one in every call: each thread
//! keeps its own.

use std::cell::Cell;
use std::ops::Deref;
#[cfg(feature = "server")]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};

thread_local! {
    /// Of one small call: its arguments, its result, and its reply.
    static SMALL: [Cell<Vec<u8>>; 3] = const { [const { Cell::new(Vec::new()) }; 3] };
}

/// What is larger is no small buffer, and is not kept by a thread.
const SMALLEST_LARGE: usize = 4 << 10;

static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// What is smaller costs little.
const LARGE: usize = 64 << 10;

/// What is larger is given back to the system.
const LARGEST: usize = 4 << 20;

/// Of one large call: its arguments, its result, and its reply.
const MOST: usize = 3;

/// An empty buffer with room for so many bytes.
pub(crate) fn take(bytes: usize) -> Vec<u8> {
    if bytes < SMALLEST_LARGE {
        let mut buffer = SMALL.try_with(take_small).unwrap_or_default();
        buffer.reserve(bytes);
        return buffer;
    }
    if bytes >= LARGE {
        let mut kept = lock();
        if let Some(place) = kept.iter().position(|buffer| buffer.capacity() >= bytes) {
            return kept.swap_remove(place);
        }
    }
    Vec::with_capacity(bytes)
}

/// A buffer that is needed no more.
pub(crate) fn give(mut buffer: Vec<u8>) {
    buffer.clear();
    if buffer.capacity() < SMALLEST_LARGE {
        // A thread that ends keeps nothing.
        let _ = SMALL.try_with(|small| give_small(small, buffer));
    } else if (LARGE..=LARGEST).contains(&buffer.capacity()) {
        let mut kept = lock();
        if kept.len() < MOST {
            kept.push(buffer);
        }
    }
}

fn take_small(small: &[Cell<Vec<u8>>; 3]) -> Vec<u8> {
    small
        .iter()
        .map(Cell::take)
        .find(|buffer| buffer.capacity() > 0)
        .unwrap_or_default()
}

fn give_small(small: &[Cell<Vec<u8>>; 3], buffer: Vec<u8>) {
    for place in small {
        let kept = place.replace(Vec::new());
        if kept.capacity() == 0 {
            place.set(buffer);
            return;
        }
        place.set(kept);
    }
}

fn lock() -> MutexGuard<'static, Vec<Vec<u8>>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text in such a buffer.
#[derive(Debug)]
pub(crate) struct Text(String);

impl Text {
    /// A text that `serde_json` writes, of about so many bytes.
    pub(crate) fn write<E>(
        bytes: usize,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<Self, E> {
        // Most are short; then this is what nothing has to grow for.
        let mut json = take(bytes.clamp(128, LARGEST));
        write(&mut json)?;
        Ok(Self::from_json(json))
    }

    /// What `serde_json` has written.
    pub(crate) fn from_json(json: Vec<u8>) -> Self {
        // It writes strings and ASCII, so that there is nothing to replace.
        Self(
            String::from_utf8(json)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        )
    }

    pub(crate) fn into_string(mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        give(std::mem::take(&mut self.0).into_bytes());
    }
}

/// A text that several may hold. A short one is copied for each of them: few have company.
#[cfg(feature = "server")]
#[derive(Debug)]
pub(crate) enum Shared {
    Short(Text),
    Long(Arc<Text>),
}

#[cfg(feature = "server")]
impl Shared {
    pub(crate) fn copy(text: &str) -> Self {
        // Nothing is in there that would have to be looked at.
        let mut copy = Text::from_json(take(text.len()));
        copy.0.push_str(text);
        if text.len() < LARGE {
            Self::Short(copy)
        } else {
            Self::Long(Arc::new(copy))
        }
    }
}

#[cfg(feature = "server")]
impl Clone for Shared {
    fn clone(&self) -> Self {
        match self {
            Self::Short(text) => Self::copy(text),
            Self::Long(text) => Self::Long(Arc::clone(text)),
        }
    }
}

#[cfg(feature = "server")]
impl Deref for Shared {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Short(text) => text,
            Self::Long(text) => text,
        }
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    #[test]
    fn a_large_buffer_is_used_again_and_few_are_kept() {
        let text = Shared::copy(&"x".repeat(1 << 20));
        let place = text.as_ptr();
        drop(text);
        let buffers: Vec<_> = (0..=MOST).map(|_| take(1 << 20)).collect();
        assert!(buffers.iter().any(|buffer| buffer.as_ptr() == place));
        buffers.into_iter().for_each(give);
        give(Vec::with_capacity(LARGEST + 1));
        give(Vec::with_capacity(LARGE - 1));
        let kept = lock();
        assert!(kept.len() <= MOST && kept.iter().all(|buffer| buffer.capacity() <= LARGEST));
    }
}
