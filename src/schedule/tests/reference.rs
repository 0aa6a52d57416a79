//! The list scheduler against 10.1 read word by word, without any shortcut.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{Dice, cases, module, ordered};
use crate::analyze::hlo::{ValueId, ValueOptions, Values};
use crate::ir::hlo::arbitrary::random_module;
use crate::ir::hlo::{Calls, ComputationId, InstructionId, Module, Opcode};
use crate::schedule::Order;

struct Naive<'a> {
    module: &'a Module,
    values: &'a Values,
    sequence: &'a [InstructionId],
    count: BTreeMap<ValueId, i64>,
}

impl Naive<'_> {
    fn uses(&self, id: InstructionId) -> BTreeSet<ValueId> {
        let operands = self.module.instructions[id].operands.iter();
        operands.flat_map(|&operand| self.values.at[operand].iter().flatten().copied()).collect()
    }

    fn is_given(&self, id: InstructionId) -> bool {
        matches!(self.module.instructions[id].opcode, Opcode::Parameter | Opcode::Constant)
    }

    fn users(&self, id: InstructionId) -> Vec<InstructionId> {
        let uses = |user: &&InstructionId| self.module.instructions[**user].operands.contains(&id);
        self.sequence.iter().filter(uses).copied().collect()
    }

    fn priority(&self, id: InstructionId) -> (i128, u64) {
        let instruction = &self.module.instructions[id];
        if instruction.shape.array().and_then(|array| array.elements()) == Some(1) {
            return (i128::MAX, u64::MAX);
        }
        let value = |v: &ValueId| &self.values.values[*v];
        let freed = self
            .uses(id)
            .into_iter()
            .filter(|v| self.count[v] == 1 && !self.is_given(value(v).definition.instruction));
        let freed: i128 = freed.map(|v| i128::from(value(&v).size)).sum();
        let own = self.values.values.iter().filter(|v| v.definition.instruction == id);
        let defined: i128 = own.map(|v| i128::from(v.size)).sum();
        let defined = if self.is_given(id) { 0 } else { defined };
        (freed - defined, self.users(id).len() as u64)
    }

    fn waits(&self, id: InstructionId) -> usize {
        let instruction = &self.module.instructions[id];
        let distinct: BTreeSet<_> = instruction.operands.iter().collect();
        let control: BTreeSet<_> = instruction.control_predecessors().iter().collect();
        distinct.len() + control.len()
    }

    fn run(&mut self, root: InstructionId) -> Vec<InstructionId> {
        for &id in self.sequence {
            for value in self.uses(id) {
                *self.count.entry(value).or_default() += 1;
            }
        }
        let at_root: BTreeSet<ValueId> = self.values.at[root].iter().flatten().copied().collect();
        for value in at_root {
            *self.count.entry(value).or_default() += 1;
        }
        let mut waits: BTreeMap<_, _> =
            self.sequence.iter().map(|&id| (id, self.waits(id))).collect();
        // Ready instructions with their priorities, in the order of their insertion.
        let mut ready: Vec<((i128, u64), InstructionId)> = Vec::new();
        for &id in self.sequence.iter().filter(|id| waits[id] == 0) {
            ready.push((self.priority(id), id));
        }
        let mut order = Vec::new();
        while !ready.is_empty() {
            let best = (0..ready.len()).max_by_key(|&at| (ready[at].0, at)).expect("one");
            let (_, taken) = ready.remove(best);
            order.push(taken);
            let mut refresh = false;
            for value in self.uses(taken) {
                let count = self.count.get_mut(&value).expect("counted");
                *count -= 1;
                refresh |= *count == 1;
            }
            let control =
                self.sequence.iter().copied().filter(|&id| {
                    self.module.instructions[id].control_predecessors().contains(&taken)
                });
            for next in self.users(taken).into_iter().chain(control.collect::<Vec<_>>()) {
                let left = waits.get_mut(&next).expect("waits");
                *left -= 1;
                if *left == 0 {
                    ready.push((self.priority(next), next));
                }
            }
            if refresh {
                for &operand in &self.module.instructions[taken].operands {
                    for user in self.users(operand) {
                        let Some(at) = ready.iter().position(|(_, id)| *id == user) else {
                            continue;
                        };
                        let now = self.priority(user);
                        if now != ready[at].0 {
                            ready.remove(at);
                            ready.push((now, user));
                        }
                    }
                }
            }
        }
        order
    }
}

fn naive(module: &Module, values: &Values, id: ComputationId) -> Vec<InstructionId> {
    let computation = &module.computations[id];
    let sequence = &computation.instructions;
    let mut naive = Naive { module, values, sequence, count: BTreeMap::new() };
    naive.run(computation.root)
}

fn agrees(text: &str) {
    let module = module(text);
    let calls = Calls::of(&module).expect("calls");
    let values = Values::of(&module, &calls, ValueOptions::default()).expect("values");
    let got = ordered(&module, Order::List);
    for id in module.computations.ids().filter(|&id| !calls.fused[id]) {
        let name = &module.computations[id].name;
        assert_eq!(got.0[id], naive(&module, &values, id), "`{name}` of\n{text}");
    }
}

#[test]
fn the_list_scheduler_is_the_specification_on_generated_modules() {
    for seed in 0..cases(60) {
        agrees(&random_module(seed, 12));
    }
}

/// A loop whose body reads its state through tuples, several times and again, with constants that several
/// read and slices that nobody does.
fn body(width: usize, dice: &mut Dice) -> String {
    let types = vec!["f32[16]"; width].join(", ");
    let mut text = format!("HloModule m\nbody {{\n s = ({types}) parameter(0)\n");
    let mut names: Vec<String> = Vec::new();
    for at in 0..width {
        let _ = writeln!(text, " g{at} = f32[16] get-tuple-element(s), index={at}");
        names.push(format!("g{at}"));
    }
    let _ = writeln!(text, " k = f32[16] constant({{...}})");
    names.push("k".to_owned());
    for at in 0..width * 3 {
        let mut pick = || names[dice.below(names.len())].clone();
        let (a, b) = (pick(), pick());
        let made = match dice.below(6) {
            0 => {
                let _ = writeln!(text, " t{at} = (f32[16], f32[16]) tuple({a}, {b})");
                let index = dice.below(2);
                let _ = writeln!(text, " x{at} = f32[16] get-tuple-element(t{at}), index={index}");
                format!("x{at}")
            }
            1 => {
                let _ = writeln!(text, " dead{at} = f32[4] slice({a}), slice={{[0:4]}}");
                continue;
            }
            2 => {
                let _ = writeln!(text, " x{at} = f32[16] negate({a})");
                format!("x{at}")
            }
            _ => {
                let _ = writeln!(text, " x{at} = f32[16] add({a}, {b})");
                format!("x{at}")
            }
        };
        names.push(made);
    }
    let out: Vec<String> = (0..width).map(|_| names[dice.below(names.len())].clone()).collect();
    let _ = writeln!(text, " ROOT r = ({types}) tuple({})\n}}", out.join(", "));
    let _ = writeln!(
        text,
        "cond {{\n s = ({types}) parameter(0)\n ROOT c = pred[] constant(false)\n}}"
    );
    let _ = writeln!(text, "ENTRY e {{\n p = ({types}) parameter(0)");
    let _ = writeln!(text, " ROOT w = ({types}) while(p), condition=cond, body=body\n}}");
    text
}

#[test]
fn the_list_scheduler_is_the_specification_on_loops_full_of_tuples() {
    for seed in 0..cases(40) {
        for width in [2, 3, 5, 8, 16] {
            agrees(&body(width, &mut Dice(seed)));
        }
    }
}
