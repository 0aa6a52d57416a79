//! Memory spaces and split configurations from outside of fusions onto the shapes inside
//! (spec/xla-memory.md 11).
//!
//! ```text
//!   x: S(5) ---- fusion ---- y: S(5)
//!                  |
//!                  p -> .. -> q        p and q become S(5), with all that is the same value
//! ```
//!
//! Values are those of a dataflow in which a bitcast makes a new value: nothing flows through it, so
//! an input and an output that only a bitcast joins keep spaces of their own.

mod finding;
#[cfg(test)]
mod tests;

pub use finding::findings;

use std::collections::{BTreeMap, BTreeSet};

use super::{Note, Report};
use crate::analyze::hlo::{Position, ValueId, ValueOptions, Values};
use crate::diag::Diagnostic;
use crate::ir::hlo::{
    Calls, Computation, ComputationId, Instruction, InstructionId, Layout, Module, Opcode, Shape,
    SplitConfig,
};

/// The tags of a layout that are propagated.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tags {
    space: u32,
    split: Vec<SplitConfig>,
}

/// Propagates into every fusion of the threads given (all when empty; a computation that names none
/// is on `main`). Notes are the shapes that are others now.
///
/// # Errors
/// Those of the call graph and of the dataflow.
pub fn run(module: &mut Module, threads: &BTreeSet<String>) -> Result<Report, Diagnostic> {
    let fused = super::fused(module);
    let mut sources = Vec::new();
    for (id, computation) in module.computations.enumerate() {
        let thread = computation.thread.as_deref().unwrap_or("main");
        if fused[id] || !(threads.is_empty() || threads.contains(thread)) {
            continue;
        }
        for &at in &computation.instructions {
            sources.extend(boundary(module, &module.instructions[at]));
        }
    }
    spread(module, sources)
}

/// Propagates from a computation's own parameters and root, whatever its callers say.
///
/// # Errors
/// Those of [`run`].
pub fn run_on_computation(
    module: &mut Module,
    computation: ComputationId,
) -> Result<Report, Diagnostic> {
    let of = &module.computations[computation];
    let ends = of.parameters.iter().copied().chain([of.root]);
    let sources = ends.flat_map(|id| sources(id, &module.instructions[id].shape)).collect();
    spread(module, sources)
}

/// A node of an instruction that is to have these tags.
type Source = (Position, Tags);

/// What a fusion's operands and its own shape say about its computation.
fn boundary(module: &Module, fusion: &Instruction) -> Vec<Source> {
    let Some(callee) = callee(module, fusion) else { return Vec::new() };
    let operands = fusion.operands.iter().zip(&callee.parameters);
    let inward = operands.flat_map(|(&op, &param)| sources(param, &module.instructions[op].shape));
    inward.chain(sources(callee.root, &fusion.shape)).collect()
}

/// The computation of a fusion.
fn callee<'m>(module: &'m Module, fusion: &Instruction) -> Option<&'m Computation> {
    let called = fusion.computations("calls").first().filter(|_| fusion.opcode == Opcode::Fusion);
    called.map(|&id| &module.computations[id])
}

/// The array leaves of `shape` as sources for the nodes of `instruction`.
fn sources(instruction: InstructionId, shape: &Shape) -> Vec<Source> {
    let leaves = shape.leaves().into_iter();
    leaves
        .filter_map(|(index, leaf)| Some((Position { instruction, index }, Tags::of(leaf)?)))
        .collect()
}

fn spread(module: &mut Module, sources: Vec<Source>) -> Result<Report, Diagnostic> {
    if sources.is_empty() {
        return Ok(Report::default());
    }
    let calls = Calls::of(module)?;
    let options = ValueOptions { phis: false, bitcast_defines: true, include_fused: true };
    let values = Values::of(module, &calls, options)?;
    let mut before = BTreeMap::new();
    for (start, tags) in sources {
        for value in reached(module, &calls, &values, start) {
            for position in &values.values[value].positions {
                overwrite(module, position, &tags, &mut before);
            }
        }
    }
    let mut notes = Vec::new();
    for (position, from) in before {
        let instruction = &module.instructions[position.instruction];
        let Some(to) = instruction.shape.at(&position.index).and_then(Tags::of) else { continue };
        if to != from {
            notes.push(Note::Space {
                computation: module.computations[instruction.computation].name.clone(),
                instruction: instruction.name.clone(),
                index: position.index,
                from: from.to_string(),
                to: to.to_string(),
            });
        }
    }
    Ok(Report::of(notes))
}

/// The values that must agree with the one at `start`.
fn reached(module: &Module, calls: &Calls, values: &Values, start: Position) -> BTreeSet<ValueId> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![start];
    while let Some(Position { instruction, index }) = todo.pop() {
        let Some(value) = values.unique(instruction, &index) else { continue };
        if !seen.insert(value) {
            continue;
        }
        for position in &values.values[value].positions {
            neighbours(module, calls, position, &mut todo);
        }
        for used in &values.values[value].uses {
            let Some(callee) = callee(module, &module.instructions[used.user]) else { continue };
            if let Some(&instruction) = callee.parameters.get(used.operand as usize) {
                todo.push(Position { instruction, index: used.index.clone() });
            }
        }
    }
    seen
}

/// Where a position's tags go besides the other positions of its value.
fn neighbours(module: &Module, calls: &Calls, at: &Position, todo: &mut Vec<Position>) {
    let Position { instruction: id, index } = at;
    let mut push = |instruction| todo.push(Position { instruction, index: index.clone() });
    let instruction = &module.instructions[*id];
    if instruction.opcode == Opcode::DynamicUpdateSlice {
        instruction.operands.first().copied().into_iter().for_each(&mut push);
    }
    if let Some(callee) = callee(module, instruction) {
        push(callee.root);
    }
    for &caller in &calls.callers[instruction.computation] {
        let fusion = &module.instructions[caller];
        if fusion.opcode != Opcode::Fusion || !calls.fused[fusion.computation] {
            continue;
        }
        if module.root(instruction.computation) == *id {
            push(caller);
        }
        if let Some(number) = instruction.parameter {
            fusion.operands.get(number as usize).copied().into_iter().for_each(&mut push);
        }
    }
}

/// Sets the tags of a node; `before` keeps those that it had first.
fn overwrite(
    module: &mut Module,
    at: &Position,
    tags: &Tags,
    before: &mut BTreeMap<Position, Tags>,
) {
    let Some(shape) = module.instructions[at.instruction].shape.at_mut(&at.index) else { return };
    let Some(old) = Tags::of(shape).filter(|old| old != tags) else { return };
    let Shape::Array(array) = shape else { return };
    let minor_to_major = array.minor_to_major();
    let layout = array.layout.get_or_insert_with(|| Layout { minor_to_major, ..Layout::default() });
    layout.memory_space = tags.space;
    layout.split_configs.clone_from(&tags.split);
    before.entry(at.clone()).or_insert(old);
}

impl Tags {
    /// Those of an array.
    fn of(shape: &Shape) -> Option<Self> {
        let array = shape.array()?;
        let split = array.layout.as_ref().map(|layout| layout.split_configs.clone());
        Some(Self { space: array.memory_space(), split: split.unwrap_or_default() })
    }
}

impl std::fmt::Display for Tags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "S({})", self.space)?;
        for SplitConfig { dim, indices } in &self.split {
            let indices: Vec<String> = indices.iter().map(u64::to_string).collect();
            write!(f, "SC({dim}:{})", indices.join(","))?;
        }
        Ok(())
    }
}
