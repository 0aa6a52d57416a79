//! Which buffers take over bytes of which.

use std::collections::BTreeSet;

use super::Lowering;
use super::lower::Env;
use super::names::Nodes;
use crate::ir::hlo::InstructionId;
use crate::model::{Function, Relation, RelationKind, ValueId, ValueKind};

/// What was found, in names of buffers.
#[derive(Default)]
pub(super) struct Relations {
    pairs: Vec<(RelationKind, ValueId, ValueId, &'static str)>,
    /// Names whose bytes somebody takes over, with the names that do.
    over: BTreeSet<(ValueId, ValueId)>,
}

impl Relations {
    /// True when the bytes of `first` are taken over by one of `all`.
    pub(super) fn is_taken(&self, first: ValueId, all: &[ValueId]) -> bool {
        all.iter().any(|&second| self.over.contains(&(first, second)))
    }

    fn add(&mut self, kind: RelationKind, first: ValueId, second: ValueId, why: &'static str) {
        self.pairs.push((kind, first, second, why));
        if kind == RelationKind::Handover {
            self.over.insert((first, second));
        }
    }

    /// What must lie where something else does.
    pub(super) fn hand_over(&mut self, first: ValueId, second: ValueId, why: &'static str) {
        self.add(RelationKind::Handover, first, second, why);
    }

    /// The relations of the buffers, each once, in the order found.
    pub(super) fn finish(self, function: &Function) -> Vec<Relation> {
        let buffer = |value: ValueId| match function.values[value].kind {
            ValueKind::Buffer(buffer) => Some(buffer),
            _ => None,
        };
        let mut seen = BTreeSet::new();
        let relation = |(kind, first, second, why): (_, _, _, &'static str)| {
            let (first, second) = (buffer(first)?, buffer(second)?);
            let is_new = first != second && seen.insert((kind, first, second));
            let why = Some(why.to_owned());
            is_new.then_some(Relation { kind, first, second, why, loc: None })
        };
        self.pairs.into_iter().filter_map(relation).collect()
    }
}

impl Lowering<'_> {
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
            self.relations.add(RelationKind::Handover, from, into, "input_output_alias");
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
            let into = into.and_then(|node| self.made(id, u32::try_from(node).ok()?));
            if let (Some(from), Some(into)) = (from, into) {
                self.relations.add(RelationKind::Handover, from, into, "written in place");
            }
        }
        for (node, (user_index, user)) in (0..).zip(made.shape.nodes()) {
            let Some(into) = self.made(id, node) else { continue };
            let mut seen = BTreeSet::new();
            for &operand in made.operands.iter().filter(|&&o| seen.insert(o)) {
                let Some(names) = env.get(&operand) else { continue };
                let shape = &module.instructions[operand].shape;
                for (&from, (index, at)) in names.iter().zip(shape.nodes()) {
                    let sized = at.bytes(8) == user.bytes(8) && !at.is_tuple();
                    if sized && self.sharing.may_share(operand, &index, id, &user_index) {
                        let why = "works element by element";
                        self.relations.add(RelationKind::Inplace, from, into, why);
                    }
                }
            }
        }
    }

    /// The name of a node that an instruction makes anew.
    fn made(&self, id: InstructionId, node: u32) -> Option<ValueId> {
        self.buffers.get(&(id, node)).map(|&buffer| self.function.buffers[buffer].value)
    }
}
