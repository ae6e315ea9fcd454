//! Mail addresses of RFC 5321, and those of RFC 6531, which may hold any script.

use super::hostname::{is_hostname, is_idn_hostname};
use super::{is_ipv4, is_ipv6};

/// RFC 5321, section 4.5.3.1.1, in octets.
const MAX_LOCAL: usize = 64;

/// RFC 5321, section 4.5.3.1.3: 256 octets of a path, less its angle brackets.
const MAX_MAILBOX: usize = 254;

pub(super) fn is_email(text: &str) -> bool {
    text.is_ascii() && is_mailbox(text, is_hostname)
}

pub(super) fn is_idn_email(text: &str) -> bool {
    is_mailbox(text, is_idn_hostname)
}

fn is_mailbox(text: &str, is_domain: fn(&str) -> bool) -> bool {
    // A domain has no `@`; a quoted local part may.
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let fits_length = local.len() <= MAX_LOCAL && text.len() <= MAX_MAILBOX;
    fits_length && is_local(local) && (is_domain(domain) || is_address(domain))
}

fn is_local(text: &str) -> bool {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').is_some_and(is_quoted),
        None => text.split('.').all(is_atom),
    }
}

fn is_atom(text: &str) -> bool {
    let is_atext = |letter: char| {
        letter.is_ascii_alphanumeric()
            || "!#$%&'*+-/=?^_`{|}~".contains(letter)
            || !letter.is_ascii()
    };
    !text.is_empty() && text.chars().all(is_atext)
}

/// What stands between the quotes.
fn is_quoted(text: &str) -> bool {
    let is_printable = |letter: char| matches!(letter, ' '..='~');
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let fits = match letter {
            '\\' => letters.next().is_some_and(is_printable),
            '"' => false,
            letter => is_printable(letter) || !letter.is_ascii(),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// An address in brackets. RFC 5321 leaves room for further kinds, but IANA has registered none.
fn is_address(text: &str) -> bool {
    let Some(inner) = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    else {
        return false;
    };
    match inner.split_once(':') {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6") => is_ipv6(address),
        Some(_) => false,
        None => is_ipv4(inner),
    }
}
