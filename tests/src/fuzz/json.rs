//! JSON read a second time, apart from the runtime: a plain recursive parser.

/// A value and its text.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) text: &'a str,
    pub(super) kind: Kind<'a>,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Object(Vec<(String, Node<'a>)>),
    Array(Vec<Node<'a>>),
    String(String),
    /// A number, `true`, `false` or `null`; or what is nested too deep to be looked at.
    Other,
}

/// A whole text.
#[derive(Debug)]
pub(super) struct Parsed<'a> {
    pub(super) root: Node<'a>,
    /// Some object has a key twice.
    pub(super) twice: bool,
    /// Something is nested deeper than allowed; only its brackets and strings were looked at.
    pub(super) deep: bool,
}

impl<'a> Node<'a> {
    /// A member of an object: the first of this name.
    pub(super) fn get(&self, name: &str) -> Option<&Node<'a>> {
        match &self.kind {
            Kind::Object(members) => members
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value of a string.
    pub(super) fn string(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(value) => Some(value),
            _ => None,
        }
    }

    /// The names of an object's members.
    pub(super) fn names(&self) -> Vec<&str> {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Reads a text; `None` if it is no JSON.
pub(super) fn parse(text: &str, max_depth: usize) -> Option<Parsed<'_>> {
    let mut parser = Parser {
        text,
        at: 0,
        max_depth,
        twice: false,
        deep: false,
    };
    let root = parser.value(0)?;
    parser.space();
    (parser.at == text.len()).then_some(Parsed {
        root,
        twice: parser.twice,
        deep: parser.deep,
    })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    max_depth: usize,
    twice: bool,
    deep: bool,
}

impl<'a> Parser<'a> {
    fn value(&mut self, depth: usize) -> Option<Node<'a>> {
        self.space();
        let start = self.at;
        let kind = match self.peek()? {
            b'{' | b'[' if depth >= self.max_depth => {
                self.deep = true;
                self.skip()?;
                Kind::Other
            }
            b'{' => self.object(depth)?,
            b'[' => self.array(depth)?,
            b'"' => Kind::String(self.string()?),
            b'-' | b'0'..=b'9' => self.number()?,
            _ => self.word()?,
        };
        let text = &self.text[start..self.at];
        Some(Node { text, kind })
    }

    fn object(&mut self, depth: usize) -> Option<Kind<'a>> {
        self.at += 1;
        let mut members: Vec<(String, Node<'a>)> = Vec::new();
        self.space();
        if self.take(b'}') {
            return Some(Kind::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            if !self.take(b':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            members.push((name, value));
            self.space();
            if self.take(b'}') {
                break;
            }
            if !self.take(b',') {
                return None;
            }
        }
        let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        self.twice |= names.windows(2).any(|pair| pair[0] == pair[1]);
        Some(Kind::Object(members))
    }

    fn array(&mut self, depth: usize) -> Option<Kind<'a>> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.take(b']') {
            return Some(Kind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.take(b']') {
                return Some(Kind::Array(items));
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        if !self.take(b'"') {
            return None;
        }
        let mut value = String::new();
        loop {
            let letter = self.text[self.at..].chars().next()?;
            self.at += letter.len_utf8();
            match letter {
                '"' => return Some(value),
                '\\' => value.push(self.escape()?),
                '\0'..='\u{1f}' => return None,
                other => value.push(other),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                if !(0xD800..0xDC00).contains(&unit) {
                    return char::from_u32(unit);
                }
                if !(self.take(b'\\') && self.take(b'u')) {
                    return None;
                }
                let low = self.unit()?;
                if !(0xDC00..0xE000).contains(&low) {
                    return None;
                }
                char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))?
            }
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        let all_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16)
            .ok()
            .filter(|_| all_hexadecimal)
    }

    fn number(&mut self) -> Option<Kind<'a>> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Some(Kind::Other)
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn word(&mut self) -> Option<Kind<'a>> {
        let rest = &self.text[self.at..];
        let word = ["true", "false", "null"]
            .into_iter()
            .find(|word| rest.starts_with(word))?;
        self.at += word.len();
        Some(Kind::Other)
    }

    fn skip(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}
