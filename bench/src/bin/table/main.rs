//! Prints what Relay costs, as multiples of the least correct work: `bench/table --help`

#[cfg(target_os = "linux")]
mod builds;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod cargo;
#[cfg(target_os = "linux")]
mod options;
#[cfg(target_os = "linux")]
mod servers;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--help" || argument == "-h") {
        println!("{}", options::HELP);
        return ExitCode::SUCCESS;
    }
    let done = options::Options::parse(std::env::args().skip(1)).and_then(|options| {
        if options.calls {
            calls::print(&options)?;
        }
        if options.builds {
            builds::print(&options)?;
        }
        Ok(())
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("table: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!(
        "table: nothing was measured: it needs Linux, where /proc tells the processor time of each \
         thread of a server, and one processor can be set aside"
    );
    ExitCode::FAILURE
}
