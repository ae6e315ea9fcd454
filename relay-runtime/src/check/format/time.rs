//! Dates, times and durations of RFC 3339.

pub(super) fn is_date_time(text: &str) -> bool {
    match text.as_bytes().split_at_checked(10) {
        Some((date, [b'T' | b't', time @ ..])) => fits_date(date) && fits_time(time),
        _ => false,
    }
}

pub(super) fn is_date(text: &str) -> bool {
    fits_date(text.as_bytes())
}

pub(super) fn is_time(text: &str) -> bool {
    fits_time(text.as_bytes())
}

fn fits_date(text: &[u8]) -> bool {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else {
        return false;
    };
    let numbers = (two(y1, y2), two(y3, y4), two(m1, m2), two(d1, d2));
    let (Some(century), Some(year), Some(month), Some(day)) = numbers else {
        return false;
    };
    (1..=days(century * 100 + year, month)).contains(&day)
}

/// Days in a month: none if there is no such month.
fn days(year: i32, month: i32) -> i32 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    }
}

fn fits_time(text: &[u8]) -> bool {
    let &[h1, h2, b':', m1, m2, b':', s1, s2, ref rest @ ..] = text else {
        return false;
    };
    let numbers = (two(h1, h2), two(m1, m2), two(s1, s2));
    let (Some(hour @ 0..=23), Some(minute @ 0..=59), Some(second @ 0..=60)) = numbers else {
        return false;
    };
    let Some(offset) = after_fraction(rest).and_then(offset) else {
        return false;
    };
    let utc = (hour * 60 + minute - offset).rem_euclid(24 * 60);
    second < 60 || utc == 23 * 60 + 59
}

fn after_fraction(text: &[u8]) -> Option<&[u8]> {
    let [b'.', digits @ ..] = text else {
        return Some(text);
    };
    let end = digits.iter().position(|digit| !digit.is_ascii_digit())?;
    (end > 0).then(|| &digits[end..])
}

/// The offset from UTC in minutes.
fn offset(text: &[u8]) -> Option<i32> {
    let &[sign, h1, h2, b':', m1, m2] = text else {
        return matches!(text, b"Z" | b"z").then_some(0);
    };
    let (Some(hours @ 0..=23), Some(minutes @ 0..=59)) = (two(h1, h2), two(m1, m2)) else {
        return None;
    };
    match sign {
        b'+' => Some(hours * 60 + minutes),
        b'-' => Some(-hours * 60 - minutes),
        _ => None,
    }
}

fn two(tens: u8, ones: u8) -> Option<i32> {
    let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
    are_digits.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
}

/// `P`, then weeks alone, or years, months and days, with `T` before hours, minutes and seconds.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else {
        return false;
    };
    let is_time = |time: &str| amounts(time, "HMS");
    match text.split_once('T') {
        None => amounts(text, "YMD") || amounts(text, "W"),
        Some(("", time)) => is_time(time),
        Some((date, time)) => amounts(date, "YMD") && is_time(time),
    }
}

/// One amount or more, each of the unit right after the one before: appendix A skips none, so
/// there are no years and days without months.
fn amounts(mut text: &str, units: &str) -> bool {
    let mut expected = units;
    loop {
        let unit = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let Some(letter) = unit.chars().next().filter(|_| unit.len() < text.len()) else {
            return false;
        };
        let Some((skipped, later)) = expected.split_once(letter) else {
            return false;
        };
        let is_first = expected.len() == units.len();
        if !is_first && !skipped.is_empty() {
            return false;
        }
        text = &unit[letter.len_utf8()..];
        expected = later;
        if text.is_empty() {
            return true;
        }
    }
}
