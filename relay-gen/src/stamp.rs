//! What a build script has generated last, and from what: the next run need not do it again where
//! nothing has changed.
//!
//! A stamp stands beside the file in Cargo's `OUT_DIR`, and nowhere else: a file that is committed
//! has none. One that cannot be read, or that is not of this run's making, is as good as none.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::contracts::directory::Listing;
use crate::generate::{Files, Options};

/// What decides over the generated files, as a digest.
pub(crate) struct Stamp {
    input: String,
    path: PathBuf,
    output: PathBuf,
}

impl Stamp {
    /// Of generating this into a directory; `None` where it is not known which generator this is.
    pub(crate) fn new(listing: &Listing, options: &Options, directory: &Path) -> Option<Self> {
        let generator = generator()?;
        let input = digest(|hasher| {
            generator.hash(hasher);
            env!("CARGO_PKG_VERSION").hash(hasher);
            relay_runtime::codegen::INTERFACE.hash(hasher);
            format!("{options:?}").hash(hasher);
            listing.hash(hasher);
        });
        Some(Self {
            input,
            path: directory.join(format!("{}.stamp", options.file_name)),
            output: directory.join(&options.file_name),
        })
    }

    /// The warnings of the run that has generated what would be generated now, if that is there.
    pub(crate) fn warnings(&self) -> Option<String> {
        let stamp = fs::read_to_string(&self.path).ok()?;
        let output = fs::read(&self.output).ok()?;
        let (seal, warnings) = stamp.split_once('\n')?;
        (seal == self.seal(&output, warnings)).then(|| warnings.to_owned())
    }

    /// The stamp of a run, as a file beside the one that it has generated.
    pub(crate) fn file(&self, files: &Files, options: &Options, warnings: &str) -> Files {
        let output = files.get(&options.file_name).map_or(&[][..], |bytes| bytes);
        let text = format!("{}\n{warnings}", self.seal(output, warnings));
        let name = format!("{}.stamp", options.file_name);
        Files::from([(name, text.into_bytes())])
    }

    /// Of all that a run has read and said.
    fn seal(&self, output: &[u8], warnings: &str) -> String {
        digest(|hasher| (&self.input, output, warnings).hash(hasher))
    }
}

/// The program that generates: built anew, it is another.
fn generator() -> Option<impl Hash> {
    let program = env::current_exe().ok()?;
    let metadata = fs::metadata(&program).ok()?;
    Some((program, metadata.len(), metadata.modified().ok()?))
}

/// 128 bits, which nothing that changes by chance has in common with what was there before. Whoever
/// can write contracts with the same digest on purpose can write the build script as well.
fn digest(feed: impl Fn(&mut DefaultHasher)) -> String {
    let half = |number: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(number);
        feed(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}
