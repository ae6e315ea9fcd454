//! Every directory of contracts below one directory, generated and compiled.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use relay_gen::diagnostics::{Place, Severity};
use relay_gen::{Contracts, Options, Report, generate};

use crate::nested::Nested;
use crate::{code_lines, rustfmt, texts};

/// What came of all directories.
#[derive(Debug, Default)]
pub struct Sweep {
    /// By directory.
    pub directories: Vec<Directory>,
    /// What the compiler has against the modules.
    pub compiler: String,
}

/// What came of one directory.
#[derive(Debug, Default)]
pub struct Directory {
    /// Its name.
    pub name: String,
    /// How many tools it has.
    pub contracts: usize,
    /// How many of them have the name of another, which is the one that is kept.
    pub twice: usize,
    /// How many were typed.
    pub typed: usize,
    /// Those that were refused, with the rules they break and the first message.
    pub refused: Vec<Refused>,
    /// How many were typed and their module compiles.
    pub compiled: usize,
    /// The lines of code of the module, as rustfmt lays it out.
    pub lines: usize,
    module: String,
    text: String,
}

/// A contract that was left out.
#[derive(Debug)]
pub struct Refused {
    /// Its file.
    pub file: String,
    /// The ids of the rules that it breaks.
    pub rules: Vec<&'static str>,
    /// The first thing that is wrong.
    pub message: String,
}

/// Reads, generates and compiles every directory below one, each as one module of one crate, which
/// is named `name`.
///
/// # Panics
///
/// If something can't be read or written, or if the generator panics.
#[must_use]
pub fn sweep(root: &Path, name: &str) -> Sweep {
    let mut paths: Vec<_> = fs::read_dir(root)
        .unwrap_or_else(|error| panic!("{} can't be read: {error}", root.display()))
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.is_dir())
        .collect();
    paths.sort();
    let mut sweep = Sweep::default();
    let nested = Nested::crate_of(name);
    let mut library = String::from(LINTS);
    for path in &paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (mut directory, generated) = Directory::generate(&name, texts(path));
        if let Some(Generated { text, .. }) = generated {
            let module = format!(
                "d_{}",
                directory
                    .name
                    .replace(|c: char| !c.is_ascii_alphanumeric(), "_")
            );
            nested.file(&format!("src/{module}.rs"), &text);
            library += &format!("/// Generated.\npub mod {module};\n");
            directory.module = module;
            directory.text = text;
        }
        sweep.directories.push(directory);
    }
    nested.file("src/lib.rs", &library);
    sweep.compile(&nested);
    sweep
}

/// What a user may deny.
const LINTS: &str = "//! Generated modules.\n\
    #![deny(warnings, missing_docs, unreachable_pub, unused, clippy::pedantic, rustdoc::all)]\n";

/// The module of a directory.
#[derive(Debug)]
pub struct Generated {
    /// Its text.
    pub text: String,
    /// The files whose contracts are in it, or that they refer to.
    pub files: Vec<String>,
}

impl Directory {
    /// Generates the module of a directory, without the contracts that are refused.
    ///
    /// # Panics
    ///
    /// If the generator panics, or writes what is no UTF-8.
    #[must_use]
    pub fn generate(name: &str, mut kept: Vec<(String, String)>) -> (Self, Option<Generated>) {
        let mut directory = Self {
            name: name.into(),
            ..Self::default()
        };
        directory.contracts = kept.iter().filter(|(_, text)| is_tool(text)).count();
        while !kept.is_empty() {
            let made = Contracts::from_texts(kept.iter().map(|(path, text)| (path, text)))
                .and_then(|contracts| {
                    Ok((
                        contracts.tools().len(),
                        generate(&contracts, &Options::default())?,
                    ))
                });
            let report = match made {
                Ok((tools, mut files)) => {
                    directory.typed = tools;
                    let bytes = files.pop_first().map(|(_, bytes)| bytes);
                    let text = String::from_utf8(bytes.unwrap_or_default());
                    let text = text.expect("generated code is UTF-8");
                    let files = kept.into_iter().map(|(path, _)| path).collect();
                    return (directory, Some(Generated { text, files }));
                }
                Err(report) => report,
            };
            if !directory.leave_out(&report, &mut kept) {
                // Nothing is left that is a contract.
                break;
            }
        }
        (directory, None)
    }

    /// Leaves out the files that a report is about; says whether there were any.
    fn leave_out(&mut self, report: &Report, kept: &mut Vec<(String, String)>) -> bool {
        let before = kept.len();
        for (file, (rules, message)) in offenders(report) {
            kept.retain(|(path, _)| *path != file);
            if rules == ["duplicate-tool"] {
                self.twice += 1;
            } else {
                self.refused.push(Refused {
                    file,
                    rules,
                    message,
                });
            }
        }
        kept.len() < before
    }
}

