//! How tools are bound to the value that handles them.

use std::sync::Arc;

use crate::call::Call;
use crate::definition::Definition;
use crate::reply::ToolResult;
use crate::tool::Tool;

/// The trait `Tools` and the function `tools` of a module, from the trait and the method of each of
/// its tools. The module has `definitions`, with a function of each method's name.
///
/// The bounds are spelled out: behind `Tools`, rustc would not say which tool has no handler.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_tools {
    ($($trait:ident::$method:ident),* $(,)?) => {
        /// Handles every tool of this module.
        pub trait Tools<C = ()>: $($trait<C> +)* {}

        impl<C, H: $($trait<C> +)*> Tools<C> for H {}

        /// Every tool of this module, bound to its handler.
        #[must_use]
        pub fn tools<C, H>(handlers: H) -> ::std::vec::Vec<$crate::codegen::Tool<C>>
        where
            C: ::core::marker::Send + ::core::marker::Sync + 'static,
            H: $($trait<C> +)*
        {
            shared_tools(&::std::sync::Arc::new(handlers))
        }

        /// Every tool of this module, bound to a handler that others share: the tools of another
        /// module, say.
        #[must_use]
        pub fn shared_tools<C, H>(handlers: &::std::sync::Arc<H>) -> ::std::vec::Vec<$crate::codegen::Tool<C>>
        where
            C: ::core::marker::Send + ::core::marker::Sync + 'static,
            H: $($trait<C> +)*
        {
            ::std::vec::Vec::from([$(
                $crate::codegen::bind(definitions::$method(), handlers, |handlers, call, input| async move {
                    $trait::$method(&*handlers, &call, input).await
                })
            ),*])
        }
    };
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
