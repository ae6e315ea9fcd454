//! Regular expressions of ECMA-262: whether a text is one, without making anything of it.

/// Reads from left to right, without a stack: any depth of groups is fine.
pub(super) fn is_regex(text: &str) -> bool {
    let mut reader = Reader {
        rest: text,
        groups: 0,
        highest: 0,
    };
    reader.expression().is_some()
}

struct Reader<'t> {
    rest: &'t str,
    /// Groups that capture.
    groups: usize,
    /// The highest group that `\1` and the like refer to.
    highest: usize,
}

/// A character or a class like `\d`, which can't begin or end a range.
enum Member {
    Char(u32),
    Class,
}

/// Every function passes what it reads; `None` says that it is none of what it should be.
impl Reader<'_> {
    fn expression(&mut self) -> Option<()> {
        let mut depth = 0usize;
        let mut can_repeat = false;
        while let Some(letter) = self.next() {
            can_repeat = match letter {
                '(' => {
                    self.group()?;
                    depth += 1;
                    false
                }
                ')' => {
                    depth = depth.checked_sub(1)?;
                    true
                }
                '[' => {
                    self.class()?;
                    true
                }
                '\\' => self.escape()?,
                '*' | '+' | '?' => self.repeat(can_repeat)?,
                '{' => match self.counts() {
                    Some((least, most)) if is_ordered(least, most) => self.repeat(can_repeat)?,
                    Some(_) => return None,
                    // It stands for itself.
                    None => true,
                },
                '|' | '^' | '$' => false,
                _ => true,
            };
        }
        (depth == 0 && self.highest <= self.groups).then_some(())
    }

    /// After a quantifier; what it leaves can't be repeated again.
    fn repeat(&mut self, can_repeat: bool) -> Option<bool> {
        self.eat("?");
        can_repeat.then_some(false)
    }

    /// After `(`.
    fn group(&mut self) -> Option<()> {
        const KINDS: [&str; 5] = [":", "=", "!", "<=", "<!"];
        if !self.eat("?") {
            self.groups += 1;
        } else if !KINDS.iter().any(|kind| self.eat(kind)) {
            self.name()?;
            self.groups += 1;
        }
        Some(())
    }

    /// `<name>`.
    fn name(&mut self) -> Option<()> {
        let is_first = |letter: char| letter.is_alphabetic() || matches!(letter, '_' | '$');
        let is_later = |letter: char| is_first(letter) || letter.is_numeric() || !letter.is_ascii();
        if !self.eat("<") || !is_first(self.next()?) {
            return None;
        }
        self.rest = self.rest.trim_start_matches(is_later);
        self.eat(">").then_some(())
    }

    /// After `{`: `2}`, `2,}` or `2,5}`, or nothing of the kind.
    fn counts(&mut self) -> Option<(&str, Option<&str>)> {
        let (least, rest) = digits(self.rest)?;
        let (most, rest) = match rest.strip_prefix(',') {
            None => (Some(least), rest),
            Some(rest) => match digits(rest) {
                None => (None, rest),
                Some((most, rest)) => (Some(most), rest),
            },
        };
        self.rest = rest.strip_prefix('}')?;
        Some((least, most))
    }

    /// After `[`.
    fn class(&mut self) -> Option<()> {
        self.eat("^");
        loop {
            let first = match self.next()? {
                ']' => return Some(()),
                letter => self.member(letter)?,
            };
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if let (Member::Char(first), true) = (first, is_range) {
                self.eat("-");
                let letter = self.next()?;
                match self.member(letter)? {
                    Member::Char(last) if first <= last => {}
                    _ => return None,
                }
            }
        }
    }

    fn member(&mut self, letter: char) -> Option<Member> {
        match letter {
            '\\' if self.eat("b") => Some(Member::Char(0x8)),
            '\\' => self.any_escape(),
            letter => Some(Member::Char(letter.into())),
        }
    }

    /// After `\`, outside of a class: whether what it stands for can be repeated.
    fn escape(&mut self) -> Option<bool> {
        if self.eat("b") || self.eat("B") {
            return Some(false);
        }
        if self.eat("k") {
            self.name()?;
        } else if self.rest.starts_with(|digit| matches!(digit, '1'..='9')) {
            let (number, rest) = digits(self.rest)?;
            self.highest = self.highest.max(number.parse().unwrap_or(usize::MAX));
            self.rest = rest;
        } else {
            self.any_escape()?;
        }
        Some(true)
    }

    /// After `\`, anywhere.
    fn any_escape(&mut self) -> Option<Member> {
        Some(Member::Char(match self.next()? {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => return Some(Member::Class),
            'p' | 'P' => {
                self.property()?;
                return Some(Member::Class);
            }
            't' => 0x9,
            'n' => 0xa,
            'v' => 0xb,
            'f' => 0xc,
            'r' => 0xd,
            '0' if digits(self.rest).is_none() => 0,
            'c' => u32::from(self.next().filter(char::is_ascii_alphabetic)?) % 32,
            'x' => self.hex(2)?,
            'u' => self.code_point()?,
            letter if letter.is_alphanumeric() => return None,
            symbol => symbol.into(),
        }))
    }

    /// `{Letter}` or `{Script=Greek}`; whether there is such a property takes tables to say.
    fn property(&mut self) -> Option<()> {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let name = self.rest.strip_prefix('{')?;
        let rest = name.trim_start_matches(is_part);
        let value = rest.strip_prefix('=').unwrap_or("");
        let end = if value.is_empty() {
            rest
        } else {
            value.trim_start_matches(is_part)
        };
        let is_named = rest.len() < name.len() && (value.is_empty() || end.len() < value.len());
        self.rest = end.strip_prefix('}')?;
        is_named.then_some(())
    }

    /// `0041`, `{41}`, or the two halves of a surrogate pair.
    fn code_point(&mut self) -> Option<u32> {
        if self.eat("{") {
            let mut point = 0;
            let mut is_empty = true;
            while !self.eat("}") {
                point = point * 16 + self.next()?.to_digit(16)?;
                is_empty = false;
                if point > u32::from(char::MAX) {
                    return None;
                }
            }
            return (!is_empty).then_some(point);
        }
        let high = self.hex(4)?;
        let before = self.rest;
        if matches!(high, 0xd800..=0xdbff) && self.eat("\\u") {
            if let Some(low @ 0xdc00..=0xdfff) = self.hex(4) {
                return Some(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            }
            self.rest = before;
        }
        Some(high)
    }

    fn hex(&mut self, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |point, _| Some(point * 16 + self.next()?.to_digit(16)?))
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next()?;
        self.rest = letters.as_str();
        Some(letter)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

/// The digits that a text begins with, and what follows; `None` without any.
fn digits(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    (!digits.is_empty()).then_some((digits, rest))
}

/// Whether a number is no greater than another, however long they are.
fn is_ordered(least: &str, most: Option<&str>) -> bool {
    let (least, most) = (
        least.trim_start_matches('0'),
        most.map(|most| most.trim_start_matches('0')),
    );
    most.is_none_or(|most| (least.len(), least) <= (most.len(), most))
}
