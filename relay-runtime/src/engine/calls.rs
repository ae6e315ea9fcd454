//! The calls that are known: waiting for their turn, running, or on their way out.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::cancellation::Cancellation;
use crate::limits::Limits;
use crate::protocol::{Refusal, Revision};
use crate::request_id::RequestId;

/// The calls of one connection.
pub(super) struct Calls<T> {
    /// Those that are owed an answer.
    ids: HashMap<RequestId, Serial>,
    known: HashMap<Serial, Known>,
    queue: VecDeque<Queued<T>>,
    queued_bytes: usize,
    running: usize,
    last_serial: u64,
    /// When something is to be done about a call that runs.
    deadlines: BTreeSet<(Instant, Serial)>,
}

/// Tells a call from a later one with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Serial(u64);

/// What holds for a call, whatever it does.
#[derive(Debug, Clone)]
pub(super) struct Terms {
    pub(super) id: RequestId,
    pub(super) revision: Revision,
    pub(super) timeout: Duration,
    pub(super) cancellation: Cancellation,
}

struct Known {
    terms: Terms,
    phase: Phase,
}

enum Phase {
    Queued,
    Runs(Run),
    /// Its handler has asked the client, and runs again when the answers are there. Of its time,
    /// so much is left.
    Asks(Run, Duration),
    /// Its time is over and its handler knows; it has the grace to answer.
    Late(Run),
    /// Nobody waits for its answer; it has the grace to end.
    Cancelled(Run),
}

#[derive(Clone)]
struct Run {
    task: AbortHandle,
    deadline: Instant,
}

struct Queued<T> {
    serial: Serial,
    bytes: usize,
    job: T,
}

/// A call whose time is over, and whose client is owed an answer.
pub(super) enum Expired {
    /// Its handler has not ended in the grace.
    Late(Terms),
    /// The client has not answered what its handler asked.
    Unanswered(Terms),
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

impl<T> Calls<T> {
    pub(super) fn new() -> Self {
        Self {
            ids: HashMap::new(),
            known: HashMap::new(),
            queue: VecDeque::new(),
            queued_bytes: 0,
            running: 0,
            last_serial: 0,
            deadlines: BTreeSet::new(),
        }
    }

    /// Whether a call with this id has yet to be answered.
    pub(super) fn is_in_flight(&self, id: &RequestId) -> bool {
        self.ids.contains_key(id)
    }

    /// Puts a call at the end of the queue, or says why it is refused. `bytes` is what it
    /// holds; no call with its id is in flight.
    pub(super) fn admit(
        &mut self,
        terms: Terms,
        bytes: usize,
        job: T,
        limits: &Limits,
    ) -> Result<(), Refusal> {
        let waits = self.running >= limits.calls_in_flight || !self.queue.is_empty();
        if waits && self.queue.len() >= limits.queued_calls {
            return Err(Refusal::overloaded(format!(
                "the queue is full: {} calls wait already; try again after some replies",
                self.queue.len()
            )));
        }
        if waits && self.queued_bytes.saturating_add(bytes) > limits.queued_bytes {
            return Err(Refusal::overloaded(format!(
                "the queue is full: the calls that wait may have {} bytes; try \
                 again after some replies",
                limits.queued_bytes
            )));
        }
        self.last_serial += 1;
        let serial = Serial(self.last_serial);
        self.ids.insert(terms.id.clone(), serial);
        let phase = Phase::Queued;
        self.known.insert(serial, Known { terms, phase });
        self.queued_bytes += bytes;
        self.queue.push_back(Queued { serial, bytes, job });
        Ok(())
    }

    /// Takes the first call of the queue, if one more may run, and runs it.
    pub(super) fn start_next(
        &mut self,
        limits: &Limits,
        run: impl FnOnce(Serial, Terms, T) -> AbortHandle,
    ) -> bool {
        if self.running >= limits.calls_in_flight {
            return false;
        }
        let Some(Queued { serial, bytes, job }) = self.queue.pop_front() else {
            return false;
        };
        self.queued_bytes -= bytes;
        let Some(known) = self.known.get_mut(&serial) else {
            debug_assert!(false, "what is queued is known");
            return true;
        };
        self.running += 1;
        let deadline = Instant::now() + known.terms.timeout;
        let task = run(serial, known.terms.clone(), job);
        known.phase = Phase::Runs(Run { task, deadline });
        self.deadlines.insert((deadline, serial));
        true
    }

    /// The client wants no answer any more. The id is free; a handler that runs has until then.
    pub(super) fn cancel(&mut self, id: &RequestId, until: Instant) {
        let Some(serial) = self.ids.remove(id) else {
            return;
        };
        let Some(known) = self.known.get_mut(&serial) else {
            return;
        };
        known.terms.cancellation.fire();
        match &known.phase {
            Phase::Queued => {
                self.known.remove(&serial);
                self.unqueue(serial);
            }
            Phase::Runs(run) => {
                self.deadlines.remove(&(run.deadline, serial));
                self.deadlines.insert((until, serial));
                known.phase = Phase::Cancelled(Run {
                    task: run.task.clone(),
                    deadline: until,
                });
            }
            // No handler runs.
            Phase::Asks(..) => {
                if let Some(known) = self.forget(serial) {
                    abort(&known.phase);
                }
            }
            // Its handler knows already, and its grace runs.
            Phase::Late(run) | Phase::Cancelled(run) => {
                known.phase = Phase::Cancelled(run.clone());
            }
        }
    }

