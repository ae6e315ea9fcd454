//! What is known of the client of a request.

use std::ops::Deref;
use std::sync::Arc;

use crate::protocol::{Capabilities, Revision};
use crate::request_id::RequestId;

/// The client's name and version, as it gives them itself: nothing proves them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The W3C trace context of a request, as the client sent it: for telemetry, never to authorise.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TraceContext {
    /// The trace and the span that the call is part of.
    pub traceparent: Option<String>,
    /// What vendors add to it.
    pub tracestate: Option<String>,
    /// Names and values that go along with the trace.
    pub baggage: Option<String>,
}

/// What is known of the client of a request.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) profile: Arc<Profile>,
    /// Of this request. Few say anything.
    pub(crate) said: Option<Box<Said>>,
}

/// Who a client is and what it speaks: what one request says, or the handshake before it. Most
/// requests have that of the last.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) info: Option<Arc<ClientInfo>>,
    pub(crate) capabilities: Arc<Capabilities>,
    pub(crate) revision: Revision,
}

impl Deref for Client {
    type Target = Profile;

    fn deref(&self) -> &Profile {
        &self.profile
    }
}

/// What a request may say of itself, in every era.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) progress_token: Option<RequestId>,
    pub(crate) trace_context: TraceContext,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) correlation: Option<String>,
}

impl Client {
    pub(crate) fn said(&self) -> &Said {
        static NOTHING: Said = Said {
            progress_token: None,
            trace_context: TraceContext {
                traceparent: None,
                tracestate: None,
                baggage: None,
            },
            idempotency_key: None,
            correlation: None,
        };
        self.said.as_deref().unwrap_or(&NOTHING)
    }
}
