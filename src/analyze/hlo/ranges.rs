//! Live ranges over the flattened schedule (spec/xla-memory.md 7).

use std::collections::BTreeSet;

use super::flatten::{Flat, flatten};
use super::{Groups, Options, Value, ValueId, Values};
use crate::ir::hlo::{Calls, ComputationId, InstructionId, Module, Opcode, Sequences, ShapeIndex};
use crate::model::IdVec;

/// When a value is alive: logical times, both included. `end` may be the schedule's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    /// When it is born.
    pub start: u32,
    /// When it is needed last.
    pub end: u32,
}

/// The flattened schedule and the range of every value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// Instructions by time.
    pub flat: Vec<InstructionId>,
    /// The time of every instruction that is scheduled.
    pub time: IdVec<InstructionId, Option<u32>>,
    /// First time and end of every computation that was flattened (7.1).
    pub span: IdVec<ComputationId, Option<Range>>,
    /// The range of every value that has one, normalised (7.3).
    pub live: IdVec<ValueId, Option<Range>>,
    /// The number of scheduled instructions.
    pub end: u32,
}

impl Ranges {
    /// The ranges of a module's values in an order of its instructions.
    pub fn of(
        module: &Module,
        calls: &Calls,
        order: &Sequences,
        values: &Values,
        groups: &Groups,
        options: &Options,
    ) -> Self {
        Self::by(flatten(module, order), module, calls, values, groups, options)
    }

    /// The ranges within one computation in an order of its instructions, as if it called nothing:
    /// what it calls takes no time and has no values.
    pub fn within(
        module: &Module,
        calls: &Calls,
        order: &[InstructionId],
        values: &Values,
        groups: &Groups,
        options: &Options,
    ) -> Self {
        let flat = order.to_vec();
        let mut time = IdVec::filled(None, module.instructions.len());
        let mut span = IdVec::filled(None, module.computations.len());
        let end = u32::try_from(flat.len()).unwrap_or(u32::MAX);
        for (at, &id) in (0..).zip(&flat) {
            time[id] = Some(at);
            span[module.instructions[id].computation] = Some(Range { start: 0, end });
        }
        Self::by(Flat { flat, time, span }, module, calls, values, groups, options)
    }

    fn by(
        flat: Flat,
        module: &Module,
        calls: &Calls,
        values: &Values,
        groups: &Groups,
        options: &Options,
    ) -> Self {
        let Flat { flat, time, span } = flat;
        let end = u32::try_from(flat.len()).unwrap_or(u32::MAX);
        let aliased = module.aliases.iter().map(|alias| (alias.parameter, &alias.index)).collect();
        let asynchronous = asynchronous(module, calls, &time, &span);
        let rules = Rules { module, time: &time, span: &span, end, aliased, asynchronous };
        let range = |value: &Value| rules.range(value, options.async_start_extension);
        let mut live: IdVec<ValueId, _> = values.values.iter().map(range).collect();
        for group in groups.groups.iter() {
            normalise(group, &mut live);
        }
        Self { flat, time, span, live, end }
    }
}

/// The asynchronous execution that a computation is part of.
#[derive(Clone, Copy)]
struct Asynchronous {
    /// When the computation that the chain calls starts.
    start: u32,
    /// When the chain is done.
    done: u32,
}

struct Rules<'m> {
    module: &'m Module,
    time: &'m IdVec<InstructionId, Option<u32>>,
    span: &'m IdVec<ComputationId, Option<Range>>,
    end: u32,
    aliased: BTreeSet<(u32, &'m ShapeIndex)>,
    asynchronous: IdVec<ComputationId, Option<Asynchronous>>,
}

