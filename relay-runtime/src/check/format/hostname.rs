//! Host names, and those of any script.

use super::bidi;
use super::idna;
use super::punycode::{self, Letters, MAX_LABEL};

/// RFC 1035 has 255 octets: those of the labels, one before each and one at the end.
const MAX_NAME: usize = 253;

/// What begins a label of another script that is written in ASCII.
const PREFIX: &str = "xn--";

pub(super) fn is_hostname(text: &str) -> bool {
    text.is_ascii() && is_idn_hostname(text)
}

pub(super) fn is_idn_hostname(text: &str) -> bool {
    let mut length = 0;
    // One label from right to left asks of all the others to be fit to stand beside it.
    let (mut is_bidi, mut fits_bidi) = (false, true);
    // RFC 3490, section 3.1, has three more dots.
    for label in text.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']) {
        let Some((letters, octets)) = read(label) else {
            return false;
        };
        length += octets;
        if length > MAX_NAME {
            return false;
        }
        // The dot after it.
        length += 1;
        is_bidi |= bidi::is_bidi(letters.as_slice());
        fits_bidi &= bidi::fits(letters.as_slice());
    }
    fits_bidi || !is_bidi
}

/// The letters of a label that is valid by itself, and how many octets it takes in the DNS.
fn read(label: &str) -> Option<(Letters, usize)> {
    if !label.is_ascii() {
        let letters = Letters::from_items(label.chars())?;
        let octets = PREFIX.len() + punycode::encode(letters.as_slice())?.as_slice().len();
        let is_valid = octets <= MAX_LABEL && idna::is_label(letters.as_slice());
        return is_valid.then_some((letters, octets));
    }
    let letters = Letters::from_items(label.chars())?;
    if !is_ldh(label) {
        return None;
    }
    match label.split_at_checked(PREFIX.len()) {
        Some((prefix, encoded)) if prefix.eq_ignore_ascii_case(PREFIX) => {
            Some((decoded(encoded)?, label.len()))
        }
        _ => Some((letters, label.len())),
    }
}

/// Letters, digits and hyphens, these neither first nor last.
fn is_ldh(label: &str) -> bool {
    let is_inner = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
    !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(is_inner)
}

/// The letters that Punycode stands for: it has to need it, and to be written as it would be.
fn decoded(text: &str) -> Option<Letters> {
    let mut lower = [0; MAX_LABEL];
    let lower = lower.get_mut(..text.len())?;
    lower.copy_from_slice(text.as_bytes());
    lower.make_ascii_lowercase();
    let letters = punycode::decode(std::str::from_utf8(lower).ok()?)?;
    let is_needed = letters.as_slice().iter().any(|letter| !letter.is_ascii());
    let is_canonical = punycode::encode(letters.as_slice())?.as_slice() == lower;
    (is_needed && is_canonical && idna::is_label(letters.as_slice())).then_some(letters)
}
