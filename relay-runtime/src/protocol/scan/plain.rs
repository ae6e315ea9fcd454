//! Text in which nothing has a meaning of its own.

/// How many bytes stand before the first quote, backslash or control character.
#[inline]
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    /// Most strings end within so many bytes; what is longer is worth a search by vectors.
    const FEW: usize = 64;
    let mut passed = 0;
    while passed < FEW
        && let Some(word) = bytes.get(passed..).and_then(<[u8]>::first_chunk)
    {
        if let Some(place) = special(u64::from_le_bytes(*word)) {
            return passed + place;
        }
        passed += 8;
    }
    passed + long_plain_length(&bytes[passed..])
}

#[inline(never)]
fn long_plain_length(bytes: &[u8]) -> usize {
    let length = memchr::memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
    let plain = &bytes[..length];
    // Without a branch for each byte, this runs many at once.
    if plain
        .iter()
        .fold(false, |found, byte| found | (*byte < 0x20))
    {
        return plain.iter().position(|byte| *byte < 0x20).unwrap_or(0);
    }
    length
}

/// The place of the first byte of a word that is no plain text, all eight looked at together.
#[inline]
fn special(word: u64) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = ONES * 0x80;
    // A borrow may mark a byte after one that is found, but none before the first.
    let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = is_zero(word ^ (ONES * u64::from(b'"')));
    let backslash = is_zero(word ^ (ONES * u64::from(b'\\')));
    let found = (control | quote | backslash) & HIGH;
    (found != 0).then(|| (found.trailing_zeros() / 8) as usize)
}
