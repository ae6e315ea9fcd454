//! Punycode (RFC 3492): a label of any script, written in ASCII.
//!
//! Labels are short, so that what costs the square of their length here costs no time.

/// Octets in a label of the DNS.
pub(super) const MAX_LABEL: usize = 63;

/// A list that fits in a label.
pub(super) struct Short<T> {
    items: [T; MAX_LABEL],
    len: usize,
}

/// The characters of a label.
pub(super) type Letters = Short<char>;

impl<T: Copy + Default> Short<T> {
    pub(super) fn new() -> Self {
        Self {
            items: [T::default(); MAX_LABEL],
            len: 0,
        }
    }

    /// `None` if there are more than fit.
    pub(super) fn from_items(items: impl Iterator<Item = T>) -> Option<Self> {
        let mut list = Self::new();
        for item in items {
            list.insert(list.len, item)?;
        }
        Some(list)
    }

    pub(super) fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }

    /// `None` if the list is full.
    fn insert(&mut self, at: usize, item: T) -> Option<()> {
        if self.len == MAX_LABEL || at > self.len {
            return None;
        }
        self.items.copy_within(at..self.len, at + 1);
        self.items[at] = item;
        self.len += 1;
        Some(())
    }

    fn push(&mut self, item: T) -> Option<()> {
        self.insert(self.len, item)
    }
}

const BASE: u32 = 36;
const FIRST_POINT: u32 = 0x80;
const FIRST_BIAS: u32 = 72;

/// The label that lower-case Punycode stands for, if there is one and it fits.
pub(super) fn decode(text: &str) -> Option<Letters> {
    let (basic, extended) = text.rsplit_once('-').unwrap_or(("", text));
    let mut letters = Letters::from_items(basic.chars())?;
    let (mut point, mut at, mut bias) = (FIRST_POINT, 0u32, FIRST_BIAS);
    let mut digits = extended.bytes();
    while digits.len() > 0 {
        let before = at;
        let mut weight = 1u32;
        for step in 1.. {
            let digit = value(digits.next()?)?;
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = threshold(step, bias);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
        }
        let count = letters.len as u32 + 1;
        bias = adapted(at - before, count, before == 0);
        point = point.checked_add(at / count)?;
        at %= count;
        letters.insert(at as usize, char::from_u32(point)?)?;
        at += 1;
    }
    Some(letters)
}

/// The Punycode of a label, if it fits.
pub(super) fn encode(letters: &[char]) -> Option<Short<u8>> {
    let basic = letters.iter().filter(|letter| letter.is_ascii());
    let mut text = Short::from_items(basic.map(|letter| *letter as u8))?;
    let mut done = text.len as u32;
    let basic = done;
    if basic > 0 {
        text.push(b'-')?;
    }
    let (mut point, mut delta, mut bias) = (FIRST_POINT, 0u32, FIRST_BIAS);
    while (done as usize) < letters.len() {
        let points = letters.iter().map(|letter| *letter as u32);
        let next = points.clone().filter(|other| *other >= point).min()?;
        delta = delta.checked_add((next - point).checked_mul(done + 1)?)?;
        point = next;
        for other in points {
            if other < point {
                delta = delta.checked_add(1)?;
            } else if other == point {
                push_number(&mut text, delta, bias)?;
                bias = adapted(delta, done + 1, done == basic);
                delta = 0;
                done += 1;
            }
        }
        delta = delta.checked_add(1)?;
        point += 1;
    }
    Some(text)
}

fn push_number(text: &mut Short<u8>, mut number: u32, bias: u32) -> Option<()> {
    for step in 1.. {
        let threshold = threshold(step, bias);
        if number < threshold {
            break;
        }
        let over = number - threshold;
        text.push(digit(threshold + over % (BASE - threshold)))?;
        number = over / (BASE - threshold);
    }
    text.push(digit(number))
}

/// From which value on a digit is not the last of its number.
fn threshold(step: u32, bias: u32) -> u32 {
    (step * BASE).saturating_sub(bias).clamp(1, 26)
}

/// Section 6.1.
fn adapted(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = delta / if is_first { 700 } else { 2 };
    delta += delta / count;
    let mut bias = 0;
    while delta > (BASE - 1) * 26 / 2 {
        delta /= BASE - 1;
        bias += BASE;
    }
    bias + BASE * delta / (delta + 38)
}

fn value(digit: u8) -> Option<u32> {
    match digit {
        b'a'..=b'z' => Some(u32::from(digit - b'a')),
        b'0'..=b'9' => Some(u32::from(digit - b'0') + 26),
        _ => None,
    }
}

fn digit(value: u32) -> u8 {
    // A value is below 36.
    let value = value as u8;
    if value < 26 {
        b'a' + value
    } else {
        b'0' + value - 26
    }
}
