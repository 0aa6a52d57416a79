//! Tables of numbers as dotted keys: what the header changes in the machine.

use std::ops::Range;

use crate::format::tree::{Member, Node, Value};

/// A dotted key and its value as text, with places: the key's and the value's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flat {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) key_span: Range<usize>,
    pub(crate) span: Range<usize>,
}

/// The values below a member, in the order written.
///
/// A list of words is their text with commas; a list of tables is its length and then the values
/// of each below its number.
pub(crate) fn flatten(member: &Member) -> Vec<Flat> {
    let mut out = Vec::new();
    // The depth of the tree is limited by its parsers; no recursion all the same.
    let mut open = vec![(member.key.clone(), member.span.clone(), &member.node)];
    while let Some((key, key_span, node)) = open.pop() {
        if let Value::Table(members) = &node.value {
            let inner = |m: &'_ Member| (format!("{key}.{}", m.key), m.span.clone());
            let below = members.iter().rev().map(|m| (inner(m), &m.node));
            open.extend(below.map(|((key, span), node)| (key, span, node)));
            continue;
        }
        let tables = tables(node);
        let value = match (&node.value, tables) {
            (_, Some(items)) if !items.is_empty() => {
                let numbered = items.iter().enumerate().rev();
                let below =
                    numbered.map(|(at, item)| (format!("{key}.{at}"), key_span.clone(), item));
                open.extend(below);
                items.len().to_string()
            }
            (value, _) => text(value),
        };
        out.push(Flat { key, value, key_span, span: node.span.clone() });
    }
    out
}

/// The items of a list of tables.
fn tables(node: &Node) -> Option<&[Node]> {
    let Value::List(items) = &node.value else { return None };
    items.iter().all(|item| matches!(item.value, Value::Table(_))).then_some(items)
}

/// A value as text.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Truth(truth) => truth.to_string(),
        Value::Number(n) => n.to_string(),
        Value::Text(text) => text.clone(),
        Value::Other(what) => (*what).to_owned(),
        Value::Table(_) => String::new(),
        Value::List(items) => {
            let word = |item: &Node| match &item.value {
                // A pair of words in a list of pairs.
                Value::List(pair) => {
                    let words: Vec<String> = pair.iter().map(|n| scalar(&n.value)).collect();
                    words.join(" ")
                }
                value => scalar(value),
            };
            let words: Vec<String> = items.iter().map(word).collect();
            words.join(", ")
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::List(_) | Value::Table(_) => value.kind().to_owned(),
        Value::Null | Value::Truth(_) | Value::Number(_) | Value::Text(_) | Value::Other(_) => {
            text(value)
        }
    }
}
