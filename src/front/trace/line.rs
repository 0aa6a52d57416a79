//! One line: a word, and keys by the table of that word.

use std::ops::Range;

use super::reader::{Reader, Space};
use crate::diag::Code;
use crate::format::read::nearest;
use crate::format::trace::words::Word;
use crate::format::trace::{Key, Row};
use crate::format::tree::{Member, Node, Value};
use crate::format::values::Number;
use crate::front::errors::shown;
use crate::front::spec::size::{self, BadSize};
use crate::model::trace::Sym;

/// A line that is being read. What is wrong is told to the reader; values then are 0 or none.
pub(super) struct Line<'r, 'n> {
    pub(super) reader: &'r mut Reader,
    pub(super) row: &'static Row,
    every: &'static [Key],
    members: &'n [Member],
    /// Where the word is written.
    pub(super) span: Range<usize>,
}

/// A word that has a meaning here, or a number that has none.
pub(super) enum Found<T> {
    Known(T),
    Number(u32),
}

/// The row of a word, or an error. `word` is the key that it stands behind.
pub(super) fn row(
    reader: &mut Reader,
    word: &str,
    rows: &'static [Row],
    name: &Node,
) -> Option<&'static Row> {
    let Value::Text(text) = &name.value else {
        let message = format!("`{word}` is {}, not text", name.value.kind());
        reader.error(Code::TraceWrongType, message, &name.span);
        return None;
    };
    let found = rows.iter().find(|row| row.name == text);
    if found.is_none() {
        let near = nearest(text, rows.iter().map(|row| row.name));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let message = format!("there is no `{word} = \"{}\"`", shown(text));
        reader.push(Code::TraceUnknownOp, message, &name.span, help);
    }
    found
}

impl<'r, 'n> Line<'r, 'n> {
    /// Checks the keys of a line against its row.
    pub(super) fn new(
        reader: &'r mut Reader,
        row: &'static Row,
        every: &'static [Key],
        members: &'n [Member],
        span: &Range<usize>,
    ) -> Self {
        for member in members {
            let own = row.key(&member.key).is_some();
            if own || every.iter().any(|k| k.name == member.key) {
                continue;
            }
            let keys = row.keys.iter().chain(every).map(|k| k.name);
            let help = match nearest(&member.key, keys) {
                Some(near) => format!("did you mean `{near}`?"),
                None if row.keys.is_empty() => format!("`{}` has no keys of its own", row.name),
                None => {
                    let keys: Vec<String> =
                        row.keys.iter().map(|k| format!("`{}`", k.name)).collect();
                    format!("the keys of `{}` are {}", row.name, keys.join(", "))
                }
            };
            let message = format!("`{}` has no key `{}`", row.name, shown(&member.key));
            reader.push(Code::TraceUnknownKey, message, &member.span, Some(help));
        }
        let line = Self { reader, row, every, members, span: span.clone() };
        for key in line.row.keys {
            let mut given = line.members.iter().filter(|m| is(key, &m.key));
            match (given.next(), given.next()) {
                (None, _) if key.need => line.reader.error(
                    Code::TraceMissingKey,
                    format!("`{}` has no `{}`: {}", line.row.name, key.name, key.what),
                    span,
                ),
                (Some(_), Some(second)) => line.reader.error(
                    Code::TraceDuplicateName,
                    format!("`{}` and `{}` are the same key", key.name, key.also),
                    &second.span,
                ),
                _ => {}
            }
        }
        line
    }