impl Rules<'_> {
    /// Start and end of a value (7.2); `None` where its instruction is not scheduled.
    fn range(&self, value: &Value, async_start_extension: bool) -> Option<Range> {
        let id = value.definition.instruction;
        let definer = &self.module.instructions[id];
        let (time, span) = (self.time[id]?, self.span[definer.computation]?);
        let mut start = if definer.opcode == Opcode::Parameter { span.start } else { time };
        let positions = value.positions.iter().filter_map(|p| self.leaves(p.instruction));
        let uses = value.uses.iter().filter_map(|u| self.used(u.user));
        let mut end = positions.chain(uses).fold(time, u32::max);
        if let Some(within) = self.asynchronous[definer.computation] {
            end = end.max(within.done);
            if async_start_extension {
                start = start.min(within.start);
            }
        }
        if self.stays(value) {
            end = self.end;
        }
        Some(Range { start, end })
    }

    /// Until when a value is needed for standing at an instruction: a root hands it to the caller.
    fn leaves(&self, id: InstructionId) -> Option<u32> {
        match self.module.is_root(id) {
            true => self.time[id].and(self.span[self.module.instructions[id].computation]),
            false => self.time[id].map(|time| Range { start: time, end: time }),
        }
        .map(|range| range.end)
    }

    /// Until when a user needs it. The callee of a call has its own positions of the value; what
    /// enters a loop is replaced where the body starts.
    fn used(&self, user: InstructionId) -> Option<u32> {
        let instruction = &self.module.instructions[user];
        match instruction.opcode {
            Opcode::Call if instruction.called().any(|callee| self.span[callee].is_some()) => None,
            Opcode::While => {
                let body = instruction.computations("body").first();
                let state =
                    body.and_then(|&body| self.module.computations[body].parameters.first());
                state.and_then(|&state| self.time[state]).or(self.time[user])
            }
            _ => self.time[user],
        }
    }

    /// The caller keeps the parameters of the entry that it does not donate to an output.
    fn stays(&self, value: &Value) -> bool {
        let definer = &self.module.instructions[value.definition.instruction];
        let index = &value.definition.index;
        let leaf = definer.shape.at(index).is_some_and(|shape| !shape.is_tuple());
        let number = definer.parameter.filter(|_| definer.computation == self.module.entry);
        number.is_some_and(|number| leaf && !self.aliased.contains(&(number, index)))
    }
}

/// The asynchronous execution of every computation that a chain calls, directly or through calls
/// inside.
fn asynchronous(
    module: &Module,
    calls: &Calls,
    time: &IdVec<InstructionId, Option<u32>>,
    span: &IdVec<ComputationId, Option<Range>>,
) -> IdVec<ComputationId, Option<Asynchronous>> {
    let mut out: IdVec<ComputationId, Option<Asynchronous>> =
        IdVec::filled(None, module.computations.len());
    let merge = |into: &mut Option<Asynchronous>, other: Asynchronous| {
        *into = Some(match *into {
            Some(a) => {
                Asynchronous { start: a.start.min(other.start), done: a.done.max(other.done) }
            }
            None => other,
        });
    };
    for (id, instruction) in module.instructions.enumerate() {
        if instruction.opcode == Opcode::AsyncDone
            && let (Some(done), Some(callee)) = (time[id], module.async_callee(id))
            && let Some(Range { start, .. }) = span[callee]
        {
            merge(&mut out[callee], Asynchronous { start, done });
        }
    }
    for &computation in calls.post_order.iter().rev() {
        for &caller in &calls.callers[computation] {
            let caller = &module.instructions[caller];
            let executes = matches!(
                caller.opcode,
                Opcode::Call | Opcode::While | Opcode::Conditional | Opcode::AsyncStart
            );
            if let (true, Some(outer)) = (executes, out[caller.computation]) {
                merge(&mut out[computation], outer);
            }
        }
    }
    out
}

/// Makes the ranges of a group's values touch instead of overlap (7.3).
fn normalise(group: &[ValueId], live: &mut IdVec<ValueId, Option<Range>>) {
    if group.len() < 2 {
        return;
    }
    let mut ranges: Vec<(Range, ValueId)> =
        group.iter().filter_map(|&value| Some((live[value]?, value))).collect();
    ranges.sort_unstable();
    for at in 1..ranges.len() {
        if let [(a, _), (b, _)] = &mut ranges[at - 1..=at] {
            b.end = b.end.max(a.end);
            a.end = a.end.min(b.start);
        }
    }
    for (range, value) in ranges {
        live[value] = Some(range);
    }
}
