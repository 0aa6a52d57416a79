//! Text to tokens, one chunk (up to a `// -----` line) at a time.

use super::token::{Kind, NONE, Token};

/// Appends the tokens of the chunk that starts at byte `at`; returns where the next one starts.
pub(super) fn chunk(text: &str, at: usize, tokens: &mut Vec<Token>) -> usize {
    let mut lexer = Lexer { text: text.as_bytes(), at, first: true };
    tokens.clear();
    if at == 0 && text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while lexer.skip_blank() {
        let start = lexer.at;
        let first = std::mem::take(&mut lexer.first);
        let kind = lexer.token();
        if kind == Kind::Bad {
            // A character of several bytes is one token.
            while !text.is_char_boundary(lexer.at) {
                lexer.at += 1;
            }
        }
        tokens.push(Token { start: start as u32, end: lexer.at as u32, link: NONE, kind, first });
    }
    lexer.at
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    /// No token of this line was read yet.
    first: bool,
}

/// A byte of a name after `%`, `^`, `@`, `#`, `!` or of a word.
fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    /// Skips blanks and comments; false at the end of the chunk, whose mark is skipped too.
    fn skip_blank(&mut self) -> bool {
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    self.first = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    let mark = self.first && self.text[self.at..].starts_with(b"// -----");
                    self.skip_line();
                    if mark {
                        return false;
                    }
                }
                // Blobs of dialect resources: `{-# .. #-}`.
                b'{' if self.text[self.at..].starts_with(b"{-#") => {
                    let rest = &self.text[self.at..];
                    let end = rest.windows(3).position(|w| w == b"#-}");
                    self.at += end.map_or(rest.len(), |end| end + 3);
                }
                _ => return true,
            }
        }
        false
    }

    /// Reads one token; the caller has seen that there is a byte.
    fn token(&mut self) -> Kind {
        let byte = self.peek(0);
        self.at += 1;
        match byte {
            b'(' => Kind::LParen,
            b')' => Kind::RParen,
            b'{' => Kind::LBrace,
            b'}' => Kind::RBrace,
            b'[' => Kind::LSquare,
            b']' => Kind::RSquare,
            b'<' => self.with(b'=', Kind::Other, Kind::Less),
            b'>' => self.with(b'=', Kind::Other, Kind::Greater),
            b'=' => self.with(b'=', Kind::Other, Kind::Equal),
            b'-' => self.with(b'>', Kind::Arrow, Kind::Minus),
            b':' => self.with(b':', Kind::ColonColon, Kind::Colon),
            b',' => Kind::Comma,
            b'"' => self.string(),
            b'%' => self.value(),
            b'^' => self.sigil(Kind::Block, Kind::Bad),
            b'#' => self.sigil(Kind::Hash, Kind::Other),
            b'!' => self.sigil(Kind::Bang, Kind::Other),
            b'@' if self.peek(0) == b'"' => {
                self.at += 1;
                match self.string() {
                    Kind::Str => Kind::Symbol,
                    other => other,
                }
            }
            b'@' => self.sigil(Kind::Symbol, Kind::Bad),
            b'0'..=b'9' => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.name();
                Kind::Word
            }
            b'?' | b'*' | b'+' | b'/' | b'.' | b'|' | b'&' | b'~' | b'$' | b'\'' => Kind::Other,
            _ => Kind::Bad,
        }
    }

    fn with(&mut self, second: u8, both: Kind, one: Kind) -> Kind {
        if self.peek(0) != second {
            return one;
        }
        self.at += 1;
        both
    }

    fn name(&mut self) {
        while in_name(self.peek(0)) {
            self.at += 1;
        }
    }

    fn sigil(&mut self, named: Kind, alone: Kind) -> Kind {
        let start = self.at;
        self.name();
        if self.at > start { named } else { alone }
    }

    /// The rest of `%name`, `%name#1`; a dash may stand inside.
    fn value(&mut self) -> Kind {
        let start = self.at;
        while in_name(self.peek(0)) || (self.peek(0) == b'-' && in_name(self.peek(1))) {
            self.at += 1;
        }
        if self.at == start {
            return Kind::Bad;
        }
        if self.peek(0) == b'#' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            while self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
        }
        Kind::Value
    }

    /// The rest of a string; it ends on its line.
    fn string(&mut self) -> Kind {
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return Kind::Str;
                }
                b'\\' if !matches!(self.peek(1), 0 | b'\n') => self.at += 2,
                b'\n' => return Kind::Bad,
                0 if self.at >= self.text.len() => return Kind::Bad,
                _ => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> Kind {
        if self.text[self.at - 1] == b'0'
            && self.peek(0) == b'x'
            && self.peek(1).is_ascii_hexdigit()
        {
            self.at += 1;
            while self.peek(0).is_ascii_hexdigit() {
                self.at += 1;
            }
            return Kind::Int;
        }
        self.digits();
        if self.peek(0) != b'.' || !self.peek(1).is_ascii_digit() {
            // `1.` is a float too, but `1.name` is not.
            if self.peek(0) == b'.' && !in_name(self.peek(1)) {
                self.at += 1;
                return Kind::Float;
            }
            return Kind::Int;
        }
        self.at += 1;
        self.digits();
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'-' | b'+'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.digits();
            }
        }
        Kind::Float
    }

    fn digits(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
    }
}
