//! Values with an inner shape: ranges, values of data, places of memory, expectations.

use super::line::Line;
use super::reader::{Reader, Space};
use crate::diag::Code;
use crate::format::read::nearest;
use crate::format::tree::{Node, Value};
use crate::front::errors::shown;
use crate::model::trace::{Expect, Location, Packed, Span, Val};

/// Keys of a range.
const SPAN: [&str; 7] = ["p", "off", "len", "val", "voff", "elements", "bits"];

impl Reader {
    /// `"x@3"`, or `"x"` for `"x@0"`.
    pub(super) fn val(&mut self, name: &str, node: &Node) -> Option<Val> {
        let Value::Text(text) = &node.value else {
            self.wrong(name, node, "a value such as \"x@3\"");
            return None;
        };
        let (word, version) = match text.rsplit_once('@') {
            None => (text.as_str(), Some(0)),
            Some((word, digits)) => {
                let digits = Some(digits).filter(|d| d.bytes().all(|b| b.is_ascii_digit()));
                (word, digits.and_then(|d| d.parse().ok()))
            }
        };
        match version {
            Some(version) if !word.is_empty() => {
                Some(Val { name: self.names.intern(word), version })
            }
            _ => {
                let message = format!("`{name}` is `{}`, not `name@number`", shown(text));
                self.error(Code::TraceInvalidValue, message, &node.span);
                None
            }
        }
    }

    /// A range: a name or a table; none for NULL, or after an error.
    pub(super) fn span(&mut self, name: &str, node: &Node) -> Option<Span> {
        let Value::Table(members) = &node.value else {
            let p = self.name(name, node)?;
            self.used(Space::Pointer, p, &node.span);
            return Some(Span { p, off: 0, len: None, val: None, voff: 0 });
        };
        for member in members.iter().filter(|m| !SPAN.contains(&m.key.as_str())) {
            let help = match nearest(&member.key, SPAN) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "the keys of a range are `p`, `off`, `len`, `val`, `voff`, `elements`, `bits`"
                        .to_owned()
                }
            };
            let message = format!("a range has no key `{}`", shown(&member.key));
            self.push(Code::TraceUnknownKey, message, &member.span, Some(help));
        }
        let Some(pointer) = node.get("p") else {
            let message = format!("`{name}` has no `p`: the pointer");
            self.error(Code::TraceMissingKey, message, &node.span);
            return None;
        };
        let off = node.get("off").and_then(|n| self.bytes("off", n)).unwrap_or(0);
        let len = node.get("len").and_then(|n| self.bytes("len", n));
        let val = node.get("val").and_then(|n| self.val("val", n));
        let voff = node.get("voff").and_then(|n| self.bytes("voff", n)).unwrap_or(0);
        self.packing(node, len);
        let p = self.name("p", pointer)?;
        self.used(Space::Pointer, p, &pointer.span);
        Some(Span { p, off, len, val, voff })
    }

    /// What a range says that it holds: `elements` of `bits` bits each (8 where none are said).
    pub(super) fn packing(&mut self, node: &Node, len: Option<u64>) {
        let Some(elements) = node.get("elements") else {
            if let Some(bits) = node.get("bits") {
                let message = "`bits` says nothing without `elements`";
                self.error(Code::TraceMissingKey, message, &bits.span);
            }
            return;
        };
        let loc = Some(self.loc(&elements.span));
        let count = self.number("elements", elements, u64::MAX);
        let bits = match node.get("bits") {
            Some(bits) => self.number("bits", bits, 1024),
            None => Some(8),
        };
        let Some(len) = len else {
            let message = "`elements` needs the `len` of the range";
            return self.error(Code::TraceMissingKey, message, &elements.span);
        };
        if let (Some(elements), Some(bits)) = (count, bits) {
            self.packed.push(Packed { elements, bits, len, loc });
        }
    }

    /// A range that is no NULL.
    pub(super) fn real_span(&mut self, name: &str, node: &Node) -> Option<Span> {
        let pointer = node.get("p").unwrap_or(node);
        let null = match &pointer.value {
            Value::Null => true,
            Value::Text(text) => text == "null",
            _ => false,
        };
        if null {
            let message = format!("a range of `{name}` is NULL");
            self.error(Code::TraceInvalidValue, message, &pointer.span);
            return None;
        }
        self.span(name, node)
    }

    /// A place of memory.
    pub(super) fn location(&mut self, name: &str, node: &Node) -> Option<Location> {
        let of_type = |kind: u64, id: u32| match kind {
            0 => Some(Location::Invalid),
            1 => Some(Location::Device(id)),
            2 => Some(Location::Host),
            3 => Some(Location::HostNuma(id)),
            _ => None,
        };
        let read = match &node.value {
            Value::Text(text) => location(text),
            Value::Number(_) => of_type(self.number(name, node, 3)?, 0),
            Value::Table(members) => match members.as_slice() {
                [one] if one.key == "device" => {
                    Some(Location::Device(self.small("device", &one.node)?))
                }
                [one] if one.key == "numa" => {
                    Some(Location::HostNuma(self.small("numa", &one.node)?))
                }
                _ => match (node.get("type"), node.get("id"), members.len()) {
                    (Some(kind), Some(id), 2) => {
                        of_type(self.number("type", kind, 3)?, self.small("id", id)?)
                    }
                    _ => None,
                },
            },
            _ => {
                self.wrong(name, node, "a place of memory");
                return None;
            }
        };
        if read.is_none() {
            let help = "write \"host\", \"device 0\", {device = 0}, {numa = 0} or \"invalid\"";
            let message = format!("`{name}` is no place of memory");
            self.push(Code::TraceInvalidValue, message, &node.span, Some(help.to_owned()));
        }
        read
    }

    /// `"ok"`, `{err = ".."}`, `{value = ".."}`.
    pub(super) fn expect(&mut self, node: &Node) -> Option<Expect> {
        let inner = match &node.value {
            Value::Text(text) if text == "ok" => return Some(Expect::Ok),
            Value::Table(members) => match members.as_slice() {
                [one] => Some((one.key.as_str(), &one.node.value)),
                _ => None,
            },
            _ => None,
        };
        let read = match inner {
            Some(("err", Value::Text(text))) => Some(Expect::Error(text.clone())),
            Some(("value", Value::Text(text))) => Some(Expect::Value(text.clone())),
            Some(("value", Value::Number(n))) => Some(Expect::Value(n.to_string())),
            _ => None,
        };
        if read.is_none() {
            let help = "write \"ok\", {err = \"InvalidValue\"} or {value = \"-2\"}";
            let message = "`expect` is nothing that a call can answer";
            self.push(Code::TraceInvalidValue, message, &node.span, Some(help.to_owned()));
        }
        read
    }
}

