//! One call, from its start to its answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use super::contained::{Contained, caught};
use super::rounds::{Asker, GoesOn};
use super::{Engine, Job};
use crate::asking::asking;
use crate::call::AnyCall;
use crate::hook::Next;
use crate::outcome::{Outcome, OutcomeKind, Settled};
use crate::reply::Asked;
use crate::tool::Running;
use crate::trace::CallSpan;

/// Runs the handler of a call, again for each time that it has asked the client of an older
/// revision.
///
/// No `async` block: most calls end at the first look at them, and then it is never moved.
pub(super) struct Run {
    job: Job,
    stage: Stage,
    /// From the first look at it on, until it has ended.
    span: Option<CallSpan>,
}

enum Stage {
    /// The handler is to run.
    Due,
    Runs(Contained),
    /// The client is asked.
    Asks(Pin<Box<dyn Future<Output = GoesOn> + Send>>),
}

impl Run {
    /// Nothing of it runs yet.
    pub(super) fn new(job: Job) -> Self {
        Self {
            job,
            stage: Stage::Due,
            span: None,
        }
    }

    /// Goes on as far as it comes without waiting; gives the answer.
    pub(super) fn poll(
        &mut self,
        engine: &Arc<Engine>,
        context: &mut Context<'_>,
    ) -> Poll<Vec<u8>> {
        let message = ready!(self.poll_answer(engine, context));
        self.span = None;
        Poll::Ready(message)
    }

    fn poll_answer(&mut self, engine: &Arc<Engine>, context: &mut Context<'_>) -> Poll<Vec<u8>> {
        let Self { job, stage, span } = self;
        let span = span.get_or_insert_with(|| {
            // Where the application wants to see them in its traces.
            let arguments = engine.trace_arguments.then_some(&*job.arguments);
            CallSpan::new(&job.facts, arguments)
        });
        loop {
            let goes_on = match stage {
                Stage::Due => {
                    let run = span.within(|| Contained::start(|| job.start(engine)));
                    *stage = Stage::Runs(run);
                    continue;
                }
                Stage::Runs(run) => {
                    let settled =
                        span.within(|| Pin::new(run).poll(context).map(|end| job.settle(end)));
                    let (kind, settled) = ready!(settled);
                    span.outcome(kind);
                    match settled {
                        Settled::Result(result) => {
                            return Poll::Ready(engine.catalog.call_response(&job.facts, result));
                        }
                        Settled::Asks(asked) => *stage = Stage::Asks(job.ask(engine, *asked)),
                    }
                    continue;
                }
                Stage::Asks(asks) => ready!(asks.as_mut().poll(context)),
            };
            match goes_on {
                GoesOn::Asked(message) => return Poll::Ready(message),
                GoesOn::Failed(message) => {
                    span.outcome(OutcomeKind::Failed);
                    return Poll::Ready(message);
                }
                GoesOn::Round(next) => {
                    job.round = next;
                    *stage = Stage::Due;
                }
            }
        }
    }
}

impl Drop for Run {
    /// A handler that is dropped is dropped in its span, too.
    fn drop(&mut self) {
        if let Some(span) = &self.span {
            // In whose place there is nothing.
            span.within(|| self.stage = Stage::Due);
        }
    }
}

impl Job {
    /// A run of the handler, and of what is to run round it.
    fn start(&self, engine: &Engine) -> Running {
        let context = Arc::clone(&engine.context);
        let call = AnyCall::new(context, Arc::clone(&self.facts), self.round.clone());
        if engine.hooks.is_empty() {
            return self.tool.run(call, &self.arguments);
        }
        // Nothing of the handler or of a hook runs before the hook around it says so.
        let (tool, arguments) = (Arc::clone(&self.tool), self.arguments.clone());
        let last = call.clone();
        let handler: Running = Box::pin(async move { tool.run(last, &arguments).await });
        engine.hooks.iter().rev().fold(handler, |inner, hook| {
            let (hook, call) = (Arc::clone(hook), call.clone());
            let rest = Contained::Runs(inner);
            Box::pin(async move { hook(call, Next::new(rest)).await })
        })
    }

    /// What a run comes to, and of what kind that is.
    fn settle(&self, outcome: Outcome) -> (OutcomeKind, Settled) {
        let settle = |outcome: Outcome| outcome.settle(self.facts.tool(), self.facts.request_id());
        let kind = outcome.kind();
        // An error's own words are the application's code, too.
        match caught(|| settle(outcome)) {
            Ok(settled) => (kind, settled),
            Err(panic) => (OutcomeKind::Panicked, settle(Outcome::panicked(panic))),
        }
    }

    fn ask(
        &self,
        engine: &Arc<Engine>,
        asked: Asked,
    ) -> Pin<Box<dyn Future<Output = GoesOn> + Send>> {
        let Some(asking) = asking() else {
            unreachable!("something has been asked")
        };
        let asker = Asker {
            facts: Arc::clone(&self.facts),
            arguments: self.arguments.clone(),
            round: self.round.clone(),
        };
        (asking.ask)(Arc::clone(engine), asker, asked)
    }
}