fn is_tool(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text)
        .map_or(true, |value| value.get("inputSchema").is_some())
}

/// The files with errors, the rules each breaks and the first message.
fn offenders(report: &Report) -> BTreeMap<String, (Vec<&'static str>, String)> {
    let mut files = BTreeMap::new();
    for diagnostic in report.diagnostics() {
        let Place::Span(span) = diagnostic.place else {
            continue;
        };
        if diagnostic.severity() != Severity::Error {
            continue;
        }
        let path = report.sources().get(span.file).path().to_owned();
        let (rules, _): &mut (Vec<_>, String) = files
            .entry(path)
            .or_insert_with(|| (Vec::new(), diagnostic.message.clone()));
        if !rules.contains(&diagnostic.rule.id) {
            rules.push(diagnostic.rule.id);
        }
    }
    files
}

impl Sweep {
    fn compile(&mut self, nested: &Nested) {
        let ran = nested.cargo(&["check", "--message-format=json"]);
        let mut broken = Vec::new();
        for message in ran.messages() {
            let message = &message["message"];
            let Some(rendered) = message["rendered"].as_str() else {
                continue;
            };
            self.compiler += rendered;
            for span in message["spans"].as_array().into_iter().flatten() {
                broken.extend(span["file_name"].as_str().map(str::to_owned));
            }
        }
        if ran.code != 0 && broken.is_empty() {
            self.compiler += &ran.stderr;
        }
        for directory in &mut self.directories {
            let file = format!("src/{}.rs", directory.module);
            let fine = ran.code == 0 || (!broken.is_empty() && !broken.contains(&file));
            directory.compiled = if fine { directory.typed } else { 0 };
        }
    }

    /// Counts the lines of each module, which the compiler does not need and rustfmt takes long for.
    ///
    /// # Panics
    ///
    /// If rustfmt is missing.
    pub fn count_lines(&mut self) {
        for directory in &mut self.directories {
            directory.lines = code_lines(&rustfmt(&directory.text));
        }
    }

    /// The sum over all directories.
    #[must_use]
    pub fn total(&self) -> Directory {
        let mut total = Directory {
            name: "total".into(),
            ..Directory::default()
        };
        for directory in &self.directories {
            total.contracts += directory.contracts;
            total.twice += directory.twice;
            total.typed += directory.typed;
            total.compiled += directory.compiled;
            total.lines += directory.lines;
        }
        total
    }

    /// Every contract that was refused, with the name of its directory.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &Refused)> {
        self.directories.iter().flat_map(|directory| {
            directory
                .refused
                .iter()
                .map(|refused| (&*directory.name, refused))
        })
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heading = [
            "directory",
            "contracts",
            "twice",
            "typed",
            "refused",
            "compiled",
            "lines",
            "a tool",
        ];
        row(f, heading.map(str::to_owned))?;
        let total = self.total();
        for directory in self.directories.iter().chain([&total]) {
            let refused = directory.contracts - directory.twice - directory.typed;
            #[allow(clippy::cast_precision_loss, reason = "small numbers")]
            let each = directory.lines as f64 / directory.typed.max(1) as f64;
            let numbers = [
                directory.contracts,
                directory.twice,
                directory.typed,
                refused,
                directory.compiled,
                directory.lines,
            ];
            let [contracts, twice, typed, refused, compiled, lines] =
                numbers.map(|number| number.to_string());
            let name = directory.name.clone();
            row(
                f,
                [
                    name,
                    contracts,
                    twice,
                    typed,
                    refused,
                    compiled,
                    lines,
                    format!("{each:.1}"),
                ],
            )?;
        }
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for (directory, refused) in self.refused() {
            writeln!(
                f,
                "refused: {directory}/{}: {} [{}]",
                refused.file,
                refused.message,
                refused.rules.join(", ")
            )?;
            for rule in &refused.rules {
                *rules.entry(rule).or_default() += 1;
            }
        }
        for (rule, count) in rules {
            writeln!(f, "refused by {rule}: {count}")?;
        }
        f.write_str(&self.compiler)
    }
}

fn row(f: &mut fmt::Formatter<'_>, [name, numbers @ ..]: [String; 8]) -> fmt::Result {
    write!(f, "{name:<22}")?;
    for number in numbers {
        write!(f, "{number:>10}")?;
    }
    writeln!(f)
}
