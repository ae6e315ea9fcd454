//! The rows: what is sent, byte for byte, and what has to come back. Their format is in README.md.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{INFO, META};

/// How requests say which version they speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Each by itself.
    Modern,
    /// By an `initialize` before them.
    Legacy,
}

/// One conversation.
#[derive(Debug, Default)]
pub struct Row {
    /// Its file, its line and its name.
    pub name: String,
    /// What the server is bounded by, beside the defaults.
    pub limits: String,
    /// What goes before everything else, a handshake included.
    pub first: Vec<u8>,
    pub steps: Vec<Step>,
    /// What follows the last newline.
    pub tail: Option<Vec<u8>>,
    /// What the server says when it ends with an error.
    pub error: Option<String>,
}

#[derive(Debug)]
pub enum Step {
    Send(Vec<u8>),
    Expect(Expected),
}

/// A line that has to come.
#[derive(Debug, Clone)]
pub enum Expected {
    /// With this value; `$ANY` is filled by anything.
    Json(Value),
    /// With this text.
    Text(String),
}

/// The rows for an era, by file and line.
pub fn rows(era: Era) -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("tests/hostile is there")
        .map(|entry| entry.expect("tests/hostile can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    let mut rows = Vec::new();
    for path in files {
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path).expect("a file of rows is text");
        read(&file, &text, era, &mut rows);
    }
    rows
}

fn read(file: &str, text: &str, era: Era, rows: &mut Vec<Row>) {
    let mut wanted = false;
    for (index, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", index + 1);
        let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (sign, is_ours) = match sign.strip_suffix(['m', 'l']) {
            Some(plain) => (plain, sign.ends_with('m') == (era == Era::Modern)),
            None => (sign, true),
        };
        if sign == "#" {
            wanted = is_ours;
            if wanted {
                rows.push(Row {
                    name: format!("{place} {rest}"),
                    ..Row::default()
                });
            }
        } else if wanted && is_ours && !line.is_empty() {
            let row = rows.last_mut().expect("a row has been opened");
            row.read_line(&place, sign, &fill(rest, era));
        }
    }
}

impl Row {
    fn read_line(&mut self, place: &str, sign: &str, rest: &str) {
        match sign {
            "@" => self.limits = rest.to_owned(),
            ">^" => self.first = unescape(place, rest),
            ">" => {
                let mut line = unescape(place, rest);
                line.push(b'\n');
                self.steps.push(Step::Send(line));
            }
            ">|" => self.tail = Some(unescape(place, rest)),
            "<" => {
                let json = serde_json::from_slice(&unescape(place, rest));
                let json = json.unwrap_or_else(|error| panic!("{place}: {error}"));
                self.steps.push(Step::Expect(Expected::Json(json)));
            }
            "=" => {
                let text = String::from_utf8(unescape(place, rest));
                let text = text.unwrap_or_else(|error| panic!("{place}: {error}"));
                self.steps.push(Step::Expect(Expected::Text(text)));
            }
            "!" => self.error = Some(rest.to_owned()),
            _ => panic!("{place}: a line cannot start with `{sign}`"),
        }
    }
}

/// Writes a line out for an era. What a legacy request or result does not have goes with the comma
/// after it.
fn fill(line: &str, era: Era) -> String {
    match era {
        Era::Modern => line.replace("$META", META).replace(
            "$RESULT",
            &format!(r#""resultType":"complete","_meta":{{{INFO}}}"#),
        ),
        Era::Legacy => ["$META,", "$META", "$RESULT,", "$RESULT"]
            .iter()
            .fold(line.to_owned(), |line, mark| line.replace(mark, "")),
    }
}

/// The bytes of a line: `«0d 0a»` are those bytes, `«00×3»` is three times that byte, `«ab*3»` is
/// `ababab`, `«fill 100»` as many `x` as make the line 100 bytes long.
fn unescape(place: &str, line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut filling = None;
    let mut rest = line;
    while let Some((plain, after)) = rest.split_once('«') {
        bytes.extend_from_slice(plain.as_bytes());
        let (escape, after) = after
            .split_once('»')
            .unwrap_or_else(|| panic!("{place}: « without »"));
        let number = |text: &str| -> usize {
            let number = text.parse();
            number.unwrap_or_else(|error| panic!("{place}: {text}: {error}"))
        };
        if let Some(length) = escape.strip_prefix("fill ") {
            filling = Some((bytes.len(), number(length)));
        } else if let Some((text, times)) = escape.rsplit_once('*') {
            bytes.extend_from_slice(text.repeat(number(times)).as_bytes());
        } else {
            let (hex, times) = escape.split_once('×').unwrap_or((escape, "1"));
            let hex = hex.split(' ').map(|byte| u8::from_str_radix(byte, 16));
            let hex: Result<Vec<u8>, _> = hex.collect();
            let hex = hex.unwrap_or_else(|error| panic!("{place}: {escape}: {error}"));
            bytes.extend_from_slice(&hex.repeat(number(times)));
        }
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    if let Some((at, length)) = filling {
        let missing = length.checked_sub(bytes.len());
        let missing = missing.unwrap_or_else(|| panic!("{place}: longer than {length} already"));
        bytes.splice(at..at, std::iter::repeat_n(b'x', missing));
    }
    bytes
}
