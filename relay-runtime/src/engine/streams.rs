//! The clients that hear of what changes.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};

use super::{Engine, State};
use crate::protocol::{Filter, Refusal, acknowledged, tools_changed};
use crate::request_id::RequestId;

/// A client needs one stream; this many are enough for any.
const MAX_STREAMS: usize = 1024;

/// The streams of notifications, few as a rule, in the order of their opening.
#[derive(Default)]
pub(super) struct Streams {
    open: Vec<Stream>,
    /// Whether the client of an older revision has yet to hear of a change.
    untold_older: bool,
}

struct Stream {
    /// Of its request.
    id: RequestId,
    filter: Filter,
    untold: bool,
}

impl Streams {
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.open.iter().any(|stream| stream.id == *id)
    }

    pub(super) fn close(&mut self, id: &RequestId) {
        self.open.retain(|stream| stream.id != *id);
    }

    pub(super) fn close_all(&mut self) -> impl Iterator<Item = RequestId> + '_ {
        self.open.drain(..).map(|stream| stream.id)
    }

    /// Everybody is to hear of a change.
    fn change(&mut self, older: bool) {
        for stream in &mut self.open {
            stream.untold = stream.filter.tools;
        }
        self.untold_older = older;
    }

    /// Tells those that have yet to hear, as long as `tell` can; says whether any were told.
    fn tell(&mut self, mut tell: impl FnMut(Option<&RequestId>) -> bool) -> bool {
        let mut told = false;
        for stream in self.open.iter_mut().filter(|stream| stream.untold) {
            stream.untold = !tell(Some(&stream.id));
            told |= !stream.untold;
        }
        if self.untold_older {
            self.untold_older = !tell(None);
            told |= !self.untold_older;
        }
        told
    }

    /// Whether any have yet to hear.
    fn is_untold(&self) -> bool {
        self.untold_older || self.open.iter().any(|stream| stream.untold)
    }
}

impl Engine {
    /// Has clients hear of every change of the tools, as long as this connection lives.
    pub(super) fn hear_of_changes(self: &Arc<Self>) {
        if let Some(registry) = self.catalog.registry() {
            registry.listen(self);
        }
    }

    /// Opens a stream. It is no call: it takes no slot, and its end is the client's cancel.
    pub(super) fn open_stream(&self, id: &RequestId, filter: Filter) {
        let mut state = self.lock();
        if self.has_stopped() {
            return;
        }
        if state.streams.open.len() >= MAX_STREAMS {
            drop(state);
            let refusal = Refusal::overloaded(format!("{MAX_STREAMS} streams are open already"));
            return self.refuse(Some(id), &refusal);
        }
        // Under the lock, so that no change is told before.
        state.outbox.push(acknowledged(id, filter));
        state.streams.open.push(Stream {
            id: id.clone(),
            filter,
            untold: false,
        });
    }

    /// Tells every client that listens. While nobody reads, one notification stands for all
    /// changes: it is sent when there is room again.
    pub(crate) fn tools_have_changed(self: &Arc<Self>) {
        let mut state = self.lock();
        let older = state.session.is_some() && self.questions.is_ready();
        state.streams.change(older);
        self.tell(state);
        self.flush();
    }

    /// There may be room for what was not told; says whether some of it was told now.
    pub(super) fn tell_what_is_untold(&self) -> bool {
        if !self.untold.load(Ordering::Relaxed) {
            return false;
        }
        let state = self.lock();
        if !state.outbox.is_roomy() {
            return false;
        }
        self.tell(state)
    }

    fn tell(&self, mut state: MutexGuard<'_, State>) -> bool {
        let State {
            streams, outbox, ..
        } = &mut *state;
        let told = streams.tell(|stream| outbox.push_if_roomy(tools_changed(stream)));
        self.untold.store(streams.is_untold(), Ordering::Relaxed);
        told
    }
}
