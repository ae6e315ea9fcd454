//! What a server is asked, and whether what it answers is right.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use serde::Deserialize;

use crate::era::Era;

/// Calls of one kind.
#[derive(Debug, Clone, Copy)]
pub enum Asked {
    /// `echo` with a line of text.
    Echo,
    /// `sum` of eight numbers.
    Sum,
    /// `echo` with a text of 1 MiB.
    Large {
        /// Whether there are quotes and ends of lines in it.
        escapes: bool,
    },
}

/// How much text a large call has.
const LARGE: usize = 1 << 20;

/// Lines to send, and where each of them ends.
#[derive(Debug)]
pub struct Lines {
    /// The lines.
    pub bytes: Vec<u8>,
    /// Where they end in the bytes.
    pub ends: Vec<usize>,
}

impl Asked {
    /// One call for each id.
    #[must_use]
    pub fn lines(self, era: Era, ids: Range<usize>) -> Lines {
        let large = self.large().map(|text| {
            // A text always has a JSON form.
            serde_json::to_string(&text).unwrap_or_default()
        });
        let mut lines = Lines {
            bytes: Vec::new(),
            ends: Vec::new(),
        };
        for id in ids {
            let params = match (self, &large) {
                (Asked::Sum, _) => {
                    format!(r#""name":"sum","arguments":{{"numbers":[{id},1,2,3.5,4,5,6,7]}},"#)
                }
                (_, Some(text)) => format!(r#""name":"echo","arguments":{{"text":{text}}},"#),
                (_, None) => format!(r#""name":"echo","arguments":{{"text":"{}"}},"#, small(id)),
            };
            let line = era.request(id, "tools/call", &params);
            lines.bytes.extend_from_slice(line.as_bytes());
            lines.ends.push(lines.bytes.len());
        }
        lines
    }

    /// Reads every answer: each call has to have one, and each has to be right.
    ///
    /// # Errors
    ///
    /// With the first that is wrong.
    pub fn check(self, era: Era, ids: Range<usize>, answers: &[u8]) -> Result<(), String> {
        let large = self.large();
        let mut open = vec![true; ids.len()];
        for line in answers.split(|byte| *byte == b'\n') {
            if line.is_empty() {
                continue;
            }
            let verdict = Answer::read(line).and_then(|answer| {
                answer.is_complete(era)?;
                let place = answer.id.checked_sub(ids.start);
                match place.and_then(|place| open.get_mut(place)) {
                    Some(open) if *open => *open = false,
                    _ => return Err("nobody waits for this id".into()),
                }
                if self.is_right(answer.id, answer.said()?, large.as_deref()) {
                    Ok(())
                } else {
                    Err("its result is not that of the arguments".into())
                }
            });
            verdict.map_err(|why| {
                let start = String::from_utf8_lossy(&line[..line.len().min(400)]);
                format!("an answer is wrong: {why}: {start}")
            })?;
        }
        match open.iter().filter(|open| **open).count() {
            0 => Ok(()),
            missing => Err(format!("{missing} of {} answers are missing", ids.len())),
        }
    }

    fn is_right(self, id: usize, said: &Said, large: Option<&str>) -> bool {
        match (self, large) {
            #[expect(clippy::cast_precision_loss, reason = "ids are small")]
            (Asked::Sum, _) => said.total == Some(id as f64 + 28.5),
            (_, Some(large)) => said.text.as_deref() == Some(large),
            (_, None) => said.text.as_deref() == Some(&*small(id)),
        }
    }

    fn large(self) -> Option<String> {
        let Asked::Large { escapes } = self else {
            return None;
        };
        let mut text = String::with_capacity(LARGE);
        while text.len() < LARGE {
            let number = text.len();
            text.push(match number {
                _ if escapes && number % 80 == 79 => '\n',
                _ if escapes && number % 200 == 100 => '"',
                _ => char::from(b"the quick brown fox "[number % 20]),
            });
        }
        Some(text)
    }
}

fn small(id: usize) -> String {
    let mut text = String::with_capacity(40);
    // Writing to a string does not fail.
    let _ = write!(text, "call {id} of a client that waits for it");
    text
}

/// What is read of an answer.
#[derive(Deserialize)]
struct Answer<'a> {
    id: usize,
    #[serde(borrow)]
    result: Success<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Success<'a> {
    #[serde(default)]
    is_error: bool,
    #[serde(borrow)]
    result_type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    structured_content: Said<'a>,
    #[serde(borrow)]
    content: [Block<'a>; 1],
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// The result of either tool.
#[derive(Deserialize, PartialEq)]
struct Said<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    total: Option<f64>,
}

impl<'a> Answer<'a> {
    fn read(line: &'a [u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(|error| error.to_string())
    }

    fn is_complete(&self, era: Era) -> Result<(), String> {
        match self.result.result_type.as_deref() {
            _ if self.result.is_error => Err("it is an error".into()),
            Some("complete") => Ok(()),
            None if era == Era::Legacy => Ok(()),
            _ => Err("it is not complete".into()),
        }
    }

    /// The structured result, if the text says the same.
    fn said(&self) -> Result<&Said<'a>, String> {
        let [Block { text }] = &self.result.content;
        let mirror: Said = serde_json::from_str(text)
            .map_err(|error| format!("its text is not the result as JSON: {error}"))?;
        if mirror == self.result.structured_content {
            Ok(&self.result.structured_content)
        } else {
            Err("its text is not its structured result".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Era};

    fn answer(id: usize, structured: &str, text: &str) -> Vec<u8> {
        format!(
            r#"{{"id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":{text:?}}}],"structuredContent":{structured}}}}}"#
        )
        .into_bytes()
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_said() {
        let right = answer(3, r#"{"total":31.5}"#, r#"{"total":31.5}"#);
        let check = |ids, answers: &[u8]| Asked::Sum.check(Era::Modern, ids, answers);
        assert_eq!(check(3..4, &right), Ok(()));
        for (ids, answers, why) in [
            (2..3, right.clone(), "nobody waits"),
            (3..5, right.clone(), "1 of 2 answers are missing"),
            (3..4, [&*right, b"\n", &right].concat(), "nobody waits"),
            (
                3..4,
                answer(3, r#"{"total":9}"#, r#"{"total":9}"#),
                "of the arguments",
            ),
            (
                3..4,
                answer(3, r#"{"total":31.5}"#, r#"{"total":9}"#),
                "its text",
            ),
            (3..4, b"{}".to_vec(), "missing field"),
        ] {
            let said = check(ids, &answers).expect_err(why);
            assert!(said.contains(why), "{said}");
        }
    }
}
