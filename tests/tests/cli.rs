//! The command line, as a user runs it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use relay_tests::{Nested, Ran, run};

const GREET: &str = r#"{"name": "greet", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}"#;
const PART: &str = r#"{"name": "part", "inputSchema": {"type": "object"}}"#;

struct Cli {
    directory: PathBuf,
}

impl Cli {
    /// A directory with one contract in `schemas`.
    fn new(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("cli")
            .join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        let cli = Self { directory };
        cli.write("schemas/greet.json", GREET);
        cli
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.directory.join(path)).unwrap()
    }

    fn run<A: AsRef<OsStr>>(&self, arguments: &[A], input: &str) -> Ran {
        static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
        let program = PROGRAM.get_or_init(|| Nested::program("relay-gen", "relay-gen", "cli"));
        let mut command = Command::new(program);
        run(command.args(arguments).current_dir(&self.directory), input)
    }

    /// Runs a line of words, and asserts its exit code.
    #[track_caller]
    fn exits(&self, code: i32, line: &str) -> Ran {
        self.exits_fed(code, line, "")
    }

    /// The same with something to read.
    #[track_caller]
    fn exits_fed(&self, code: i32, line: &str, input: &str) -> Ran {
        let ran = self.run(&line.split(' ').collect::<Vec<_>>(), input);
        assert_eq!(ran.code, code, "{line}: {}", ran.all());
        assert!(
            !ran.all().contains('\u{1b}'),
            "colour where there is no terminal"
        );
        ran
    }
}

#[track_caller]
fn has(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in:\n{text}");
}

