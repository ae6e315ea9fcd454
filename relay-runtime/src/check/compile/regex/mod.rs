//! An ECMA-262 regular expression into its parts.

mod class;
mod escape;

use super::super::pattern::Part;
use super::super::table::List;
use class::Class;

/// Deeper groups are refused rather than risk the stack.
const MAX_DEPTH: usize = 50;

/// A repeat of more than this is refused: nobody means it.
const MAX_REPEAT: u32 = 100_000;

/// Parses an expression as with the flag `u`: by code points. As in browsers, `{` and `]` may stand
/// for themselves, and so may any symbol after `\`.
pub(super) fn parse(text: &str) -> Result<List<Part>, String> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
    };
    let parts = parser.alternatives()?;
    match parser.peek() {
        None => Ok(parts.into()),
        Some(_) => Err(parser.wrong("`)` without `(`")),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn alternatives(&mut self) -> Result<Vec<Part>, String> {
        let mut branches = vec![self.sequence()?];
        while self.eat("|") {
            branches.push(self.sequence()?);
        }
        match branches.pop() {
            Some(only) if branches.is_empty() => Ok(only),
            last => {
                branches.extend(last);
                let branches: Vec<_> = branches
                    .into_iter()
                    .map(|parts| Part::Sequence(parts.into()))
                    .collect();
                Ok(vec![Part::Either(branches.into())])
            }
        }
    }

    fn sequence(&mut self) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        while let Some(letter) = self.peek().filter(|letter| !matches!(letter, '|' | ')')) {
            let part = self.term(letter)?;
            parts.push(self.repeated(part)?);
        }
        Ok(parts)
    }

    fn term(&mut self, letter: char) -> Result<Part, String> {
        Ok(match letter {
            '(' => self.group()?,
            '[' => self.class()?.into_part(),
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(self.wrong("there is nothing to repeat")),
            '^' => self.take(Part::Start),
            '$' => self.take(Part::End),
            '.' => self.take(Class::line_ends().negated().into_part()),
            letter => self.take(Part::Char(letter)),
        })
    }

    fn group(&mut self) -> Result<Part, String> {
        if self.depth >= MAX_DEPTH {
            return Err(self.wrong(&format!("groups are nested deeper than {MAX_DEPTH}")));
        }
        type Make = fn(List<Part>) -> Part;
        const KINDS: [(&str, Make); 5] = [
            ("(?=", Part::Ahead),
            ("(?!", Part::NotAhead),
            ("(?<=", Part::Behind),
            ("(?<!", Part::NotBehind),
            ("(?:", Part::Sequence),
        ];
        let kind = KINDS
            .iter()
            .find(|(open, _)| self.eat(open))
            .map(|(_, make)| *make);
        let make = match kind {
            Some(make) => make,
            None => self.capture()?,
        };
        self.depth += 1;
        let parts = self.alternatives()?;
        self.depth -= 1;
        if !self.eat(")") {
            return Err(self.wrong("`(` without `)`"));
        }
        Ok(make(parts.into()))
    }

    /// What a group captures is never asked for.
    fn capture(&mut self) -> Result<fn(List<Part>) -> Part, String> {
        if self.eat("(?<") {
            let rest = &self.text[self.at..];
            let end = rest
                .find('>')
                .filter(|end| *end > 0)
                .ok_or_else(|| self.wrong("a group's name does not end"))?;
            self.at += end + 1;
        } else if self.eat("(?") {
            return Err(self.wrong("a group of a kind that ECMA-262 does not have"));
        } else {
            self.at += 1;
        }
        Ok(Part::Sequence)
    }

    fn repeated(&mut self, part: Part) -> Result<Part, String> {
        let Some((least, most)) = self.quantifier()? else {
            return Ok(part);
        };
        // Whether it is greedy makes no difference to whether it matches.
        self.eat("?");
        if matches!(
            part,
            Part::Start | Part::End | Part::WordEdge | Part::NoWordEdge
        ) {
            return Err(self.wrong("there is nothing to repeat"));
        }
        Ok(Part::Repeat(least, most, vec![part].into()))
    }

    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, String> {
        let counts = match self.peek() {
            Some('*') => self.take((0, None)),
            Some('+') => self.take((1, None)),
            Some('?') => self.take((0, Some(1))),
            Some('{') => match self.braces() {
                Some(counts) => counts,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        if counts.0.max(counts.1.unwrap_or(0)) > MAX_REPEAT {
            return Err(self.wrong(&format!("a part is repeated more than {MAX_REPEAT} times")));
        }
        if counts.1.is_some_and(|most| most < counts.0) {
            return Err(self.wrong("the numbers of a repeat are out of order"));
        }
        Ok(Some(counts))
    }

    /// `{2}`, `{2,}` or `{2,5}`; anything else stands for itself.
    fn braces(&mut self) -> Option<(u32, Option<u32>)> {
        let rest = &self.text[self.at + 1..];
        let end = rest.find('}')?;
        let number = |text: &str| {
            let is_number = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
            is_number.then(|| text.parse().unwrap_or(u32::MAX))
        };
        let counts = match rest[..end].split_once(',') {
            None => {
                let count = number(&rest[..end])?;
                (count, Some(count))
            }
            Some((least, "")) => (number(least)?, None),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        self.at += end + 2;
        Some(counts)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Passes one character, for what it stands for.
    fn take<T>(&mut self, meant: T) -> T {
        self.next();
        meant
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    fn wrong(&self, what: &str) -> String {
        format!(
            "is no regular expression of ECMA-262: {what} (at character {})",
            self.text[..self.at].chars().count() + 1
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::pattern::Expression;
    use super::parse;

    fn matches(pattern: &str, text: &str) -> bool {
        let parts = parse(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        Expression::new(parts)
            .is_match(text, &mut 1_000_000)
            .unwrap_or_else(|_| panic!("{pattern} takes too long"))
    }

    #[test]
    fn expressions_match_as_ecma_262_says() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("", &["", "a"], &[]),
            ("b", &["b", "abc"], &["", "a"]),
            ("^a*$", &["", "aaa"], &["b", "aab"]),
            ("^[a-z0-9-]+$", &["a-1"], &["", "A", "a_"]),
            (
                "^(Time)?SlicerStyle(Light|Dark|Other)\\d$",
                &["SlicerStyleDark1", "TimeSlicerStyleOther9"],
                &["SlicerStyle1"],
            ),
            ("^\\d{3}-\\d{4}$", &["555-1234"], &["555-123", "५५५-1234"]),
            ("^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
            ("^a{2,}$", &["aa", "aaaaa"], &["a"]),
            (
                "^(a+)+$",
                &["aaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
                &["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"],
            ),
            ("^\\p{Letter}+$", &["aé名"], &["1", ""]),
            ("^\\p{Script=Greek}$", &["α"], &["a"]),
            ("^\\P{Lu}$", &["a"], &["A"]),
            ("^\\w\\W\\s\\S$", &["a- b"], &["é- b"]),
            ("^\\s$", &["\u{feff}", "\u{2003}", "\n"], &["a"]),
            ("^.$", &["a", "😀"], &["\n", "\u{2028}", "ab"]),
            ("^[^a]$", &["b", "\n"], &["a"]),
            ("^[\\d\\-x]+$", &["1-x"], &["y"]),
            ("^[]$", &[], &["", "a"]),
            ("^[^]$", &["a", "\n"], &[""]),
            ("\\bcat\\b", &["a cat!"], &["concat"]),
            ("^(?=.*\\d)(?!.*x).{3,}$", &["ab1"], &["abc", "x1a", "a1"]),
            ("(?<=\\$)\\d", &["$5"], &["5"]),
            ("(?<!\\$)5", &["5"], &["$5"]),
            (
                "^\\u{1F600}\\ud83d\\ude00\\x41\\cJ\\0$",
                &["😀😀A\n\0"],
                &["😀"],
            ),
            ("^a{,2}$", &["a{,2}"], &["aa"]),
            ("^(?<year>\\d{4})$", &["2026"], &["26"]),
            ("^a\\/b\\.c$", &["a/b.c"], &["a/bxc"]),
            ("^(a|b|)$", &["a", "b", ""], &["c"]),
            ("^(?:a?){3}$", &["", "aaa"], &["aaaa"]),
        ];
        for (pattern, fitting, others) in cases {
            for text in *fitting {
                assert!(matches(pattern, text), "{pattern} fits {text:?}");
            }
            for text in *others {
                assert!(!matches(pattern, text), "{pattern} does not fit {text:?}");
            }
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let long = "(".repeat(100_000);
        for pattern in [
            "(",
            ")",
            "[a",
            "*",
            "a**",
            "\\",
            "a{3,2}",
            "\\a",
            "\\u12",
            "\\p{Nope}",
            "\\p",
            "[b-a]",
            "(?i:a)",
            "\\1",
            "\\k<a>",
            "(?<a",
            "a{999999999}",
            "^*",
            "[\\u{110000}]",
            "\\u{+41}",
            "\\ud800\\u0041",
            &long,
        ] {
            assert!(parse(pattern).is_err(), "{pattern}");
        }
    }
}
