//! A program of generated modules, which decodes values and encodes them again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use quote::ToTokens;
use serde::Deserialize;
use serde_json::{Value, json};
use syn::Item;

use crate::nested::{Nested, manifest};
use crate::subjects::Subject;
use crate::sweep::Directory;

/// A program that knows the definitions of many tools.
#[derive(Debug)]
pub struct Harness {
    program: PathBuf,
    /// By directory and file, the tool as the program calls it.
    tools: BTreeMap<(String, String), String>,
    /// The contracts that are refused, and why.
    pub refused: Vec<String>,
}

/// What became of a value.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It was decoded, and this is what it was encoded to.
    Ok(Box<serde_json::value::RawValue>),
    /// It was refused.
    Violations(Vec<String>),
    /// It was decoded, but what came of it was refused.
    Encoding(Vec<String>),
}

const MAIN: &str = r#"//! Decodes values and encodes them again.

use std::io::{BufRead, Write};

use relay_runtime::Definition;
use relay_runtime::check::Violations;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Line<'l> {
    tool: usize,
    side: &'l str,
    #[serde(borrow)]
    value: &'l RawValue,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Ok(Box<RawValue>),
    Violations(Vec<String>),
    Encoding(Vec<String>),
}

fn answer<T>(
    decoded: Result<T, Violations>,
    encode: impl FnOnce(&T) -> Result<Box<RawValue>, Violations>,
) -> Answer {
    let texts = |violations: Violations| violations.iter().map(ToString::to_string).collect();
    match decoded.map(|value| encode(&value)) {
        Ok(Ok(json)) => Answer::Ok(json),
        Ok(Err(violations)) => Answer::Encoding(texts(violations)),
        Err(violations) => Answer::Violations(texts(violations)),
    }
}

fn tool<I, O>(definition: &Definition<I, O>, side: &str, value: &RawValue) -> Answer
where
    I: Serialize + DeserializeOwned,
    O: Serialize + DeserializeOwned,
{
    match side {
        "input" => answer(definition.decode_input(value), |value| definition.encode_input(value)),
        _ => answer(definition.decode_output(value), |value| definition.encode_output(value)),
    }
}

type Tool = fn(&str, &RawValue) -> Answer;

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let line: Line<'_> = serde_json::from_str(&line).expect("a line of the test");
        let answer = TOOLS[line.tool](line.side, line.value);
        serde_json::to_writer(&mut out, &answer).expect("a reader");
        out.write_all(b"\n").expect("a reader");
    }
}
"#;

impl Harness {
    /// Generates the modules of all subjects, a module for each directory, and builds them into one
    /// program.
    ///
    /// # Panics
    ///
    /// If a module is no Rust, or does not compile.
    #[must_use]
    pub fn build(name: &str, subjects: &[Subject]) -> Self {
        let nested = Nested::new(name);
        let dependencies = "[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n\
             serde_json = { version = \"1\", features = [\"raw_value\"] }\n";
        nested.file(
            "Cargo.toml",
            &manifest(name, true).replace("[dependencies]\n", dependencies),
        );
        let mut directories: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
        for subject in subjects {
            let files = directories.entry(&subject.directory).or_default();
            files.push((subject.file.clone(), subject.text.clone()));
        }
        let mut harness = Self {
            program: nested.path("unbuilt"),
            tools: BTreeMap::new(),
            refused: Vec::new(),
        };
        let (mut modules, mut table) =
            (String::new(), String::from("static TOOLS: &[Tool] = &[\n"));
        for (directory, files) in directories {
            let (report, generated) = Directory::generate(directory, files);
            harness.refused.extend(
                report
                    .refused
                    .iter()
                    .map(|refused| format!("{directory}/{}: {}", refused.file, refused.message)),
            );
            let Some(generated) = generated else { continue };
            let module = format!(
                "d_{}",
                directory.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
            );
            let functions = functions(&generated.text, &module);
            for subject in subjects
                .iter()
                .filter(|subject| subject.directory == directory)
            {
                if let (true, Some(function)) = (
                    generated.files.contains(&subject.file),
                    functions.get(subject.name()),
                ) {
                    let number = harness.tools.len();
                    harness
                        .tools
                        .insert((directory.into(), subject.file.clone()), number.to_string());
                    let _ = writeln!(table, "    |side, value| tool(&{function}(), side, value),");
                }
            }
            nested.file(&format!("src/{module}.rs"), &generated.text);
            let _ = writeln!(modules, "mod {module};");
        }
        nested.file("src/main.rs", &format!("{MAIN}\n{modules}\n{table}];\n"));
        let _ = nested.cargo(&["build", "--quiet"]).succeeded();
        harness.program = nested.built(name);
        harness
    }

    /// Whether a contract is part of the program.
    #[must_use]
    pub fn knows(&self, subject: &Subject) -> bool {
        self.tools
            .contains_key(&(subject.directory.clone(), subject.file.clone()))
    }

    /// Runs the program on values: of a subject, of its output or else of its input, and the text.
    ///
    /// # Panics
    ///
    /// If the program fails, or does not know a subject.
    #[must_use]
    pub fn run(&self, values: &[(&Subject, bool, String)]) -> Vec<Answer> {
        let mut lines = String::new();
        for (subject, is_output, text) in values {
            let tool = &self.tools[&(subject.directory.clone(), subject.file.clone())];
            let side = if *is_output { "output" } else { "input" };
            let _ = writeln!(
                lines,
                "{{\"tool\":{tool},\"side\":{},\"value\":{text}}}",
                json!(side)
            );
        }
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
        let output = child.wait_with_output().expect("the program ends");
        let _ = writer.join().expect("no panic");
        let text = String::from_utf8(output.stdout).expect("the program writes UTF-8");
        let answers: Vec<Answer> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("an answer"))
            .collect();
        let at = values.get(answers.len());
        assert!(
            output.status.success(),
            "the program ends with {} at {at:?}",
            output.status
        );
        assert_eq!(answers.len(), values.len());
        answers
    }
}

/// The function of each tool's definition, by the tool's name.
fn functions(text: &str, module: &str) -> BTreeMap<String, String> {
    let file = syn::parse_file(text).expect("generated code is Rust");
    let mut found = BTreeMap::new();
    let generated = file.items.iter().find_map(|item| match item {
        Item::Mod(module) => module.content.as_ref(),
        _ => None,
    });
    collect(&generated.expect("a module").1, module, &mut found);
    found
}

fn collect(items: &[Item], at: &str, found: &mut BTreeMap<String, String>) {
    for item in items {
        match item {
            Item::Mod(module) => {
                let (_, items) = module.content.as_ref().expect("a module with content");
                collect(items, &format!("{at}::{}", module.ident), found);
            }
            Item::Macro(made) if at.ends_with("::definitions") => {
                // `pub fn greet(super::GreetInput) -> super::GreetOutput, "greet", …`
                let mut tokens = made.mac.tokens.clone().into_iter();
                let function = tokens
                    .nth(2)
                    .map(|name| name.to_string())
                    .unwrap_or_default();
                let name = tokens
                    .find_map(|token| syn::parse2::<syn::LitStr>(token.into_token_stream()).ok());
                found.insert(name.expect("a name").value(), format!("{at}::{function}"));
            }
            _ => {}
        }
    }
}

impl Subject {
    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        let stem = self
            .file
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .trim_end_matches(".json");
        self.contract
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or(stem)
    }
}
