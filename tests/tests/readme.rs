//! What the README shows, done as it says.

use std::fs;
use std::process::{Command, Stdio};

use relay_tests::{Nested, workspace};

/// The files of the quick start: each block follows a line with nothing but its path in backticks.
fn files(readme: &str) -> Vec<(&str, &str)> {
    let mut files = Vec::new();
    let mut rest = readme;
    while let Some((before, after)) = rest.split_once("\n\n```") {
        let path = before.rsplit('\n').next().unwrap_or_default();
        let Some((block, next)) = after.split_once("\n```\n") else {
            break;
        };
        if let Some(path) = path
            .strip_prefix('`')
            .and_then(|path| path.strip_suffix('`'))
        {
            files.push((path, block.split_once('\n').unwrap_or_default().1));
        }
        rest = next;
    }
    files
}

fn readme() -> String {
    fs::read_to_string(workspace().join("README.md")).expect("a README")
}

#[test]
fn the_quick_start_builds_and_greets() {
    let readme = readme();
    let files = files(&readme);
    let paths: Vec<_> = files.iter().map(|(path, _)| *path).collect();
    assert_eq!(
        paths,
        [
            "Cargo.toml",
            "schemas/greet.json",
            "build.rs",
            "src/main.rs"
        ]
    );
    let nested = Nested::new("quick-start");
    for (path, text) in files {
        nested.file(path, text);
    }
    // The crates of this workspace rather than published ones.
    let path = |name: &str| format!("{name} = {{ path = {:?} }}\n", workspace().join(name));
    let patch = format!(
        "\n[workspace]\n\n[patch.crates-io]\n{}{}",
        path("relay-runtime"),
        path("relay-gen")
    );
    let manifest = fs::read_to_string(nested.path("Cargo.toml")).expect("the manifest");
    nested.file("Cargo.toml", &(manifest + &patch));

    let conversation = workspace().join("examples/greeter/conversation.jsonl");
    let requests = fs::read_to_string(conversation).expect("the conversation");
    let ran = nested.cargo_fed(&["run", "--quiet"], &requests).succeeded();
    assert!(
        ran.stdout
            .contains(r#""structuredContent":{"message":"Hello, Ada!"}"#),
        "{}",
        ran.all()
    );
    assert!(
        ran.stdout.contains(r#"did you mean \"name\"?"#),
        "{}",
        ran.all()
    );
    assert_eq!(
        ran.stdout.lines().count(),
        requests.lines().count(),
        "{}",
        ran.all()
    );
}

#[test]
fn the_messages_shown_are_those_that_come() {
    let readme = readme();
    let nested = Nested::new("readme-messages");
    let misspelt = files(&readme)[1]
        .1
        .replace("\"description\": \"Greets", "\"descripton\": \"Greets");
    nested.file("schemas/greet.json", &misspelt);
    let program = Nested::program("relay-gen", "relay-gen", "cli");
    let ran = Command::new(program)
        .args(["generate", "schemas", "-o", "tools.rs"])
        .current_dir(nested.path(""))
        .stdin(Stdio::null())
        .output()
        .expect("relay-gen runs");
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(
        readme.contains(told.trim()),
        "the README does not show:\n{told}"
    );
    let stderr =
        fs::read_to_string(workspace().join("tests/tests/compile_fail/missing_handler.stderr"));
    let stderr = stderr.expect("the message of a missing handler");
    let note = stderr
        .split("   = note: write it:")
        .nth(1)
        .and_then(|rest| rest.split("\nhelp:").next());
    let is_shown = |line: &str| readme.contains(line.trim());
    assert!(
        note.expect("a note").lines().all(is_shown),
        "the README does not show:\n{stderr}"
    );
}
