//! Generates the types, the traits and the tables of the notebook's tools from their contracts.

fn main() {
    relay_gen::build("../../schemas/notes");
}
