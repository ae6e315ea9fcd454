//! From the directories of a command line to the text of the module.

use relay_gen::{Contracts, Options, generate};

use super::{Failure, Target, render, tell};

/// The bytes that the target's file should have; warnings are told on the way.
pub(super) fn generated(target: &Target) -> Result<Vec<u8>, Failure> {
    let contracts = Contracts::read(&target.directories)?;
    if !contracts.warnings().is_empty() {
        tell(&render(contracts.warnings()));
    }
    let mut files = generate(&contracts, &Options::default())?;
    Ok(files
        .pop_first()
        .map(|(_, bytes)| bytes)
        .unwrap_or_default())
}
