//! What a row of the trace language says: an operation, its keys, and what their values are.

/// An operation and its keys.
#[derive(Debug)]
pub struct Row {
    /// The word in `op`.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// Its keys, besides those that every line has.
    pub keys: &'static [Key],
}

/// A key of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Another name for it; empty where it has none.
    pub also: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// True when it must be there.
    pub need: bool,
    /// What it means.
    pub what: &'static str,
}

/// What the value of a key is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Bytes: a number or text such as `"2 MiB"`.
    Bytes,
    /// A count of at most so many bits.
    Number(u32),
    /// `true` or `false`.
    Truth,
    /// Text.
    Text,
    /// A number or text.
    Label,
    /// A name; `null` and `"null"` are the NULL of the interface.
    Name,
    /// Names.
    Names,
    /// A place of memory: `"host"`, `"device 1"`, `{device = 1}`, `{numa = 0}`, `"invalid"`.
    Location,
    /// Places of memory.
    Locations,
    /// A device's number, `"host"` or `null` for the host.
    Side,
    /// A word of a list, or its number.
    Word(fn() -> Vec<&'static str>),
    /// Words of a list.
    Words(fn() -> Vec<&'static str>),
    /// Numbers.
    Numbers,
    /// A value of data: `"x@3"`.
    Val,
    /// A range of memory: a name, or `{p, off, len, val, voff}`.
    Span,
    /// Ranges of memory.
    Spans,
    /// Pairs of ranges: `[[dst, src], ..]` or `[{dst, src}, ..]`.
    Pairs,
    /// `"ok"`, `{err = ".."}` or `{value = ".."}`.
    Expect,
    /// An operand of an instruction: `{gm = "x", off = 0}`, `{ub = 8192}`.
    Place,
    /// Operands.
    Places,
    /// A pipe.
    Pipe,
    /// Flag ids by trip: a number or a list.
    Ids,
    /// Lines of a core program.
    Lines,
}

/// A key that must be there.
pub(super) const fn need(name: &'static str, kind: Kind, what: &'static str) -> Key {
    Key { name, also: "", kind, need: true, what }
}

/// A key that may be left out.
pub(super) const fn may(name: &'static str, kind: Kind, what: &'static str) -> Key {
    Key { name, also: "", kind, need: false, what }
}

impl Key {
    /// The same key with another name for it.
    pub(super) const fn or(self, also: &'static str) -> Self {
        Self { also, ..self }
    }
}

/// An operation.
pub(super) const fn row(name: &'static str, what: &'static str, keys: &'static [Key]) -> Row {
    Row { name, what, keys }
}

impl Row {
    /// The key of that name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|k| k.name == name || (!k.also.is_empty() && k.also == name))
    }
}
