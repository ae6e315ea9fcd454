//! The options of the command line.

/// What `--help` prints.
pub const HELP: &str = "\
Prints what Relay costs, as multiples of null-loop, the least correct work that one thread can do.

bench/table [--rounds N] [--peers] [--only calls|builds]

  --rounds N     pairs that are measured for each figure; 3 unless told
  --peers        measures rmcp and tower-mcp too; the first time it takes some minutes to build them
  --only calls   what a call, a start and the memory cost: seconds a round
  --only builds  what a clean release build costs: some CPU minutes a round, with the peers many";

/// What is to be measured.
#[derive(Debug, PartialEq)]
pub struct Options {
    /// How many pairs.
    pub rounds: usize,
    /// Whether the other servers are measured too.
    pub peers: bool,
    /// Whether servers are run.
    pub calls: bool,
    /// Whether servers are built.
    pub builds: bool,
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    ///
    /// If an argument is not known; the help is in it.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            rounds: 3,
            peers: false,
            calls: true,
            builds: true,
        };
        while let Some(argument) = arguments.next() {
            match &*argument {
                "--peers" => options.peers = true,
                "--rounds" => {
                    let rounds = arguments.next().and_then(|number| number.parse().ok());
                    options.rounds = rounds
                        .filter(|rounds| *rounds > 0)
                        .ok_or("--rounds takes a number from 1, such as --rounds 5")?;
                }
                "--only" => match arguments.next().as_deref() {
                    Some("calls") => options.builds = false,
                    Some("builds") => options.calls = false,
                    _ => return Err("--only takes `calls` or `builds`".into()),
                },
                other => return Err(format!("unknown option {other}\n\n{HELP}")),
            }
        }
        if options.calls || options.builds {
            Ok(options)
        } else {
            Err("--only can be given once: leave it out to measure both".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(arguments: &str) -> Result<Options, String> {
        Options::parse(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_few_and_mistakes_are_told() {
        let all = Options {
            rounds: 3,
            peers: false,
            calls: true,
            builds: true,
        };
        assert_eq!(parse(""), Ok(all));
        let some = Options {
            rounds: 5,
            peers: true,
            calls: false,
            builds: true,
        };
        assert_eq!(parse("--rounds 5 --peers --only builds"), Ok(some));
        for wrong in [
            "--rounds",
            "--rounds 0",
            "--only",
            "--only calls --only builds",
            "--peer",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
