//! What a clean release build costs, and how large it gets.

use std::fs;
use std::path::PathBuf;

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
    let mut measured = vec![servers::generating()];
    if options.peers {
        measured.extend(servers::peers());
    }
    let mut costs = vec![Cost::default(); measured.len() + 1];
    for round in 0..options.rounds {
        let least = clean.build(&baseline)?;
        let generating = clean.build(&measured[0])?;
        costs[0].add(&generating, &least);
        if round == 0 {
            let generated = generating.generated.as_deref();
            let generated = generated.ok_or("examples/greeter has no build script")?;
            measured.insert(1, servers::committed(generated)?);
        }
        for (server, cost) in measured.iter().zip(&mut costs).skip(1) {
            cost.add(&clean.build(server)?, &least);
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
    for (server, cost) in measured.iter().zip(&costs) {
        let packages = cargo::packages(&server.manifest)?.to_string();
        let size = format!("{:.2}", cost.sizes.median());
        let cells = [packages, cost.times.to_string(), size];
        println!("{}", line(server.title, cells.into_iter()));
    }
    Ok(())
}

/// What the builds of a server cost.
#[derive(Clone, Default)]
struct Cost {
    times: Ratios,
    sizes: Ratios,
}

impl Cost {
    fn add(&mut self, built: &Built, least: &Built) {
        self.times.add(built.cpu, least.cpu);
        self.sizes.add(built.size, least.size);
    }
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
}

impl Drop for Clean {
    fn drop(&mut self) {
        // What can't be removed is removed before the next build.
        let _ = fs::remove_dir_all(&self.0);
    }
}
