//! `relay-gen check`

use std::fs;
use std::io::{self, Write};

use similar::TextDiff;

use super::source::generated;
use super::{Failure, Outcome, Target, tell};

pub(super) fn run(target: &Target) -> Result<Outcome, Failure> {
    let wanted = generated(target)?;
    let path = &target.output;
    let existing = match fs::read(path) {
        Ok(existing) => existing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(stale(target, "does not exist"));
        }
        Err(error) => {
            return Err(Failure::File {
                path: path.clone(),
                doing: "read",
                error,
            });
        }
    };
    if existing == wanted {
        return Ok(Outcome::Fine);
    }
    let (existing, wanted) = (
        String::from_utf8_lossy(&existing),
        String::from_utf8_lossy(&wanted),
    );
    if existing.replace("\r\n", "\n") == wanted {
        let keep =
            "keep git from converting them: put the line `*.rs text eol=lf` into .gitattributes";
        let differs = format!("differs only in its line ends, CRLF where LF is generated; {keep}");
        return Ok(stale(target, &differs));
    }
    let name = path.display().to_string();
    let diff = TextDiff::from_lines(&*existing, &*wanted);
    // The difference is the result; if nobody reads it, the exit code still tells.
    let _ = write!(
        io::stdout(),
        "{}",
        diff.unified_diff()
            .header(&name, &format!("{name} (generated)"))
    );
    Ok(stale(target, "is stale"))
}

fn stale(target: &Target, what: &str) -> Outcome {
    let directories: Vec<_> = target
        .directories
        .iter()
        .map(|directory| directory.display().to_string())
        .collect();
    let path = target.output.display();
    tell(&format!(
        "{path} {what}\nto make it anew: relay-gen generate {} -o {path}",
        directories.join(" ")
    ));
    Outcome::Stale
}
