//! Generating from a build script.

use std::env;
use std::path::{Path, PathBuf};

use crate::contracts::{Contracts, directory};
use crate::diagnostics::{Diagnostics, Report};
use crate::generate::{Options, generate};
use crate::output;
use crate::stamp::Stamp;

/// Generates the module for a directory of contracts from a build script, where
/// `relay_runtime::include_tools!()` finds it.
///
/// The directory is relative to the package, as Cargo runs its build script there.
///
/// # Panics
///
/// With everything that is wrong in the contracts, which is how a build script fails.
///
/// In `build.rs`:
///
/// ```no_run
/// relay_gen::build("schemas");
/// ```
pub fn build(directory: impl AsRef<Path>) {
    Builder::new().contracts(directory).build();
}

/// Generates from a build script, with settings.
///
/// ```no_run
/// relay_gen::Builder::new()
///     .contracts("schemas")
///     .contracts("../shared-schemas")
///     .file_name("all_tools.rs")
///     .build();
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Builder {
    roots: Vec<PathBuf>,
    out_dir: Option<PathBuf>,
    options: Options,
}

impl Builder {
    /// A builder without a directory; give at least one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a directory of contracts, relative to the package. A `$ref` may lead from one directory
    /// to another.
    pub fn contracts(mut self, directory: impl AsRef<Path>) -> Self {
        self.roots.push(directory.as_ref().into());
        self
    }

    /// Where the file goes; by default Cargo's `OUT_DIR`, where `include_tools!` looks for it.
    pub fn out_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(directory.into());
        self
    }

    /// The name of the file; `tools.rs` by default. `include_tools!` takes another as its argument.
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.options.file_name = name.into();
        self
    }

    /// The path of the runtime, for a program that has it under another name; `::relay_runtime` by
    /// default.
    pub fn runtime_path(mut self, path: impl Into<String>) -> Self {
        self.options.runtime_path = path.into();
        self
    }

    /// Generates, tells Cargo what to watch and what there is to warn of.
    ///
    /// # Panics
    ///
    /// With everything that is wrong in the contracts, or if the file can't be written.
    pub fn build(self) {
        if let Err(error) = self.try_build() {
            // Cargo shows a panic's message in full; it is how a build script says what is wrong.
            panic!("\n\n{error}\n");
        }
    }

    /// [`Builder::build`] for a build script that has its own way to fail.
    ///
    /// # Errors
    ///
    /// With everything that is wrong in the contracts, or if the file can't be written.
    pub fn try_build(self) -> Result<(), BuildError> {
        if self.roots.is_empty() {
            return Err(BuildError::NoDirectory);
        }
        for root in &self.roots {
            watch(root);
        }
        let cargos = env::var_os("OUT_DIR").map(PathBuf::from);
        match (&self.out_dir, cargos) {
            // The application's own directory has nothing but what it asked for.
            (Some(out_dir), _) => self.run(out_dir, false)?,
            (None, Some(cargos)) => self.run(&cargos, true)?,
            (None, None) => return Err(BuildError::NoOutDir),
        };
        Ok(())
    }

    /// Generates into a directory; where the last run has left its stamp there and nothing has
    /// changed, only tells Cargo the same again.
    fn run(&self, out_dir: &Path, stamped: bool) -> Result<Run, BuildError> {
        let mut diagnostics = Diagnostics::default();
        let listing = directory::read(&self.roots, &mut diagnostics);
        for path in &listing.paths {
            watch(path);
        }
        let stamp = if stamped && !diagnostics.has_errors() {
            Stamp::new(&listing, &self.options, out_dir)
        } else {
            None
        };
        if let Some(warnings) = stamp.as_ref().and_then(Stamp::warnings) {
            warn(&warnings);
            return Ok(Run::Unchanged);
        }
        let contracts = Contracts::assemble(listing, diagnostics)?;
        let warnings = contracts.warnings().to_string();
        warn(&warnings);
        let files = generate(&contracts, &self.options)?;
        output::write(&files, out_dir).map_err(|error| BuildError::Write {
            directory: out_dir.into(),
            error,
        })?;
        if let Some(stamp) = stamp {
            // Without it, the next run takes longer, and that is all.
            let _ = output::write(&stamp.file(&files, &self.options, &warnings), out_dir);
        }
        Ok(Run::Generated)
    }
}

/// What a run has come to.
#[derive(Debug, PartialEq, Eq)]
enum Run {
    Generated,
    Unchanged,
}

/// Why [`Builder::try_build`] failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The contracts are wrong, or can't be typed exactly.
    Contracts(Report),
    /// No directory of contracts was given.
    NoDirectory,
    /// Cargo's `OUT_DIR` is not set and no directory was given.
    NoOutDir,
    /// The file can't be written.
    Write {
        /// Where it was to go.
        directory: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BuildError::Contracts(report) => report.fmt(f),
            BuildError::NoDirectory => {
                f.write_str("no directory was given: call `.contracts(\"schemas\")` on the builder")
            }
            BuildError::NoOutDir => {
                f.write_str("OUT_DIR is not set: call this from a build script, or say where the file goes with `out_dir`")
            }
            BuildError::Write { directory, error } => {
                write!(f, "the generated file can't be written into {}: {error}", directory.display())
            }
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::Contracts(report) => Some(report),
            BuildError::Write { error, .. } => Some(error),
            BuildError::NoDirectory | BuildError::NoOutDir => None,
        }
    }
}

impl From<Report> for BuildError {
    fn from(report: Report) -> Self {
        BuildError::Contracts(report)
    }
}

/// Cargo runs the script again when the path changes; for a directory, when anything in it does.
fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

fn warn(warnings: &str) {
    for line in warnings.lines() {
        println!("cargo::warning={line}");
    }
}

#[cfg(test)]
mod tests;
