//! Generated modules are what the analyses take for granted: nothing is wrong with them, and values
//! that must be the same bytes are never alive at the same time, in any order that a module allows.

use std::collections::BTreeSet;

use memplan::analyze::hlo::{Analysis, GroupId, Groups, Options, Ranges, ValueId};
use memplan::diag::Sources;
use memplan::ir::hlo::arbitrary::random_module;
use memplan::ir::hlo::{InstructionId, Module, Opcode, Platform, Sequences, parse};
use memplan::model::{IdVec, Index};

const OPTIONS: Options = Options { platform: Platform::Cpu, async_start_extension: false };

fn read(text: &str) -> Module {
    let mut sources = Sources::default();
    let file = sources.add("generated.hlo", text);
    parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Numbers that follow from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// An order of every computation that keeps operands and control predecessors first.
fn some_order(module: &Module, numbers: &mut Numbers) -> Sequences {
    let mut order = module.sequences();
    for sequence in order.0.iter_mut() {
        let needs = |id: InstructionId| {
            let op = &module.instructions[id];
            op.operands.iter().chain(op.control_predecessors()).copied().collect::<Vec<_>>()
        };
        let mut waiting = std::mem::take(sequence);
        while !waiting.is_empty() {
            let is_ready = |id: &InstructionId| needs(*id).iter().all(|n| !waiting.contains(n));
            let ready = waiting.iter().copied().filter(is_ready).collect::<Vec<_>>();
            // The state before a loop lives until the parameter of the body.
            let parameter = ready.iter().find(|r| module.instructions[**r].parameter.is_some());
            let next = parameter.copied().unwrap_or_else(|| ready[numbers.below(ready.len())]);
            waiting.retain(|id| *id != next);
            sequence.push(next);
        }
    }
    order
}

/// The first two values of a group that are alive at the same time.
fn interference(analysis: &Analysis<'_>) -> Option<String> {
    let Analysis { module, calls, order, values, groups, .. } = analysis;
    // Ranges as they are before those of a group are cut where they meet.
    let alone = Groups {
        groups: values.values.ids().map(|id| vec![id]).collect(),
        of: values.values.ids().map(|id| GroupId::new(id.at())).collect(),
        size: IdVec::filled(0, values.values.len()),
        live_out: IdVec::filled(false, values.values.len()),
    };
    let raw = Ranges::of(module, calls, order, values, &alone, &OPTIONS);
    let conditions = module.instructions.iter().flat_map(|op| op.computations("condition"));
    let conditions = conditions.copied().collect::<BTreeSet<_>>();
    groups.groups.iter().find_map(|group| {
        // The state before a loop lives until the body starts, beside its form in the condition.
        let in_condition = |v: &ValueId| {
            let op = &module.instructions[values.values[*v].definition.instruction];
            op.opcode == Opcode::Parameter && conditions.contains(&op.computation)
        };
        let members = group.iter().filter(|v| !in_condition(v));
        let mut alive = members.filter_map(|v| Some((raw.live[*v]?, *v))).collect::<Vec<_>>();
        alive.sort();
        let pair = alive.windows(2).find(|pair| pair[0].0.end > pair[1].0.start)?;
        let name = |at: usize| format!("{} {:?}", values.name(module, pair[at].1), pair[at].0);
        Some(format!("{} and {}", name(0), name(1)))
    })
}

fn cases() -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

#[test]
fn nothing_is_wrong_with_generated_modules() {
    for seed in 0..cases() {
        let text = random_module(seed, 1 + (seed % 50) as usize);
        let module = read(&text);
        if let Err(error) = Analysis::text(&module, OPTIONS) {
            panic!("seed {seed}: {error:?}\n{text}");
        }
    }
}

#[test]
fn values_of_a_group_are_never_alive_together() {
    for seed in 0..cases() {
        let text = random_module(seed, 1 + (seed % 50) as usize);
        let module = read(&text);
        let mut numbers = Numbers(seed);
        for attempt in 0..4 {
            let order = match attempt {
                0 => module.sequences(),
                _ if module.is_scheduled => continue,
                _ => some_order(&module, &mut numbers),
            };
            let Ok(analysis) = Analysis::of(&module, order, OPTIONS) else { continue };
            if let Some(pair) = interference(&analysis) {
                panic!("seed {seed}, order {attempt}: {pair}\n{text}");
            }
        }
    }
}
