//! The committed module is older than the runtime.

mod tools {
    relay_runtime::include_tools!("older.rs");
}

fn main() {
    let _ = tools::definitions::greet();
}
