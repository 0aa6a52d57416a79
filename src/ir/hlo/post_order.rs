//! Instructions with operands before users, in the order in which ids are given (spec/xla-memory.md
//! 10.2, 22.1).

use super::{ComputationId, InstructionId, Module};
use crate::model::IdVec;

/// How far an instruction has been visited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The instructions of a computation: control predecessors (last to first), then operands, then the
/// instruction itself. The walk starts from the parameters without users by number, then from the
/// other instructions without users in text order.
///
/// Every instruction is listed once, even where the text waits in a circle.
pub fn post_order(module: &Module, computation: ComputationId) -> Vec<InstructionId> {
    let mut walk = Walk::new(module);
    walk.list(computation)
}

/// [`post_order`] of every computation, in one pass.
pub fn post_orders(module: &Module) -> IdVec<ComputationId, Vec<InstructionId>> {
    let mut walk = Walk::new(module);
    module.computations.ids().map(|id| walk.list(id)).collect()
}

struct Walk<'m> {
    module: &'m Module,
    used: IdVec<InstructionId, bool>,
    mark: IdVec<InstructionId, Mark>,
}

impl<'m> Walk<'m> {
    fn new(module: &'m Module) -> Self {
        let len = module.instructions.len();
        let mut used = IdVec::filled(false, len);
        for operand in module.instructions.iter().flat_map(|i| &i.operands) {
            used[*operand] = true;
        }
        Self { module, used, mark: IdVec::filled(Mark::New, len) }
    }

    fn list(&mut self, computation: ComputationId) -> Vec<InstructionId> {
        let module = self.module;
        let computation = &module.computations[computation];
        let mut out = Vec::with_capacity(computation.instructions.len());
        let all = computation.parameters.iter().chain(&computation.instructions);
        let starts: Vec<_> = all.copied().filter(|id| !self.used[*id]).collect();
        // Instructions in a circle all have users; they come last.
        for start in starts.into_iter().chain(computation.instructions.iter().copied()) {
            self.visit(start, &mut out);
        }
        out
    }

    fn visit(&mut self, start: InstructionId, out: &mut Vec<InstructionId>) {
        let mut stack = vec![(start, 0)];
        while let Some((id, step)) = stack.last_mut() {
            if *step == 0 {
                if self.mark[*id] != Mark::New {
                    stack.pop();
                    continue;
                }
                self.mark[*id] = Mark::Open;
            }
            let instruction = &self.module.instructions[*id];
            let before = instruction.control_predecessors();
            let next = match before.len().checked_sub(*step + 1) {
                Some(back) => before.get(back),
                None => instruction.operands.get(*step - before.len()),
            };
            *step += 1;
            match next {
                Some(&next) => stack.push((next, 0)),
                None => {
                    self.mark[*id] = Mark::Done;
                    out.push(*id);
                    stack.pop();
                }
            }
        }
    }
}
