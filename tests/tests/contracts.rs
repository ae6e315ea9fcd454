//! Public contracts, generated and compiled.

use relay_tests::{shared, sweep};

/// `cargo run -p relay-tests --bin contracts` prints the same, with the lines of code.
#[test]
fn public_contracts_are_typed_and_compile() {
    let Some(directory) = shared("contracts") else {
        return;
    };
    let sweep = sweep(&directory, "contracts-test");
    println!("{sweep}");
    let total = sweep.total();
    let different = total.contracts - total.twice;
    assert!(different > 600, "only {different} contracts were found");
    assert_eq!(total.compiled, total.typed, "{}", sweep.compiler);
    for (directory, refused) in sweep.refused() {
        assert_eq!(
            refused.rules,
            ["network-ref"],
            "{directory}/{}: {}",
            refused.file,
            refused.message
        );
    }
}