    /// Stops the clock of a call whose handler has asked the client, for so long at most.
    pub(super) fn pause(&mut self, serial: Serial, at_most: Duration) {
        let now = Instant::now();
        self.reschedule(serial, |phase| match phase {
            Phase::Runs(Run { task, deadline }) => {
                let left = deadline.saturating_duration_since(now);
                Some(Phase::Asks(
                    Run {
                        task: task.clone(),
                        deadline: now + at_most,
                    },
                    left,
                ))
            }
            _ => None,
        });
    }

    /// Lets the clock of a call go on.
    pub(super) fn resume(&mut self, serial: Serial) {
        let now = Instant::now();
        self.reschedule(serial, |phase| match phase {
            Phase::Asks(Run { task, .. }, left) => Some(Phase::Runs(Run {
                task: task.clone(),
                deadline: now + *left,
            })),
            _ => None,
        });
    }

    fn reschedule(&mut self, serial: Serial, next: impl FnOnce(&Phase) -> Option<Phase>) {
        let Some(known) = self.known.get_mut(&serial) else {
            return;
        };
        let Some(phase) = next(&known.phase) else {
            return;
        };
        if let Some(run) = known.phase.run() {
            self.deadlines.remove(&(run.deadline, serial));
        }
        if let Some(run) = phase.run() {
            self.deadlines.insert((run.deadline, serial));
        }
        known.phase = phase;
    }

    /// Whether the client hears of a call yet.
    pub(super) fn is_heard(&self, serial: Serial) -> bool {
        self.known
            .get(&serial)
            .is_some_and(|known| !matches!(known.phase, Phase::Cancelled(_)))
    }

    /// A call has ended by itself.
    pub(super) fn finish(&mut self, serial: Serial) -> Answer {
        match self.forget(serial) {
            None => Answer::Lost,
            Some(Known {
                phase: Phase::Cancelled(_),
                ..
            }) => Answer::Unwanted,
            Some(_) => Answer::Due,
        }
    }

    /// When [`expire`](Self::expire) has something to do.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// Does what is due: tells handlers whose time is over, and drops those whose grace is over
    /// too. Gives those that are owed an answer.
    pub(super) fn expire(&mut self, now: Instant, grace: Duration) -> Vec<Expired> {
        let mut expired = Vec::new();
        while let Some((deadline, serial)) = self.deadlines.first().copied()
            && deadline <= now
        {
            if let Some(Known { terms, phase }) = self.known.get_mut(&serial)
                && let Phase::Runs(run) = phase
            {
                terms.cancellation.fire();
                let deadline = now + grace;
                let task = run.task.clone();
                *phase = Phase::Late(Run { task, deadline });
                self.deadlines.pop_first();
                self.deadlines.insert((deadline, serial));
                continue;
            }
            self.deadlines.pop_first();
            let Some(Known { terms, phase }) = self.forget(serial) else {
                continue;
            };
            match phase {
                Phase::Late(_) => expired.push(Expired::Late(terms)),
                Phase::Asks(..) => expired.push(Expired::Unanswered(terms)),
                _ => {}
            }
            abort(&phase);
        }
        expired
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Tells every handler to end, and takes out the calls that have not begun: gives their ids.
    pub(super) fn wind_up(&mut self) -> Vec<RequestId> {
        let waiting = std::mem::take(&mut self.queue);
        self.queued_bytes = 0;
        for known in self.known.values() {
            known.terms.cancellation.fire();
        }
        let forgotten = waiting.iter().filter_map(|call| self.forget(call.serial));
        forgotten.map(|known| known.terms.id).collect()
    }

    /// Drops every call, unanswered; says how many were owed an answer.
    pub(super) fn drop_all(&mut self) -> usize {
        let count = self.ids.len();
        for (_, known) in self.known.drain() {
            known.terms.cancellation.fire();
            abort(&known.phase);
        }
        self.ids.clear();
        self.queue.clear();
        self.deadlines.clear();
        self.queued_bytes = 0;
        self.running = 0;
        count
    }

    /// Takes a call that has a run out of everything but the queue.
    fn forget(&mut self, serial: Serial) -> Option<Known> {
        let known = self.known.remove(&serial)?;
        if let Some(run) = known.phase.run() {
            self.deadlines.remove(&(run.deadline, serial));
            self.running -= 1;
        }
        // After a cancel, the id may be another call's.
        if self.ids.get(&known.terms.id) == Some(&serial) {
            self.ids.remove(&known.terms.id);
        }
        Some(known)
    }

    fn unqueue(&mut self, serial: Serial) {
        // Calls join the queue in the order of their serials.
        let place = self.queue.binary_search_by_key(&serial, |call| call.serial);
        if let Some(call) = place.ok().and_then(|place| self.queue.remove(place)) {
            self.queued_bytes -= call.bytes;
        }
    }
}

fn abort(phase: &Phase) {
    if let Some(run) = phase.run() {
        run.task.abort();
    }
}

impl Phase {
    fn run(&self) -> Option<&Run> {
        match self {
            Self::Queued => None,
            Self::Runs(run) | Self::Asks(run, _) | Self::Late(run) | Self::Cancelled(run) => {
                Some(run)
            }
        }
    }
}
