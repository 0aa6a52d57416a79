//! The flattened schedule: when every instruction of every computation runs (spec/xla-memory.md 7.1).

use super::Range;
use crate::ir::hlo::{
    ComputationId, Instruction, InstructionId, Module, Opcode, Sequences, Shape, ShapeIndex,
    bound_operands,
};
use crate::model::IdVec;

/// When everything runs.
pub(super) struct Flat {
    /// Instructions by time.
    pub(super) flat: Vec<InstructionId>,
    /// The time of every instruction that is scheduled.
    pub(super) time: IdVec<InstructionId, Option<u32>>,
    /// First time and end of every computation that was flattened.
    pub(super) span: IdVec<ComputationId, Option<Range>>,
}

/// A computation that is being walked.
struct Frame {
    computation: ComputationId,
    /// The next instruction of its sequence.
    at: usize,
    /// True when what this instruction calls is flattened.
    called: bool,
}

/// Flattens what the entry executes. Every computation is flattened once, where it is called first.
pub(super) fn flatten(module: &Module, order: &Sequences) -> Flat {
    let mut out = Flat {
        flat: Vec::new(),
        time: IdVec::filled(None, module.instructions.len()),
        span: IdVec::filled(None, module.computations.len()),
    };
    let mut stack = Vec::new();
    let enter = |computation: ComputationId, out: &mut Flat| {
        let start = out.now();
        out.span[computation] = Some(Range { start, end: start });
        Frame { computation, at: 0, called: false }
    };
    stack.push(enter(module.entry, &mut out));
    let mut waiting: Vec<Vec<ComputationId>> = vec![Vec::new()];
    while let (Some(frame), Some(callees)) = (stack.last_mut(), waiting.last_mut()) {
        let sequence = order.0.get(frame.computation).map_or(&[][..], Vec::as_slice);
        let Some(&id) = sequence.get(frame.at) else {
            let end = out.now();
            if let Some(span) = &mut out.span[frame.computation] {
                span.end = end;
            }
            stack.pop();
            waiting.pop();
            continue;
        };
        if !frame.called {
            frame.called = true;
            *callees = executed(module, id, &out);
            callees.reverse();
        }
        match callees.pop() {
            Some(callee) if out.span[callee].is_none() => {
                stack.push(enter(callee, &mut out));
                waiting.push(Vec::new());
            }
            Some(_) => {}
            None => {
                out.time[id] = Some(out.now());
                out.flat.push(id);
                frame.at += 1;
                frame.called = false;
            }
        }
    }
    out
}

impl Flat {
    fn now(&self) -> u32 {
        u32::try_from(self.flat.len()).unwrap_or(u32::MAX)
    }
}

/// What is executed before an instruction gets its time, in order.
fn executed(module: &Module, id: InstructionId, flat: &Flat) -> Vec<ComputationId> {
    let instruction = &module.instructions[id];
    match instruction.opcode {
        Opcode::Call => instruction.called().take(1).collect(),
        Opcode::Conditional => instruction.branches(),
        Opcode::While => ["condition", "body"]
            .iter()
            .flat_map(|name| instruction.computations(name).iter().copied())
            .collect(),
        Opcode::AsyncStart | Opcode::AsyncUpdate | Opcode::AsyncDone => {
            let callee = module.async_callee(id);
            let ready = |callee: &ComputationId| {
                flat.span[*callee].is_none() && is_bound(module, instruction, *callee)
            };
            callee.filter(ready).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// True when all that the computation of an asynchronous chain needs is bound at this link: all
/// operands, and the result.
pub(crate) fn is_bound(module: &Module, link: &Instruction, callee: ComputationId) -> bool {
    if link.opcode == Opcode::AsyncDone {
        return true;
    }
    let callee = &module.computations[callee];
    let bound = bound_operands(&link.shape) as usize;
    let result = match (link.shape.at(&ShapeIndex::one(1)), &module.instructions[callee.root].shape)
    {
        (Some(Shape::Tuple(link)), Shape::Tuple(root)) => link.len() == root.len(),
        (Some(link), root) => !link.is_tuple() && !root.is_tuple(),
        (None, _) => false,
    };
    bound >= callee.parameters.len() && result
}
