//! URIs of RFC 3986 and IRIs of RFC 3987: one grammar over two alphabets.

use super::is_ipv6;

/// Which characters may stand for themselves.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Alphabet {
    /// ASCII.
    Uri,
    /// ASCII, and the characters of other scripts.
    Iri,
}

impl Alphabet {
    /// RFC 3986, `unreserved` and `sub-delims`; RFC 3987, `iunreserved`.
    fn has(self, letter: char) -> bool {
        letter.is_ascii_alphanumeric()
            || "-._~!$&'()*+,;=".contains(letter)
            || self == Alphabet::Iri && is_ucschar(letter) && !is_bidi_formatting(letter)
    }

    /// `pchar` and `/`.
    fn has_in_path(self, letter: char) -> bool {
        self.has(letter) || matches!(letter, ':' | '@' | '/')
    }

    fn has_in_fragment(self, letter: char) -> bool {
        self.has_in_path(letter) || letter == '?'
    }

    fn has_in_query(self, letter: char) -> bool {
        self.has_in_fragment(letter) || self == Alphabet::Iri && is_private(letter)
    }
}

/// RFC 3987, `ucschar`.
pub(super) fn is_ucschar(letter: char) -> bool {
    match letter {
        '\u{a0}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{ffef}' => true,
        // Of each plane all but the two that are no characters; of the plane of tags, not the tags.
        '\u{10000}'..='\u{dffff}' | '\u{e1000}'..='\u{effff}' => letter as u32 & 0xffff < 0xfffe,
        _ => false,
    }
}

/// RFC 3987, `iprivate`.
pub(super) fn is_private(letter: char) -> bool {
    match letter {
        '\u{e000}'..='\u{f8ff}' => true,
        '\u{f0000}'..=char::MAX => letter as u32 & 0xffff < 0xfffe,
        _ => false,
    }
}

/// RFC 3987, section 4.1: what an IRI must not hold, though its grammar lets it.
fn is_bidi_formatting(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
}

/// With a scheme.
pub(super) fn is_absolute(text: &str, alphabet: Alphabet) -> bool {
    scheme(text).is_some() && is_reference(text, alphabet)
}

/// With or without a scheme.
pub(super) fn is_reference(text: &str, alphabet: Alphabet) -> bool {
    let (text, fragment) = cut(text, '#');
    let (text, query) = cut(text, '?');
    let hierarchy = match scheme(text) {
        Some(scheme) if !is_scheme(scheme) => return false,
        Some(scheme) => &text[scheme.len() + 1..],
        None => text,
    };
    is_hierarchy(hierarchy, alphabet)
        && is_encoded(query, |letter| alphabet.has_in_query(letter))
        && is_encoded(fragment, |letter| alphabet.has_in_fragment(letter))
}

/// What stands before the first `:`, if it is in the first segment: there it only ends a scheme.
fn scheme(text: &str) -> Option<&str> {
    let end = text.find([':', '/', '?', '#'])?;
    text[end..].starts_with(':').then(|| &text[..end])
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'))
}

/// A path, perhaps after an authority.
fn is_hierarchy(text: &str, alphabet: Alphabet) -> bool {
    let path = match text.strip_prefix("//") {
        None => text,
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_authority(authority, alphabet) {
                return false;
            }
            path
        }
    };
    is_encoded(path, |letter| alphabet.has_in_path(letter))
}

fn is_authority(text: &str, alphabet: Alphabet) -> bool {
    let (user, place) = text.split_once('@').unwrap_or(("", text));
    let (is_host, port) = match place.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((literal, "")) => (is_literal(literal), ""),
            Some((literal, after)) => match after.strip_prefix(':') {
                Some(port) => (is_literal(literal), port),
                None => return false,
            },
            None => return false,
        },
        None => {
            let (name, port) = cut(place, ':');
            (is_encoded(name, |letter| alphabet.has(letter)), port)
        }
    };
    is_host
        && port.bytes().all(|digit| digit.is_ascii_digit())
        && is_encoded(user, |letter| alphabet.has(letter) || letter == ':')
}

/// What stands between brackets: an address of IP version 6, or of a version yet to come.
fn is_literal(text: &str) -> bool {
    let Some((version, address)) = text
        .strip_prefix(['v', 'V'])
        .and_then(|rest| rest.split_once('.'))
    else {
        return is_ipv6(text);
    };
    let is_part = |letter: char| Alphabet::Uri.has(letter) || letter == ':';
    let is_hex = |digit: u8| digit.is_ascii_hexdigit();
    !version.is_empty()
        && version.bytes().all(is_hex)
        && !address.is_empty()
        && address.chars().all(is_part)
}

/// The text before the first `mark`, and that after it.
fn cut(text: &str, mark: char) -> (&str, &str) {
    text.split_once(mark).unwrap_or((text, ""))
}

/// Whether all characters are allowed but for octets written as `%` and two hexadecimal digits.
pub(super) fn is_encoded(text: &str, is_allowed: impl Fn(char) -> bool) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let mut is_digit = || {
            letters
                .next()
                .is_some_and(|digit| digit.is_ascii_hexdigit())
        };
        let fits = match letter {
            '%' => is_digit() && is_digit(),
            letter => is_allowed(letter),
        };
        if !fits {
            return false;
        }
    }
    true
}
