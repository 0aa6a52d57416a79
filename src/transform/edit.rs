//! Safe edits of a module: instructions are added, replaced and removed; names stay unique, text
//! order stays an order of execution, and what is removed is gone.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::hlo::{
    Attribute, AttributeValue, ComputationId, Instruction, InstructionId, Module, Opcode, Shape,
};
use crate::model::IdVec;

/// Where an instruction is added in its computation's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Right before that one.
    Before(InstructionId),
    /// After that one, behind those that were added there before.
    After(InstructionId),
}

/// A module that is being edited. Ids stay valid until [`Editor::finish`].
pub struct Editor<'m> {
    module: &'m mut Module,
    users: IdVec<InstructionId, BTreeSet<InstructionId>>,
    names: BTreeSet<String>,
    counters: BTreeMap<String, u32>,
    before: BTreeMap<InstructionId, Vec<InstructionId>>,
    after: BTreeMap<InstructionId, Vec<InstructionId>>,
    removed: BTreeSet<InstructionId>,
}

impl<'m> Editor<'m> {
    /// Starts to edit.
    pub fn new(module: &'m mut Module) -> Self {
        let mut users = IdVec::filled(BTreeSet::new(), module.instructions.len());
        for &user in module.computations.iter().flat_map(|c| &c.instructions) {
            for &operand in &module.instructions[user].operands {
                let of: &mut BTreeSet<_> = &mut users[operand];
                of.insert(user);
            }
        }
        let names = module.instructions.iter().map(|i| i.name.clone()).collect();
        let (before, after) = (BTreeMap::new(), BTreeMap::new());
        let (counters, removed) = (BTreeMap::new(), BTreeSet::new());
        Self { module, users, names, counters, before, after, removed }
    }

    /// The module as it is now; added instructions are not in the text of their computation yet.
    pub fn module(&self) -> &Module {
        self.module
    }

    /// The distinct users of an instruction.
    pub fn users(&self, of: InstructionId) -> Vec<InstructionId> {
        self.users[of].iter().copied().collect()
    }

    /// Adds an instruction with a name made from `base`, in the place and computation of `at`.
    pub fn add(
        &mut self,
        at: At,
        base: &str,
        opcode: Opcode,
        shape: Shape,
        operands: Vec<InstructionId>,
        attributes: Vec<Attribute>,
    ) -> InstructionId {
        let (At::Before(anchor) | At::After(anchor)) = at;
        let like = &self.module.instructions[anchor];
        let (loc, computation) = (like.loc, like.computation);
        let name = self.fresh(base);
        let (literal, parameter) = (None, None);
        let id = self.module.instructions.push(Instruction {
            name,
            loc,
            computation,
            shape,
            opcode,
            operands: operands.clone(),
            literal,
            parameter,
            attributes,
        });
        self.users.push(BTreeSet::new());
        for operand in operands {
            self.users[operand].insert(id);
        }
        match at {
            At::Before(anchor) => self.before.entry(anchor).or_default().push(id),
            At::After(anchor) => self.after.entry(anchor).or_default().push(id),
        }
        id
    }

    /// Makes `new` the operand in one slot of a user.
    pub fn set_operand(&mut self, user: InstructionId, slot: usize, new: InstructionId) {
        let Some(place) = self.module.instructions[user].operands.get_mut(slot) else { return };
        let old = std::mem::replace(place, new);
        if !self.module.instructions[user].operands.contains(&old) {
            self.users[old].remove(&user);
        }
        self.users[new].insert(user);
    }

    /// Gives all users of `old`, and its place as a root, to `new`; `new` itself keeps `old`.
    pub fn replace(&mut self, old: InstructionId, new: InstructionId) {
        for user in self.users(old).into_iter().filter(|&user| user != new) {
            self.replace_in(user, old, new);
        }
        let computation = self.module.instructions[old].computation;
        if self.module.root(computation) == old {
            self.set_root(computation, new);
        }
    }

    /// Makes an instruction of a computation its root.
    pub fn set_root(&mut self, computation: ComputationId, root: InstructionId) {
        self.module.computations[computation].root = root;
    }

    /// Makes `new` the operand of one user wherever `old` is.
    pub fn replace_in(&mut self, user: InstructionId, old: InstructionId, new: InstructionId) {
        let slots = (0..).zip(&self.module.instructions[user].operands);
        let slots: Vec<usize> = slots.filter(|&(_, &o)| o == old).map(|(slot, _)| slot).collect();
        for slot in slots {
            self.set_operand(user, slot, new);
        }
    }

    /// Removes an instruction that nobody uses. False, and nothing done, when somebody does, or when
    /// it is a parameter or a root.
    pub fn remove(&mut self, id: InstructionId) -> bool {
        let instruction = &self.module.instructions[id];
        let needed = instruction.opcode == Opcode::Parameter || self.module.is_root(id);
        if needed || !self.users[id].is_empty() || self.removed.contains(&id) {
            return false;
        }
        for operand in instruction.operands.clone() {
            self.users[operand].remove(&id);
        }
        self.removed.insert(id);
        true
    }

