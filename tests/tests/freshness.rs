//! What Cargo builds again after a change, and what it leaves alone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use relay_tests::{Nested, Ran};

const BUILD: &str = r#"
fn main() {
    use std::io::Write;
    let mut runs = std::fs::File::options().create(true).append(true).open("runs.log").unwrap();
    writeln!(runs, "run").unwrap();
    relay_gen::build("schemas");
}
"#;
const LIBRARY: &str = "//! A user's crate.\npub mod tools { relay_runtime::include_tools!(); }\n";
const GREET: &str = r#"{"name": "greet", "inputSchema": {"type": "object", "properties": {"to": {"$ref": "who.json"}}}}"#;
const WHO: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#;
const PART: &str = r#"{"name": "part", "inputSchema": {"type": "object"}}"#;

/// A user's crate with contracts.
struct User {
    nested: Nested,
    name: String,
}

/// What a build did.
#[derive(Debug, PartialEq, Clone, Copy)]
struct Did {
    /// The build script ran.
    ran: bool,
    /// The crate was compiled.
    compiled: bool,
}

const NOTHING: Did = Did {
    ran: false,
    compiled: false,
};
const BUILT: Did = Did {
    ran: true,
    compiled: true,
};

impl User {
    fn new(name: &str) -> Self {
        let nested = Nested::crate_of(name);
        nested.file("build.rs", BUILD);
        nested.file("src/lib.rs", LIBRARY);
        nested.file("schemas/greet.json", GREET);
        nested.file("schemas/who.json", WHO);
        Self {
            nested,
            name: name.into(),
        }
    }

    fn cargo(&self) -> Ran {
        self.nested
            .cargo(&["build", "--message-format=json-diagnostic-short"])
    }

    /// Builds; afterwards every contract is older than the build, whatever the clock's grain.
    #[track_caller]
    fn build(&self) -> Did {
        let before = self.runs();
        let ran = self.cargo().succeeded();
        let artifact = ran
            .messages()
            .find(|message| {
                message["reason"] == "compiler-artifact" && message["target"]["name"] == self.name
            })
            .expect("the crate is built");
        let did = Did {
            ran: self.runs() > before,
            compiled: artifact["fresh"] == false,
        };
        age(&self.nested.path("schemas"));
        did
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.nested.path("runs.log")).map_or(0, |runs| runs.lines().count())
    }

    /// The module that the crate includes.
    fn module(&self) -> PathBuf {
        let ran = self.cargo().succeeded();
        let script = ran
            .messages()
            .find(|message| {
                let id = message["package_id"].as_str().unwrap_or_default();
                message["reason"] == "build-script-executed" && id.contains(&self.name)
            })
            .expect("a build script");
        Path::new(script["out_dir"].as_str().expect("a directory")).join("tools.rs")
    }

    #[track_caller]
    fn has(&self, part: &str) {
        let text = fs::read_to_string(self.module()).unwrap();
        assert!(text.contains(part), "{part:?} is not in the module");
    }

    #[track_caller]
    fn lacks(&self, part: &str) {
        let text = fs::read_to_string(self.module()).unwrap();
        assert!(!text.contains(part), "{part:?} is in the module");
    }
}

/// Makes everything below a directory, and itself, an hour old.
fn age(path: &Path) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            age(&entry.unwrap().path());
        }
    }
    let then = SystemTime::now() - Duration::from_secs(3600);
    File::open(path).unwrap().set_modified(then).unwrap();
}

