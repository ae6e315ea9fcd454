//! What calls, a start and the memory cost.

use std::path::{Path, PathBuf};

use relay_bench::asked::Asked;
use relay_bench::cpu::Pinned;
use relay_bench::era::Era;
use relay_bench::load::{first_list, many, one_by_one};
use relay_bench::process::Served;
use relay_bench::ratios::Ratios;

use crate::cargo;
use crate::options::Options;
use crate::servers::{self, Server};

/// What is measured of a server.
struct Figure {
    title: &'static str,
    take: Take,
    /// How often; calls that are not counted come first.
    count: usize,
    /// How many times as often of the baseline, which is faster and would be over too soon.
    baseline: usize,
}

enum Take {
    /// The time to an answer, one call at a time.
    Time,
    /// The processor time of a call, with so many in flight.
    Cpu(Asked, usize),
    /// The processor time from the start to the first list.
    Start,
    /// The peak of the memory.
    Peak,
}

static FIGURES: [Figure; 9] = [
    figure("time to an answer, one call at a time", Take::Time, 4000, 2),
    figure(
        "CPU of an echo, 64 in flight",
        Take::Cpu(Asked::Echo, 64),
        20_000,
        6,
    ),
    figure(
        "CPU of an echo, 1,000 in flight",
        Take::Cpu(Asked::Echo, 1000),
        20_000,
        6,
    ),
    figure(
        "CPU of a sum, 64 in flight",
        Take::Cpu(Asked::Sum, 64),
        20_000,
        6,
    ),
    figure(
        "CPU of a sum, 1,000 in flight",
        Take::Cpu(Asked::Sum, 1000),
        20_000,
        6,
    ),
    figure(
        "CPU of an echo of 1 MiB",
        Take::Cpu(Asked::Large { escapes: false }, 1),
        8,
        2,
    ),
    figure(
        "CPU of an echo of 1 MiB with escapes",
        Take::Cpu(Asked::Large { escapes: true }, 1),
        8,
        2,
    ),
    figure("CPU from the start to the first list", Take::Start, 9, 1),
    figure("peak memory, 64 in flight", Take::Peak, 50_000, 1),
];

const fn figure(title: &'static str, take: Take, count: usize, baseline: usize) -> Figure {
    Figure {
        title,
        take,
        count,
        baseline,
    }
}

/// Measures, and prints a table for each era.
///
/// # Errors
///
/// If a server can't be built or answers wrong.
pub fn print(options: &Options) -> Result<(), String> {
    let mut measured = vec![servers::relay()];
    if options.peers {
        measured.extend(servers::peers());
    }
    let baseline = program(&servers::baseline()?)?;
    let programs = measured
        .iter()
        .map(program)
        .collect::<Result<Vec<_>, _>>()?;
    let mut rows: Vec<Row> = Era::ALL
        .into_iter()
        .flat_map(|era| FIGURES.iter().map(move |figure| (era, figure)))
        .map(|(era, figure)| Row {
            era,
            figure,
            ratios: vec![Ratios::default(); programs.len()],
        })
        .collect();
    let pinned = Pinned::to_one()?;
    for _ in 0..options.rounds {
        for row in &mut rows {
            row.measure(&baseline, &programs)?;
        }
    }
    drop(pinned);
    for era in Era::ALL {
        println!(
            "\nMCP {}, as multiples of null-loop: the median (least-greatest), rounds: {}\n",
            era.revision(),
            options.rounds
        );
        println!(
            "{}",
            line("", measured.iter().map(|server| server.title.into()))
        );
        println!("{}", line("---", measured.iter().map(|_| "---".into())));
        for row in rows.iter().filter(|row| row.era == era) {
            println!(
                "{}",
                line(row.figure.title, row.ratios.iter().map(Ratios::to_string))
            );
        }
    }
    Ok(())
}

/// A figure in one era, of each program.
struct Row {
    era: Era,
    figure: &'static Figure,
    ratios: Vec<Ratios>,
}

impl Row {
    /// Measures once more. The baseline runs beside each program, so that whatever else the machine
    /// does falls on both.
    fn measure(&mut self, baseline: &Path, programs: &[PathBuf]) -> Result<(), String> {
        for (program, ratios) in programs.iter().zip(&mut self.ratios) {
            let least = measured(self.figure, self.era, baseline, self.figure.baseline)?;
            ratios.add(measured(self.figure, self.era, program, 1)?, least);
        }
        Ok(())
    }
}

/// A line of a table.
pub fn line(title: &str, cells: impl Iterator<Item = String>) -> String {
    cells.fold(format!("| {title} |"), |line, cell| {
        format!("{line} {cell} |")
    })
}

/// One figure of one program, in a process of its own.
fn measured(figure: &Figure, era: Era, program: &Path, times: usize) -> Result<f64, String> {
    let count = figure.count * times;
    let start = || Served::start::<&str>(program, &[]);
    let taken = || match figure.take {
        Take::Time => one_by_one(&mut start()?, era, Asked::Echo, 500, count).map(|cost| cost.time),
        Take::Cpu(asked @ Asked::Large { .. }, window) => {
            many(&mut start()?, era, asked, window, 2, count).map(|cost| cost.cpu)
        }
        Take::Cpu(asked, window) => {
            many(&mut start()?, era, asked, window, 1000, count).map(|cost| cost.cpu)
        }
        Take::Peak => many(&mut start()?, era, Asked::Echo, 64, 0, count).map(|cost| cost.peak),
        Take::Start => {
            let mut spent = (0..count)
                .map(|_| first_list(&mut start()?, era))
                .collect::<Result<Vec<_>, String>>()?;
            spent.sort_by(f64::total_cmp);
            Ok(spent[spent.len() / 2])
        }
    };
    taken().map_err(|error| {
        let (era, program) = (era.revision(), program.display());
        format!("{}, MCP {era}, of {program}: {error}", figure.title)
    })
}

/// Builds a server, or takes what was built before.
fn program(server: &Server) -> Result<PathBuf, String> {
    eprintln!("building {}", server.title);
    let target = cargo::target()?.join(server.target);
    Ok(cargo::build(&server.manifest, server.program, &target)?.program)
}
