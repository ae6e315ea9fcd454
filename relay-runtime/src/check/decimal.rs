//! Numbers by value: compared and divided exactly, as JSON writes them.

use std::cmp::Ordering;

/// A JSON number as `digits × 10^exponent`, the digits without zeros at either end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// Reads the text of a valid JSON number.
    pub(super) fn parse(text: &str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits: Vec<u8> = whole
            .bytes()
            .chain(fraction.bytes())
            .map(|b| b.wrapping_sub(b'0'))
            .collect();
        let mut exponent = exponent_of(exponent).saturating_sub(fraction.len() as i64);
        while digits.last() == Some(&0) {
            digits.pop();
            exponent = exponent.saturating_add(1);
        }
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        digits.drain(..zeros);
        if digits.is_empty() {
            return Self {
                negative: false,
                digits,
                exponent: 0,
            };
        }
        Self {
            negative,
            digits,
            exponent,
        }
    }

    /// Compares the texts of two valid JSON numbers.
    #[inline(never)]
    pub(super) fn compare(one: &str, other: &str) -> Ordering {
        Self::parse(one).cmp(&Self::parse(other))
    }

    pub(super) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Whether an `f64` that is to hold the value is infinite. Told by the digits: what reads floats is
    /// large, and many a server needs it for nothing else.
    pub(super) fn is_beyond_f64(&self) -> bool {
        self.magnitude() >= BEYOND_F64.len() as i64
            && self.cmp_absolute(&Self::parse(BEYOND_F64)).is_ge()
    }

    /// The value, if it is an integer of at most 38 digits.
    pub(super) fn to_i128(&self) -> Option<i128> {
        if !self.is_integer() || self.magnitude() > 38 {
            return None;
        }
        let digits = self
            .digits
            .iter()
            .fold(0_i128, |sum, digit| sum * 10 + i128::from(*digit));
        let value = digits * 10_i128.pow(u32::try_from(self.exponent).ok()?);
        Some(if self.negative { -value } else { value })
    }

    /// Whether `self / divisor` is an integer; a zero divisor divides nothing but zero.
    pub(super) fn is_multiple_of(&self, divisor: &Self) -> bool {
        if self.digits.is_empty() {
            return true;
        }
        // Neither mantissa ends in zero, so a smaller exponent can't be made up for.
        if divisor.digits.is_empty() || self.exponent < divisor.exponent {
            return false;
        }
        let zeros = usize::try_from(self.exponent.abs_diff(divisor.exponent)).unwrap_or(usize::MAX);
        // No number that is finite as an f64 is so much larger than its divisor; a table's may be.
        if zeros > MAX_ZEROS {
            return false;
        }
        let digits = self
            .digits
            .iter()
            .copied()
            .chain(std::iter::repeat_n(0, zeros));
        is_divisible(digits, &divisor.digits)
    }

    /// The number of digits before the decimal point, negative for `0.0…`.
    fn magnitude(&self) -> i64 {
        self.exponent.saturating_add(self.digits.len() as i64)
    }

    fn cmp_absolute(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .magnitude()
                .cmp(&other.magnitude())
                .then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_absolute(other),
            (true, true) => other.cmp_absolute(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// An exponent too large for an `i64` saturates: such numbers differ from all others anyway.
fn exponent_of(text: &str) -> i64 {
    let limit = if text.starts_with('-') {
        i64::MIN / 2
    } else {
        i64::MAX / 2
    };
    text.parse().unwrap_or(limit)
}

/// What lies half a step beyond the largest `f64`: from here on, none is near.
const BEYOND_F64: &str = "17976931348623158079372897140530341507993413271003782693617377898044496829276475\
    09466490179775872070963302864166928879109465555478519404026306574886715058206819\
    08902000708383676273854845817711531764475730270069855571366959622842914819860834\
    936475292719074168444365510704342711559699508093042880177904174497792";

const MAX_ZEROS: usize = 10_000;

/// Long division, as on paper: whether nothing remains.
fn is_divisible(digits: impl Iterator<Item = u8>, divisor: &[u8]) -> bool {
    let mut rest: Vec<u8> = Vec::with_capacity(divisor.len() + 1);
    for digit in digits {
        if !(rest.is_empty() && digit == 0) {
            rest.push(digit);
        }
        while is_at_least(&rest, divisor) {
            subtract(&mut rest, divisor);
        }
    }
    rest.is_empty()
}

fn is_at_least(number: &[u8], other: &[u8]) -> bool {
    number
        .len()
        .cmp(&other.len())
        .then_with(|| number.cmp(other))
        .is_ge()
}

/// Takes a smaller number from a larger one; neither starts with a zero.
fn subtract(number: &mut Vec<u8>, other: &[u8]) {
    let mut borrow = 0;
    for at in 1..=number.len() {
        let index = number.len() - at;
        let taken = borrow
            + if at <= other.len() {
                other[other.len() - at]
            } else {
                0
            };
        borrow = u8::from(number[index] < taken);
        number[index] = number[index] + 10 * borrow - taken;
    }
    let zeros = number.iter().take_while(|digit| **digit == 0).count();
    number.drain(..zeros);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text)
    }

    #[test]
    fn beyond_f64_where_reading_gives_an_infinite_one() {
        let below = BEYOND_F64.replace("042880", "042879");
        for text in [
            "0",
            "1e308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1.8e308",
            "9e308",
            "1e309",
            "1e400",
            "1e-400",
            "0e999999999999999999999",
            "1e999999999999999999999",
            "1e-999999999999999999999",
            "17976931348623158e292",
            "0.0000000017976931348623159e317",
            BEYOND_F64,
            &below,
            &format!("{below}.9999"),
            &format!("{BEYOND_F64}.0001"),
        ] {
            for text in [text.to_owned(), format!("-{text}")] {
                let read: f64 = text.parse().unwrap();
                assert_eq!(number(&text).is_beyond_f64(), read.is_infinite(), "{text}");
            }
        }
    }

    #[test]
    fn equal_by_value_however_written() {
        for (one, other) in [
            ("1", "1.0"),
            ("1e2", "100"),
            ("-0", "0"),
            ("0.10", "1e-1"),
            ("0e9", "0"),
        ] {
            assert_eq!(number(one), number(other), "{one} and {other}");
        }
    }

    #[test]
    fn ordered_exactly_beyond_f64() {
        let rising = [
            "-1e400",
            "-2",
            "-1.5",
            "0",
            "1e-400",
            "0.1",
            "9007199254740992",
            "9007199254740993",
            "1e400",
        ];
        for pair in rising.windows(2) {
            assert!(
                number(pair[0]) < number(pair[1]),
                "{} < {}",
                pair[0],
                pair[1]
            );
        }
    }

    #[test]
    fn multiples_are_exact_for_decimals() {
        for (value, divisor) in [
            ("0.3", "0.1"),
            ("19.99", "0.01"),
            ("1e300", "3e299"),
            ("4.5", "1.5"),
            ("0", "7"),
        ] {
            let expected = value != "1e300";
            assert_eq!(
                number(value).is_multiple_of(&number(divisor)),
                expected,
                "{value} / {divisor}"
            );
        }
        assert!(!number("0.35").is_multiple_of(&number("0.1")));
        assert!(number("1e308").is_multiple_of(&number("0.5")));
        assert!(!number("7").is_multiple_of(&number("2")));
        assert!(number("2.4691357802469135782").is_multiple_of(&number("1.2345678901234567891")));
        assert!(!number("2.4691357802469135783").is_multiple_of(&number("1.2345678901234567891")));
    }

    #[test]
    fn integers_fit_or_not() {
        assert_eq!(number("5.0").to_i128(), Some(5));
        assert_eq!(number("-1.2e1").to_i128(), Some(-12));
        assert_eq!(number("1.5").to_i128(), None);
        assert_eq!(number("1e40").to_i128(), None);
        assert_eq!(number("1e99999999999999999999").to_i128(), None);
    }
}
