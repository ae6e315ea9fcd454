//! What a backslash makes of the characters after it.

use super::super::super::pattern::Part;
use super::Parser;
use super::class::{Class, Member};

impl Parser<'_> {
    /// An escape outside of a class.
    pub(super) fn escape(&mut self) -> Result<Part, String> {
        let rest = &self.text[self.at + 1..];
        match rest.chars().next() {
            Some('b') => Ok(self.take_two(Part::WordEdge)),
            Some('B') => Ok(self.take_two(Part::NoWordEdge)),
            Some('1'..='9' | 'k') => {
                Err(self.wrong("a reference back to a group can't be checked"))
            }
            _ => Ok(match self.any_escape()? {
                Member::Char(letter) => Part::Char(letter),
                Member::Class(class) => class.into_part(),
            }),
        }
    }

    /// An escape within a class.
    pub(super) fn class_escape(&mut self) -> Result<Member, String> {
        if self.text[self.at..].starts_with("\\b") {
            return Ok(self.take_two(Member::Char('\u{8}')));
        }
        self.any_escape()
    }

    fn any_escape(&mut self) -> Result<Member, String> {
        self.next();
        let Some(letter) = self.next() else {
            return Err(self.wrong("`\\` at the end"));
        };
        Ok(match letter {
            'd' => Member::Class(Class::digits()),
            'D' => Member::Class(Class::digits().negated()),
            'w' => Member::Class(Class::word()),
            'W' => Member::Class(Class::word().negated()),
            's' => Member::Class(Class::space()),
            'S' => Member::Class(Class::space().negated()),
            'p' => Member::Class(self.property()?),
            'P' => Member::Class(self.property()?.negated()),
            't' => Member::Char('\t'),
            'n' => Member::Char('\n'),
            'v' => Member::Char('\u{b}'),
            'f' => Member::Char('\u{c}'),
            'r' => Member::Char('\r'),
            '0' if !self.peek().is_some_and(|next| next.is_ascii_digit()) => Member::Char('\0'),
            'c' => Member::Char(self.control()?),
            'x' => Member::Char(self.code_point(2)?),
            'u' => Member::Char(self.unicode()?),
            letter if letter.is_alphanumeric() => {
                return Err(self.wrong(&format!("`\\{letter}` has no meaning")));
            }
            symbol => Member::Char(symbol),
        })
    }

    fn property(&mut self) -> Result<Class, String> {
        let name = self.text[self.at..]
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'))
            .map(|(name, _)| name);
        let Some((name, class)) = name.and_then(|name| Some((name, Class::property(name)?))) else {
            return Err(self.wrong("there is no such Unicode property"));
        };
        self.at += name.len() + 2;
        Ok(class)
    }

    fn control(&mut self) -> Result<char, String> {
        match self.next() {
            Some(letter) if letter.is_ascii_alphabetic() => Ok(char::from(letter as u8 % 32)),
            _ => Err(self.wrong("`\\c` takes a letter")),
        }
    }

    /// `\u0041`, `\u{41}`, or the two halves of a surrogate pair.
    fn unicode(&mut self) -> Result<char, String> {
        if self.eat("{") {
            let digits = self.text[self.at..]
                .split_once('}')
                .map(|(digits, _)| digits);
            let is_hex = |digits: &&str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let point = digits
                .filter(is_hex)
                .and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let Some((digits, letter)) = digits.zip(point.and_then(char::from_u32)) else {
                return Err(self.wrong("there is no such code point"));
            };
            self.at += digits.len() + 1;
            return Ok(letter);
        }
        let high = self.hex(4)?;
        if !(0xd800..0xdc00).contains(&high) || !self.eat("\\u") {
            return char::from_u32(high).ok_or_else(|| self.wrong("half of a surrogate pair"));
        }
        let low = self.hex(4)?;
        let point = 0x1_0000 + ((high - 0xd800) << 10) + low.saturating_sub(0xdc00);
        let letter = (0xdc00..0xe000)
            .contains(&low)
            .then(|| char::from_u32(point))
            .flatten();
        letter.ok_or_else(|| self.wrong("half of a surrogate pair"))
    }

    fn code_point(&mut self, digits: usize) -> Result<char, String> {
        let point = self.hex(digits)?;
        char::from_u32(point).ok_or_else(|| self.wrong("there is no such code point"))
    }

    fn hex(&mut self, count: usize) -> Result<u32, String> {
        let digits = self
            .text
            .get(self.at..self.at + count)
            .filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
        let Some(point) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.wrong(&format!("{count} hexadecimal digits are missing")));
        };
        self.at += count;
        Ok(point)
    }

    fn take_two<T>(&mut self, meant: T) -> T {
        self.at += 2;
        meant
    }
}
