//! Panics, those of tools apart that are meant.

use std::panic;
use std::sync::{Mutex, Once, PoisonError};

use super::tools::MEANT;

static UNMEANT: Mutex<Option<String>> = Mutex::new(None);

/// Watches for panics of this process from now on; those that are meant are no longer shown.
pub(super) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let payload = info.payload();
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            if text != Some(MEANT) {
                keep(Some(info.to_string()));
                before(info);
            }
        }));
    });
}

/// Forgets what was seen.
pub(super) fn forget() {
    keep(None);
}

/// The last panic that nobody meant.
pub(super) fn unmeant() -> Option<String> {
    UNMEANT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

fn keep(panic: Option<String>) {
    *UNMEANT.lock().unwrap_or_else(PoisonError::into_inner) = panic;
}
