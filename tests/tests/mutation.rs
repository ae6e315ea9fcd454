//! Whatever a contract holds, the generator answers: with a module that is Rust, or with a report.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use relay_gen::{Contracts, Options, generate};
use relay_tests::{Nested, Rng, fixtures, shared, texts};
use serde_json::{Map, Value, json};

const CASES: usize = 4000;
const SEED: u64 = 2026;

/// How many of the generated modules are compiled.
const COMPILED: usize = 200;

/// Names that are hard on Rust, on JSON Pointer and on file systems.
const NAMES: &[&str] = &[
    "",
    " ",
    "_",
    "__",
    "self",
    "Self",
    "crate",
    "type",
    "async",
    "r#type",
    "Option",
    "String",
    "tools",
    "definitions",
    "3d",
    "-",
    "a/b",
    "a~b",
    "%25",
    "#",
    "\"",
    "\\",
    "\n",
    "\0",
    "{}",
    "é",
    "名",
    "\u{301}",
    "\u{202e}",
    "😀",
    "İ",
    "ß",
    "$ref",
    "$defs",
    "__proto__",
    "a.b",
    "A",
    "a",
    "Σας",
    "ǅ",
    "\u{feff}",
    "x'",
    "0",
    "-0",
    "1e9",
];

/// Values that a keyword may not expect.
fn odd(rng: &mut Rng) -> Value {
    let texts = [
        "#",
        "#/",
        "#/properties/a",
        "other.json",
        "object",
        "any",
        "(",
        "^a+$",
        "date-time",
        "http://json-schema.org/draft-07/schema#",
    ];
    match rng.below(20) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(0),
        4 => json!(-1),
        5 => json!(0.1),
        6 => json!(18_446_744_073_709_551_615_u64),
        7 => json!(1e308),
        8 => json!(-9_223_372_036_854_775_808_i64),
        9 => json!(2.0),
        10 => json!([]),
        11 => json!({}),
        12 => json!([[[{}]]]),
        13 => json!({"type": ["string", "null", "object"]}),
        14 => json!({"enum": ["a", "A", "", 1, 1.0, null, {"a": []}]}),
        15 => {
            json!({"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"const": 1}}}]})
        }
        16 => json!({"$ref": rng.pick(&texts)}),
        17 => json!({"type": "object", "additionalProperties": {"$ref": "#"}}),
        18 => Value::from(*rng.pick(NAMES)),
        _ => Value::from(*rng.pick(&texts)),
    }
}

const KEYWORDS: &[&str] = &[
    "type",
    "enum",
    "const",
    "default",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "$ref",
    "$defs",
    "$id",
    "$anchor",
    "$dynamicRef",
    "$schema",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "uniqueItems",
    "contains",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "unevaluatedProperties",
    "title",
    "description",
    "nullable",
    "x-mcp-header",
    "inputSchema",
    "outputSchema",
    "name",
    "annotations",
    "_meta",
    "icons",
    "x-relay",
];

/// Changes one place, chosen at random, in one way, chosen at random.
fn mutate(value: &mut Value, rng: &mut Rng) {
    let place = rng.below(count(value));
    let mut donor = value.clone();
    let from = rng.below(count(&donor));
    let donor = nth(&mut donor, &mut from.clone())
        .cloned()
        .unwrap_or_default();
    let mut left = place;
    let Some(node) = nth(value, &mut left) else {
        return;
    };
    match rng.below(9) {
        0 => *node = odd(rng),
        1 => *node = donor,
        2 => remove(node, rng),
        3 => rename(node, rng),
        4 => insert(node, KEYWORDS, rng),
        5 => insert(node, NAMES, rng),
        6 => {
            for _ in 0..rng.below(200) {
                *node = match rng.below(3) {
                    0 => json!({"type": "array", "items": node.take()}),
                    1 => json!({"type": "object", "properties": {"a": node.take()}}),
                    _ => json!({"anyOf": [node.take(), {"type": "null"}]}),
                };
            }
        }
        7 => {
            if let Value::Array(items) = node {
                items.extend(items.clone());
            } else {
                *node = json!([node.take()]);
            }
        }
        _ => {
            let types = [
                "string", "integer", "number", "boolean", "array", "object", "null",
            ];
            if let Value::Object(members) = node {
                members.insert("type".into(), Value::from(*rng.pick(&types)));
            } else {
                *node = Value::from(*rng.pick(&types));
            }
        }
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

fn nth<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(members) => members.values_mut().find_map(|member| nth(member, left)),
        _ => None,
    }
}

fn remove(node: &mut Value, rng: &mut Rng) {
    match node {
        Value::Object(members) if !members.is_empty() => {
            let key = members.keys().nth(rng.below(members.len())).cloned();
            members.remove(&key.unwrap_or_default());
        }
        Value::Array(items) if !items.is_empty() => {
            items.remove(rng.below(items.len()));
        }
        other => *other = Value::Null,
    }
}

fn rename(node: &mut Value, rng: &mut Rng) {
    let Value::Object(members) = node else {
        *node = Value::from(*rng.pick(NAMES));
        return;
    };
    let renamed: Map<String, Value> = std::mem::take(members)
        .into_iter()
        .map(|(key, value)| match rng.below(3) {
            0 => ((*rng.pick(NAMES)).to_owned(), value),
            _ => (key, value),
        })
        .collect();
    *members = renamed;
}

fn insert(node: &mut Value, keys: &[&str], rng: &mut Rng) {
    if let Value::Object(members) = node {
        members.insert((*rng.pick(keys)).to_owned(), odd(rng));
    } else {
        *node = json!({ *rng.pick(keys): node.take() });
    }
}

/// Damages the text itself, sometimes.
fn damage(text: String, rng: &mut Rng) -> String {
    if rng.below(25) != 0 || text.is_empty() {
        return text;
    }
    let mut letters: Vec<char> = text.chars().collect();
    let at = rng.below(letters.len());
    match rng.below(4) {
        0 => letters.truncate(at),
        1 => letters[at] = *rng.pick(&['"', '{', '}', '\\', ',', '\0', '\u{feff}', '1']),
        2 => {
            letters.remove(at);
        }
        _ => letters.insert(at, *rng.pick(&['"', '[', ':', '-', 'e', '\u{2028}'])),
    }
    letters.into_iter().collect()
}

/// In a thread with the stack that a program's main thread has on Unix, and so a build script.
#[test]
fn no_contract_makes_the_generator_panic() {
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let cases = thread.spawn(cases).expect("a thread");
    if let Err(problem) = cases.join() {
        panic::resume_unwind(problem);
    }
}

fn cases() {
    let mut sources: Vec<Value> = Vec::new();
    let mut directories = vec![fixtures("strict")];
    directories.extend(shared("contracts"));
    for directory in directories {
        let parsed = texts(&directory)
            .into_iter()
            .map(|(_, text)| serde_json::from_str(&text));
        // Large ones are slow, and no odder.
        sources.extend(parsed.flatten().filter(|value| count(value) < 400));
    }
    let mut rng = Rng::new(SEED);
    let last = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutation.json");
    let (mut generated, mut refused, mut failures) = (0, 0, Vec::new());
    let mut modules = Vec::new();
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    for case in 0..CASES {
        let mut texts = Vec::new();
        for path in ["a.json", "sub/b.json", "other.json"]
            .into_iter()
            .take([1, 1, 1, 1, 2, 3][rng.below(6)])
        {
            let mut value = rng.pick(&sources).clone();
            for _ in 0..[1, 1, 1, 2, 3][rng.below(5)] {
                mutate(&mut value, &mut rng);
            }
            texts.push((path, damage(value.to_string(), &mut rng)));
        }
        // What ends the process, as an overflow of the stack does, leaves its case here.
        fs::write(&last, format!("{texts:#?}")).expect("a writable directory");
        match panic::catch_unwind(AssertUnwindSafe(|| run(&texts))) {
            Ok(Ok(Some(module))) => {
                generated += 1;
                if module.len() < 40_000 {
                    modules.push((module, format!("case {case}: {texts:?}")));
                }
            }
            Ok(Ok(None)) => refused += 1,
            Ok(Err(problem)) => failures.push(format!("case {case}: {problem}\n{texts:?}")),
            Err(problem) => {
                let message = problem.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| problem.downcast_ref::<&str>().copied());
                failures.push(format!(
                    "case {case}: panic: {}\n{texts:?}",
                    message.unwrap_or("?")
                ));
            }
        }
    }
    panic::set_hook(quiet);
    println!(
        "{CASES} cases: {generated} generated, {refused} refused, {} wrong",
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(
        generated > CASES / 10 && refused > CASES / 10,
        "the cases are too much of one kind"
    );
    compile(&modules);
}

/// Compiles some of the modules, at most `COMPILED`, evenly chosen.
fn compile(modules: &[(String, String)]) {
    let nested = Nested::crate_of("mutation");
    let mut library = String::from(
        // Letters that turn the direction of the text.
        "//! Generated from mutated contracts.\n\
         #![allow(text_direction_codepoint_in_literal, text_direction_codepoint_in_comment)]\n",
    );
    let step = modules.len().div_ceil(COMPILED).max(1);
    for (index, (module, case)) in modules.iter().enumerate().step_by(step) {
        nested.file(&format!("src/m{index}.rs"), &format!("// {case}\n{module}"));
        library += &format!("/// One.\npub mod m{index};\n");
    }
    nested.file("src/lib.rs", &library);
    let ran = nested.cargo(&["check", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

/// The module, if one was generated; an error if it is no Rust.
fn run(texts: &[(&str, String)]) -> Result<Option<String>, String> {
    let made = Contracts::from_texts(texts.iter().map(|(path, text)| (path, text)));
    let files = match made.and_then(|contracts| generate(&contracts, &Options::default())) {
        Ok(files) => files,
        Err(report) => {
            return match report.to_string().trim() {
                "" => Err("refused without a word".into()),
                _ => Ok(None),
            };
        }
    };
    let text = String::from_utf8(files["tools.rs"].clone()).map_err(|error| error.to_string())?;
    match syn::parse_file(&text) {
        Ok(_) => Ok(Some(text)),
        Err(error) => Err(format!("not Rust: {error}")),
    }
}
