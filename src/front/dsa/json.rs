//! JSON values that know where they stand in the text.
//!
//! serde_json checks the text and cuts it; each value keeps its own piece and is looked into when
//! somebody asks. What nobody asks for may be nested as deep as it likes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::diag::{Code, Diagnostic, FileId, Loc};
use crate::front::errors::{Errors, shown};

/// A value and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    raw: &'a str,
    /// Where `raw` starts in the text.
    at: usize,
    file: FileId,
}

/// An object: its members in the order written, no key twice.
#[derive(Debug)]
pub(super) struct Object<'a> {
    value: Value<'a>,
    members: Vec<Member<'a>>,
}

/// A key and its value.
#[derive(Debug)]
struct Member<'a> {
    key: Cow<'a, str>,
    loc: Loc,
    value: Value<'a>,
}

/// The value that a text is.
///
/// # Errors
/// Where it is not JSON.
pub(super) fn parse(text: &str, file: FileId) -> Result<Value<'_>, Diagnostic> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => Ok(Value { raw: raw.get(), at: offset(text, raw.get()), file }),
        Err(error) => Err(syntax(&Value { raw: text, at: 0, file }, &error)),
    }
}

/// What serde_json has against a piece of text.
fn syntax(value: &Value<'_>, error: &serde_json::Error) -> Diagnostic {
    let words = error.to_string();
    // The place is shown, so the words need not repeat it.
    let message = words.split(" at line ").next().unwrap_or(&words).to_owned();
    let at = match error.is_eof() {
        // What is cut off is shown where its last line stops, not on the empty one behind it.
        true => value.raw.trim_end().char_indices().next_back().map_or(0, |(at, _)| at),
        false => place(value.raw, error.line(), error.column()),
    };
    let len = value.raw[at..].chars().next().map_or(0, char::len_utf8);
    Diagnostic::error(Code::DsaSyntax, message).at(loc(value.file, value.at + at, len), "")
}

