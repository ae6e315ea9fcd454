//! Generated definitions, each with its contract.

/// A function that gives the definition of a tool, from the published tool object and the tables
/// of its schemas. Without an output, the tool's result is content alone.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_definition {
    (
        pub fn $function:ident($input:ty) $(-> $output:ty)?,
        $name:literal,
        $declaration:literal,
        input $input_table:tt
        $(, output $output_table:tt)?
        $(, requires [$($capability:literal),* $(,)?])?
        $(, timeout_ms $timeout:literal)?
        $(,)?
    ) => {
        #[doc = ::core::concat!("The contract of the tool `", $name, "`.")]
        #[must_use]
        pub fn $function() -> $crate::codegen::Definition<$input $(, $output)?> {
            static CONTRACT: $crate::codegen::Contract = $crate::codegen::Contract {
                name: $name,
                declaration: $declaration,
                input: $crate::__relay_table!($input_table),
                output: $crate::__relay_definition!(@table $($output_table)?),
                required_client_capabilities: &[$($($capability),*)?],
                timeout_ms: $crate::__relay_definition!(@option $($timeout)?),
            };
            $crate::__relay_definition!(@make $($output)?)(&CONTRACT)
        }
    };
    (@table) => { ::core::option::Option::None };
    (@table $table:tt) => { ::core::option::Option::Some($crate::__relay_table!($table)) };
    (@option) => { ::core::option::Option::None };
    (@option $value:literal) => { ::core::option::Option::Some($value) };
    (@make) => { $crate::codegen::content_definition };
    (@make $output:ty) => { $crate::codegen::definition };
}