/// `host`, `device 1`, `numa 0`, `invalid`, in the ways that people write them.
fn location(text: &str) -> Option<Location> {
    let lower = text.trim().to_ascii_lowercase();
    match lower.as_str() {
        "host" | "cpu" => return Some(Location::Host),
        "invalid" => return Some(Location::Invalid),
        _ => {}
    }
    let number = |rest: &str| rest.trim_start_matches([' ', ':', '_']).parse().ok();
    let after = |words: &[&str]| words.iter().find_map(|word| lower.strip_prefix(word));
    if let Some(rest) = after(&["device", "dev"]) {
        return number(rest).map(Location::Device);
    }
    let rest = after(&["host_numa", "numa"])?;
    number(rest).map(Location::HostNuma)
}

impl Line<'_, '_> {
    /// The range of a key.
    pub(super) fn span(&mut self, name: &str) -> Option<Span> {
        let node = self.get(name)?;
        self.reader.span(name, node)
    }

    /// The range of a key, completed by `off`, `len`, `val` and `voff` of the line where the row
    /// has them.
    pub(super) fn wide_span(&mut self, name: &str) -> Option<Span> {
        let mut span = self.span(name)?;
        self.complete(&mut span);
        Some(span)
    }

    /// What the line says of a range that does not say it itself.
    pub(super) fn complete(&mut self, span: &mut Span) {
        let has = |line: &Self, key: &str| line.row.key(key).is_some();
        if has(self, "off") {
            span.off = self.maybe_bytes("off").unwrap_or(span.off);
        }
        if has(self, "voff") {
            span.voff = self.maybe_bytes("voff").unwrap_or(span.voff);
        }
        if span.len.is_none() && has(self, "len") {
            span.len = self.maybe_bytes("len");
        }
        if span.val.is_none() && has(self, "val") {
            span.val = self.val("val");
        }
    }

    /// The same, where NULL makes no sense.
    pub(super) fn needed_span(&mut self, name: &str) -> Option<Span> {
        let node = self.get(name)?;
        let mut span = self.reader.real_span(name, node)?;
        self.complete(&mut span);
        Some(span)
    }

    pub(super) fn spans(&mut self, name: &str) -> Vec<Span> {
        let items = self.list(name);
        items.iter().filter_map(|node| self.reader.real_span(name, node)).collect()
    }

    pub(super) fn val(&mut self, name: &str) -> Option<Val> {
        let node = self.get(name)?;
        self.reader.val(name, node)
    }

    pub(super) fn location(&mut self, name: &str) -> Location {
        let node = self.get(name);
        let read = node.and_then(|node| self.reader.location(name, node));
        read.unwrap_or(Location::Invalid)
    }

    pub(super) fn locations(&mut self, name: &str) -> Vec<Location> {
        let items = self.list(name);
        items.iter().filter_map(|node| self.reader.location(name, node)).collect()
    }

    /// A device's number; none for the host.
    pub(super) fn side(&mut self, name: &str) -> Option<u32> {
        let Some(node) = self.get(name) else { return Some(0) };
        match &node.value {
            Value::Null => None,
            Value::Text(text) if ["host", "null"].contains(&text.as_str()) => None,
            _ => self.reader.small(name, node),
        }
    }
}
