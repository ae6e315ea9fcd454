//! Generates the server's tools.

fn main() {
    relay_gen::build("../schemas/bench");
}
