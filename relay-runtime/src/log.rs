//! What the operator of a server reads: on stderr, or as events of `tracing`.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;

use crate::request_id::RequestId;

/// Says why a call failed whose client reads only that it did.
pub(crate) fn failed_call(tool: &str, id: &RequestId, cause: &str) {
    error(&format!("tool {tool} (request {id}) failed: {cause}"));
}

/// Says that calls were dropped, unanswered, when the server ended.
pub(crate) fn dropped_calls(count: usize) {
    error(&format!(
        "calls dropped, unanswered, at the end of the server: {count}"
    ));
}

/// Says that something of the application's panicked outside of a call.
pub(crate) fn panicked_drop(message: &str) {
    error(&format!(
        "a value of the application panicked as it was dropped: {message}"
    ));
}

/// Says that handlers that do not answer at once have no thread of their own.
pub(crate) fn no_thread(cause: &std::io::Error) {
    error(&format!("the system gives no thread for handlers: {cause}"));
}

/// An error with its causes.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n  caused by: {error}");
        cause = error.source();
    }
    text
}

/// To whom the application has chosen to tell, else to stderr.
fn error(text: &str) {
    #[cfg(feature = "tracing")]
    if tracing::dispatcher::has_been_set() {
        return tracing::error!(target: "relay_runtime", "{text}");
    }
    // A log that nobody can take is lost; that must not stop the server.
    let _ = std::io::stderr().write_all(format!("relay: {text}\n").as_bytes());
}
