//! The calls that are known: waiting for their turn, running, or on their way out.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::contained::caught;
use super::handlers::TaskHandle;
use super::phase::{Answer, Expired, Pause, Phase, Serial};
use crate::call::Facts;
use crate::limits::Limits;
use crate::log;
use crate::protocol::Refusal;
use crate::request_id::RequestId;

/// The calls of one connection.
pub(super) struct Calls<T> {
    /// Those that are owed an answer.
    ids: HashMap<RequestId, Serial>,
    known: HashMap<Serial, Known>,
    queue: VecDeque<Queued<T>>,
    queued_bytes: usize,
    /// Those whose handlers run.
    running: usize,
    /// Those whose handlers have asked the client.
    asking: usize,
    /// When something is to be done about a call that runs.
    deadlines: BTreeSet<(Instant, Serial)>,
}

struct Known {
    facts: Arc<Facts>,
    phase: Phase,
    /// When something is to be done about it; of one in the queue, never.
    deadline: Option<Instant>,
    /// None while it runs on the thread that reads.
    task: Option<TaskHandle>,
}

impl Known {
    fn new(facts: Arc<Facts>) -> Self {
        Self {
            facts,
            phase: Phase::Queued,
            deadline: None,
            task: None,
        }
    }

    /// Ends the handler, if it is a task.
    fn abort(self) {
        if let Some(task) = self.task {
            task.abort();
        }
    }
}

struct Queued<T> {
    serial: Serial,
    bytes: usize,
    job: T,
}

/// A call that was not admitted.
pub(super) struct Rejected<T> {
    pub(super) facts: Arc<Facts>,
    pub(super) refusal: Refusal,
    /// Of the application, whose code may run when it is dropped: never under a lock.
    _job: T,
}

/// What was taken out of the calls.
#[must_use = "discard it once the lock is gone"]
pub(super) struct Removed<T> {
    jobs: Vec<T>,
}

impl<T> Removed<T> {
    /// Drops it. The application's code may run in here, so never under a lock.
    pub(super) fn discard(self) {
        for job in self.jobs {
            if let Err(panic) = caught(|| drop(job)) {
                log::panicked_drop(&panic);
            }
        }
    }
}

