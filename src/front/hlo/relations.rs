//! Which buffers take over bytes of which.

use std::collections::BTreeSet;

use super::Lowering;
use super::lower::Env;
use super::names::Nodes;
use crate::ir::hlo::InstructionId;
use crate::model::{BufferId, Relation, RelationKind, ValueId, ValueKind};

/// Relations found so far, each once.
#[derive(Default)]
pub(super) struct Relations {
    found: BTreeSet<(RelationKind, BufferId, BufferId)>,
    /// In the order found.
    all: Vec<Relation>,
}

impl Relations {
    fn add(&mut self, kind: RelationKind, first: BufferId, second: BufferId, why: &str) {
        if first != second && self.found.insert((kind, first, second)) {
            let why = Some(why.to_owned());
            self.all.push(Relation { kind, first, second, why, loc: None });
        }
    }

    /// True when `second` takes over the bytes of `first`.
    pub(super) fn hands_over(&self, first: BufferId, second: BufferId) -> bool {
        self.found.contains(&(RelationKind::Handover, first, second))
    }

    pub(super) fn finish(self) -> Vec<Relation> {
        self.all
    }
}

impl Lowering<'_> {
    /// The buffers that a name may stand for.
    pub(super) fn roots(&self, value: ValueId) -> Vec<BufferId> {
        match self.function.values[value].kind {
            ValueKind::Buffer(buffer) => vec![buffer],
            _ => self.function.roots(value),
        }
    }

    /// Names that stand for the same bytes by turns: the states of a loop, the results of branches.
    pub(super) fn meet(&mut self, values: &[ValueId]) {
        let mut buffers: Vec<BufferId> = values.iter().flat_map(|&v| self.roots(v)).collect();
        buffers.dedup();
        if let Some((&first, rest)) = buffers.split_first() {
            for &other in rest {
                self.relations.add(RelationKind::Handover, first, other, "one state of a loop or branch");
            }
        }
    }

    /// Outputs that lie on parameters (6).
    pub(super) fn aliases(&mut self, arguments: &[Nodes], root: &[ValueId]) {
        let module = self.module;
        let at = |instruction: InstructionId, index| {
            let nodes = module.instructions[instruction].shape.nodes();
            nodes.iter().position(|(i, _)| i == index)
        };
        for alias in &module.aliases {
            let parameter = alias.parameter as usize;
            let Some(&instruction) = module.entry().parameters.get(parameter) else { continue };
            let from = at(instruction, &alias.index).and_then(|n| arguments[parameter].get(n));
            let into = at(module.entry().root, &alias.output).and_then(|n| root.get(n));
            let (Some(&from), Some(&into)) = (from, into) else { continue };
            for first in self.roots(from) {
                for second in self.roots(into) {
                    self.relations.add(RelationKind::Handover, first, second, "input_output_alias");
                }
            }
        }
    }

    /// What an instruction writes over its operands (5.1), and what it may (5.2).
    pub(super) fn in_place(&mut self, id: InstructionId, env: &Env) {
        let module = self.module;
        let made = &module.instructions[id];
        for pair in self.sharing.pairs(id).to_vec() {
            let from = made.operands.get(pair.operand as usize);
            let from = from.and_then(|from| self.node(*from, &pair.operand_index, env));
            let into = made.shape.nodes().iter().position(|(i, _)| *i == pair.output_index);
            let into = into.and_then(|node| self.buffers.get(&(id, u32::try_from(node).ok()?)));
            let (Some(from), Some(&into)) = (from, into) else { continue };
            for root in self.roots(from) {
                self.relations.add(RelationKind::Handover, root, into, "written in place");
            }
        }
        for (node, (user_index, user)) in (0..).zip(made.shape.nodes()) {
            let Some(&into) = self.buffers.get(&(id, node)) else { continue };
            let mut seen = BTreeSet::new();
            for &operand in made.operands.iter().filter(|&&o| seen.insert(o)) {
                let Some(names) = env.get(&operand) else { continue };
                let shape = &module.instructions[operand].shape;
                for (&from, (index, at)) in names.iter().zip(shape.nodes()) {
                    let sized = at.bytes(8) == user.bytes(8) && !at.is_tuple();
                    if sized && self.sharing.may_share(operand, &index, id, &user_index) {
                        for root in self.roots(from) {
                            let why = "works element by element";
                            self.relations.add(RelationKind::Inplace, root, into, why);
                        }
                    }
                }
            }
        }
    }
}
