//! Generates the types, the traits and the tables of the tools from their contracts.

fn main() {
    relay_gen::build("../../schemas/everything");
}
