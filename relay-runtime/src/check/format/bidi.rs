//! The Bidi rule of RFC 5893, by script rather than by tables of Unicode.

use super::idna::is_mark;

#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// Unicode's L.
    Left,
    /// R and AL.
    Right,
    /// EN.
    Digit,
    /// AN.
    ArabicDigit,
    /// NSM.
    Mark,
    /// ES, ON and BN.
    Neutral,
}

fn class(letter: char) -> Class {
    match letter {
        '0'..='9' | '\u{6f0}'..='\u{6f9}' => Class::Digit,
        '\u{660}'..='\u{669}' | '\u{10d30}'..='\u{10d39}' => Class::ArabicDigit,
        '-' | '\u{b7}' | '\u{375}' | '\u{200c}' | '\u{200d}' | '\u{30fb}' => Class::Neutral,
        // Spacing marks have the direction of their script, which none from right to left has.
        letter if is_mark(letter) => Class::Mark,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => Class::Right,
        '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}' => Class::Right,
        _ => Class::Left,
    }
}

/// Whether a label makes its name one that has to follow the rule.
pub(super) fn is_bidi(label: &[char]) -> bool {
    has(label, Class::Right) || has(label, Class::ArabicDigit)
}

/// Whether a label follows the rule.
pub(super) fn fits(label: &[char]) -> bool {
    let classes = || label.iter().map(|letter| class(*letter));
    let end = classes().rfind(|class| *class != Class::Mark);
    match (classes().next(), end) {
        (Some(Class::Right), Some(Class::Right | Class::Digit | Class::ArabicDigit)) => {
            let is_mixed = has(label, Class::Digit) && has(label, Class::ArabicDigit);
            !is_mixed && !has(label, Class::Left)
        }
        (Some(Class::Left), Some(Class::Left | Class::Digit)) => !is_bidi(label),
        _ => false,
    }
}

fn has(label: &[char], wanted: Class) -> bool {
    label.iter().any(|letter| class(*letter) == wanted)
}
