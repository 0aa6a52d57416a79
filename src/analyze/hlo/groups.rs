//! Must-alias groups: values that must be the same bytes (spec/xla-memory.md 6).

use std::collections::BTreeMap;

use super::{ValueId, Values};
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{Alias, InstructionId, Module, Opcode, ShapeIndex, all_in_place_pairs};
use crate::model::{IdVec, index};

index! {
    /// A must-alias group (XLA calls it a buffer); ids in the order of their smallest values.
    GroupId
}

/// The must-alias groups of a module: every value is in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The values of each, by id.
    pub groups: IdVec<GroupId, Vec<ValueId>>,
    /// The group of each value.
    pub of: IdVec<ValueId, GroupId>,
    /// The largest size of its values.
    pub size: IdVec<GroupId, u64>,
    /// True when one of its values stands at the root of the entry, at any node.
    pub live_out: IdVec<GroupId, bool>,
}

impl Groups {
    /// The groups of a module's values.
    ///
    /// # Errors
    ///
    /// `HloBadAlias` for an `input_output_alias` of an output or a parameter that is not there, of
    /// an output that is aliased twice, or of a parameter that two outputs take.
    pub fn of(module: &Module, values: &Values) -> Result<Self, Diagnostic> {
        let mut sets = Sets(values.values.ids().collect());
        for (entry, parameter) in aliases(module)? {
            let root = module.entry().root;
            sets.join_with(values.at(root, &entry.output), values.at(parameter, &entry.index));
        }
        let pairs = all_in_place_pairs(module);
        for (id, instruction) in module.instructions.enumerate() {
            if values.at[id].is_empty() {
                continue;
            }
            let meeting: Vec<InstructionId> = match instruction.opcode {
                Opcode::While => {
                    let body = instruction.computations("body");
                    let states = body.iter().chain(instruction.computations("condition"));
                    let states = states.filter_map(|&c| module.computations[c].parameters.first());
                    let roots = body.iter().map(|&body| module.root(body));
                    let init = instruction.operands.first();
                    init.into_iter().chain(states).copied().chain(roots).collect()
                }
                Opcode::Conditional => {
                    instruction.branches().into_iter().map(|branch| module.root(branch)).collect()
                }
                _ => Vec::new(),
            };
            for (index, at) in values.nodes(id) {
                for &other in &meeting {
                    sets.join_with(at, values.at(other, index));
                }
            }
            for pair in &pairs[id] {
                if let Some(&operand) = instruction.operands.get(pair.operand as usize) {
                    let at = values.at(operand, &pair.operand_index);
                    sets.join_with(values.at(id, &pair.output_index), at);
                }
            }
        }
        Ok(sets.groups(module, values))
    }

    /// The groups at a node, ascending: more than one where it is ambiguous.
    pub fn at(&self, values: &Values, id: InstructionId, index: &ShapeIndex) -> Vec<GroupId> {
        let mut out: Vec<_> = values.at(id, index).iter().map(|&value| self.of[value]).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// The entries of `input_output_alias`, with their parameters.
fn aliases(module: &Module) -> Result<Vec<(&Alias, InstructionId)>, Diagnostic> {
    let mut outputs = BTreeMap::new();
    let mut inputs = BTreeMap::new();
    let mut out = Vec::new();
    let entry = module.entry();
    for alias in &module.aliases {
        let Alias { output, parameter, index, loc, .. } = alias;
        let error = |message: String| Diagnostic::error(Code::HloBadAlias, message);
        let root = &module.instructions[entry.root];
        if root.shape.at(output).is_none() {
            return Err(error(format!("the output has no node {output}"))
                .at(*loc, "aliased here")
                .at(root.loc, "the output")
                .help("name a node that the output's shape has"));
        }
        let Some(&id) = entry.parameters.get(*parameter as usize) else {
            return Err(error(format!(
                "parameter {parameter} is aliased, and the entry has {} parameters",
                entry.parameters.len()
            ))
            .at(*loc, "aliased here")
            .help("parameters count from 0"));
        };
        if module.instructions[id].shape.at(index).is_none() {
            return Err(error(format!("parameter {parameter} has no node {index}"))
                .at(*loc, "aliased here")
                .at(module.instructions[id].loc, "the parameter")
                .help("name a node that the parameter's shape has"));
        }
        if let Some(first) = outputs.insert(output, *loc) {
            return Err(error(format!("output {output} is aliased twice"))
                .at(*loc, "the second time")
                .at(first, "the first time")
                .help("an output lies on one parameter: take one of them out"));
        }
        if let Some(first) = inputs.insert((parameter, index), *loc) {
            return Err(error(format!("two outputs take parameter {parameter} at {index}"))
                .at(*loc, "the second one")
                .at(first, "the first one")
                .help("a parameter's bytes hold one output: take one of them out"));
        }
        out.push((alias, id));
    }
    Ok(out)
}

/// Disjoint sets of values; the smallest value stands for its set.
struct Sets(IdVec<ValueId, ValueId>);

impl Sets {
    fn find(&mut self, value: ValueId) -> ValueId {
        let mut at = value;
        while self.0[at] != at {
            let after = self.0[self.0[at]];
            self.0[at] = after;
            at = after;
        }
        at
    }

    fn union(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// Joins all that stand at one node with all that stand at another.
    fn join_with(&mut self, some: &[ValueId], others: &[ValueId]) {
        if let ([first, ..], [second, ..]) = (some, others) {
            self.union(*first, *second);
            some.iter().for_each(|&value| self.union(*first, value));
            others.iter().for_each(|&value| self.union(*second, value));
        }
    }

    fn groups(mut self, module: &Module, values: &Values) -> Groups {
        let mut groups: IdVec<GroupId, Vec<ValueId>> = IdVec::new();
        let mut of: IdVec<ValueId, GroupId> = IdVec::new();
        for value in values.values.ids() {
            // The smallest value of a set comes first, so its set has its id by then.
            let first = self.find(value);
            let group = if first == value { groups.push(Vec::new()) } else { of[first] };
            groups[group].push(value);
            of.push(group);
        }
        let largest = |of: &Vec<ValueId>| of.iter().map(|&v| values.values[v].size).max();
        let size = groups.iter().map(|of| largest(of).unwrap_or(0)).collect();
        let mut live_out = IdVec::filled(false, groups.len());
        for (_, at) in values.nodes(module.entry().root) {
            for &value in at {
                live_out[of[value]] = true;
            }
        }
        Groups { groups, of, size, live_out }
    }
}
