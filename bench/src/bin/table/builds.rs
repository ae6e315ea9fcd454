//! What a clean release build costs, and how large it gets.

use std::fs;
use std::path::{Path, PathBuf};

use relay_bench::ratios::Ratios;

use crate::calls::line;
use crate::cargo::{self, Built};
use crate::options::Options;
use crate::servers::{self, Server};

/// Measures, and prints a table.
///
/// # Errors
///
/// If a server can't be built.
pub fn print(options: &Options) -> Result<(), String> {
    let clean = Clean::new()?;
    let baseline = servers::baseline()?;
    let generating = servers::generating();
    // The first build is not measured: it gives the generated code, and the disk its files.
    let generated = clean.build(&generating)?.generated;
    let generated = generated.ok_or("examples/greeter has no build script")?;
    let mut measured = vec![servers::committed(&generated)?, generating];
    if options.peers {
        measured.extend(servers::peers());
    }

    let mut costs = vec![(Ratios::default(), Ratios::default()); measured.len()];
    for _ in 0..options.rounds {
        let least = clean.measure(&baseline)?;
        for (server, (times, sizes)) in measured.iter().zip(&mut costs) {
            let measured = clean.measure(server)?;
            times.add(measured.0, least.0);
            sizes.add(measured.1, least.1);
        }
    }

    println!(
        "\nClean release builds, as multiples of that of null-loop, which has {} packages in its \
         tree: the median (least-greatest), rounds: {}\n",
        cargo::packages(&baseline.manifest)?,
        options.rounds
    );
    let titles = ["packages in the tree", "CPU of the build", "size, stripped"];
    println!("{}", line("", titles.iter().map(ToString::to_string)));
    println!("{}", line("---", titles.iter().map(|_| "---".into())));
    for (server, (times, sizes)) in measured.iter().zip(&costs) {
        let packages = cargo::packages(&server.manifest)?.to_string();
        let size = format!("{:.2}", sizes.median());
        let cells = [packages, times.to_string(), size];
        println!("{}", line(server.title, cells.into_iter()));
    }
    Ok(())
}

/// A directory to build into, which is gone after it.
struct Clean(PathBuf);

impl Clean {
    fn new() -> Result<Self, String> {
        Ok(Self(cargo::target()?.join("table/clean")))
    }

    fn build(&self, server: &Server) -> Result<Built, String> {
        eprintln!("building {} from nothing", server.title);
        cargo::build_clean(&server.manifest, server.program, &self.0)
    }

    /// The processor time of a build, and the size of its program.
    fn measure(&self, server: &Server) -> Result<(f64, f64), String> {
        let built = self.build(server)?;
        Ok((built.cpu, size(&built.program)?))
    }
}

impl Drop for Clean {
    fn drop(&mut self) {
        // What can't be removed is removed before the next build.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[expect(clippy::cast_precision_loss, reason = "programs are small")]
fn size(program: &Path) -> Result<f64, String> {
    let metadata = fs::metadata(program)
        .map_err(|error| format!("{} can't be read: {error}", program.display()))?;
    Ok(metadata.len() as f64)
}
