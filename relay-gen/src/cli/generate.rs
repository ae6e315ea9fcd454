//! `relay-gen generate`

use relay_gen::output::write_if_changed;

use super::source::generated;
use super::{Failure, Outcome, Target, tell};

pub(super) fn run(target: &Target) -> Result<Outcome, Failure> {
    let bytes = generated(target)?;
    let path = &target.output;
    match write_if_changed(path, &bytes) {
        Ok(true) => tell(&format!("wrote {}", path.display())),
        Ok(false) => tell(&format!("{} is up to date", path.display())),
        Err(error) => {
            return Err(Failure::File {
                path: path.clone(),
                doing: "written",
                error,
            });
        }
    }
    Ok(Outcome::Fine)
}
