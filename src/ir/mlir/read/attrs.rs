//! Attributes: values and dictionaries.

use super::cursor::Reader;
use super::errors::Read;
use super::token::Kind;
use crate::ir::mlir::{Attr, Attrs};

/// Words that may end a region: `{ scf.yield }` is no dictionary.
const TERMINATORS: [&str; 4] = ["return", "yield", "terminator", "unreachable"];

impl Reader<'_> {
    /// True when the `{` at a token opens a dictionary, not a region (spec 8.3, D.11).
    pub(super) fn is_dict(&self, open: usize) -> bool {
        match (self.kind(open + 1), self.kind(open + 2)) {
            // `{}` before another `{` is an empty region, else an empty dictionary.
            (Kind::RBrace, after) => after != Kind::LBrace,
            (Kind::Str, after) => matches!(after, Kind::Equal | Kind::Comma | Kind::RBrace),
            (Kind::Word, Kind::RBrace) => {
                let word = self.word(open + 1);
                !TERMINATORS.contains(&word.rsplit('.').next().unwrap_or(word))
            }
            (Kind::Word, after) => matches!(after, Kind::Equal | Kind::Comma),
            _ => false,
        }
    }

    /// `{name = value, name}`, appended to what is there.
    pub(super) fn dict(&mut self, into: &mut Attrs) -> Read<()> {
        self.deeper()?;
        let read = self.entries(into);
        self.depth -= 1;
        read
    }

    fn entries(&mut self, into: &mut Attrs) -> Read<()> {
        let open = self.expect(Kind::LBrace)?;
        let close = self.close(open)?;
        while self.at < close {
            let start = self.at;
            let name = match self.peek() {
                Kind::Str => self.unquote(start),
                Kind::Word => self.word(start).to_owned(),
                _ => return Err(self.unexpected("the name of an attribute")),
            };
            self.at += 1;
            let attr = if self.eat(Kind::Equal) { self.attr()? } else { Attr::Unit };
            into.push(name, attr, self.loc(start, self.at));
            if self.at < close && !self.eat(Kind::Comma) {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        self.at = close + 1;
        Ok(())
    }

    /// `<{..}>` (properties) or `{..}`, if one is next.
    pub(super) fn optional_dict(&mut self, into: &mut Attrs) -> Read<()> {
        if self.peek() == Kind::LBrace && self.is_dict(self.at) {
            self.dict(into)?;
        }
        Ok(())
    }

    /// The value of an attribute.
    pub(super) fn attr(&mut self) -> Read<Attr> {
        self.deeper()?;
        let read = self.value_of_attr();
        self.depth -= 1;
        read
    }

    fn value_of_attr(&mut self) -> Read<Attr> {
        let start = self.at;
        match self.peek() {
            Kind::Int | Kind::Float | Kind::Minus => self.number(),
            Kind::Str => {
                self.at += 1;
                self.skip_type()?;
                Ok(Attr::Str(self.unquote(start)))
            }
            Kind::LSquare => self.array(),
            Kind::LBrace => {
                let mut items = Attrs::default();
                self.dict(&mut items)?;
                Ok(Attr::Dict(items))
            }
            Kind::Less => {
                self.at = self.close(start)? + 1;
                Ok(self.other(start))
            }
            Kind::Symbol => {
                self.at += 1;
                while self.peek() == Kind::ColonColon && self.kind(self.at + 1) == Kind::Symbol {
                    self.at += 2;
                }
                Ok(Attr::Other(self.slice(start, self.at).to_owned()))
            }
            Kind::Hash if self.aliases.table.contains_key(self.word(start)) => {
                self.at += 1;
                self.alias(self.word(start))
            }
            Kind::Hash => {
                self.at += 1;
                if self.glued(self.at) {
                    self.at = self.close(self.at)? + 1;
                }
                Ok(self.other(start))
            }
            Kind::Word => self.worded(),
            _ if self.type_end(start).is_some() => {
                self.ty()?;
                Ok(self.other(start))
            }
            _ => Err(self.unexpected("an attribute")),
        }
    }

    /// `true`, `unit`, `array<..>`, `dense<..>`, `affine_map<..>`, `loc(..)`, types.
    fn worded(&mut self) -> Read<Attr> {
        let start = self.at;
        match self.word(start) {
            word @ ("true" | "false") => {
                self.at += 1;
                self.skip_type()?;
                return Ok(Attr::Bool(word == "true"));
            }
            "unit" => {
                self.at += 1;
                return Ok(Attr::Unit);
            }
            "array" if self.glued(start + 1) => return self.typed_array(),
            "dense" if self.glued(start + 1) => return self.dense(),
            _ => {}
        }
        self.at += 1;
        // `affine_map<..>`, `loc(..)`, `distinct[0]<..>`; other parentheses are not the value's.
        let own = match self.word(start) {
            "loc" => Kind::LParen,
            "distinct" => Kind::LSquare,
            _ => Kind::Less,
        };
        if self.peek() == own && (own != Kind::Less || self.glued(self.at)) {
            self.at = self.close(self.at)? + 1;
        }
        if own == Kind::LSquare && self.glued(self.at) {
            self.at = self.close(self.at)? + 1;
        }
        self.skip_type()?;
        Ok(self.other(start))
    }

    /// `: type` behind a value.
    fn skip_type(&mut self) -> Read<()> {
        if self.peek() == Kind::Colon && self.type_end(self.at + 1).is_some() {
            self.at += 1;
            self.ty()?;
        }
        Ok(())
    }

    /// `-1`, `4 : i32`; a float keeps its text.
    fn number(&mut self) -> Read<Attr> {
        let start = self.at;
        self.eat(Kind::Minus);
        if !matches!(self.peek(), Kind::Int | Kind::Float) {
            // `-inf` and the like.
            if self.peek() != Kind::Word {
                return Err(self.unexpected("a number"));
            }
        }
        self.at += 1;
        let end = self.at;
        self.skip_type()?;
        let float = end < self.at && self.word(end + 1).trim_start_matches('b').starts_with('f');
        let int = if float { None } else { int(self.slice(start, end)) };
        Ok(int.map_or_else(|| self.other(start), Attr::Int))
    }

    /// `[..]`.
    fn array(&mut self) -> Read<Attr> {
        let close = self.close(self.at)?;
        self.at += 1;
        let mut items = Vec::new();
        while self.at < close {
            items.push(self.attr()?);
            if self.at < close && !self.eat(Kind::Comma) {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
        self.at = close + 1;
        Ok(Attr::Array(items))
    }

    /// `array<i64: 1, 2>`, `array<i64>`.
    fn typed_array(&mut self) -> Read<Attr> {
        let close = self.close(self.at + 1)?;
        self.at += 2;
        self.ty()?;
        let mut items = Vec::new();
        if self.at < close {
            self.expect(Kind::Colon)?;
        }
        while self.at < close {
            items.push(self.attr()?);
            if self.at < close && !self.eat(Kind::Comma) {
                return Err(self.unexpected("`,` or `>`"));
            }
        }
        self.at = close + 1;
        Ok(Attr::Array(items))
    }

    /// `dense<..> : type`: an array where all is integers or truth values, else as written.
    fn dense(&mut self) -> Read<Attr> {
        let (start, close) = (self.at, self.close(self.at + 1)?);
        let plain = |kind| {
            use Kind::{Comma, Int, LSquare, Minus, RSquare};
            matches!(kind, Int | Minus | Comma | LSquare | RSquare)
        };
        let truth = |at| matches!(self.word(at), "true" | "false");
        let ints = (start + 2..close).all(|at| plain(self.kind(at)) || truth(at));
        let attr = if ints && start + 2 < close {
            self.at = start + 2;
            let attr = self.attr()?;
            Some(if matches!(attr, Attr::Array(_)) { attr } else { Attr::Array(vec![attr]) })
        } else {
            None
        };
        self.at = close + 1;
        self.skip_type()?;
        Ok(attr.unwrap_or_else(|| self.other(start)))
    }

    /// What `#name` stands for; as written where that is too much or goes in a circle.
    fn alias(&mut self, name: &str) -> Read<Attr> {
        let written = Attr::Other(name.to_owned());
        let Some(alias) = self.aliases.table.get_mut(name) else { return Ok(written) };
        if std::mem::replace(&mut alias.busy, true) {
            return Ok(written);
        }
        let (from, to) = (alias.from, alias.to);
        let size = self.slice(from, to).len();
        let place = (self.at, self.end);
        let attr = if self.aliases.spend(size) {
            (self.at, self.end) = (from, to);
            self.attr()
        } else {
            Ok(written)
        };
        (self.at, self.end) = place;
        if let Some(alias) = self.aliases.table.get_mut(name) {
            alias.busy = false;
        }
        attr
    }

    /// The text read since a token, aliases in it replaced.
    fn other(&mut self, start: usize) -> Attr {
        let text = self.expanded(start, self.at);
        Attr::Other(text)
    }

    fn expanded(&mut self, from: usize, to: usize) -> String {
        let mut text = String::new();
        let mut done = from;
        for at in from..to {
            if self.tokens[at].kind == Kind::Hash
                && self.depth < super::cursor::DEPTH
                && let Some(alias) = self.aliases.table.get(self.word(at)).cloned()
                && !alias.busy
                && self.aliases.spend(self.slice(alias.from, alias.to).len())
            {
                let before = self.token(done).start as usize..self.token(at).start as usize;
                text.push_str(self.text.get(before).unwrap_or_default());
                self.depth += 1;
                text.push_str(&self.expanded(alias.from, alias.to));
                self.depth -= 1;
                done = at + 1;
                // Keep what separates the alias from the next token.
                if done < to {
                    let gap = self.token(at).end as usize..self.token(done).start as usize;
                    text.push_str(self.text.get(gap).unwrap_or_default());
                }
            }
        }
        text.push_str(self.slice(done, to));
        text
    }

    /// The text of a string token, unescaped.
    pub(super) fn unquote(&self, at: usize) -> String {
        let text = self.word(at);
        let text = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
        unescape(text)
    }
}

/// Replaces `\n`, `\t`, `\"`, `\\` and `\XX`.
fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let hex = |b: &u8| char::from(*b).to_digit(16);
        match after {
            [a, b, tail @ ..] if hex(a).is_some() && hex(b).is_some() => {
                let code = hex(a).unwrap_or(0) * 16 + hex(b).unwrap_or(0);
                out.push(code as u8);
                rest = tail;
            }
            [escaped, tail @ ..] => {
                out.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    other => *other,
                });
                rest = tail;
            }
            [] => out.push(b'\\'),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A decimal or hexadecimal integer that fits.
pub(super) fn int(text: &str) -> Option<i64> {
    let digits = text.trim_start_matches('-').trim_start();
    match digits.strip_prefix("0x") {
        // Bit patterns: `0xFFFFFFFFFFFFFFFF` is -1.
        Some(hex) => {
            let bits = u64::from_str_radix(hex, 16).ok()?;
            Some(if text.starts_with('-') { (bits as i64).wrapping_neg() } else { bits as i64 })
        }
        None if text.starts_with('-') => format!("-{digits}").parse().ok(),
        None => digits.parse().ok(),
    }
}
