//! Attributes.

use crate::diag::Loc;

/// The value of an attribute; aliases (`#name`) are already replaced by what they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attr {
    /// A name alone.
    Unit,
    /// `true`, `false`.
    Bool(bool),
    /// `4 : i32`, `-1`.
    Int(i64),
    /// `"text"`, unescaped.
    Str(String),
    /// `[..]`, `array<i64: ..>`, `dense<..>` of integers.
    Array(Vec<Attr>),
    /// `{..}`.
    Dict(Attrs),
    /// Anything else as written: `#hivm.vf_mode<SIMT>`, `<trunc>`, `1.0 : f32`, a type, `@name`.
    Other(String),
}

/// Named attributes in the order written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attrs {
    items: Vec<(String, Attr, Loc)>,
}

impl Attrs {
    /// Adds an attribute; the place is that of the whole `name = value`.
    pub fn push(&mut self, name: impl Into<String>, attr: Attr, loc: Loc) {
        self.items.push((name.into(), attr, loc));
    }

    /// The attribute of that name; the last one where a text repeats it.
    pub fn get(&self, name: &str) -> Option<&Attr> {
        self.items.iter().rev().find(|(n, ..)| n == name).map(|(_, attr, _)| attr)
    }

    /// True when there is an attribute of that name.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Names, values and places in the order written.
    pub fn iter(&self) -> impl Iterator<Item = &(String, Attr, Loc)> {
        self.items.iter()
    }

    /// Names, values and places, to take apart.
    pub(super) fn into_items(self) -> impl Iterator<Item = (String, Attr, Loc)> {
        self.items.into_iter()
    }

    /// Appends the attributes of another list.
    pub fn extend(&mut self, other: Attrs) {
        self.items.extend(other.items);
    }
}

impl Attr {
    /// The integer, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The integers of an array of them.
    pub fn ints(&self) -> Option<Vec<i64>> {
        match self {
            Self::Array(items) => items.iter().map(Self::int).collect(),
            _ => None,
        }
    }

    /// The word inside an enum attribute: `SIMT` of `#hivm.vf_mode<SIMT>`, `trunc` of `<trunc>`;
    /// empty for `<>`; the text itself for a string or a bare word.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            Self::Other(text) => Some(match (text.find('<'), text.rfind('>')) {
                (Some(open), Some(close)) if open < close => text[open + 1..close].trim(),
                _ => text.trim(),
            }),
            _ => None,
        }
    }
}
