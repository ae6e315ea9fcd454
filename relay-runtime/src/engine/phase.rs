//! What a call is at, from its admission to its answer.

use std::sync::Arc;
use std::time::Duration;

use crate::call::Facts;

/// Tells a call from a later one with the same id: its number in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Serial(pub(super) u64);

impl Serial {
    pub(super) fn of(facts: &Facts) -> Self {
        Self(facts.invocation())
    }

    /// Whether it is one of those that stand for all: a look at the clock costs a part of a call. The
    /// first that a reader takes is one.
    pub(super) fn is_sample(self) -> bool {
        self.0 % 8 == 1
    }
}

/// What a call is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Queued,
    Runs,
    /// Its handler has asked the client, and runs again when the answers are there. Of its time,
    /// so much is left.
    Asks(Duration),
    /// Its time is over and its handler knows; it has the grace to answer.
    Late,
    /// Nobody waits for its answer; it has the grace to end.
    Cancelled,
}

/// A call whose time is over, and whose client is owed an answer.
pub(super) enum Expired {
    /// Its handler has not ended in the grace.
    Late(Arc<Facts>),
    /// The client has not answered what its handler asked.
    Unanswered(Arc<Facts>),
}

/// Whether the clock of a call was stopped.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pause {
    Paused,
    /// Nobody waits for the call any more.
    Over,
    /// So many others wait for their client already.
    Full,
}

/// What becomes of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It is sent.
    Due,
    /// The call was cancelled.
    Unwanted,
    /// The call was dropped before.
    Lost,
}
