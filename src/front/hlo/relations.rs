//! Which buffers take over bytes of which.

use std::collections::{BTreeMap, BTreeSet};

use super::Lowering;
use super::lower::Env;
use super::names::Nodes;
use crate::ir::hlo::InstructionId;
use crate::model::{BufferId, Function, Relation, RelationKind, ValueId, ValueKind};

/// What was found, in names: what they stand for is known when all loops are closed.
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

    /// The relations of the buffers, each once, in the order found.
    pub(super) fn finish(self, function: &Function) -> Vec<Relation> {
        let mut known: BTreeMap<ValueId, Vec<BufferId>> = BTreeMap::new();
        let mut roots = |value: ValueId| match function.values[value].kind {
            ValueKind::Buffer(buffer) => vec![buffer],
            _ => known.entry(value).or_insert_with(|| function.roots(value)).clone(),
        };
        let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
        for (kind, first, second, why) in self.pairs {
            let (firsts, seconds) = (roots(first), roots(second));
            for &a in &firsts {
                for &b in &seconds {
                    push(&mut seen, &mut all, (kind, a, b), why);
                }
            }
        }
        all
    }
}

fn push(
    seen: &mut BTreeSet<(RelationKind, BufferId, BufferId)>,
    all: &mut Vec<Relation>,
    (kind, first, second): (RelationKind, BufferId, BufferId),
    why: &str,
) {
    if first != second && seen.insert((kind, first, second)) {
        all.push(Relation { kind, first, second, why: Some(why.to_owned()), loc: None });
    }
}

impl Lowering<'_> {
    /// Names that stand for the same bytes by turns: the states of a loop, the results of branches.
    pub(super) fn meet(&mut self, values: &[ValueId]) {
        let why = "one state of a loop or branch";
        if let Some((&first, rest)) = values.split_first() {
            for &other in rest.iter().filter(|&&other| other != first) {
                self.relations.add(RelationKind::Handover, first, other, why);
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
