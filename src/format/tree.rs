//! Values that know where they stand, whatever they were written in: TOML or JSON.
//!
//! Formats whose tables have different keys for different words (one `op`, one set of keys) are
//! read from this tree by hand; serde would lose the places.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::read::{self, ShapeError};

/// A value and the bytes that it is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it is written.
    pub span: Range<usize>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// JSON's `null`.
    Null,
    /// `true` or `false`.
    Truth(bool),
    /// A whole number.
    Number(i128),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A table, in the order written.
    Table(Vec<Member>),
    /// What no format here knows: a fraction, a date, a number of more than 128 bits.
    Other(&'static str),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key.
    pub key: String,
    /// Where the key is written.
    pub span: Range<usize>,
    /// The value.
    pub node: Node,
}

impl Value {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Truth(_) => "a truth value",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(what) => what,
        }
    }
}

impl Node {
    /// The value of a key, where this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Table(members) = &self.value else { return None };
        members.iter().find(|m| m.key == key).map(|m| &m.node)
    }
}

/// Reads TOML.
///
/// # Errors
/// All slips of syntax, and values that are nested too deeply.
pub fn toml(text: &str) -> Result<Node, Vec<ShapeError>> {
    let table = read::tree(text)?;
    let span = 0..text.len();
    Ok(Node { value: Value::Table(members(table.get_ref())), span })
}

/// The depth is what the parser of TOML allows.
fn members(table: &DeTable<'_>) -> Vec<Member> {
    let member = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        Member { key: name.to_string(), span: key.span(), node: node(value) }
    };
    let mut all: Vec<Member> = table.iter().map(member).collect();
    all.sort_by_key(|m| (m.span.start, m.span.end));
    all
}

fn node(value: &toml::Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(n) => match i128::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => Value::Number(n),
            Err(_) => Value::Other("a number of more than 128 bits"),
        },
        DeValue::Float(_) => Value::Other("a fraction"),
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => Value::List(items.iter().map(node).collect()),
        DeValue::Table(table) => Value::Table(members(table)),
    };
    Node { value, span }
}
