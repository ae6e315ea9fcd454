//! Generates and compiles every directory of contracts below one: `contracts [DIR]`. Without DIR, the
//! public contracts in `../shared/contracts`.

use std::path::PathBuf;
use std::process::ExitCode;

use relay_tests::{shared, sweep};

fn main() -> ExitCode {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let Some(directory) = given.or_else(|| shared("contracts")) else {
        return ExitCode::from(3);
    };
    let mut sweep = sweep(&directory, "contracts-command");
    sweep.count_lines();
    print!("{sweep}");
    let total = sweep.total();
    ExitCode::from(u8::from(total.compiled < total.typed))
}
