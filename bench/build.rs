//! Generates the tools of the server, and those that the benchmarks look at.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use relay_gen::Builder;

fn main() {
    relay_gen::build("../schemas/bench");
    Builder::new()
        .contracts("../schemas/notes")
        .contracts("schemas")
        .file_name("parts.rs")
        .build();
    for (name, members) in [("narrow", 3), ("wide", 300)] {
        Builder::new()
            .contracts(echo(name, members))
            .file_name(format!("{name}.rs"))
            .build();
    }
}

/// Writes the contract of an `echo` that knows so many members more, and gives its directory.
fn echo(name: &str, members: usize) -> PathBuf {
    let out = env::var_os("OUT_DIR").expect("Cargo runs this");
    let directory = Path::new(&out).join("contracts").join(name);
    let mut more = String::new();
    for number in 0..members {
        // Writing to a string does not fail.
        let _ = write!(
            more,
            r#", "member_{number}": {{ "type": "string", "maxLength": 100 }}"#
        );
    }
    let text = r#""text": { "type": "string" }"#;
    let contract = format!(
        r#"{{
  "name": "echo",
  "description": "Gives the text back.",
  "inputSchema": {{ "type": "object", "properties": {{ {text}{more} }}, "required": ["text"], "additionalProperties": false }},
  "outputSchema": {{ "type": "object", "properties": {{ {text} }}, "required": ["text"] }}
}}
"#
    );
    let path = directory.join("echo.json");
    fs::create_dir_all(&directory).expect("OUT_DIR can be written");
    // Cargo runs this again for a file that is newer than the last run.
    if fs::read_to_string(&path).ok().as_deref() != Some(&contract) {
        fs::write(&path, contract).expect("OUT_DIR can be written");
    }
    directory
}
