//! The committed module is newer than the runtime.

mod tools {
    relay_runtime::include_tools!("newer.rs");
}

fn main() {
    let _ = tools::definitions::greet();
}