    /// The value of a key that the row has.
    pub(super) fn get(&self, name: &str) -> Option<&'n Node> {
        let every = || self.every.iter().find(|k| k.name == name);
        let key = self.row.key(name).or_else(every);
        debug_assert!(key.is_some(), "`{}` has no row for `{name}`", self.row.name);
        let key = key?;
        self.members.iter().find(|m| is(key, &m.key)).map(|m| &m.node)
    }

    /// True when the key is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn missing(&mut self, name: &str, what: &str) {
        let message = format!("`{}` has no `{name}`: {what}", self.row.name);
        let span = self.span.clone();
        self.reader.error(Code::TraceMissingKey, message, &span);
    }

    /// Bytes; 0 where the key is absent.
    pub(super) fn bytes(&mut self, name: &str) -> u64 {
        self.maybe_bytes(name).unwrap_or(0)
    }

    pub(super) fn maybe_bytes(&mut self, name: &str) -> Option<u64> {
        let node = self.get(name)?;
        self.reader.bytes(name, node)
    }

    /// A count; 0 where the key is absent.
    pub(super) fn number(&mut self, name: &str) -> u64 {
        self.maybe_number(name).unwrap_or(0)
    }

    pub(super) fn maybe_number(&mut self, name: &str) -> Option<u64> {
        let node = self.get(name)?;
        self.reader.number(name, node, u64::MAX)
    }

    pub(super) fn small(&mut self, name: &str) -> u32 {
        self.maybe_small(name).unwrap_or(0)
    }

    pub(super) fn maybe_small(&mut self, name: &str) -> Option<u32> {
        let node = self.get(name)?;
        self.reader.small(name, node)
    }

    pub(super) fn byte(&mut self, name: &str) -> Option<u8> {
        let node = self.get(name)?;
        let number = self.reader.number(name, node, u8::MAX.into())?;
        u8::try_from(number).ok()
    }

    pub(super) fn truth(&mut self, name: &str, default: bool) -> bool {
        match self.get(name).map(|node| (&node.value, node)) {
            None => default,
            Some((Value::Truth(truth), _)) => *truth,
            Some((_, node)) => {
                self.reader.wrong(name, node, "true or false");
                default
            }
        }
    }

    /// A name that something has made; none for NULL.
    pub(super) fn name(&mut self, name: &str, space: Space) -> Option<Sym> {
        let node = self.get(name)?;
        let sym = self.reader.name(name, node)?;
        self.reader.used(space, sym, &node.span);
        Some(sym)
    }

    /// A name that nobody has to have made.
    pub(super) fn free_name(&mut self, name: &str) -> Option<Sym> {
        let node = self.get(name)?;
        self.reader.name(name, node)
    }

    /// A name that the line makes.
    pub(super) fn out(&mut self, name: &str, space: Space) -> Option<Sym> {
        let sym = self.free_name(name)?;
        self.reader.make(space, sym);
        Some(sym)
    }

    /// A name that must be there and is no NULL.
    pub(super) fn needed_name(&mut self, name: &str) -> Option<Sym> {
        let node = self.get(name)?;
        let sym = self.reader.name(name, node);
        if sym.is_none() && matches!(node.value, Value::Null | Value::Text(_)) {
            let message = format!("`{name}` of `{}` is not NULL", self.row.name);
            self.reader.error(Code::TraceInvalidValue, message, &node.span);
        }
        sym
    }

    /// A list; a single value is a list of one.
    pub(super) fn list(&mut self, name: &str) -> &'n [Node] {
        match self.get(name) {
            None => &[],
            Some(Node { value: Value::List(items), .. }) => items,
            Some(node) => std::slice::from_ref(node),
        }
    }

    pub(super) fn names(&mut self, name: &str) -> Vec<Sym> {
        let items = self.list(name);
        items.iter().filter_map(|node| self.reader.name(name, node)).collect()
    }

    /// A word of an enumeration, or a number.
    pub(super) fn word<T: Copy>(
        &mut self,
        name: &str,
        words: &'static [Word<T>],
    ) -> Option<Found<T>> {
        let node = self.get(name)?;
        self.reader.word(name, node, words)
    }

    /// A word of an enumeration; numbers that none has are errors.
    pub(super) fn known<T: Copy>(
        &mut self,
        name: &str,
        words: &'static [Word<T>],
        default: T,
    ) -> T {
        match self.word(name, words) {
            None => default,
            Some(Found::Known(value)) => value,
            Some(Found::Number(n)) => {
                let span = self.get(name).map_or(0..0, |node| node.span.clone());
                let message = format!("`{name}` has no word of the number {n}");
                self.reader.error(Code::TraceInvalidValue, message, &span);
                default
            }
        }
    }
}