    /// Makes `first` run before `then`; both are in one computation.
    pub fn order(&mut self, first: InstructionId, then: InstructionId) {
        let loc = self.module.instructions[then].loc;
        let attributes = &mut self.module.instructions[then].attributes;
        let known = attributes.iter_mut().find(|a| a.name == "control-predecessors");
        match known.map(|a| &mut a.value) {
            Some(AttributeValue::Instructions(ids)) if ids.contains(&first) => (),
            Some(AttributeValue::Instructions(ids)) => ids.push(first),
            Some(_) => (),
            None => attributes.push(Attribute {
                name: "control-predecessors".to_owned(),
                value: AttributeValue::Instructions(vec![first]),
                loc,
            }),
        }
    }

    /// A name that no instruction of the module has.
    fn fresh(&mut self, base: &str) -> String {
        let stem = match base.rsplit_once('.') {
            Some((stem, tail)) if tail.bytes().all(|b| b.is_ascii_digit()) => stem,
            _ => base,
        };
        let counter = self.counters.entry(stem.to_owned()).or_default();
        loop {
            let name = if *counter == 0 { stem.to_owned() } else { format!("{stem}.{counter}") };
            *counter += 1;
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Puts added instructions into the text, takes removed ones out, and numbers all anew in text
    /// order.
    pub fn finish(mut self) {
        self.bridge();
        for id in self.module.computations.ids() {
            let old = std::mem::take(&mut self.module.computations[id].instructions);
            self.module.computations[id].instructions = self.text(&old);
        }
        renumber(self.module);
    }

    /// One computation's text. Additions may hang on additions.
    fn text(&self, old: &[InstructionId]) -> Vec<InstructionId> {
        enum Step {
            Around(InstructionId),
            Itself(InstructionId),
        }
        let none = Vec::new();
        let mut out = Vec::with_capacity(old.len());
        let mut todo: Vec<Step> = old.iter().rev().map(|&id| Step::Around(id)).collect();
        while let Some(step) = todo.pop() {
            match step {
                Step::Itself(id) if self.removed.contains(&id) => (),
                Step::Itself(id) => out.push(id),
                Step::Around(id) => {
                    let after = self.after.get(&id).unwrap_or(&none);
                    todo.extend(after.iter().rev().map(|&id| Step::Around(id)));
                    todo.push(Step::Itself(id));
                    let before = self.before.get(&id).unwrap_or(&none);
                    todo.extend(before.iter().rev().map(|&id| Step::Around(id)));
                }
            }
        }
        out
    }

    /// What ran after a removed instruction runs after what that one ran after.
    fn bridge(&mut self) {
        if self.removed.is_empty() {
            return;
        }
        let removed = &self.removed;
        let origins: BTreeMap<InstructionId, Vec<InstructionId>> = removed
            .iter()
            .map(|&id| {
                let gone = &self.module.instructions[id];
                let before = gone.operands.iter().chain(gone.control_predecessors());
                (id, before.copied().collect())
            })
            .collect();
        for user in self.module.instructions.ids() {
            let held = self.module.instructions[user].control_predecessors();
            if !held.iter().any(|id| removed.contains(id)) {
                continue;
            }
            let (mut kept, mut seen) = (Vec::new(), BTreeSet::new());
            let mut todo: Vec<InstructionId> = held.iter().rev().copied().collect();
            while let Some(id) = todo.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match origins.get(&id) {
                    Some(before) => todo.extend(before.iter().rev()),
                    None => kept.push(id),
                }
            }
            // Operands run before their users anyway, parameters before all.
            let instructions = &self.module.instructions;
            kept.retain(|id: &InstructionId| {
                !instructions[user].operands.contains(id)
                    && instructions[*id].opcode != Opcode::Parameter
            });
            for attribute in &mut self.module.instructions[user].attributes {
                if attribute.name == "control-predecessors" {
                    attribute.value = AttributeValue::Instructions(kept.clone());
                }
            }
        }
        for instruction in self.module.instructions.iter_mut() {
            instruction.attributes.retain(
                |a| !matches!(&a.value, AttributeValue::Instructions(ids) if ids.is_empty()),
            );
        }
    }
}

/// Numbers instructions in text order; those in no computation's text are dropped.
fn renumber(module: &mut Module) {
    let mut new: IdVec<InstructionId, Option<InstructionId>> =
        IdVec::filled(None, module.instructions.len());
    let mut slots: Vec<Option<Instruction>> =
        std::mem::take(&mut module.instructions).iter().cloned().map(Some).collect();
    for &old in module.computations.iter().flat_map(|c| &c.instructions) {
        let moved = slots.get_mut(old.0 as usize).and_then(Option::take);
        new[old] = moved.map(|instruction| module.instructions.push(instruction));
    }
    let renamed = |ids: &mut Vec<InstructionId>| {
        ids.retain_mut(|id| match new[*id] {
            Some(now) => {
                *id = now;
                true
            }
            None => false,
        });
    };
    for computation in module.computations.iter_mut() {
        renamed(&mut computation.instructions);
        renamed(&mut computation.parameters);
        computation.root = new[computation.root].unwrap_or(computation.root);
    }
    for instruction in module.instructions.iter_mut() {
        renamed(&mut instruction.operands);
        for attribute in &mut instruction.attributes {
            if let AttributeValue::Instructions(ids) = &mut attribute.value {
                renamed(ids);
            }
        }
    }
}
