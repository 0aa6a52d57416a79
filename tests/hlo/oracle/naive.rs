//! What 4.1 to 4.4 say, as sets that are passed around until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use memplan::analyze::hlo::ValueOptions;
use memplan::ir::hlo::{ComputationId, InstructionId, Module, Opcode, ShapeIndex};

/// Where a value is born.
pub(crate) type Birth = (InstructionId, ShapeIndex);
type Set = BTreeSet<Birth>;

/// The values at every node of every instruction that takes part.
pub(crate) fn sets(module: &Module, options: ValueOptions) -> BTreeMap<Birth, Set> {
    let mut fused = BTreeSet::new();
    for instruction in module.instructions.iter() {
        if instruction.opcode == Opcode::Fusion {
            fused.extend(instruction.called());
        }
    }
    let takes_part = |computation| options.include_fused || !fused.contains(&computation);
    let mut nodes = Vec::new();
    for (id, instruction) in module.instructions.enumerate() {
        if takes_part(instruction.computation) {
            nodes.extend(instruction.shape.nodes().into_iter().map(|(index, _)| (id, index)));
        }
    }
    let mut callers: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (id, caller) in module.instructions.enumerate() {
        for (at, callee) in caller.called().enumerate() {
            callers.entry(callee).or_default().push((id, at));
        }
    }
    let (at, meets) = (BTreeMap::new(), BTreeMap::new());
    let mut flow = Flow { module, options, callers, at, meets };
    loop {
        let mut changed = false;
        for node in &nodes {
            let set = flow.set(node.0, &node.1.0);
            changed |= flow.at.insert(node.clone(), set.clone()) != Some(set);
        }
        if !changed {
            break;
        }
    }
    let same = simplify(&flow.meets);
    let resolve = |set: Set| set.into_iter().map(|birth| follow(&same, birth)).collect();
    flow.at.into_iter().map(|(node, set)| (node, resolve(set))).collect()
}

struct Flow<'m> {
    module: &'m Module,
    options: ValueOptions,
    /// Who calls a computation, as the how-manieth of its callees.
    callers: BTreeMap<ComputationId, Vec<(InstructionId, usize)>>,
    at: BTreeMap<Birth, Set>,
    meets: BTreeMap<Birth, Set>,
}

impl Flow<'_> {
    fn at(&self, id: InstructionId, path: &[u32]) -> Set {
        self.at.get(&(id, ShapeIndex(path.to_vec()))).cloned().unwrap_or_default()
    }

    fn set(&mut self, id: InstructionId, path: &[u32]) -> Set {
        let own = Set::from([(id, ShapeIndex(path.to_vec()))]);
        let i = &self.module.instructions[id];
        let root = |computation: ComputationId| self.module.computations[computation].root;
        let operand = |slot: usize| i.operands[slot];
        let table = i.shape.at(&ShapeIndex(path.to_vec())).expect("a node").is_tuple();
        let join = |front: &[u32], back: &[u32]| [front, back].concat();
        match i.opcode.name() {
            "tuple" if !path.is_empty() => self.at(operand(path[0] as usize), &path[1..]),
            "get-tuple-element" => {
                let element: u32 = i.raw("index").expect("an index").parse().expect("a number");
                self.at(operand(0), &join(&[element], path))
            }
            "bitcast" if !self.options.bitcast_defines => self.at(operand(0), path),
            "opt-barrier" | "domain" | "add-dependency" | "all-reduce-done" => {
                self.at(operand(0), path)
            }
            "copy" if !path.is_empty() => self.at(operand(0), path),
            "copy-start" if path == [1] => self.at(operand(0), &[]),
            "copy-done" => self.at(operand(0), &join(&[0], path)),
            "call" => self.at(root(i.called().next().expect("a callee")), path),
            "async-start" if !table && path[0] == 0 => {
                self.at(operand(path[1] as usize), &path[2..])
            }
            "async-start" if !table && path[0] == 1 => {
                self.at(root(i.called().next().expect("a callee")), &path[1..])
            }
            "async-update" if !table => self.at(operand(0), path),
            "async-done" if !table => self.at(operand(0), &join(&[1], path)),
            "while" => {
                let body = root(i.computations("body")[0]);
                let sets = [self.at(body, path), self.at(operand(0), path)];
                self.meet(own, sets.into_iter().flatten().collect())
            }
            "conditional" => {
                let roots: Vec<_> = i.called().map(root).collect();
                let all = roots.into_iter().flat_map(|root| self.at(root, path)).collect();
                self.meet(own, all)
            }
            "parameter" => self.parameter(id, path, own),
            _ => own,
        }
    }

    fn parameter(&mut self, id: InstructionId, path: &[u32], own: Set) -> Set {
        let number = self.module.instructions[id].parameter.expect("a number") as usize;
        let computation = self.module.instructions[id].computation;
        let mut all = Set::new();
        let mut called = false;
        let mut in_loop = false;
        for &(caller, at) in self.callers.get(&computation).into_iter().flatten() {
            let caller = &self.module.instructions[caller];
            match caller.opcode.name() {
                "call" | "async-start" => all.extend(self.at(caller.operands[number], path)),
                "conditional" => all.extend(self.at(caller.operands[at + 1], path)),
                "while" => {
                    in_loop = true;
                    let body = self.module.root(caller.computations("body")[0]);
                    all.extend(self.at(caller.operands[0], path));
                    all.extend(self.at(body, path));
                }
                _ => continue,
            }
            called = true;
        }
        match (called, in_loop) {
            (false, _) => own,
            (true, true) => self.meet(own, all),
            (true, false) => all,
        }
    }

    fn meet(&mut self, own: Set, all: Set) -> Set {
        if !self.options.phis {
            return all;
        }
        for birth in &own {
            self.meets.insert(birth.clone(), all.clone());
        }
        own
    }
}

fn follow(same: &BTreeMap<Birth, Birth>, birth: Birth) -> Birth {
    let mut at = birth;
    while let Some(next) = same.get(&at) {
        at = next.clone();
    }
    at
}

/// Both rules of 4.4, one phi at a time.
fn simplify(meets: &BTreeMap<Birth, Set>) -> BTreeMap<Birth, Birth> {
    let mut same = BTreeMap::new();
    loop {
        let before = same.len();
        for (phi, inputs) in meets {
            if same.contains_key(phi) {
                continue;
            }
            let resolve = |set: &Set| -> Set {
                set.iter().map(|birth| follow(&same, birth.clone())).collect()
            };
            let mut others = resolve(inputs);
            others.remove(phi);
            let mut closed = Set::from([phi.clone()]);
            let mut outside = Set::new();
            let mut todo = vec![phi.clone()];
            while let Some(at) = todo.pop() {
                for input in resolve(&meets[&at]) {
                    if !meets.contains_key(&input) {
                        outside.insert(input);
                    } else if closed.insert(input.clone()) {
                        todo.push(input);
                    }
                }
            }
            if others.len() == 1 {
                same.extend(others.into_iter().map(|other| (phi.clone(), other)));
            } else if let (1, Some(value)) = (outside.len(), outside.first()) {
                same.extend(closed.into_iter().map(|phi| (phi, value.clone())));
            }
        }
        if same.len() == before {
            return same;
        }
    }
}
