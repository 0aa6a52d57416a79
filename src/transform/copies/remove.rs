//! Copies that need not be there are taken away (spec 14, step 2).

use super::super::edit::Editor;
use super::super::{Note, Report};
use super::Kept;
use super::chains::Chains;
use super::edges::{Edges, Order};
use crate::analyze::hlo::{Analysis, Options};
use crate::diag::Diagnostic;
use crate::ir::hlo::{
    Calls, ComputationId, Instruction, InstructionId, Module, Opcode, Platform, Sequences, Shape,
    ShapeIndex, Sharing, post_order,
};

/// After so many rounds the rest stays: every round has taken some copy away.
const ROUNDS: usize = 16;

/// Takes away every copy whose source can be used instead, to a fixpoint, large ones first. A copy of
/// another memory space or layout stays. Notes say which went and why the others stay; computations
/// that never run in time (those of fusions, of reductions) are not looked at.
///
/// # Errors
/// Those of the analyses; the module is unchanged then.
pub fn remove(module: &mut Module, platform: Platform) -> Result<Report, Diagnostic> {
    remove_some(module, platform, |_| true)
}

/// The same for copies of some names only.
pub(super) fn remove_some(
    module: &mut Module,
    platform: Platform,
    wanted: impl Fn(&str) -> bool,
) -> Result<Report, Diagnostic> {
    let (mut gone, mut kept) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let Round { removals, orders, left } = round(module, platform, &wanted)?;
        kept = left;
        if removals.is_empty() {
            break;
        }
        apply(module, &removals, &orders, &mut gone);
    }
    gone.append(&mut kept);
    Ok(Report::of(gone))
}

/// What one look at a module finds.
struct Round {
    removals: Vec<InstructionId>,
    orders: Vec<Order>,
    left: Vec<Note>,
}

fn round(
    module: &Module,
    platform: Platform,
    wanted: &impl Fn(&str) -> bool,
) -> Result<Round, Diagnostic> {
    let mut copies = copies(module)?;
    copies.retain(|copy| wanted(&module.instructions[copy.copy].name));
    let (mut removals, mut left) = (Vec::new(), Vec::new());
    if copies.is_empty() {
        return Ok(Round { removals, orders: Vec::new(), left });
    }
    let options = Options { platform, async_start_extension: false };
    let analysis = Analysis::of(module, order(module), options)?;
    let sharing = Sharing::new(module, platform);
    let edges = (!module.is_scheduled).then(|| Edges::new(&analysis));
    let mut chains = Chains::new(&analysis, &sharing, edges);
    for Copy { bytes, copy, source } in copies {
        match decide(&analysis, &mut chains, copy, source) {
            Ok(()) => removals.push(copy),
            Err(why) => {
                let name = |id: InstructionId| module.instructions[id].name.clone();
                left.push(Note::CopyKept { copy: name(copy), source: name(source), bytes, why });
            }
        }
    }
    let orders = chains.edges.map_or_else(Vec::new, |edges| edges.accepted.into_iter().collect());
    Ok(Round { removals, orders, left })
}

struct Copy {
    bytes: u64,
    copy: InstructionId,
    source: InstructionId,
}

/// The copies outside of fusions and of what they call, largest first.
fn copies(module: &Module) -> Result<Vec<Copy>, Diagnostic> {
    let calls = Calls::of(module)?;
    let mut out = Vec::new();
    for (id, computation) in module.computations.enumerate().filter(|&(id, _)| calls.scoped[id]) {
        debug_assert!(!calls.fused[id]);
        for &copy in &computation.instructions {
            let instruction = &module.instructions[copy];
            if instruction.opcode == Opcode::Copy
                && let Some(&source) = instruction.operands.first()
            {
                let bytes = instruction.shape.bytes(8).unwrap_or(0);
                out.push(Copy { bytes, copy, source });
            }
        }
    }
    out.sort_by_key(|copy| std::cmp::Reverse(copy.bytes));
    Ok(out)
}

fn decide(
    analysis: &Analysis<'_>,
    chains: &mut Chains<'_>,
    copy: InstructionId,
    source: InstructionId,
) -> Result<(), Kept> {
    let instruction = |id: InstructionId| -> &Instruction { &analysis.module.instructions[id] };
    same(&instruction(source).shape, &instruction(copy).shape)?;
    let callers = &analysis.calls.callers[instruction(copy).computation];
    let wraps = |&caller: &InstructionId| instruction(caller).opcode == Opcode::AsyncStart;
    if analysis.module.is_root(copy) && callers.iter().any(wraps) {
        return Err(Kept::Asynchronous);
    }
    let value = |id| analysis.values.unique(id, &ShapeIndex::TOP).ok_or(Kept::Ambiguous);
    chains.remove(value(source)?, value(copy)?)
}

/// A copy between equal shapes; else why it is none.
fn same(from: &Shape, to: &Shape) -> Result<(), Kept> {
    let spaces = from.leaves().into_iter().zip(to.leaves());
    let spaces = spaces.map(|((_, a), (_, b))| (a.memory_space(), b.memory_space()));
    if let Some((from, to)) = spaces.into_iter().find(|(a, b)| a != b) {
        return Err(Kept::Space { from, to });
    }
    if from.same(to) { Ok(()) } else { Err(Kept::Layout) }
}

/// The order of the text where it is one, else a post-order.
fn order(module: &Module) -> Sequences {
    let sequence = |id: ComputationId| {
        let text = &module.computations[id].instructions;
        match module.is_scheduled || is_order(module, text) {
            true => text.clone(),
            false => post_order(module, id),
        }
    };
    Sequences(module.computations.ids().map(sequence).collect())
}

fn is_order(module: &Module, text: &[InstructionId]) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    text.iter().all(|&id| {
        let instruction = &module.instructions[id];
        let mut before = instruction.operands.iter().chain(instruction.control_predecessors());
        let ready = before.all(|operand| seen.contains(operand));
        seen.insert(id);
        ready
    })
}

fn apply(module: &mut Module, removals: &[InstructionId], orders: &[Order], notes: &mut Vec<Note>) {
    let mut edit = Editor::new(module);
    for &(first, then) in orders {
        edit.order(first, then);
        let name = |id: InstructionId| edit.module().instructions[id].name.clone();
        notes.push(Note::Ordered { first: name(first), then: name(then) });
    }
    for &copy in removals {
        let instruction = &edit.module().instructions[copy];
        let Some(&source) = instruction.operands.first() else { continue };
        let (name, bytes) = (instruction.name.clone(), instruction.shape.bytes(8).unwrap_or(0));
        let source_name = edit.module().instructions[source].name.clone();
        edit.replace(copy, source);
        if edit.remove(copy) {
            notes.push(Note::CopyRemoved { copy: name, source: source_name, bytes });
        }
    }
    edit.finish();
}
