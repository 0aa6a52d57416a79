//! May a result take the bytes of a dying operand (spec/xla-memory.md 5.2)?

mod fusion;
mod gpu;
#[cfg(test)]
mod tests;

use std::sync::Mutex;

use super::{
    Elementwise, InPlacePair, InstructionId, Module, Opcode, Platform, Shape, ShapeIndex,
    all_in_place_pairs,
};
use crate::model::IdVec;

/// The rules about sharing for one module. What a question needs is prepared, so that it costs next to
/// nothing; for a fusion on a GPU as much as its computation, but that is kept while the questions that
/// follow are about the same output.
#[derive(Debug)]
pub struct Sharing<'m> {
    module: &'m Module,
    platform: Platform,
    /// The slots in which every instruction stands, in the order of users' ids.
    uses: IdVec<InstructionId, Vec<(InstructionId, usize)>>,
    pairs: IdVec<InstructionId, Vec<InPlacePair>>,
    elementwise: Elementwise,
    /// True when every transitive use is element-wise or a tuple.
    flows: IdVec<InstructionId, bool>,
    /// The last walk through a fusion.
    walked: Mutex<Option<gpu::Walk>>,
}

impl<'m> Sharing<'m> {
    /// Prepares the rules; looks at every instruction a few times.
    pub fn new(module: &'m Module, platform: Platform) -> Self {
        let elementwise = Elementwise::new(module);
        let mut uses = IdVec::filled(Vec::new(), module.instructions.len());
        for (user, op) in module.instructions.enumerate() {
            for (slot, operand) in op.operands.iter().enumerate() {
                uses[*operand].push((user, slot));
            }
        }
        Self {
            module,
            platform,
            uses,
            pairs: all_in_place_pairs(module),
            flows: fusion::flows(module, &elementwise),
            elementwise,
            walked: Mutex::new(None),
        }
    }

    /// The in-place pairs of an instruction.
    pub fn pairs(&self, instruction: InstructionId) -> &[InPlacePair] {
        &self.pairs[instruction]
    }

    /// True when the value at `user_index` of `user` may take the bytes of the one at
    /// `operand_index` of `operand`, once that dies there. `operand` must stand in a slot of `user`,
    /// else the answer is no. That a `copy` takes nobody's bytes is the caller's rule (8.1, 9.3).
    pub fn may_share(
        &self,
        operand: InstructionId,
        operand_index: &ShapeIndex,
        user: InstructionId,
        user_index: &ShapeIndex,
    ) -> bool {
        let (given, taker) = (&self.module.instructions[operand], &self.module.instructions[user]);
        let nodes = given.shape.at(operand_index).zip(taker.shape.at(user_index));
        let Some((from, to)) = nodes else { return false };
        let question = Question { operand, operand_index, user, user_index, from, to };
        let slots = self.slots(operand, user);
        if slots.is_empty() || given.opcode == Opcode::Constant {
            return false;
        }
        let same = from.same(to);
        if same && self.is_pair(&question) {
            return true;
        }
        if self.platform == Platform::Gpu
            && let Some(answer) = self.hint(&question, &slots)
        {
            return answer;
        }
        same && self.allows(&question, &slots)
    }

    /// Rule 2.
    fn is_pair(&self, q: &Question) -> bool {
        let operands = &self.module.instructions[q.user].operands;
        self.pairs[q.user].iter().any(|pair| {
            operands.get(pair.operand as usize) == Some(&q.operand)
                && (&pair.operand_index, &pair.output_index) == (q.operand_index, q.user_index)
        })
    }

    /// Rules 5 to 10, for equal shapes.
    fn allows(&self, q: &Question, slots: &[usize]) -> bool {
        let op = &self.module.instructions[q.user];
        match op.opcode {
            Opcode::Fusion => self.fusion(q.user, slots),
            Opcode::DynamicUpdateSlice | Opcode::Scatter | Opcode::SetDimensionSize => slots == [0],
            Opcode::TriangularSolve => slots == [1],
            Opcode::While | Opcode::Conditional => true,
            Opcode::Sort if op.operands.len() == 1 => true,
            Opcode::Sort => {
                self.only_user(q.operand) == Some(q.user)
                    && slots.len() == 1
                    && is_element(q.user_index, slots)
            }
            Opcode::Call => self.call(q, slots),
            _ => self.is_elementwise_on(q.user, slots),
        }
    }

    /// Rule 9: the call is the only user, and in the computation the root is.
    fn call(&self, q: &Question, slots: &[usize]) -> bool {
        let op = &self.module.instructions[q.user];
        let callee = op.computations("to_apply").first().map(|c| &self.module.computations[*c]);
        let (Some(callee), [slot]) = (callee, slots) else { return false };
        let Some(&parameter) = callee.parameters.get(*slot) else { return false };
        let inner = self.slots(parameter, callee.root);
        self.only_user(q.operand) == Some(q.user)
            && self.only_user(parameter) == Some(callee.root)
            && inner.len() == 1
            && self.is_elementwise_on(callee.root, &inner)
    }

    /// The slots of `user` in which `operand` stands.
    fn slots(&self, operand: InstructionId, user: InstructionId) -> Vec<usize> {
        let uses = &self.uses[operand];
        let before = uses.partition_point(|(other, _)| *other < user);
        let uses = uses.iter().skip(before).take_while(|(other, _)| *other == user);
        uses.map(|(_, slot)| *slot).collect()
    }

    /// The user of an instruction that has no other.
    fn only_user(&self, operand: InstructionId) -> Option<InstructionId> {
        let (first, last) = (self.uses[operand].first()?.0, self.uses[operand].last()?.0);
        (first == last).then_some(first)
    }

    fn is_elementwise_on(&self, user: InstructionId, slots: &[usize]) -> bool {
        slots.iter().all(|slot| self.elementwise.on(self.module, user, *slot))
    }
}

/// The node of an operand, the node of its user, and their shapes.
struct Question<'q> {
    operand: InstructionId,
    operand_index: &'q ShapeIndex,
    user: InstructionId,
    user_index: &'q ShapeIndex,
    from: &'q Shape,
    to: &'q Shape,
}

/// True when the node is an element whose number is one of the slots.
fn is_element(index: &ShapeIndex, slots: &[usize]) -> bool {
    matches!(index.0[..], [at] if slots.contains(&(at as usize)))
}