/// The byte at a line and column, both from 1; columns count bytes.
fn place(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn loc(file: FileId, start: usize, len: usize) -> Loc {
    // The size of a text is limited well below 4 GiB.
    let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Loc { file, start: byte(start), end: byte(start + len) }
}

/// Where a piece of a text starts in it.
fn offset(text: &str, piece: &str) -> usize {
    let apart = (piece.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    apart.filter(|at| at + piece.len() <= text.len()).unwrap_or(0)
}

impl<'a> Value<'a> {
    /// Where it stands: what spans lines is shown by its first byte.
    pub(super) fn loc(&self) -> Loc {
        let len = if self.raw.starts_with(['{', '[']) { 1 } else { self.raw.len() };
        loc(self.file, self.at, len)
    }

    /// True for `null`, and for a list or an object of nothing.
    pub(super) fn is_nothing(&self) -> bool {
        let empty = self.raw.bytes().filter(|b| !b.is_ascii_whitespace()).count() == 2;
        self.is_null() || (empty && self.raw.starts_with(['[', '{']))
    }

    /// True for `null`.
    pub(super) fn is_null(&self) -> bool {
        self.raw == "null"
    }

    fn kind(&self) -> &'static str {
        match self.raw.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "text",
            Some(b't' | b'f') => "a truth value",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    /// Cannot be read as what is wanted: it is something else, or its escapes are wrong.
    fn unread(&self, what: &str, wanted: &str, error: &serde_json::Error, errors: &mut Errors) {
        if wanted == self.kind() {
            errors.push(syntax(self, error));
        } else {
            self.wrong(what, wanted, errors);
        }
    }

    fn wrong(&self, what: &str, wanted: &str, errors: &mut Errors) {
        let message = format!("{what} is {}, not {wanted}", self.kind());
        errors.push(Diagnostic::error(Code::DsaWrongType, message).at(self.loc(), ""));
    }

    /// The value as a piece of text that serde_json cuts out of this one.
    fn inside(&self, raw: &'a RawValue) -> Self {
        let raw = raw.get();
        Self { raw, at: self.at + offset(self.raw, raw), file: self.file }
    }

    /// The object; `what` names it in messages.
    pub(super) fn object(self, what: &str, errors: &mut Errors) -> Option<Object<'a>> {
        let list = match serde_json::from_str(self.raw) {
            Ok(Members(list)) => list,
            Err(error) => {
                self.unread(what, "an object", &error, errors);
                return None;
            }
        };
        let mut seen = HashSet::with_capacity(list.len());
        let mut members: Vec<Member<'a>> = Vec::with_capacity(list.len());
        for (key, raw) in list {
            let value = self.inside(raw);
            let loc = match &key {
                Cow::Borrowed(key) => {
                    let at = self.at + offset(self.raw, key);
                    loc(self.file, at, key.len())
                }
                // A key with escapes is found by its value.
                Cow::Owned(_) => value.loc(),
            };
            if !seen.insert(key.clone()) {
                let message = format!("a second `{}`", shown(&key));
                errors.push(Diagnostic::error(Code::DsaSyntax, message).at(loc, ""));
                return None;
            }
            members.push(Member { key, loc, value });
        }
        Some(Object { value: self, members })
    }

    /// The list.
    pub(super) fn list(self, what: &str, errors: &mut Errors) -> Option<Vec<Self>> {
        match serde_json::from_str::<Vec<&RawValue>>(self.raw) {
            Ok(list) => Some(list.into_iter().map(|raw| self.inside(raw)).collect()),
            Err(error) => {
                self.unread(what, "a list", &error, errors);
                None
            }
        }
    }

    /// The text.
    pub(super) fn text(self, what: &str, errors: &mut Errors) -> Option<String> {
        match serde_json::from_str(self.raw) {
            Ok(text) => Some(text),
            Err(error) => {
                self.unread(what, "text", &error, errors);
                None
            }
        }
    }

    /// The truth value.
    pub(super) fn truth(self, what: &str, errors: &mut Errors) -> Option<bool> {
        match self.raw {
            "true" => Some(true),
            "false" => Some(false),
            _ => {
                self.wrong(what, "true or false", errors);
                None
            }
        }
    }

    /// The whole number, from 0 to 2^64 - 1.
    pub(super) fn number(self, what: &str, errors: &mut Errors) -> Option<u64> {
        let first = self.raw.as_bytes().first();
        if !first.is_some_and(|b| *b == b'-' || b.is_ascii_digit()) {
            self.wrong(what, "a number", errors);
            return None;
        }
        if let Ok(number) = self.raw.parse() {
            return Some(number);
        }
        let whole = self.raw.bytes().all(|b| b.is_ascii_digit());
        let (code, why) = match (first, whole) {
            (Some(b'-'), _) => (Code::DsaInvalidValue, "is below zero"),
            (_, true) => (Code::DsaSizeOverflow, "does not fit 64 bits"),
            _ => (Code::DsaInvalidValue, "is not a whole number in digits"),
        };
        let message = format!("{what} `{}` {why}", shown(self.raw));
        errors.push(Diagnostic::error(code, message).at(self.loc(), ""));
        None
    }
}

impl<'a> Object<'a> {
    /// Where it is best shown: at its name or id, else where it starts.
    pub(super) fn loc(&self) -> Loc {
        let own = self.get("name").or_else(|| self.get("id")).or_else(|| self.get("instance"));
        own.map_or(self.value.loc(), |value| value.loc())
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<Value<'a>> {
        self.members.iter().find(|m| m.key == key).map(|m| m.value)
    }

    /// The value of a key that must be there; `what` names the object.
    pub(super) fn need(&self, key: &str, what: &str, errors: &mut Errors) -> Option<Value<'a>> {
        let found = self.get(key);
        if found.is_none() {
            let message = format!("{what} has no `{key}`");
            let error = Diagnostic::error(Code::DsaMissingKey, message);
            errors.push(error.at(self.loc(), ""));
        }
        found
    }

    /// The list of a key; nothing where the key is absent or null.
    pub(super) fn list(&self, key: &str, errors: &mut Errors) -> Vec<Value<'a>> {
        let found = self.get(key).filter(|value| !value.is_null());
        found.and_then(|value| value.list(&format!("`{key}`"), errors)).unwrap_or_default()
    }

    /// Keys that are none of these, with their places and values.
    pub(super) fn others(&self, known: &[&str]) -> impl Iterator<Item = (&str, Loc, Value<'a>)> {
        let other = |m: &&Member<'a>| !known.contains(&m.key.as_ref());
        self.members.iter().filter(other).map(|m| (m.key.as_ref(), m.loc, m.value))
    }
}

/// The members of an object as serde_json finds them, a key twice included.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Walk;
        impl<'de> Visitor<'de> for Walk {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut all = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    all.push((key, value));
                }
                Ok(all)
            }
        }
        deserializer.deserialize_map(Walk).map(Members)
    }
}

/// A key, borrowed from the text where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Word;
        impl<'de> Visitor<'de> for Word {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(key))
            }

            fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(key.to_owned()))
            }
        }
        deserializer.deserialize_str(Word).map(Key)
    }
}
