//! How tools are bound to the value that handles them.

use std::sync::Arc;

use crate::call::Call;
use crate::definition::Definition;
use crate::reply::ToolResult;
use crate::tool::Tool;

/// Binds each tool to the method of its trait: `handlers => [Greet::greet, …]`, in a module whose
/// `definitions` has a function of each method's name.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_tools {
    ($handlers:ident => [$($trait:ident::$method:ident),* $(,)?] $(,)?) => {{
        let handlers = ::std::sync::Arc::new($handlers);
        ::std::vec::Vec::from([$(
            $crate::codegen::bind(definitions::$method(), &handlers, |handlers, call, input| async move {
                $trait::$method(&*handlers, &call, input).await
            })
        ),*])
    }};
}

/// A tool whose calls go to a method of the handlers.
pub fn bind<H, C, I, O, F, Fut>(
    definition: Definition<I, O>,
    handlers: &Arc<H>,
    method: F,
) -> Tool<C>
where
    H: Send + Sync + 'static,
    C: Send + Sync + 'static,
    I: Send + 'static,
    O: Send + 'static,
    F: Fn(Arc<H>, Call<C>, I) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ToolResult<O>> + Send + 'static,
{
    let handlers = Arc::clone(handlers);
    definition.handle(move |call, input| method(Arc::clone(&handlers), call, input))
}
