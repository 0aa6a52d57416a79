//! What functions do with the memrefs that they are given.

use std::collections::BTreeMap;

use super::views::is_view;
use crate::ir::mlir::{Chunk, Function, Role, Use, ValueId};

/// What a callee may do with one argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// It reads its bytes.
    pub(super) reads: bool,
    /// It writes to them.
    pub(super) writes: bool,
}

/// What the functions of a chunk do with their arguments; those without a body may do anything.
#[derive(Debug, Default)]
pub(super) struct Calls {
    of: BTreeMap<String, Vec<Effect>>,
}

impl Calls {
    /// Reads the bodies of all functions that another one calls.
    pub(super) fn of(chunk: &Chunk) -> Self {
        let mut called: Vec<&str> = Vec::new();
        for op in chunk.functions.iter().flat_map(|f| f.ops.iter()) {
            called.extend(op.attrs.get("callee").and_then(|a| a.word()));
        }
        called.sort_unstable();
        called.dedup();
        let mut of = BTreeMap::new();
        for function in &chunk.functions {
            if called.binary_search(&function.name.as_str()).is_err() {
                continue;
            }
            let Some(body) = function.body else { continue };
            let Some(&entry) = function.regions[body].blocks.first() else { continue };
            let args = function.blocks[entry].args.iter();
            of.insert(function.name.clone(), args.map(|arg| effect(function, *arg)).collect());
        }
        Self { of }
    }

    /// What a callee may do with its argument `n`.
    pub(super) fn effect(&self, callee: Option<&str>, n: usize) -> Effect {
        let known = callee.and_then(|name| self.of.get(name)).and_then(|args| args.get(n));
        known.copied().unwrap_or(Effect { reads: true, writes: true })
    }
}

/// Follows an argument through views and loops.
fn effect(function: &Function, arg: ValueId) -> Effect {
    let mut effect = Effect::default();
    let mut seen = vec![false; function.values.len()];
    let mut todo = vec![arg];
    while let Some(value) = todo.pop() {
        if std::mem::replace(&mut seen[value.0 as usize], true) {
            continue;
        }
        for u in &function.values[value].uses {
            one_use(function, *u, &mut effect, &mut todo);
        }
    }
    effect
}

fn one_use(function: &Function, u: Use, effect: &mut Effect, todo: &mut Vec<ValueId>) {
    let op = &function.ops[u.op];
    let operand = u.operand as usize;
    let role = op.operands.get(operand).map(|o| o.role);
    match op.name.as_str() {
        name if is_view(name) && operand == 0 => todo.extend(op.results.first()),
        "arith.select" => todo.extend(&op.results),
        "vector.transfer_read" | "memref.load" | "vector.load" => effect.reads = true,
        "vector.transfer_write" | "memref.store" | "vector.store" => effect.writes = true,
        "annotation.mark" | "memref.dim" | "func.return" => {}
        "scf.for" if operand >= 3 => {
            let n = operand - 3;
            let block = op.regions.first().and_then(|r| function.regions[*r].blocks.first());
            todo.extend(block.and_then(|b| function.blocks[*b].args.get(n + 1)));
            todo.extend(op.results.get(n));
        }
        "scf.yield" => {
            let Some(parent) = function.parent(u.op) else { return };
            todo.extend(function.ops[parent].results.get(operand));
            let block = function.blocks[op.block].args.get(operand + 1);
            let is_for = function.ops[parent].name == "scf.for";
            todo.extend(block.filter(|_| is_for));
        }
        name if name.starts_with("hivm.hir.") && role.is_some() => match role {
            Some(Role::In) => effect.reads = true,
            _ => effect.writes = true,
        },
        _ => {
            // Whatever it does, it may do it to these bytes; what it defines may be another name.
            (effect.reads, effect.writes) = (true, true);
            todo.extend(&op.results);
        }
    }
}