#[test]
fn what_changes_is_built_and_nothing_else() {
    let user = User::new("freshness");
    assert_eq!(user.build(), BUILT);
    assert_eq!(user.build(), NOTHING);

    // A contract changes.
    user.nested
        .file("schemas/greet.json", &GREET.replace("\"to\"", "\"whom\""));
    assert_eq!(user.build(), BUILT);
    user.has("pub whom");
    assert_eq!(user.build(), NOTHING);

    // A document that it refers to changes.
    user.nested
        .file("schemas/who.json", &WHO.replace("\"name\"", "\"nick\""));
    assert_eq!(user.build(), BUILT);
    user.has("pub nick");
    assert_eq!(user.build(), NOTHING);

    // One is added.
    user.nested.file("schemas/part.json", PART);
    assert_eq!(user.build(), BUILT);
    user.has("pub trait Part<");
    assert_eq!(user.build(), NOTHING);

    // It moves into a new directory, as old as it was.
    fs::create_dir(user.nested.path("schemas/ways")).unwrap();
    fs::rename(
        user.nested.path("schemas/part.json"),
        user.nested.path("schemas/ways/part.json"),
    )
    .unwrap();
    assert_eq!(user.build(), BUILT);
    user.has("pub mod ways");
    assert_eq!(user.build(), NOTHING);

    // Another is added in the subdirectory.
    user.nested
        .file("schemas/ways/meet.json", &PART.replace("part", "meet"));
    assert_eq!(user.build(), BUILT);
    user.has("pub trait Meet<");

    // They are removed.
    fs::remove_dir_all(user.nested.path("schemas/ways")).unwrap();
    assert_eq!(user.build(), BUILT);
    user.lacks("pub mod ways");
    assert_eq!(user.build(), NOTHING);

    // The crate's own code changes: the contracts are not read again.
    user.nested
        .file("src/lib.rs", &LIBRARY.replace("user's", "user's own"));
    assert_eq!(
        user.build(),
        Did {
            ran: false,
            compiled: true
        }
    );

    // A file that is none of a contract's changes beside the contracts.
    user.nested.file("notes.txt", "nothing");
    assert_eq!(user.build(), NOTHING);
}

/// Cargo runs the script, since the file is newer; what it writes stays as it is.
#[test]
fn what_is_only_touched_is_not_written_again() {
    let user = User::new("touched");
    assert_eq!(user.build(), BUILT);
    let module = user.module();
    let written = fs::metadata(&module).unwrap().modified().unwrap();
    let now = SystemTime::now();
    File::options()
        .append(true)
        .open(user.nested.path("schemas/greet.json"))
        .unwrap()
        .set_modified(now)
        .unwrap();
    let did = user.build();
    assert!(did.ran);
    println!("touched: {did:?}");
    assert_eq!(fs::metadata(&module).unwrap().modified().unwrap(), written);
    // Another order of members on disk that comes to the same bytes is no change either.
    user.nested.file("schemas/who.json", &format!("\n{WHO}\n"));
    assert!(user.build().ran);
    assert_eq!(fs::metadata(&module).unwrap().modified().unwrap(), written);
    assert_eq!(user.build(), NOTHING);
}

#[test]
fn a_broken_contract_fails_the_build_until_it_is_repaired() {
    let user = User::new("broken");
    assert_eq!(user.build(), BUILT);
    user.nested.file(
        "schemas/part.json",
        "{\n  \"name\": \"part\",\n  \"inputSchema\": { \"type\": \"array\" }\n}\n",
    );
    let ran = user.cargo();
    assert_ne!(ran.code, 0, "{}", ran.all());
    for part in [
        "error[input-schema-not-object]",
        "schemas/part.json:3:28",
        "3 |   \"inputSchema\": { \"type\": \"array\" }",
        "^^^^^^^",
        "help:",
    ] {
        assert!(
            ran.stderr.contains(part),
            "{part:?} is not in:\n{}",
            ran.stderr
        );
    }
    // It fails again, not only the first time.
    assert_ne!(user.cargo().code, 0);

    user.nested.file("schemas/part.json", PART);
    assert_eq!(user.build(), BUILT);
    user.has("pub trait Part<");
    assert_eq!(user.build(), NOTHING);
}

#[test]
fn a_warning_reaches_the_user_and_does_not_fail_the_build() {
    let user = User::new("warned");
    user.nested.file(
        "schemas/part.json",
        &PART.replacen('{', r#"{"colour": "red", "#, 1),
    );
    let ran = user.cargo().succeeded();
    assert!(ran.stderr.contains("unknown-member"), "{}", ran.all());
    assert!(
        ran.stderr.contains("schemas/part.json:1:2"),
        "{}",
        ran.all()
    );
}
