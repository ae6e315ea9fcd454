//! The clients that hear of what changes.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Engine;
use crate::protocol::{Filter, Refusal, acknowledged, tools_changed};
use crate::request_id::RequestId;

/// A client needs one stream; this many are enough for any.
const MAX_STREAMS: usize = 1024;

impl<C: Send + Sync + 'static> Engine<C> {
    /// Has clients hear of every change of the tools, as long as this connection lives.
    pub(super) fn hear_of_changes(self: &Arc<Self>) {
        let Some(registry) = self.catalog.registry() else {
            return;
        };
        let engine = Arc::downgrade(self);
        registry.listen(move || {
            let engine = engine.upgrade();
            engine.inspect(|engine| engine.tell_of_change()).is_some()
        });
    }

    /// Opens a stream. It is no call: it takes no slot, and its end is the client's cancel.
    pub(super) fn open_stream(&self, id: &RequestId, filter: Filter) {
        let mut state = self.lock();
        if state.stopped {
            return;
        }
        if state.streams.len() >= MAX_STREAMS {
            let refusal = Refusal::overloaded(format!("{MAX_STREAMS} streams are open already"));
            return self.refuse(Some(id), &refusal);
        }
        // Under the lock, so that no change is told before.
        self.outbox.push(acknowledged(id, filter));
        state.streams.insert(id.clone(), filter);
    }

    /// Tells every client that listens. While nobody reads, one notification stands for all
    /// changes: it is sent when there is room again.
    pub(super) fn tell_of_change(&self) {
        let state = self.lock();
        let listening = state.streams.iter().filter(|(_, filter)| filter.tools);
        let streams = listening.map(|(id, _)| Some(id));
        let older = (state.session.is_some() && self.questions.is_ready()).then_some(None);
        let mut all_told = true;
        for stream in streams.chain(older) {
            all_told &= self.outbox.push_if_roomy(tools_changed(stream));
        }
        self.untold.store(!all_told, Ordering::Relaxed);
    }

    /// Something was written: there may be room for what was not told.
    pub(super) fn tell_what_is_untold(&self) {
        if self.untold.load(Ordering::Relaxed) && self.outbox.is_roomy() {
            self.tell_of_change();
        }
    }
}
