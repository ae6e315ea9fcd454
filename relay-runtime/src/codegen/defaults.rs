//! The defaults of members that may be absent.

/// The defaults of members that may be absent: `name_or_default(name) -> T = value`.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_defaults {
    ($type:ident { $($function:ident($field:ident) -> $of:ty = $value:expr),* $(,)? } $(,)?) => {
        impl $type {
            $(
                #[doc = ::core::concat!("The member `", ::core::stringify!($field), "`, or its default.")]
                #[must_use]
                pub fn $function(&self) -> $of {
                    $crate::codegen::Defaulted::or(&self.$field, $value)
                }
            )*
        }
    };
}

/// A member that may be absent, and a value that may stand for it.
pub trait Defaulted<'m, T> {
    /// The member, or the default where it is absent.
    fn or(&'m self, default: T) -> T;
}

impl<T: Copy> Defaulted<'_, T> for Option<T> {
    fn or(&self, default: T) -> T {
        self.unwrap_or(default)
    }
}

impl<'m> Defaulted<'m, &'m str> for Option<String> {
    fn or(&'m self, default: &'m str) -> &'m str {
        self.as_deref().unwrap_or(default)
    }
}
