//! One span for each call, with the feature `tracing`; nothing without it.

#[cfg(feature = "tracing")]
pub(crate) use on::CallSpan;

#[cfg(not(feature = "tracing"))]
pub(crate) use off::CallSpan;

#[cfg(feature = "tracing")]
mod on {
    use std::time::Instant;

    use tracing::field::Empty;
    use tracing::{Span, info, info_span};

    use crate::call::Facts;
    use crate::outcome::OutcomeKind;

    /// The span of a call. It ends with an event, once the call has ended or was dropped.
    pub(crate) struct CallSpan {
        span: Span,
        started: Instant,
        outcome: Option<OutcomeKind>,
    }

    impl CallSpan {
        /// `arguments` only where the application has asked for them.
        pub(crate) fn new(facts: &Facts, arguments: Option<&str>) -> Self {
            let span = info_span!(
                target: "relay_runtime",
                "tool_call",
                tool = facts.tool(),
                request_id = %facts.request_id(),
                invocation = facts.invocation(),
                correlation = facts.correlation(),
                arguments,
                outcome = Empty,
                duration_ms = Empty,
            );
            Self {
                span,
                started: Instant::now(),
                outcome: None,
            }
        }

        pub(crate) fn within<T>(&self, run: impl FnOnce() -> T) -> T {
            self.span.in_scope(run)
        }

        pub(crate) fn outcome(&mut self, outcome: OutcomeKind) {
            self.outcome = Some(outcome);
        }
    }

    impl Drop for CallSpan {
        fn drop(&mut self) {
            let outcome = self.outcome.map_or("dropped", OutcomeKind::name);
            // To the microsecond.
            let duration_ms = self.started.elapsed().as_micros() as f64 / 1000.0;
            self.span.record("outcome", outcome);
            self.span.record("duration_ms", duration_ms);
            info!(target: "relay_runtime", parent: &self.span, outcome, duration_ms, "call ended");
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod off {
    use crate::call::Facts;
    use crate::outcome::OutcomeKind;

    pub(crate) struct CallSpan;

    impl CallSpan {
        pub(crate) fn new(_: &Facts, _: Option<&str>) -> Self {
            Self
        }

        #[expect(clippy::unused_self, reason = "with the feature it is used")]
        pub(crate) fn within<T>(&self, run: impl FnOnce() -> T) -> T {
            run()
        }

        #[expect(clippy::unused_self, reason = "with the feature it is used")]
        pub(crate) fn outcome(&mut self, _: OutcomeKind) {}
    }
}
