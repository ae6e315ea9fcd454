//! Relay against the crate `jsonschema`, on public contracts and on schemas made up.
//!
//! Seeded and repeatable. `RELAY_DIFFERENTIAL=10` makes ten times as many schemas and values;
//! `RELAY_DIFFERENTIAL_SEED=7` makes others.

mod branches;
mod cases;
mod checker;
mod limits;
mod oracle;
mod refusals;
mod types;
mod typify;

use relay_tests::subjects;

/// How many times as many as in a usual run.
fn scale() -> usize {
    number("RELAY_DIFFERENTIAL", 1)
}

fn seed() -> u64 {
    number("RELAY_DIFFERENTIAL_SEED", 2026) as u64
}

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn the_checker_agrees_on_public_contracts() {
    checker::run(
        "public contracts",
        &subjects::public(),
        seed(),
        40 * scale(),
    )
    .assert_none();
}

#[test]
fn the_checker_agrees_on_made_up_schemas() {
    let subjects = subjects::made_up(seed(), 500 * scale());
    checker::run("made-up schemas", &subjects, seed(), 40).assert_none();
}

#[test]
fn types_lose_nothing_of_public_contracts() {
    let subjects = subjects::public();
    types::run(
        "public contracts",
        "differential-public",
        &subjects,
        seed(),
        40 * scale(),
    );
}

#[test]
fn types_lose_nothing_of_made_up_schemas() {
    let subjects = subjects::made_up(seed(), 200);
    types::run(
        "made-up schemas",
        "differential-made-up",
        &subjects,
        seed(),
        40 * scale(),
    );
}

#[test]
fn what_typify_gets_wrong_is_right() {
    typify::run();
}
