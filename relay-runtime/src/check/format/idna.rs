//! What a label of any script may hold: RFC 5891, section 4.2.3, and RFC 5892.
//!
//! RFC 5892 derives what is allowed from tables of Unicode that are not here. The blocks below hold
//! nothing that is allowed, so that nothing valid is refused; not all that is invalid is found.

/// Whether a label that is not all ASCII is valid, as far as it can be told; its direction aside.
pub(super) fn is_label(letters: &[char]) -> bool {
    let has_hyphens_as_prefix = matches!(letters, [_, _, '-', '-', ..]);
    let (Some(first), Some(last)) = (letters.first(), letters.last()) else {
        return false;
    };
    *first != '-'
        && *last != '-'
        && !has_hyphens_as_prefix
        && !is_mark(*first)
        && (0..letters.len()).all(|at| fits(letters, at))
}

/// RFC 5892, appendix A: some characters are allowed in some surroundings only.
fn fits(letters: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| letters.get(at).copied());
    let after = letters.get(at + 1).copied();
    let none = |is_other: fn(char) -> bool| !letters.iter().any(|letter| is_other(*letter));
    match letters[at] {
        '\u{b7}' => before == Some('l') && after == Some('l'),
        '\u{375}' => after.is_some_and(is_greek),
        '\u{5f3}' | '\u{5f4}' => before.is_some_and(is_hebrew),
        '\u{30fb}' => !none(is_kana_or_han),
        '\u{660}'..='\u{669}' => none(|letter| matches!(letter, '\u{6f0}'..='\u{6f9}')),
        '\u{6f0}'..='\u{6f9}' => none(|letter| matches!(letter, '\u{660}'..='\u{669}')),
        '\u{200d}' => before.is_some_and(is_virama),
        '\u{200c}' => before.is_some_and(is_virama) || joins(&letters[..at], &letters[at + 1..]),
        letter => is_allowed(letter),
    }
}

fn is_allowed(letter: char) -> bool {
    match letter {
        'a'..='z' | '0'..='9' | '-' => true,
        '\0'..='\x7f' => false,
        // RFC 5892, section 2.6.
        '\u{640}' | '\u{7fa}' | '\u{302e}' | '\u{302f}' | '\u{3031}'..='\u{3035}' | '\u{303b}' => {
            false
        }
        letter => !is_capital(letter) && !is_in_a_block_without(letter),
    }
}

/// What has a small letter is unstable, but for Cherokee, where it is the other way round.
fn is_capital(letter: char) -> bool {
    let is_cherokee = matches!(letter, '\u{13a0}'..='\u{13f5}');
    !is_cherokee && !letter.to_lowercase().eq([letter])
}

/// Blocks of controls, symbols, punctuation, compatibility forms, old jamo and private characters,
/// less the few of theirs that are allowed.
fn is_in_a_block_without(letter: char) -> bool {
    matches!(letter,
        '\u{80}'..='\u{bf}' | '\u{d7}' | '\u{f7}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{2000}'..='\u{214d}' | '\u{214f}'..='\u{2183}' | '\u{2185}'..='\u{2bff}'
        | '\u{2e00}'..='\u{2e2e}' | '\u{2e30}'..='\u{3004}' | '\u{3008}'..='\u{3029}'
        | '\u{3030}'..='\u{303b}' | '\u{303d}'..='\u{3040}'
        | '\u{3130}'..='\u{319f}' | '\u{31c0}'..='\u{31ef}' | '\u{3200}'..='\u{33ff}'
        | '\u{4dc0}'..='\u{4dff}'
        | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{fa0d}'
        | '\u{fa30}'..='\u{fb1d}' | '\u{fb1f}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe72}' | '\u{fe74}'..='\u{ffff}'
        | '\u{1d000}'..='\u{1d7ff}' | '\u{1ee00}'..='\u{1fbff}' | '\u{2f800}'..='\u{2fa1f}'
        | '\u{e0000}'..=char::MAX)
}

/// A combining mark: what is neither letter nor digit, and allowed all the same; and of the marks
/// that Unicode counts among the letters, those of Hebrew, Arabic, Syriac, Thaana and the scripts of
/// India.
pub(super) fn is_mark(letter: char) -> bool {
    match letter {
        '\0'..='\x7f' => false,
        '\u{b7}' | '\u{375}' | '\u{6fd}' | '\u{6fe}' | '\u{f0b}' | '\u{30fb}' => false,
        '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' => true,
        '\u{6d6}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}' => true,
        '\u{711}' | '\u{730}'..='\u{74a}' | '\u{7a6}'..='\u{7b0}' => true,
        // Letters in the place of marks.
        '\u{b83}' | '\u{d55}' | '\u{d56}' => false,
        // These blocks are laid out alike: signs, then, further down, vowels and the virama.
        '\u{900}'..='\u{d7f}' => {
            let place = letter as u32 & 0x7f;
            matches!(place, 0x01..=0x03 | 0x3e..=0x4d | 0x55..=0x57 | 0x62..=0x63)
                || !letter.is_alphanumeric()
        }
        letter => !letter.is_alphanumeric(),
    }
}

fn is_greek(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{373}' | '\u{375}'..='\u{3e1}' | '\u{3f0}'..='\u{3ff}')
        || matches!(letter, '\u{1f00}'..='\u{1fff}')
}

fn is_hebrew(letter: char) -> bool {
    matches!(letter, '\u{591}'..='\u{5f4}' | '\u{fb1d}'..='\u{fb4f}')
}

fn is_kana_or_han(letter: char) -> bool {
    match letter {
        // Both blocks of kana hold marks that are common to both, and the dot in question.
        '\u{3099}'..='\u{309c}' | '\u{30a0}' | '\u{30fb}' | '\u{30fc}' => false,
        '\u{3005}' | '\u{3007}' | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => true,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{fa0e}'..='\u{fa2f}' => true,
        '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}' => true,
        _ => false,
    }
}

/// Whether U+200C keeps apart two letters that would join: marks do not come between them.
fn joins(before: &[char], after: &[char]) -> bool {
    let is_joining = |letter: &char| {
        // Arabic, Syriac, N'Ko, Mandaic, Mongolian and Phags-pa.
        matches!(letter, '\u{620}'..='\u{77f}' | '\u{7ca}'..='\u{7ea}' | '\u{840}'..='\u{8c9}'
            | '\u{1807}'..='\u{18aa}' | '\u{a840}'..='\u{a872}')
    };
    let is_letter = |letter: &&char| !is_mark(**letter);
    before.iter().rev().find(is_letter).is_some_and(is_joining)
        && after.iter().find(is_letter).is_some_and(is_joining)
}

/// Canonical combining class 9.
fn is_virama(letter: char) -> bool {
    const VIRAMAS: &str = "\u{94d}\u{9cd}\u{a4d}\u{acd}\u{b4d}\u{bcd}\u{c4d}\u{ccd}\u{d3b}\u{d3c}\
        \u{d4d}\u{dca}\u{e3a}\u{eba}\u{f84}\u{1039}\u{103a}\u{1714}\u{1715}\u{1734}\u{17d2}\
        \u{1a60}\u{1b44}\u{1baa}\u{1bab}\u{1bf2}\u{1bf3}\u{2d7f}\u{a806}\u{a82c}\u{a8c4}\u{a953}\
        \u{a9c0}\u{aaf6}\u{abed}\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\
        \u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\
        \u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\
        \u{11d97}";
    VIRAMAS.contains(letter)
}
