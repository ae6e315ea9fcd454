//! What only a server needs whose handlers ask its clients.
//!
//! It is known from the first question on: only what makes one names it, so that no other server
//! links it.

use std::future::Future;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use crate::engine::{Asker, Engine, GoesOn};
use crate::protocol::{Catalog, Refusal, Return, Round, go_on};
use crate::reply::Asked;

/// How a client is asked, and what its answers come to.
pub(crate) struct Asking {
    pub(crate) ask: Ask,
    pub(crate) go_on: GoOn,
}

type Ask = fn(Arc<Engine>, Asker, Asked) -> Pin<Box<dyn Future<Output = GoesOn> + Send>>;

type GoOn = fn(&Catalog, &Return<'_>) -> Result<ControlFlow<Vec<u8>, Round>, Refusal>;

/// For the whole process, as is the key that seals what a client keeps.
static ASKING: OnceLock<&Asking> = OnceLock::new();

/// A client may be asked from now on, or may already have been.
pub(crate) fn clients_are_asked() {
    ASKING.get_or_init(|| &Asking {
        ask: |engine, asker, asked| Box::pin(engine.ask(asker, asked)),
        go_on,
    });
}

/// `None` while no client can have been asked.
pub(crate) fn asking() -> Option<&'static Asking> {
    ASKING.get().copied()
}
