//! Conservative copies (spec 14, steps 1 and 3).

use std::collections::{BTreeMap, BTreeSet};

use super::super::edit::{At, Editor};
use super::super::{Note, Report};
use super::Added;
use super::deep::{Made, hand_over, rebuild};
use crate::analyze::hlo::{ValueId, ValueOptions, Values};
use crate::diag::Diagnostic;
use crate::ir::hlo::{
    Calls, ComputationId, InstructionId, Module, Opcode, ShapeIndex, in_place_pairs,
};

type Leaves = BTreeSet<ShapeIndex>;

/// What is to be copied, found before anything is changed.
#[derive(Default)]
struct Wanted {
    whiles: Vec<(InstructionId, Leaves)>,
    conditionals: Vec<(InstructionId, Leaves)>,
    in_place: Vec<(InstructionId, u32, Leaves)>,
    parameters: BTreeMap<u32, Leaves>,
    aliased: BTreeMap<ShapeIndex, (u32, ShapeIndex)>,
    returned: Leaves,
}

/// Adds a copy wherever values that are different would be the same bytes: changed loop state,
/// results of branches, operands that are overwritten, aliased parameters and outputs, and what the
/// entry returns without having made it. [`super::remove`] takes those away that are not needed.
///
/// # Errors
/// Those of the call graph and of the dataflow; the module is unchanged then.
pub fn add(module: &mut Module) -> Result<Report, Diagnostic> {
    let calls = Calls::of(module)?;
    let values = Values::of(module, &calls, ValueOptions::default())?;
    let wanted = Wanted::of(module, &calls, &values);
    let mut adder = Adder { edit: Editor::new(module), notes: Vec::new() };
    adder.in_place(&wanted);
    adder.whiles(&wanted);
    adder.conditionals(&wanted);
    adder.entry(&wanted);
    let Adder { edit, notes } = adder;
    edit.finish();
    Ok(Report::of(notes))
}

/// Copies outputs of the entry that lie on parameters, at its end.
pub(super) fn add_outputs(module: &mut Module, outputs: &BTreeSet<ShapeIndex>) -> Vec<Note> {
    let entry = module.entry;
    let mut adder = Adder { edit: Editor::new(module), notes: Vec::new() };
    adder.root(entry, outputs, |_| Added::AliasedOutput);
    let Adder { edit, notes } = adder;
    edit.finish();
    notes
}

impl Wanted {
    fn of(module: &Module, calls: &Calls, values: &Values) -> Self {
        let mut wanted = Self::default();
        for (id, computation) in module.computations.enumerate() {
            if calls.fused[id] {
                continue;
            }
            for &at in &computation.instructions {
                wanted.instruction(module, values, at);
            }
        }
        for alias in &module.aliases {
            let leaves = wanted.parameters.entry(alias.parameter).or_default();
            leaves.insert(alias.index.clone());
            let from = (alias.parameter, alias.index.clone());
            wanted.aliased.insert(alias.output.clone(), from);
        }
        wanted.returned = returned(module, values, &wanted.aliased);
        wanted
    }

    fn instruction(&mut self, module: &Module, values: &Values, id: InstructionId) {
        let instruction = &module.instructions[id];
        match instruction.opcode {
            Opcode::While => {
                let Some(&init) = instruction.operands.first() else { return };
                let changed = |index: &ShapeIndex| {
                    let same = values.unique(id, index);
                    same.is_none() || same != values.unique(init, index)
                };
                self.whiles.push((id, arrays(module, id, changed)));
            }
            Opcode::Conditional => {
                let met = |index: &ShapeIndex| match values.unique(id, index) {
                    Some(value) => values.values[value].definition.instruction == id,
                    None => true,
                };
                self.conditionals.push((id, arrays(module, id, met)));
            }
            _ => {
                let mut slots: BTreeMap<u32, Leaves> = BTreeMap::new();
                for pair in in_place_pairs(module, id) {
                    slots.entry(pair.operand).or_default().insert(pair.operand_index);
                }
                self.in_place.extend(slots.into_iter().map(|(slot, leaves)| (id, slot, leaves)));
            }
        }
    }
}

/// The array leaves of an instruction of which something holds.
fn arrays(module: &Module, id: InstructionId, holds: impl Fn(&ShapeIndex) -> bool) -> Leaves {
    let leaves = module.instructions[id].shape.leaves().into_iter();
    let arrays = leaves.filter(|(_, leaf)| leaf.array().is_some()).map(|(index, _)| index);
    arrays.filter(|index| holds(index)).collect()
}

/// Outputs of the entry that are a parameter or a constant, one of several values, or a value that
/// another output is already; but not those that lie on just that parameter.
fn returned(
    module: &Module,
    values: &Values,
    aliased: &BTreeMap<ShapeIndex, (u32, ShapeIndex)>,
) -> Leaves {
    let entry = module.entry();
    let mut seen: BTreeSet<ValueId> = BTreeSet::new();
    arrays(module, entry.root, |_| true)
        .into_iter()
        .filter(|index| {
            let Some(value) = values.unique(entry.root, index) else { return true };
            let again = !seen.insert(value);
            let definition = &values.values[value].definition;
            let born = &module.instructions[definition.instruction];
            let own = aliased.get(index).is_some_and(|(number, leaf)| {
                born.parameter == Some(*number) && definition.index == *leaf
            });
            let outer = born.opcode == Opcode::Constant
                || (born.opcode == Opcode::Parameter && born.computation == module.entry);
            again || (outer && !own)
        })
        .collect()
}

