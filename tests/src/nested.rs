//! Crates that a test writes and builds with Cargo, as a user would.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{target, workspace};

/// A directory with a workspace of its own, below the directory into which Cargo builds. All of them
/// build into one place, so that what they depend on is compiled once.
#[derive(Debug)]
pub struct Nested {
    root: PathBuf,
}

/// What a command did.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code; -1 if a signal ended it.
    pub code: i32,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Ran {
    /// The same, if it succeeded.
    ///
    /// # Panics
    ///
    /// If it failed.
    #[must_use]
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert!(self.code == 0, "{}", self.all());
        self
    }

    /// Everything it wrote, for a message.
    #[must_use]
    pub fn all(&self) -> String {
        format!("exit code {}\n{}{}", self.code, self.stdout, self.stderr)
    }

    /// Cargo's messages, of `--message-format=json`.
    pub fn messages(&self) -> impl Iterator<Item = Value> {
        self.stdout
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
    }
}

impl Nested {
    /// An empty workspace; what an earlier run left is gone.
    ///
    /// # Panics
    ///
    /// If it can't be made.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let root = nested().join(name);
        if root.exists() {
            fs::remove_dir_all(&root).expect("what an earlier run left can be removed");
        }
        fs::create_dir_all(&root).expect("a directory can be made");
        let nested = Self { root };
        nested.lock();
        nested
    }

    /// The workspace's own versions, so that nothing is resolved anew.
    fn lock(&self) {
        let lock = fs::read_to_string(workspace().join("Cargo.lock")).expect("a lock file");
        self.file("Cargo.lock", &lock);
    }

    /// A crate that is its own workspace, with the dependencies that a user writes.
    #[must_use]
    pub fn crate_of(name: &str) -> Self {
        let nested = Self::new(name);
        nested.file("Cargo.toml", &manifest(name, true));
        nested
    }

    /// Writes a file.
    ///
    /// # Panics
    ///
    /// If it can't be written.
    pub fn file(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory can be made");
        fs::write(path, text).expect("a file can be written");
    }

    /// Copies a directory, with all that is below it.
    ///
    /// # Panics
    ///
    /// If it can't be copied.
    pub fn copy(&self, from: &Path, to: &str) {
        for (path, text) in crate::texts(from) {
            self.file(&format!("{to}/{path}"), &text);
        }
    }

    /// The path of something in it.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Runs Cargo in it.
    #[must_use]
    pub fn cargo(&self, arguments: &[&str]) -> Ran {
        self.cargo_with(arguments, &[])
    }

    /// Runs Cargo in it, with something to read on standard input.
    #[must_use]
    pub fn cargo_fed(&self, arguments: &[&str], input: &str) -> Ran {
        run(&mut command(&self.root, arguments, &[]), input)
    }

    /// Runs Cargo in it, with variables set.
    #[must_use]
    pub fn cargo_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        cargo(&self.root, arguments, variables)
    }

    /// The program of a crate, once it is built.
    #[must_use]
    pub fn built(&self, name: &str) -> PathBuf {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        nested().join("target/debug").join(name)
    }

    /// Builds a program of the workspace itself, and gives its path.
    ///
    /// # Panics
    ///
    /// If it can't be built.
    #[must_use]
    pub fn program(package: &str, name: &str, features: &str) -> PathBuf {
        let arguments = [
            "build",
            "--package",
            package,
            "--bin",
            name,
            "--features",
            features,
        ];
        let _ = cargo(&workspace(), &arguments, &[]).succeeded();
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        nested().join("target/debug").join(name)
    }
}

/// The manifest of a crate as a user writes it: the runtime, and the generator for its build script.
#[must_use]
pub fn manifest(name: &str, is_workspace: bool) -> String {
    let workspace = if is_workspace { "[workspace]\n" } else { "" };
    let root = crate::workspace();
    let (runtime, generator) = (root.join("relay-runtime"), root.join("relay-gen"));
    format!(
        "{workspace}[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nrelay-runtime = {{ path = {runtime:?} }}\n\n\
         [build-dependencies]\nrelay-gen = {{ path = {generator:?} }}\n"
    )
}

fn nested() -> PathBuf {
    target().join("tests-nested")
}

fn cargo(directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    run(&mut command(directory, arguments, variables), "")
}

fn command(directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let (command, rest) = arguments.split_first().expect("a command");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // What the outer Cargo says of the test's own package.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    cargo
        .current_dir(directory)
        .arg(command)
        .args(["--offline", "--color=never"])
        .args(rest)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("CARGO_TARGET_DIR", nested().join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .envs(variables.iter().copied());
    cargo
}

/// Runs a command with something to read on standard input.
///
/// # Panics
///
/// If it can't be started, or waited for.
#[must_use]
pub fn run(command: &mut Command, input: &str) -> Ran {
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may end before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