fn is(key: &Key, name: &str) -> bool {
    key.name == name || (!key.also.is_empty() && key.also == name)
}

impl Reader {
    pub(super) fn wrong(&mut self, name: &str, node: &Node, wanted: &str) {
        let message = format!("`{name}` is {}, not {wanted}", node.value.kind());
        self.error(Code::TraceWrongType, message, &node.span);
    }

    pub(super) fn bytes(&mut self, name: &str, node: &Node) -> Option<u64> {
        let read = match &node.value {
            Value::Number(n) => size::number(Number(*n)),
            Value::Text(text) => size::parse(text),
            _ => {
                self.wrong(name, node, "a number of bytes");
                return None;
            }
        };
        read.map_err(|bad| self.bad(name, node, bad)).ok()
    }

    fn bad(&mut self, name: &str, node: &Node, bad: BadSize) {
        let message = match bad {
            BadSize::Negative => format!("`{name}` is negative"),
            BadSize::TooLarge => format!("`{name}` does not fit 64 bits"),
            BadSize::Malformed(why) => format!("`{name}`: {why}"),
        };
        self.error(Code::TraceInvalidValue, message, &node.span);
    }

    pub(super) fn number(&mut self, name: &str, node: &Node, most: u64) -> Option<u64> {
        let Value::Number(n) = node.value else {
            self.wrong(name, node, "a number");
            return None;
        };
        let n = size::number(Number(n)).map_err(|bad| self.bad(name, node, bad)).ok()?;
        if n > most {
            self.error(
                Code::TraceInvalidValue,
                format!("`{name}` is {n}, more than {most}"),
                &node.span,
            );
            return None;
        }
        Some(n)
    }

    pub(super) fn small(&mut self, name: &str, node: &Node) -> Option<u32> {
        let n = self.number(name, node, u32::MAX.into())?;
        u32::try_from(n).ok()
    }

    /// A name; none for NULL, or after an error.
    pub(super) fn name(&mut self, name: &str, node: &Node) -> Option<Sym> {
        match &node.value {
            Value::Null => None,
            Value::Text(text) if text == "null" => None,
            Value::Text(text) if text.trim().is_empty() => {
                self.error(Code::TraceInvalidValue, format!("`{name}` is empty"), &node.span);
                None
            }
            Value::Text(text) => Some(self.names.intern(text)),
            _ => {
                self.wrong(name, node, "a name");
                None
            }
        }
    }

    pub(super) fn word<T: Copy>(
        &mut self,
        name: &str,
        node: &Node,
        words: &'static [Word<T>],
    ) -> Option<Found<T>> {
        match &node.value {
            Value::Text(text) => {
                let found = words.iter().find(|w| w.name.eq_ignore_ascii_case(text));
                if found.is_none() {
                    let help = match nearest(text, words.iter().map(|w| w.name)) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => {
                            let all: Vec<String> =
                                words.iter().map(|w| format!("`{}`", w.name)).collect();
                            format!("the words here are {}", all.join(", "))
                        }
                    };
                    let message = format!("`{name}` has no word `{}`", shown(text));
                    self.push(Code::TraceInvalidValue, message, &node.span, Some(help));
                }
                found.map(|w| Found::Known(w.value))
            }
            Value::Number(_) => {
                let n = self.small(name, node)?;
                let found = words.iter().find(|w| w.number == Some(n));
                Some(found.map_or(Found::Number(n), |w| Found::Known(w.value)))
            }
            _ => {
                self.wrong(name, node, "a word");
                None
            }
        }
    }
}
