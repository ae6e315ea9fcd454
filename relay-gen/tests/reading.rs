//! What is read, and what it is read as.

use std::fs;
use std::path::Path;

use relay_gen::contracts::Contracts;
use relay_gen::diagnostics::Style;

const ROOT: &str = "tests/reading";

#[test]
fn tools_and_documents_are_told_apart_and_in_order() {
    let contracts = Contracts::read(&[ROOT]).unwrap();
    let tools: Vec<_> = contracts
        .tools()
        .iter()
        .map(|tool| (tool.module().join("/"), tool.stem(), tool.name()))
        .collect();
    assert_eq!(
        tools,
        [
            (String::new(), "find", "notes.find"),
            ("notes".to_owned(), "add", "add")
        ]
    );
    let documents: Vec<_> = contracts.documents().iter().map(|it| it.stem()).collect();
    assert_eq!(documents, ["note"]);
    let paths: Vec<_> = contracts
        .paths()
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    assert_eq!(
        paths,
        [
            "tests/reading",
            "tests/reading/find.json",
            "tests/reading/notes",
            "tests/reading/notes/add.json",
            "tests/reading/shared",
            "tests/reading/shared/note.json",
        ]
    );
}

#[test]
fn a_tool_keeps_what_it_publishes_as_written() {
    let contracts = Contracts::read(&[ROOT]).unwrap();
    let [find, add] = contracts.tools() else {
        panic!("two tools")
    };
    let published: Vec<_> = add.published_members().map(|it| &*it.key).collect();
    assert_eq!(published, ["title", "inputSchema", "description", "_meta"]);
    assert_eq!(add.title(), Some("Add a note"));
    assert_eq!(add.description(), Some("Keeps a note."));
    let meta = add.root().get("_meta").unwrap();
    assert_eq!(
        meta.to_string(),
        r#"{"com.example/limit":1.50,"tea/leaf/black":true}"#
    );
    let output = find.output_schema().unwrap();
    assert_eq!(output.to_string(), r#"{"maximum":1e3}"#);
    assert_eq!(contracts.sources().text(find.name_span()), "\"notes.find\"");
}

#[test]
fn the_extension_is_read_and_allows_warnings_for_its_file_alone() {
    let contracts = Contracts::read(&[ROOT]).unwrap();
    let extension = contracts.tools()[1].extension();
    assert_eq!(extension.required_client_capabilities, ["elicitation"]);
    assert_eq!(extension.timeout_ms, Some(1500));
    assert_eq!(extension.rust_name.as_deref(), Some("add_note"));
    assert!(extension.assert_formats);
    let warnings = contracts.warnings().diagnostics();
    let files: Vec<_> = warnings
        .iter()
        .map(|warning| warning.file().unwrap())
        .collect();
    assert_eq!(files, [contracts.tools()[0].file()]);
}

#[test]
fn a_report_may_have_colour() {
    let report = Contracts::from_texts([("a.json", "{")]).unwrap_err();
    assert!(report.render(Style::Colour).contains('\u{1b}'));
    assert!(!report.to_string().contains('\u{1b}'));
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    for depth in [10_000, 1_000_000] {
        let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let text = format!(r#"{{"inputSchema":{{"type":"object","default":{nested}}}}}"#);
        let report = Contracts::from_texts([("deep.json", text)]).unwrap_err();
        assert_eq!(report.diagnostics()[0].rule.id, "too-deep");
        assert!(report.to_string().len() < 1_000, "{depth} levels");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let text = "\u{feff}{\"name\":\"a b\",\"inputSchema\":{\"type\":\"object\"}}";
    let report = Contracts::from_texts([("bom.json", text)]).unwrap_err();
    assert!(report.to_string().contains("bom.json:1:9"), "{report}");
}

/// Texts of all cases, cut short, with a character gone, and with one more.
#[test]
fn no_text_makes_it_panic() {
    let mut state = 1_u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below.max(1)
    };
    for text in texts(Path::new("tests")) {
        for _ in 0..12 {
            let mut characters: Vec<char> = text.chars().collect();
            let at = random(characters.len());
            match random(4) {
                0 => characters.truncate(at),
                1 => drop(characters.drain(at..(at + 1).min(characters.len()))),
                2 => characters.insert(
                    at,
                    ['"', '{', '}', '[', ',', ':', '#', '/', '%', '0'][random(10)],
                ),
                _ => {
                    let other = random(characters.len());
                    characters.truncate(at.max(other));
                    characters.rotate_left(at.min(other));
                }
            }
            let text: String = characters.into_iter().collect();
            let files = [
                ("a.json", &*text),
                ("b/a.json", "{\"$ref\":\"../a.json#/$defs/a\"}"),
            ];
            match Contracts::from_texts(files) {
                Ok(contracts) => drop(contracts.warnings().to_string()),
                Err(report) => drop(report.to_string()),
            }
        }
    }
}

/// Refs and ids of every shape.
#[test]
fn no_ref_makes_it_panic() {
    let pieces = [
        "#", "/", "//", ":", "?", "..", ".", "%", "%41", "%zz", "~", "~1", "é", "a.json", "file:",
        "http:", "urn:a", "-", "0", "$defs", " ", "\\\\", "",
    ];
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let text = format!("{first}{second}{third}");
                let tool = format!(
                    r#"{{"inputSchema":{{"$id":"{second}{first}","type":"object","properties":{{"a":{{"$ref":"{text}"}},
                    "b":{{"$id":"{text}","$anchor":"{first}","items":{{"$ref":"{third}"}}}}}}}}}}"#
                );
                match Contracts::from_texts([("a.json", tool)]) {
                    Ok(contracts) => drop(contracts.warnings().to_string()),
                    Err(report) => drop(report.to_string()),
                }
            }
        }
    }
}

fn texts(directory: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            texts.extend(self::texts(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            texts.extend(fs::read_to_string(path));
        }
    }
    texts
}

#[test]
fn a_document_allows_warnings_for_itself() {
    let form = |allow: &str| {
        let text = format!(
            r#"{{"x-relay": {{"form": true, "allow": [{allow}]}}, "type": "object",
                "properties": {{"pin": {{"type": "string"}}}}}}"#
        );
        Contracts::from_texts([("board.json", text)]).unwrap()
    };
    assert_eq!(form("").warnings().diagnostics().len(), 1);
    let allowed = form(r#""secret-in-form""#);
    assert!(allowed.warnings().is_empty());
    assert!(allowed.documents()[0].extension().form);
}
