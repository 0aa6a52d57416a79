//! On-chip memory: allocs become casts of addresses.

use std::collections::{BTreeMap, BTreeSet};

use super::Rewrite;
use super::edits::{Edits, indent};
use super::names::Constants;
use super::statement::{last_type, location};
use crate::ir::mlir::{BlockId, Function, OpId};

/// A cast in the order in which it will stand.
struct Cast {
    op: OpId,
    /// The op around it, after hoisting.
    parent: Option<OpId>,
    marked: bool,
}

impl Rewrite<'_> {
    pub(super) fn local(&self, edits: &mut Edits) {
        let function = self.function;
        let mut constants = Constants::new(function, "i64");
        let mut casts: BTreeMap<OpId, String> = BTreeMap::new();
        for (op, ir) in function.ops.enumerate() {
            let (Some(offsets), "memref.alloc") = (self.offsets.get(&op), ir.name.as_str()) else {
                continue;
            };
            casts.insert(op, self.cast(op, offsets, &mut constants));
        }
        let hoisted = self.hoists(&casts);
        let moved: BTreeSet<OpId> =
            hoisted.iter().flat_map(|(_, pairs)| pairs).map(|p| p.0).collect();
        for (op, statement) in &casts {
            let loc = function.ops[*op].loc;
            let (start, end) = (loc.start as usize, loc.end as usize);
            if moved.contains(op) {
                edits.remove(self.text, start, end);
            } else {
                edits.replace(start, end, statement);
            }
        }
        for (block, pairs) in &hoisted {
            let mut lines = Vec::new();
            // Mark by mark to the very front, so the last one ends up first.
            for (cast, mark) in pairs.iter().rev() {
                let loc = function.ops[*mark].loc;
                let (start, end) = (loc.start as usize, loc.end as usize);
                lines.push(casts[cast].clone());
                lines.push(self.text[start..end].to_owned());
                edits.remove(self.text, start, end);
            }
            self.front(edits, *block, &lines);
        }
        self.share(&casts, &hoisted, edits);
        self.constants(edits, &constants);
    }

    fn cast(&self, op: OpId, offsets: &[u64], constants: &mut Constants) -> String {
        let ir = &self.function.ops[op];
        let statement = &self.text[ir.loc.start as usize..ir.loc.end as usize];
        let name = ir.results.first().map_or("", |v| &self.function.values[*v].name);
        let addresses: Vec<String> = offsets.iter().map(|o| constants.name(*o)).collect();
        format!(
            "%{name} = hivm.hir.pointer_cast({}) : {}{}",
            addresses.join(", "),
            last_type(statement).unwrap_or_default(),
            location(statement),
        )
    }

    /// Casts and marks to move, by the block at whose front they will stand.
    fn hoists(&self, casts: &BTreeMap<OpId, String>) -> Vec<(BlockId, Vec<(OpId, OpId)>)> {
        let mut marks: Vec<(OpId, OpId)> = Vec::new();
        for (mark, cast) in multi_marks(self.function) {
            if !casts.contains_key(&cast) {
                continue;
            }
            // One for each cast; the last mark counts.
            match marks.iter_mut().find(|(known, _)| *known == cast) {
                Some(known) => known.1 = mark,
                None => marks.push((cast, mark)),
            }
        }
        let mut out: Vec<(BlockId, Vec<(OpId, OpId)>)> = Vec::new();
        for (cast, mark) in marks {
            let Some(block) = loop_body(self.function, cast) else { continue };
            match out.iter_mut().find(|(known, _)| *known == block) {
                Some((_, list)) => list.push((cast, mark)),
                None => out.push((block, vec![(cast, mark)])),
            }
        }
        out
    }

    /// Statements before the first one of a block.
    pub(super) fn front(&self, edits: &mut Edits, block: BlockId, lines: &[String]) {
        let Some(&first) = self.function.blocks[block].ops.first() else { return };
        let start = self.function.ops[first].loc.start as usize;
        match indent(self.text, start) {
            Some(blanks) => {
                let text: String = lines.iter().map(|l| format!("{blanks}{l}\n")).collect();
                edits.insert(start - blanks.len(), text);
            }
            None => edits.insert(start, format!("\n{}\n", lines.join("\n"))),
        }
    }

    /// The constants, at the very start.
    pub(super) fn constants(&self, edits: &mut Edits, constants: &Constants) {
        let lines = constants.statements();
        let entry = self.function.body.and_then(|r| self.function.regions[r].blocks.first());
        if let (Some(&entry), false) = (entry, lines.is_empty()) {
            self.front(edits, entry, &lines);
        }
    }

    /// A cast without a mark becomes another name for the last marked one around it with the same
    /// type and addresses.
    fn share(
        &self,
        casts: &BTreeMap<OpId, String>,
        hoisted: &[(BlockId, Vec<(OpId, OpId)>)],
        edits: &mut Edits,
    ) {
        let function = self.function;
        let marked: BTreeSet<OpId> =
            multi_marks(function).into_iter().map(|(_, cast)| cast).collect();
        let mut order: Vec<((OpId, bool, usize), Cast)> = Vec::new();
        for op in casts.keys() {
            let place = hoisted.iter().find_map(|(block, pairs)| {
                let at = pairs.iter().rev().position(|(cast, _)| cast == op)?;
                Some((*block, at))
            });
            let own = marked.contains(op);
            let (key, parent) = match place {
                Some((block, at)) => {
                    let first = function.blocks[block].ops.first().copied().unwrap_or(*op);
                    let region = function.blocks[block].region;
                    ((first, false, at), function.regions[region].op)
                }
                None => ((*op, true, 0), function.parent(*op)),
            };
            order.push((key, Cast { op: *op, parent, marked: own }));
        }
        order.sort_by_key(|(key, _)| *key);
        let mut seen: BTreeMap<(&str, &[u64]), Vec<&Cast>> = BTreeMap::new();
        for (_, cast) in &order {
            let loc = function.ops[cast.op].loc;
            let statement = &self.text[loc.start as usize..loc.end as usize];
            let key = (last_type(statement).unwrap_or_default(), self.offsets[&cast.op]);
            if cast.marked {
                seen.entry(key).or_default().push(cast);
                continue;
            }
            let known = seen.get(&key).into_iter().flatten().rev();
            let Some(same) = known.into_iter().find(|m| holds(function, m.parent, cast.parent))
            else {
                continue;
            };
            self.rename(cast.op, same.op, edits);
        }
    }

    fn rename(&self, from: OpId, to: OpId, edits: &mut Edits) {
        let function = self.function;
        let result = |op: OpId| function.ops[op].results.first().copied();
        let (Some(old), Some(new)) = (result(from), result(to)) else { return };
        let uses = &function.values[old].uses;
        let operand = |u: &crate::ir::mlir::Use| {
            function.ops[u.op].operands.get(u.operand as usize).map(|o| o.loc)
        };
        // What is passed to a block has no place of its own in the tree: left as it is.
        let Some(places) = uses.iter().map(operand).collect::<Option<Vec<_>>>() else { return };
        for loc in places {
            let name = format!("%{}", function.values[new].name);
            edits.replace(loc.start as usize, loc.end as usize, name);
        }
    }
}

