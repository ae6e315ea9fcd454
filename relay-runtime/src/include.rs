//! The macro that brings generated code into a crate.

/// Includes the code that `relay-gen` wrote in the build script.
///
/// Without an argument, the file `tools.rs` in `OUT_DIR`, where `relay_gen::build` writes it;
/// with one, the file of that name in `OUT_DIR`.
///
/// ```ignore
/// mod tools { relay_runtime::include_tools!(); }
/// mod admin { relay_runtime::include_tools!("admin.rs"); }
/// ```
#[macro_export]
macro_rules! include_tools {
    () => {
        $crate::include_tools!("tools.rs");
    };
    ($file:literal $(,)?) => {
        ::core::include!(::core::concat!(::core::env!(
                "OUT_DIR",
                "include_tools! needs a build.rs that calls relay_gen::build(\"schemas\"); a committed file is \
                 included by `mod tools;`"
            ), "/", $file));
    };
}
