//! The keys of one line.

use serde_json::{Map, Value, json};

use crate::format::trace::words::Word;
use crate::model::trace::{Location, Names, Span, Sym, Val};

/// A table being made. Keys whose value is that of an absent key are left out.
pub(super) struct Keys<'a> {
    names: &'a Names,
    map: Map<String, Value>,
}

impl<'a> Keys<'a> {
    pub(super) fn new(names: &'a Names) -> Self {
        Self { names, map: Map::new() }
    }

    /// A line of an op.
    pub(super) fn op(names: &'a Names, op: &str) -> Self {
        let mut keys = Self::new(names);
        keys.put("op", json!(op));
        keys
    }

    pub(super) fn put(&mut self, key: &str, value: Value) {
        self.map.insert(key.to_owned(), value);
    }

    pub(super) fn value(self) -> Value {
        Value::Object(self.map)
    }

    pub(super) fn map(self) -> Map<String, Value> {
        self.map
    }

    pub(super) fn name(&mut self, key: &str, name: Option<Sym>) {
        if let Some(name) = name {
            self.put(key, json!(self.names.text(name)));
        }
    }

    pub(super) fn names(&mut self, key: &str, names: &[Sym]) {
        let all: Vec<&str> = names.iter().map(|name| self.names.text(*name)).collect();
        self.put(key, json!(all));
    }

    /// A number that is 0 where the key is absent.
    pub(super) fn number(&mut self, key: &str, number: u64) {
        if number != 0 {
            self.put(key, json!(number));
        }
    }

    pub(super) fn maybe(&mut self, key: &str, number: Option<u64>) {
        if let Some(number) = number {
            self.put(key, json!(number));
        }
    }

    pub(super) fn truth(&mut self, key: &str, truth: bool, default: bool) {
        if truth != default {
            self.put(key, json!(truth));
        }
    }

    /// A device, or the host.
    pub(super) fn side(&mut self, key: &str, side: Option<u32>) {
        self.put(key, side.map_or_else(|| json!("host"), |device| json!(device)));
    }

    pub(super) fn word<T: PartialEq>(&mut self, key: &str, words: &'static [Word<T>], value: &T) {
        if let Some(word) = words.iter().find(|w| w.value == *value) {
            self.put(key, json!(word.name));
        }
    }

    pub(super) fn val(&mut self, key: &str, val: Option<Val>) {
        if let Some(Val { name, version }) = val {
            self.put(key, json!(format!("{}@{version}", self.names.text(name))));
        }
    }

    pub(super) fn location(&mut self, key: &str, at: Location) {
        self.put(key, location(at));
    }

    pub(super) fn locations(&mut self, key: &str, all: &[Location]) {
        self.put(key, all.iter().copied().map(location).collect());
    }

    pub(super) fn span(&mut self, key: &str, span: Option<Span>) {
        if let Some(span) = span {
            let value = self.table(span);
            self.put(key, value);
        }
    }

    pub(super) fn spans(&mut self, key: &str, spans: &[Span]) {
        let all: Vec<Value> = spans.iter().map(|span| self.table(*span)).collect();
        self.put(key, Value::Array(all));
    }

    /// A range as a table.
    pub(super) fn table(&self, span: Span) -> Value {
        let mut keys = Self::new(self.names);
        keys.range(span);
        keys.value()
    }

    /// The keys of a range.
    pub(super) fn range(&mut self, Span { p, off, len, val, voff }: Span) {
        self.name("p", Some(p));
        self.number("off", off);
        self.maybe("len", len);
        self.val("val", val);
        self.number("voff", voff);
    }
}

fn location(at: Location) -> Value {
    match at {
        Location::Invalid => json!("invalid"),
        Location::Host => json!("host"),
        Location::Device(device) => json!({ "device": device }),
        Location::HostNuma(node) => json!({ "numa": node }),
    }
}
