//! The commands, their arguments and their exit codes.

mod check;
mod generate;
mod source;
mod validate;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use relay_gen::Report;
use relay_gen::diagnostics::Style;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Fine,
    Findings,
    Stale,
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Findings => 1,
            Outcome::Stale => 2,
            Outcome::Failed => 3,
        })
    }
}

/// Turns a directory of MCP tool contracts into one Rust module.
#[derive(Debug, Parser)]
#[command(name = "relay-gen", version, propagate_version = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 invalid values, 2 the generated file is stale, 3 an error (a wrong contract,
a wrong argument).";

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the module, unless the file has these bytes already.
    #[command(after_help = "\
Examples:
  relay-gen generate schemas -o src/tools.rs
  relay-gen generate schemas ../shared-schemas -o src/tools.rs")]
    Generate(Target),
    /// Say whether the file is what `generate` would write; show the difference if it is not.
    #[command(after_help = "\
Examples:
  relay-gen check schemas -o src/tools.rs      in CI, where src/tools.rs is committed

Exit codes: 0 up to date, 2 stale, 3 an error.")]
    Check(Target),
    /// Check JSON values, one a line on standard input, against a tool's contract.
    #[command(after_help = "\
Examples:
  echo '{\"name\":\"\"}' | relay-gen validate schemas --tool greet
  relay-gen validate schemas --tool greet --output < results.jsonl

Writes one JSON object a line: {\"valid\":true}, or {\"valid\":false,\"errors\":[..]}.
Exit codes: 0 all valid, 1 some are not, 3 an error.")]
    Validate(Validate),
}

/// What is generated from what.
#[derive(Debug, Args)]
struct Target {
    /// The directories that hold the contracts.
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// The generated file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Which values are checked against what.
#[derive(Debug, Args)]
struct Validate {
    /// The directories that hold the contracts.
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// The tool whose contract decides.
    #[arg(long, value_name = "NAME")]
    tool: String,
    /// Check structured results, by the `outputSchema`, rather than arguments.
    #[arg(long)]
    output: bool,
}

/// Runs one command line; nothing but its result goes to standard output.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(message) => return usage(&message),
    };
    let result = match cli.command {
        Command::Generate(target) => generate::run(&target),
        Command::Check(target) => check::run(&target),
        Command::Validate(arguments) => validate::run(&arguments),
    };
    result
        .unwrap_or_else(|failure| {
            tell(&failure.to_string());
            Outcome::Failed
        })
        .into()
}

/// Help is no error; a wrong argument is one like any other, not clap's 2.
fn usage(message: &clap::Error) -> ExitCode {
    // Nobody is left to tell if the terminal is gone.
    let _ = message.print();
    if message.use_stderr() {
        Outcome::Failed.into()
    } else {
        Outcome::Fine.into()
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
enum Failure {
    Contracts(Report),
    Argument(String),
    File {
        path: PathBuf,
        doing: &'static str,
        error: io::Error,
    },
}

impl Failure {
    fn stream(name: &str, doing: &'static str, error: io::Error) -> Self {
        Failure::File {
            path: name.into(),
            doing,
            error,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Contracts(report) => f.write_str(&render(report)),
            Failure::Argument(what) => write!(f, "error: {what}"),
            Failure::File { path, doing, error } => {
                write!(f, "error: {} can't be {doing}: {error}", path.display())
            }
        }
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Failure::Contracts(report)
    }
}

fn render(report: &Report) -> String {
    let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    report.render(if colour { Style::Colour } else { Style::Plain })
}

/// Messages go to standard error.
fn tell(message: &str) {
    // Nobody is left to tell if it is closed.
    let _ = writeln!(io::stderr(), "{}", message.trim_end());
}
