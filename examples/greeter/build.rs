//! Generates the types, the trait and the table of `greet` from its contract.

fn main() {
    relay_gen::build("../../schemas/greeter");
}