struct Adder<'m> {
    edit: Editor<'m>,
    notes: Vec<Note>,
}

impl Adder<'_> {
    fn note(&mut self, made: &[Made], why: impl Fn(&ShapeIndex) -> Added) {
        for Made { index, copy, source } in made {
            let instructions = &self.edit.module().instructions;
            self.notes.push(Note::CopyAdded {
                copy: instructions[*copy].name.clone(),
                source: instructions[*source].name.clone(),
                bytes: instructions[*copy].shape.bytes(8).unwrap_or(0),
                why: why(index),
            });
        }
    }

    /// Copies leaves of one operand right before its user.
    fn operand(&mut self, user: InstructionId, slot: u32, leaves: &Leaves, why: Added) {
        let operands = &self.edit.module().instructions[user].operands;
        let Some(&operand) = operands.get(slot as usize) else { return };
        let new = rebuild(&mut self.edit, At::Before(user), operand, leaves);
        self.edit.set_operand(user, slot as usize, new.value);
        self.note(&new.made, |_| why);
    }

    /// Copies leaves of a parameter for all its users.
    fn parameter(&mut self, parameter: InstructionId, leaves: &Leaves, why: Added) -> Vec<Made> {
        let users = self.edit.users(parameter);
        let new = rebuild(&mut self.edit, At::After(parameter), parameter, leaves);
        hand_over(&mut self.edit, parameter, &users, &new);
        self.note(&new.made, |_| why);
        new.made
    }

    /// Copies leaves of a root; the rebuilt value is the root.
    fn root(
        &mut self,
        computation: ComputationId,
        leaves: &Leaves,
        why: impl Fn(&ShapeIndex) -> Added,
    ) -> Vec<Made> {
        let of = &self.edit.module().computations[computation];
        let root = of.root;
        // Behind all that may still read what the copies overwrite.
        let last = of.instructions.last().copied().unwrap_or(root);
        let new = rebuild(&mut self.edit, At::After(last), root, leaves);
        self.edit.set_root(computation, new.value);
        self.edit.remove(root);
        self.note(&new.made, why);
        new.made
    }

    fn in_place(&mut self, wanted: &Wanted) {
        for (user, slot, leaves) in &wanted.in_place {
            self.operand(*user, *slot, leaves, Added::InPlace);
        }
    }

    fn whiles(&mut self, wanted: &Wanted) {
        for (id, leaves) in wanted.whiles.iter().filter(|(_, leaves)| !leaves.is_empty()) {
            self.operand(*id, 0, leaves, Added::LoopInit);
            let module = self.edit.module();
            let Some(&body) = module.instructions[*id].computations("body").first() else {
                continue;
            };
            let Some(&parameter) = module.computations[body].parameters.first() else { continue };
            let first = self.parameter(parameter, leaves, Added::LoopParameter);
            let then = self.root(body, leaves, |_| Added::LoopRoot);
            let then: BTreeMap<_, _> = then.iter().map(|made| (&made.index, made.copy)).collect();
            for Made { index, copy, .. } in &first {
                if let Some(&root) = then.get(index) {
                    self.edit.order(*copy, root);
                }
            }
        }
    }

    fn conditionals(&mut self, wanted: &Wanted) {
        for (id, leaves) in wanted.conditionals.iter().filter(|(_, leaves)| !leaves.is_empty()) {
            let branches = self.edit.module().instructions[*id].branches();
            for branch in branches {
                self.root(branch, leaves, |_| Added::BranchRoot);
            }
        }
    }

    fn entry(&mut self, wanted: &Wanted) {
        let entry = self.edit.module().entry;
        let mut first: BTreeMap<(u32, ShapeIndex), InstructionId> = BTreeMap::new();
        for (&number, leaves) in &wanted.parameters {
            let parameters = &self.edit.module().computations[entry].parameters;
            let Some(&parameter) = parameters.get(number as usize) else { continue };
            let made = self.parameter(parameter, leaves, Added::AliasedParameter);
            first.extend(made.into_iter().map(|made| ((number, made.index), made.copy)));
        }
        let mut leaves = wanted.returned.clone();
        leaves.extend(wanted.aliased.keys().cloned());
        if leaves.is_empty() {
            return;
        }
        let made = self.root(entry, &leaves, |index| match wanted.aliased.contains_key(index) {
            true => Added::AliasedOutput,
            false => Added::Returned,
        });
        for made in made {
            let from = wanted.aliased.get(&made.index).and_then(|from| first.get(from));
            if let Some(&from) = from {
                self.edit.order(from, made.copy);
            }
        }
    }
}
