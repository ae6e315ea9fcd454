//! Generates the tools of the server, and those that the benchmarks look at.

use std::env;
use std::fmt::Write;
use std::path::Path;

use relay_gen::{Builder, Contracts, Options, generate, output};

fn main() {
    relay_gen::build("../schemas/bench");
    Builder::new()
        .contracts("../schemas/notes")
        .contracts("schemas")
        .file_name("parts.rs")
        .build();
    echo("narrow.rs", 3);
    echo("wide.rs", 300);
}

/// Generates an `echo` that knows so many members more.
fn echo(file_name: &str, members: usize) {
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
    let contracts = Contracts::from_texts([("echo.json", contract)])
        .unwrap_or_else(|report| panic!("{report}"));
    let mut options = Options::default();
    options.file_name = file_name.into();
    let files = generate(&contracts, &options).unwrap_or_else(|report| panic!("{report}"));
    let out = env::var_os("OUT_DIR").expect("Cargo runs this");
    output::write(&files, Path::new(&out)).expect("OUT_DIR can be written");
}