/// Marks with `hivm.multi_buffer`, and the allocs that they mark directly, in textual order.
fn multi_marks(function: &Function) -> Vec<(OpId, OpId)> {
    let mut out = Vec::new();
    for (op, ir) in function.ops.enumerate() {
        if ir.name == "annotation.mark"
            && ir.attrs.has("hivm.multi_buffer")
            && let Some(cast) = ir.operands.first().and_then(|o| function.def_op(o.value))
        {
            out.push((op, cast));
        }
    }
    out
}

/// The block at the front of which a cast in a loop will stand: the body of its nearest loop, the
/// region of a `scf.while` that holds it.
fn loop_body(function: &Function, op: OpId) -> Option<BlockId> {
    let mut here = op;
    loop {
        let block = function.ops[here].block;
        let region = function.blocks[block].region;
        let parent = function.regions[region].op?;
        if matches!(function.ops[parent].name.as_str(), "scf.for" | "scf.while") {
            return function.regions[region].blocks.first().copied();
        }
        here = parent;
    }
}

/// True when the op `outer` is `inner` or around it; none is the function.
fn holds(function: &Function, outer: Option<OpId>, inner: Option<OpId>) -> bool {
    let Some(outer) = outer else { return true };
    let mut here = inner;
    while let Some(op) = here {
        if op == outer {
            return true;
        }
        here = function.parent(op);
    }
    false
}
