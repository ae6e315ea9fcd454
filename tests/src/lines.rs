//! How long generated code is.

use std::io::Write;
use std::process::{Command, Stdio};

/// The text as rustfmt's defaults lay it out.
///
/// # Panics
///
/// If rustfmt is missing or refuses the text.
#[must_use]
pub fn rustfmt(text: &str) -> String {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        // No configuration of a directory above.
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt runs");
    let mut input = child.stdin.take().expect("a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("rustfmt ends");
    writer.join().expect("no panic").expect("rustfmt reads");
    assert!(output.status.success(), "rustfmt refuses the text");
    String::from_utf8(output.stdout).expect("rustfmt writes UTF-8")
}

/// The lines of code of a text, blank lines and doc comments aside.
#[must_use]
pub fn code_lines(text: &str) -> usize {
    let mut in_block = false;
    text.lines()
        .map(str::trim)
        .filter(|line| {
            let starts = line.starts_with("/**") || line.starts_with("/*!");
            let doc = in_block || starts || line.starts_with("///") || line.starts_with("//!");
            if starts || in_block {
                in_block = !line.ends_with("*/");
            }
            !doc && !line.is_empty()
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::code_lines;

    #[test]
    fn doc_comments_and_blank_lines_do_not_count() {
        assert_eq!(
            code_lines("/// a\n\n/** b\n c */\n// d\nstruct E;\n    //! f\n/** g */\nfn h() {}\n"),
            3
        );
    }
}
