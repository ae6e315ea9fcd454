//! Work that blocks, off the threads of the handlers.

use std::panic::resume_unwind;

/// Runs work that blocks its thread, such as a long computation or a library without futures, on
/// tokio's pool for that, and gives what it returns.
///
/// A handler that blocks its own thread takes it from the others. Those of
/// [`stdio::serve`](crate::stdio::serve) grow to 256 where they are held up, each after some
/// milliseconds; elsewhere they are the application's. The pool grows to 512.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let manifest = relay_runtime::blocking(|| std::fs::read_to_string("Cargo.toml")).await?;
/// assert!(manifest.starts_with("[package]"));
/// # Ok(())
/// # }
/// ```
///
/// Nothing stops work that has begun: when the future is dropped, as at the end of a call's grace,
/// the work goes on and its value is lost. Work that may take longer should look at a clone of its
/// [`Call`](crate::Call) now and then, and end when that
/// [is cancelled](crate::Call::is_cancelled):
///
/// ```
/// use relay_runtime::{Call, ToolError, blocking};
///
/// async fn sum(call: &Call, numbers: Vec<u64>) -> Result<u64, ToolError> {
///     let call = call.clone();
///     let work = move || {
///         let mut sum: u64 = 0;
///         for number in numbers {
///             if call.is_cancelled() {
///                 return Err(ToolError::message("The call was cancelled."));
///             }
///             sum = sum.wrapping_add(number);
///         }
///         Ok(sum)
///     };
///     blocking(work).await
/// }
/// ```
///
/// # Panics
///
/// With the panic of the work, which thus fails the call like any panic of its handler. Also
/// outside of a tokio runtime, and where the runtime ends before the work has begun.
pub async fn blocking<T, W>(work: W) -> T
where
    T: Send + 'static,
    W: FnOnce() -> T + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(error) => panic!("the work has not begun: {error}"),
        },
    }
}