#[test]
fn what_was_generated_is_fresh() {
    let cli = Cli::new("fresh");
    let ran = cli.exits(0, "generate schemas -o src/tools.rs");
    assert_eq!(ran.stdout, "");
    has(&ran.stderr, "wrote src/tools.rs");
    has(&cli.read("src/tools.rs"), "pub trait Greet<C = ()>");
    let written = fs::metadata(cli.directory.join("src/tools.rs"))
        .unwrap()
        .modified()
        .unwrap();

    let ran = cli.exits(0, "check schemas -o src/tools.rs");
    assert_eq!(ran.stdout, "");
    let ran = cli.exits(0, "generate schemas -o src/tools.rs");
    assert_eq!(ran.stdout, "");
    has(&ran.stderr, "up to date");
    let now = fs::metadata(cli.directory.join("src/tools.rs"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(now, written);
}

#[test]
fn a_stale_file_is_shown_with_what_differs() {
    let cli = Cli::new("stale");
    cli.exits(0, "generate schemas -o tools.rs");
    cli.write(
        "schemas/greet.json",
        &GREET.replace("\"name\": {", "\"nick\": {"),
    );
    let ran = cli.exits(2, "check schemas -o tools.rs");
    has(&ran.stdout, "--- tools.rs");
    has(
        &ran.stdout,
        "-            pub name?: String,".trim_start_matches(' '),
    );
    has(&ran.stdout, "+            pub nick?: String,");
    has(&ran.stderr, "tools.rs is stale");
    has(&ran.stderr, "relay-gen generate schemas -o tools.rs");
    has(&cli.read("tools.rs"), "pub name?: String");
}

#[test]
fn a_missing_file_is_stale() {
    let cli = Cli::new("missing");
    let ran = cli.exits(2, "check schemas -o tools.rs");
    has(&ran.stderr, "tools.rs does not exist");
    has(&ran.stderr, "relay-gen generate schemas -o tools.rs");
}

#[test]
fn other_line_ends_are_called_so() {
    let cli = Cli::new("line-ends");
    cli.exits(0, "generate schemas -o tools.rs");
    let text = cli.read("tools.rs");
    assert!(!text.contains('\r'));
    cli.write("tools.rs", &text.replace('\n', "\r\n"));
    let ran = cli.exits(2, "check schemas -o tools.rs");
    has(&ran.stderr, "line ends");
    has(&ran.stderr, ".gitattributes");
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_broken_contract_is_an_error() {
    let cli = Cli::new("broken");
    cli.exits(0, "generate schemas -o tools.rs");
    let before = cli.read("tools.rs");
    cli.write("schemas/part.json", &PART.replace("object", "array"));
    for command in ["generate", "check"] {
        let ran = cli.exits(3, &format!("{command} schemas -o tools.rs"));
        has(&ran.stderr, "error[input-schema-not-object]");
        has(&ran.stderr, "schemas/part.json:1:");
        has(&ran.stderr, "^^^");
        has(&ran.stderr, "help:");
        assert_eq!(ran.stdout, "");
    }
    assert_eq!(cli.read("tools.rs"), before);
    cli.exits(3, "generate nowhere -o tools.rs");
}

#[test]
fn a_wrong_argument_is_an_error() {
    let cli = Cli::new("usage");
    for line in [
        "generate",
        "generate schemas",
        "generate -o tools.rs",
        "generat",
        "check schemas -o a --wat",
    ] {
        let ran = cli.exits(3, line);
        has(&ran.stderr, "error:");
        assert_eq!(ran.stdout, "");
    }
    has(&cli.exits(3, "generat schemas").stderr, "generate");
    let ran = cli.run::<&str>(&[], "");
    assert_eq!(ran.code, 3, "{}", ran.all());
    has(&ran.stderr, "Usage");
}

#[test]
fn help_has_examples() {
    let cli = Cli::new("help");
    let ran = cli.exits(0, "--help");
    for part in ["generate", "check", "Exit codes"] {
        has(&ran.stdout, part);
    }
    for command in ["generate", "check"] {
        let ran = cli.exits(0, &format!("{command} --help"));
        has(&ran.stdout, "Examples:");
        has(
            &ran.stdout,
            &format!("relay-gen {command} schemas -o src/tools.rs"),
        );
        assert_eq!(ran.stderr, "");
    }
    let ran = cli.exits(0, "--version");
    has(&ran.stdout, "relay-gen ");
}

#[test]
fn directories_are_put_together() {
    let cli = Cli::new("two");
    cli.write("more/part.json", PART);
    cli.exits(0, "generate schemas more -o tools.rs");
    let text = cli.read("tools.rs");
    has(&text, "pub trait Greet<C = ()>");
    has(&text, "pub trait Part<C = ()>");
    cli.exits(0, "check schemas more -o tools.rs");
    let ran = cli.exits(2, "check schemas -o tools.rs");
    has(&ran.stdout, "pub trait Part<C = ()>");
    let ran = cli.exits(3, "generate schemas schemas -o tools.rs");
    has(&ran.stderr, "repeated-directory");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let cli = Cli::new("unwritable");
    for output in ["schemas", "schemas/greet.json/tools.rs"] {
        let ran = cli.exits(3, &format!("generate schemas -o {output}"));
        has(&ran.stderr, output);
        assert_eq!(ran.stdout, "");
    }
    let ran = cli.exits(3, "check schemas -o schemas");
    has(&ran.stderr, "schemas");
    assert_eq!(cli.read("schemas/greet.json"), GREET);
}

#[test]
fn a_warning_is_told_and_is_no_error() {
    let cli = Cli::new("warning");
    cli.write(
        "schemas/part.json",
        &PART.replacen('{', r#"{"colour": "red", "#, 1),
    );
    let ran = cli.exits(0, "generate schemas -o tools.rs");
    has(&ran.stderr, "warning[unknown-member]");
    assert_eq!(ran.stdout, "");
}

#[test]
fn values_are_validated_line_by_line() {
    let cli = Cli::new("validate");
    let greet = "validate schemas --tool greet";
    let ran = cli.exits_fed(0, greet, "{\"name\":\"Ada\"}\n\n{}");
    assert_eq!(ran.stdout, "{\"valid\":true}\n{\"valid\":true}\n");
    let ran = cli.exits_fed(1, greet, "{\"name\":1}\n{nope\n");
    let name = r#"{"instance":"/name","schema":"/properties/name/type","message":"must be a string, but is the number 1"}"#;
    has(
        &ran.stdout,
        &format!("{{\"valid\":false,\"errors\":[{name}]}}\n"),
    );
    has(&ran.stdout, "no valid JSON at byte 1");
    has(
        &cli.exits(3, "validate schemas --tool gret").stderr,
        "did you mean `greet`?",
    );
    has(
        &cli.exits(3, "validate schemas --tool greet --output")
            .stderr,
        "has no `outputSchema`",
    );
}

#[test]
fn a_form_is_beside_the_tools() {
    let cli = Cli::new("form");
    let form = r#"{"x-relay": {"form": true}, "type": "object", "properties": {"pin": {"type": "string"}}}"#;
    cli.write("schemas/city.json", form);
    let ran = cli.exits(0, "generate schemas -o tools.rs");
    has(&ran.stderr, "warning[secret-in-form]");
    has(&cli.read("tools.rs"), "rt::form! {");
    cli.exits(0, "check schemas -o tools.rs");
    let ran = cli.exits_fed(0, "validate schemas --tool greet", "{\"name\":\"Ada\"}\n");
    has(&ran.stdout, "{\"valid\":true}");
    let ran = cli.exits(3, "validate schemas --tool city");
    has(&ran.stderr, "there is no tool `city`");
}
