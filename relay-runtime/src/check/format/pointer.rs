//! JSON Pointers of RFC 6901, and those that are relative to a place.

/// Reference tokens, each after its `/`, in which `~` is written `~0` and `/` is written `~1`.
pub(super) fn is_pointer(text: &str) -> bool {
    let mut tokens = text.split('/');
    // What stands before the first `/`: nothing, and nothing at all in the pointer to the root.
    tokens.next() == Some("") && tokens.all(is_token)
}

fn is_token(text: &str) -> bool {
    text.split('~')
        .skip(1)
        .all(|escaped| escaped.starts_with(['0', '1']))
}

/// How many levels up, perhaps how many items on or back, then `#` or a pointer from there.
pub(super) fn is_relative(text: &str) -> bool {
    let Some(rest) = after_number(text) else {
        return false;
    };
    let rest = match rest.strip_prefix(['+', '-']) {
        Some(adjustment) => after_number(adjustment),
        None => Some(rest),
    };
    rest.is_some_and(|rest| rest == "#" || is_pointer(rest))
}

/// The text after a number without leading zeros.
fn after_number(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('0') {
        return (!rest.starts_with(|next: char| next.is_ascii_digit())).then_some(rest);
    }
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}
