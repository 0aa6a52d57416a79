//! Operands of instructions: a memory, an address, and how both change from trip to trip.

use super::line::Line;
use super::reader::{Reader, Space};
use crate::diag::Code;
use crate::format::read::nearest;
use crate::format::trace::{OPERAND, SCOPES};
use crate::format::tree::{Node, Value};
use crate::front::errors::shown;
use crate::model::trace::{Place, Val, Whole};

/// What the line says for operands that do not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    pub(super) len: Option<u64>,
    pub(super) val: Option<Val>,
}

/// An operand whose length may come from the other side of a copy.
pub(super) struct Operand {
    pub(super) place: Place,
    pub(super) len: Option<u64>,
}

impl Operand {
    pub(super) fn finish(self) -> Place {
        Place { len: self.len.unwrap_or(0), ..self.place }
    }
}

impl Line<'_, '_> {
    /// One operand.
    pub(super) fn operand(&mut self, name: &str, context: Context) -> Option<Operand> {
        let node = self.get(name)?;
        self.reader.operand(name, node, context)
    }

    /// Operands that say their lengths.
    pub(super) fn operands(&mut self, name: &str) -> Vec<Place> {
        let mut all = Vec::new();
        for node in self.list(name) {
            let Some(operand) = self.reader.operand(name, node, Context::default()) else {
                continue;
            };
            if operand.len.is_none() {
                let message = format!("an operand of `{name}` has no `len`");
                self.reader.error(Code::TraceMissingKey, message, &node.span);
            }
            all.push(operand.finish());
        }
        all
    }
}

impl Reader {
    fn operand(&mut self, name: &str, node: &Node, context: Context) -> Option<Operand> {
        let Value::Table(members) = &node.value else {
            self.wrong(name, node, "an operand such as {ub = 8192, len = 256}");
            return None;
        };
        let mut wheres = Vec::new();
        for member in members {
            let key = member.key.as_str();
            if let Some((_, scope)) = SCOPES.iter().find(|(word, _)| *word == key) {
                let base = self.bytes(key, &member.node);
                wheres.push((Whole::Scope(self.names.intern(scope)), base.unwrap_or(0)));
            } else if key == "gm" {
                let base = node.get("off").and_then(|n| self.bytes("off", n)).unwrap_or(0);
                let pointer = self.name("gm", &member.node)?;
                self.global(pointer, &member.node.span);
                wheres.push((Whole::Global(pointer), base));
            } else if key == "scope" {
                let base = node.get("base").and_then(|n| self.bytes("base", n)).unwrap_or(0);
                wheres.push((Whole::Scope(self.name("scope", &member.node)?), base));
            } else if !OPERAND.iter().any(|k| k.name == key) {
                let known = OPERAND.iter().map(|k| k.name).chain(SCOPES.iter().map(|s| s.0));
                let help = match nearest(key, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "another memory is written {scope = \"NAME\", base = 0}".to_owned(),
                };
                let message = format!("an operand has no key `{}`", shown(key));
                self.push(Code::TraceUnknownKey, message, &member.span, Some(help));
            }
        }
        let (at, base) = match wheres.as_slice() {
            [one] => *one,
            [] => {
                let message = format!("an operand of `{name}` does not say in which memory it is");
                self.error(Code::TraceMissingKey, message, &node.span);
                return None;
            }
            _ => {
                let message = format!("an operand of `{name}` is in one memory");
                self.error(Code::TraceInvalidValue, message, &node.span);
                return None;
            }
        };
        // The first byte of a pointer is `off`; elsewhere it is the number behind the memory.
        let is_global = matches!(at, Whole::Global(_));
        let strange = if is_global { "base" } else { "off" };
        if let Some(member) = members.iter().find(|m| m.key == strange) {
            let message = format!("`{strange}` says nothing about this memory");
            self.error(Code::TraceUnknownKey, message, &member.span);
        }
        let mut bytes = |key: &str| node.get(key).and_then(|n| self.bytes(key, n));
        let (len, stride, voff) = (bytes("len"), bytes("stride"), bytes("voff"));
        let modulo = node.get("mod").and_then(|n| {
            let number = self.number("mod", n, u64::MAX)?;
            if number == 0 {
                self.error(Code::TraceInvalidValue, "`mod` is 0", &n.span);
            }
            Some(number)
        });
        let of = node.get("of").and_then(|n| self.name("of", n));
        let val = node.get("val").and_then(|n| self.val("val", n)).or(context.val);
        let place = Place {
            at,
            base,
            stride: stride.unwrap_or(0),
            modulo: modulo.unwrap_or(1).max(1),
            of,
            len: 0,
            val,
            voff: voff.unwrap_or(0),
        };
        let len = len.or(context.len);
        self.packing(node, len);
        Some(Operand { place, len })
    }

    /// A pointer that a program touches. Where the trace makes no pointers at all, programs stand
    /// for themselves, and their global memory is anybody's.
    fn global(&mut self, pointer: crate::model::trace::Sym, span: &std::ops::Range<usize>) {
        let loc = self.loc(span);
        self.globals.entry(pointer).or_insert(loc);
    }

    pub(super) fn settle_globals(&mut self) {
        let globals = std::mem::take(&mut self.globals);
        if !self.any(Space::Pointer) {
            return;
        }
        for (pointer, loc) in globals {
            if !self.is_made(Space::Pointer, pointer) {
                self.unknown(Space::Pointer, pointer, loc);
            }
        }
    }
}
