//! What must stay before what beyond the flow of data: values of one must-alias group are the same bytes,
//! so what reads one of them must run before the next of them is written (spec/xla-memory.md 5.1, 6).

use std::collections::BTreeSet;

use super::meter::{Life, Meter};
use super::nest::Nest;
use crate::ir::hlo::{InstructionId, Module, Opcode, Sequences};
use crate::model::IdVec;

/// Instructions that must run before an instruction of the same computation.
pub(crate) type Edges = IdVec<InstructionId, Vec<InstructionId>>;

/// The edges that keep every group's values in the sequence that they have in an order. Values that are
/// alive together there already are left alone.
pub(crate) fn edges(meter: &Meter<'_>, nest: &Nest, order: &Sequences, lives: &[Life]) -> Edges {
    let module = meter.facts.module;
    let mut found = loop_states(module, order);
    for group in &meter.shared {
        let sorted = meter.sorted(group, lives);
        let mut past = 0;
        for pair in sorted.windows(2) {
            let [(_, end, first), (start, _, second)] = *pair else { continue };
            past = past.max(end);
            if past > start {
                continue;
            }
            let definer = meter.entries[second as usize].definer;
            let writer = match module.instructions[definer].opcode {
                // What stands in a parameter is there when its computation begins.
                Opcode::Parameter => nest.parent(module.instructions[definer].computation),
                _ => Some(definer),
            };
            let Some(writer) = writer else { continue };
            for reader in meter.touchers(first) {
                if let Some((reader, writer)) = nest.siblings(module, reader, writer) {
                    found.insert((writer, reader));
                }
            }
        }
    }
    let mut edges = IdVec::filled(Vec::new(), module.instructions.len());
    for (writer, reader) in found {
        edges[writer].push(reader);
    }
    edges
}

/// What enters a loop lives until the parameter of the body runs (7.2): where that comes first, it stays
/// first.
fn loop_states(module: &Module, order: &Sequences) -> BTreeSet<(InstructionId, InstructionId)> {
    let loops = module.instructions.iter().filter(|i| i.opcode == Opcode::While);
    let mut found = BTreeSet::new();
    for &body in loops.flat_map(|of| of.computations("body")) {
        let body_order = order.0[body].iter();
        if let Some(&state) = module.computations[body].parameters.first()
            && order.0[body].first() == Some(&state)
        {
            let starts = body_order.filter(|&&id| {
                let instruction = &module.instructions[id];
                let waits = !instruction.operands.is_empty();
                id != state && !waits && instruction.control_predecessors().is_empty()
            });
            found.extend(starts.map(|&start| (start, state)));
        }
    }
    found
}

/// Pairs of values of one group that are alive together, other than for the moment in which one takes
/// over: each value with the one before it that lives longest.
pub(crate) fn clashes(meter: &Meter<'_>, lives: &[Life]) -> BTreeSet<(u32, u32)> {
    let mut pairs = BTreeSet::new();
    for group in &meter.shared {
        let mut longest: Option<(u32, u32)> = None;
        for (start, end, at) in meter.sorted(group, lives) {
            if let Some((past, of)) = longest.filter(|(past, _)| *past > start) {
                pairs.insert((of, at));
                longest = Some(if end > past { (end, at) } else { (past, of) });
            } else {
                longest = longest.max(Some((end, at)));
            }
        }
    }
    pairs
}

/// The order nearest to the one given in which every instruction runs after what its edges name: each
/// computation's instructions are taken in that order, what must be before them first.
pub(crate) fn repaired(meter: &Meter<'_>, edges: &Edges, order: &Sequences) -> Sequences {
    let module = meter.facts.module;
    let mut done = IdVec::filled(false, module.instructions.len());
    let mut out = order.clone();
    for sequence in out.0.iter_mut() {
        let wanted = std::mem::take(sequence);
        let inside: BTreeSet<_> = wanted.iter().copied().collect();
        for start in wanted {
            let mut path = vec![(start, 0)];
            while let Some((at, next)) = path.last_mut() {
                if done[*at] {
                    path.pop();
                    continue;
                }
                let instruction = &module.instructions[*at];
                let before = instruction.operands.iter().chain(instruction.control_predecessors());
                match before.chain(&edges[*at]).nth(*next) {
                    Some(&first) => {
                        *next += 1;
                        if !done[first] && inside.contains(&first) {
                            path.push((first, 0));
                        }
                    }
                    None => {
                        done[*at] = true;
                        sequence.push(*at);
                        path.pop();
                    }
                }
            }
        }
    }
    out
}