impl<T> Calls<T> {
    pub(super) fn new() -> Self {
        Self {
            ids: HashMap::new(),
            known: HashMap::new(),
            queue: VecDeque::new(),
            queued_bytes: 0,
            running: 0,
            asking: 0,
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
        facts: Arc<Facts>,
        bytes: usize,
        job: T,
        limits: &Limits,
    ) -> Result<(), Box<Rejected<T>>> {
        if let Some(refusal) = self.refusal(bytes, limits) {
            return Err(Box::new(Rejected {
                facts,
                refusal,
                _job: job,
            }));
        }
        let serial = Serial::of(&facts);
        self.ids.insert(facts.request_id().clone(), serial);
        self.known.insert(serial, Known::new(facts));
        self.queued_bytes += bytes;
        self.queue.push_back(Queued { serial, bytes, job });
        Ok(())
    }

    fn refusal(&self, bytes: usize, limits: &Limits) -> Option<Refusal> {
        let waits = self.running >= limits.calls_in_flight || !self.queue.is_empty();
        if waits && self.queue.len() >= limits.queued_calls {
            return Some(Refusal::overloaded(format!(
                "the queue is full: {} calls wait already; try again after some replies",
                self.queue.len()
            )));
        }
        if waits && self.queued_bytes.saturating_add(bytes) > limits.queued_bytes {
            return Some(Refusal::overloaded(format!(
                "the queue is full: the calls that wait may have {} bytes; try \
                 again after some replies",
                limits.queued_bytes
            )));
        }
        None
    }

    /// Whether a call may run at once, before all others.
    pub(super) fn may_start(&self, limits: &Limits) -> bool {
        self.queue.is_empty() && self.running < limits.calls_in_flight
    }

    /// Takes in a call that runs already.
    pub(super) fn adopt(&mut self, facts: Arc<Facts>) {
        let serial = Serial::of(&facts);
        let deadline = Instant::now() + facts.timeout();
        self.ids.insert(facts.request_id().clone(), serial);
        self.known.insert(serial, Known::new(facts));
        self.running += 1;
        self.move_on(serial, Phase::Runs, deadline);
    }

    /// A call goes on as this task; gives it back if nobody waits for it any more.
    pub(super) fn goes_on(&mut self, serial: Serial, task: TaskHandle) -> Option<TaskHandle> {
        match self.known.get_mut(&serial) {
            Some(known) => known.task.replace(task),
            None => Some(task),
        }
    }

    /// Takes the first call of the queue, if one more may run, and runs it.
    pub(super) fn start_next(
        &mut self,
        limits: &Limits,
        run: impl FnOnce(Serial, T) -> TaskHandle,
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
        let deadline = Instant::now() + known.facts.timeout();
        known.task = Some(run(serial, job));
        self.running += 1;
        self.move_on(serial, Phase::Runs, deadline);
        true
    }

    /// The client wants no answer any more. The id is free; a handler that runs has until then.
    pub(super) fn cancel(&mut self, id: &RequestId, until: Instant) -> Removed<T> {
        let mut removed = Vec::new();
        let serial = self.ids.remove(id);
        if let Some((serial, known)) =
            serial.and_then(|serial| Some((serial, self.known.get_mut(&serial)?)))
        {
            known.facts.cancellation().fire();
            match known.phase {
                Phase::Queued => {
                    self.known.remove(&serial);
                    removed.extend(self.unqueue(serial));
                }
                Phase::Runs => self.move_on(serial, Phase::Cancelled, until),
                // No handler runs.
                Phase::Asks(_) => {
                    if let Some(known) = self.forget(serial) {
                        known.abort();
                    }
                }
                // Its handler knows already, and its grace runs.
                Phase::Late | Phase::Cancelled => known.phase = Phase::Cancelled,
            }
        }
        Removed { jobs: removed }
    }

    /// Stops the clock of a call whose handler has asked the client, for so long at most. It
    /// takes no slot meanwhile.
    pub(super) fn pause(&mut self, serial: Serial, limits: &Limits) -> Pause {
        if self.asking >= limits.queued_calls.max(limits.calls_in_flight) {
            return Pause::Full;
        }
        let Some(Known {
            phase: Phase::Runs,
            deadline: Some(deadline),
            ..
        }) = self.known.get(&serial)
        else {
            return Pause::Over;
        };
        let now = Instant::now();
        let left = deadline.saturating_duration_since(now);
        self.running -= 1;
        self.asking += 1;
        self.move_on(serial, Phase::Asks(left), now + limits.state_ttl);
        Pause::Paused
    }

    /// Lets the clock of a call go on. There may be more that run than may start, for a moment.
    pub(super) fn resume(&mut self, serial: Serial) {
        if let Some(known) = self.known.get(&serial)
            && let Phase::Asks(left) = known.phase
        {
            self.running += 1;
            self.asking -= 1;
            self.move_on(serial, Phase::Runs, Instant::now() + left);
        }
    }

    fn move_on(&mut self, serial: Serial, phase: Phase, deadline: Instant) {
        if let Some(known) = self.known.get_mut(&serial) {
            known.phase = phase;
            if let Some(before) = known.deadline.replace(deadline) {
                self.deadlines.remove(&(before, serial));
            }
            self.deadlines.insert((deadline, serial));
        }
    }

    /// Whether the client hears of a call yet.
    pub(super) fn is_heard(&self, serial: Serial) -> bool {
        self.known
            .get(&serial)
            .is_some_and(|known| known.phase != Phase::Cancelled)
    }

    /// A call has ended by itself.
    pub(super) fn finish(&mut self, serial: Serial) -> Answer {
        match self.forget(serial) {
            None => Answer::Lost,
            Some(Known {
                phase: Phase::Cancelled,
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
            if let Some(known) = self.known.get(&serial)
                && known.phase == Phase::Runs
            {
                known.facts.cancellation().fire();
                self.move_on(serial, Phase::Late, now + grace);
                continue;
            }
            self.deadlines.pop_first();
            let Some(known) = self.forget(serial) else {
                continue;
            };
            let facts = Arc::clone(&known.facts);
            match known.phase {
                Phase::Late => expired.push(Expired::Late(facts)),
                Phase::Asks(_) => expired.push(Expired::Unanswered(facts)),
                _ => {}
            }
            known.abort();
        }
        expired
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Tells every handler to end, and takes out the calls that have not begun: gives their ids.
    pub(super) fn wind_up(&mut self) -> (Vec<RequestId>, Removed<T>) {
        let waiting = std::mem::take(&mut self.queue);
        self.queued_bytes = 0;
        for known in self.known.values() {
            known.facts.cancellation().fire();
        }
        let forgotten = waiting.iter().filter_map(|call| self.forget(call.serial));
        let ids = forgotten
            .map(|known| known.facts.request_id().clone())
            .collect();
        (ids, waiting.into())
    }

    /// Ends every call, unanswered; says how many were owed an answer.
    pub(super) fn drop_all(&mut self) -> (usize, Removed<T>) {
        let count = self.ids.len();
        for (_, known) in self.known.drain() {
            known.facts.cancellation().fire();
            known.abort();
        }
        self.ids.clear();
        self.deadlines.clear();
        self.queued_bytes = 0;
        self.running = 0;
        self.asking = 0;
        (count, std::mem::take(&mut self.queue).into())
    }

    /// Takes a call that has a run out of everything but the queue.
    fn forget(&mut self, serial: Serial) -> Option<Known> {
        let known = self.known.remove(&serial)?;
        if let Some(deadline) = known.deadline {
            self.deadlines.remove(&(deadline, serial));
        }
        match known.phase {
            Phase::Queued => {}
            Phase::Asks(_) => self.asking -= 1,
            _ => self.running -= 1,
        }
        // After a cancel, the id may be another call's.
        if self.ids.get(known.facts.request_id()) == Some(&serial) {
            self.ids.remove(known.facts.request_id());
        }
        Some(known)
    }

    fn unqueue(&mut self, serial: Serial) -> Option<T> {
        // Calls join the queue in the order of their serials.
        let place = self.queue.binary_search_by_key(&serial, |call| call.serial);
        let call = self.queue.remove(place.ok()?)?;
        self.queued_bytes -= call.bytes;
        Some(call.job)
    }
}

impl<T> From<VecDeque<Queued<T>>> for Removed<T> {
    fn from(queue: VecDeque<Queued<T>>) -> Self {
        Self {
            jobs: queue.into_iter().map(|call| call.job).collect(),
        }
    }
}
