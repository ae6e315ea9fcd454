//! The escapes in a JSON string.

/// A text without its escapes; `None` where one is none, or a surrogate stands alone.
pub(super) fn unescaped(mut rest: &str) -> Option<String> {
    let mut text = String::with_capacity(rest.len());
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let letter = escape.chars().next()?;
        rest = &escape[letter.len_utf8()..];
        text.push(match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => code_point(&mut rest)?,
            _ => return None,
        });
    }
    text.push_str(rest);
    Some(text)
}

/// The character after `\u`; two escapes where it is a pair of surrogates.
fn code_point(rest: &mut &str) -> Option<char> {
    let first = code_unit(rest)?;
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first.into());
    }
    *rest = rest.strip_prefix("\\u")?;
    let second = code_unit(rest)?;
    char::decode_utf16([first, second]).next()?.ok()
}

fn code_unit(rest: &mut &str) -> Option<u16> {
    let (digits, after) = rest.split_at_checked(4)?;
    *rest = after;
    // `from_str_radix` would take a sign.
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn escapes_are_those_of_serde_json() {
        for inner in [
            r#"\"\\\/\b\f\n\r\t"#,
            r"\u0041\u00e9\u20AC",
            r"a\ud83d\ude00z",
            r"\ud83d",
            r"\ud83d\u0041",
            r"\ud83dx",
            r"\ude00",
            r"\ude00\ud83d",
            r"\u+123",
            r"\u12",
            r"\u12é",
            r"\x",
            r"\é",
            r"\",
            "é",
        ] {
            let json = format!("\"{inner}\"");
            let theirs = serde_json::from_str::<String>(&json).ok();
            assert_eq!(unescaped(inner), theirs, "{json}");
        }
    }
}
