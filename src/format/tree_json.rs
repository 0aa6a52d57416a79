//! JSON with places.
//!
//! Strings and numbers are what `serde_json` makes of them; finding where values start and end is
//! done here, since nothing else tells.

use std::collections::BTreeSet;
use std::ops::Range;

use super::tree::{Member, Node, Value};

/// Lists and tables may be nested so deeply.
pub const MAX_DEPTH: usize = 200;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// A lower-case fragment.
    pub message: String,
    /// Where, in bytes of the whole text.
    pub span: Range<usize>,
    /// True where the text is JSON and only nested too deeply.
    pub deep: bool,
}

/// Reads the bytes `range` of a text as one JSON value.
///
/// # Errors
/// The first slip.
pub fn read(text: &str, range: Range<usize>) -> Result<Node, Slip> {
    let end = range.end.min(text.len());
    let mut scanner = Scanner { text, at: range.start.min(end), end };
    let node = scanner.value(0)?;
    scanner.space();
    if scanner.at < scanner.end {
        return Err(scanner.slip("more text after the value"));
    }
    Ok(node)
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied().filter(|_| self.at < self.end)
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// A slip at the next character, or at the last one where there is no next.
    fn slip(&self, message: &str) -> Slip {
        let piece = self.text.get(..self.end).unwrap_or_default();
        let next = piece.get(self.at..).and_then(|rest| rest.chars().next());
        let span = match next {
            Some(c) => self.at..self.at + c.len_utf8(),
            None => {
                let last = piece.trim_end().char_indices().next_back();
                last.map_or(0..0, |(at, c)| at..at + c.len_utf8())
            }
        };
        Slip { message: message.to_owned(), span, deep: false }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Slip> {
        self.space();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.table(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Truth(true))?,
            Some(b'f') => self.word("false", Value::Truth(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(_) => return Err(self.slip("expected a value")),
            None => return Err(self.slip("the line ends where a value should be")),
        };
        Ok(Node { value, span: start..self.at })
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Slip> {
        let rest = self.text.get(self.at..self.end).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(self.slip("expected a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn deeper(&self, depth: usize) -> Result<usize, Slip> {
        if depth >= MAX_DEPTH {
            let slip = self.slip("values are nested too deeply");
            return Err(Slip { deep: true, ..slip });
        }
        Ok(depth + 1)
    }

    fn list(&mut self, depth: usize) -> Result<Value, Slip> {
        let depth = self.deeper(depth)?;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space();
            if items.is_empty() && self.peek() == Some(b']') {
                break;
            }
            items.push(self.value(depth)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.slip("expected `,` or `]`")),
            }
        }
        self.at += 1;
        Ok(Value::List(items))
    }

    fn table(&mut self, depth: usize) -> Result<Value, Slip> {
        let depth = self.deeper(depth)?;
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        let mut seen = BTreeSet::new();
        loop {
            self.space();
            if members.is_empty() && self.peek() == Some(b'}') {
                break;
            }
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.slip("expected a key in quotes"));
            }
            let key = self.text()?;
            let span = start..self.at;
            if !seen.insert(key.clone()) {
                let message = format!("a second `{key}`");
                return Err(Slip { message, span, deep: false });
            }
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.slip("expected `:`"));
            }
            self.at += 1;
            let node = self.value(depth)?;
            members.push(Member { key, span, node });
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.slip("expected `,` or `}`")),
            }
        }
        self.at += 1;
        Ok(Value::Table(members))
    }

    /// A string: its end is the first quote that is not escaped, its content `serde_json`'s.
    fn text(&mut self) -> Result<String, Slip> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match bytes.get(at).filter(|_| at < self.end) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => {
                    self.at = start;
                    return Err(self.slip("text without a closing quote"));
                }
            }
        }
        let piece = self.text.get(start..=at).unwrap_or_default();
        match serde_json::from_str(piece) {
            Ok(text) => {
                self.at = at + 1;
                Ok(text)
            }
            Err(error) => {
                let words = error.to_string();
                let message = words.split(" at line ").next().unwrap_or(&words).to_owned();
                Err(Slip { message, span: start..at + 1, deep: false })
            }
        }
    }

    fn number(&mut self) -> Result<Value, Slip> {
        let start = self.at;
        while let Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        let piece = self.text.get(start..self.at).unwrap_or_default();
        let digits = piece.strip_prefix('-').unwrap_or(piece);
        let whole = digits.bytes().all(|b| b.is_ascii_digit());
        let led = digits.len() > 1 && digits.starts_with('0');
        if whole && !led && !digits.is_empty() {
            let number = piece.parse().map(Value::Number);
            return Ok(number.unwrap_or(Value::Other("a number of more than 128 bits")));
        }
        match serde_json::from_str::<serde::de::IgnoredAny>(piece) {
            Ok(_) => Ok(Value::Other("a fraction")),
            Err(_) => {
                let message = format!("`{piece}` is not a number");
                Err(Slip { message, span: start..self.at, deep: false })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::{TestResult, quickcheck};

    use super::*;

    fn whole(text: &str) -> Result<Node, Slip> {
        read(text, 0..text.len())
    }

    #[test]
    fn values_know_their_places() {
        let text = r#" {"a": [1, "é\n"], "b": null} "#;
        let node = whole(text).expect("JSON");
        let list = node.get("a").expect("a");
        assert_eq!(&text[list.span.clone()], r#"[1, "é\n"]"#);
        let Value::List(items) = &list.value else { panic!("{list:?}") };
        assert_eq!(items[1].value, Value::Text("é\n".to_owned()));
        assert_eq!(node.get("b").map(|n| &n.value), Some(&Value::Null));
    }

    #[test]
    fn a_key_may_stand_once_and_depth_ends() {
        assert!(whole(r#"{"a": 1, "a": 2}"#).is_err());
        let deep = "[".repeat(100_000);
        assert!(whole(&deep).expect_err("deep").deep);
    }

    quickcheck! {
        fn what_is_json_here_is_json_elsewhere(picks: Vec<u8>) -> TestResult {
            const PIECES: [&str; 16] = [
                "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u00e9\"", "1", "-0", "01", "1.5e3", "true",
                "null", " ", "\"",
            ];
            let text: String =
                picks.iter().map(|p| PIECES[usize::from(*p) % PIECES.len()]).collect();
            let ours = whole(&text);
            // A key that stands twice is a slip here alone.
            if ours.as_ref().is_err_and(|slip| slip.message.starts_with("a second")) {
                return TestResult::discard();
            }
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            TestResult::from_bool(ours.is_ok() == theirs.is_ok())
        }
    }
}
