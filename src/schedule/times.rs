//! The clock of an order of execution (spec/xla-memory.md 7.1, 7.2).

use crate::analyze::hlo::{Value, is_bound};
use crate::ir::hlo::{
    Calls, ComputationId, Instruction, InstructionId, Module, Opcode, Sequences, ShapeIndex,
};
use crate::model::{IdVec, Index};

/// A moment that has a time once there is an order: an instruction, the first of a computation, the end
/// of a computation, the end of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point(u32);

/// What of the clock does not depend on the order.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    entry: ComputationId,
    instructions: u32,
    computations: u32,
    /// Computations that run before an instruction gets its time.
    runs: IdVec<InstructionId, Vec<ComputationId>>,
    /// The ends of the asynchronous chains inside of which a computation runs.
    done: IdVec<ComputationId, Vec<InstructionId>>,
    /// Leaves of the entry's parameters that may die before the end.
    aliased: Vec<(u32, ShapeIndex)>,
    end: Point,
}

/// The times of all points under an order.
#[derive(Clone, Debug)]
pub(crate) struct Clock(Vec<u32>);

impl Clock {
    /// The time of a point; `None` where it is never reached.
    pub(crate) fn at(&self, point: Point) -> Option<u32> {
        self.0.get(point.0 as usize).copied().filter(|&time| time != u32::MAX)
    }
}

impl Times {
    /// What does not depend on the order.
    pub(crate) fn of(module: &Module, calls: &Calls) -> Self {
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX / 4);
        let (instructions, computations) =
            (count(module.instructions.len()), count(module.computations.len()));
        let mut times = Self {
            entry: module.entry,
            instructions,
            computations,
            runs: IdVec::filled(Vec::new(), module.instructions.len()),
            done: IdVec::filled(Vec::new(), module.computations.len()),
            aliased: module.aliases.iter().map(|a| (a.parameter, a.index.clone())).collect(),
            end: Point(instructions + 2 * computations),
        };
        times.aliased.sort();
        for (id, instruction) in module.instructions.enumerate() {
            times.runs[id] = runs(module, id);
            if instruction.opcode == Opcode::AsyncDone
                && let Some(callee) = module.async_callee(id)
            {
                times.done[callee].push(id);
            }
        }
        // Callers before callees: what an asynchronous computation calls is inside of it too.
        for &callee in calls.post_order.iter().rev() {
            for &caller in &calls.callers[callee] {
                let outer = &module.instructions[caller];
                if executes(outer) {
                    let inherited = times.done[outer.computation].clone();
                    times.done[callee].extend(inherited);
                }
            }
            times.done[callee].sort_unstable();
            times.done[callee].dedup();
        }
        times
    }

    /// The point of an instruction.
    pub(crate) fn instruction(&self, id: InstructionId) -> Point {
        Point(id.0)
    }

    /// The first moment of a computation.
    pub(crate) fn first(&self, id: ComputationId) -> Point {
        Point(self.instructions + id.0)
    }

    /// The moment after the last of a computation.
    pub(crate) fn past(&self, id: ComputationId) -> Point {
        Point(self.instructions + self.computations + id.0)
    }

    /// Computations that run before the instruction has its time.
    pub(crate) fn runs(&self, id: InstructionId) -> &[ComputationId] {
        &self.runs[id]
    }

    /// When values that it defines are born.
    pub(crate) fn start(&self, module: &Module, definer: InstructionId) -> Point {
        let instruction = &module.instructions[definer];
        match instruction.opcode {
            Opcode::Parameter => self.first(instruction.computation),
            _ => self.instruction(definer),
        }
    }

    /// Moments until which a value is needed.
    pub(crate) fn ends(&self, module: &Module, value: &Value) -> Vec<Point> {
        let mut ends = Vec::new();
        let place = |at: InstructionId| {
            let computation = module.instructions[at].computation;
            if module.root(computation) == at { self.past(computation) } else { Point(at.0) }
        };
        for position in &value.positions {
            ends.push(place(position.instruction));
        }
        let inside = module.instructions[value.definition.instruction].computation;
        ends.extend(self.done[inside].iter().map(|done| Point(done.0)));
        for at in &value.uses {
            let user = &module.instructions[at.user];
            match user.opcode {
                Opcode::Call => {}
                Opcode::While => {
                    let body = user.computations("body").first();
                    let state = body.and_then(|&id| module.computations[id].parameters.first());
                    ends.extend(state.map(|at| Point(at.0)));
                }
                _ => ends.push(Point(at.user.0)),
            }
        }
        let definer = &module.instructions[value.definition.instruction];
        if let Some(number) = definer.parameter
            && definer.computation == self.entry
            && definer.shape.at(&value.definition.index).is_some_and(|shape| !shape.is_tuple())
            && self.aliased.binary_search(&(number, value.definition.index.clone())).is_err()
        {
            ends.push(self.end);
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// The clock of an order.
    pub(crate) fn clock(&self, order: &Sequences) -> Clock {
        let len = self.end.0 as usize + 1;
        let mut times = vec![u32::MAX; len];
        let mut now = 0_u32;
        let mut path: Vec<(ComputationId, usize, usize)> = Vec::new();
        self.enter(self.entry, now, &mut times, &mut path);
        while let Some((id, at, called)) = path.last_mut() {
            let Some(&instruction) = order.0[*id].get(*at) else {
                times[self.past(*id).0 as usize] = now;
                path.pop();
                continue;
            };
            if let Some(&callee) = self.runs[instruction].get(*called) {
                *called += 1;
                self.enter(callee, now, &mut times, &mut path);
                continue;
            }
            times[instruction.at()] = now;
            now += 1;
            (*at, *called) = (*at + 1, 0);
        }
        times[self.end.0 as usize] = now;
        Clock(times)
    }

    /// Begins a computation, if it did not begin before.
    fn enter(
        &self,
        id: ComputationId,
        now: u32,
        times: &mut [u32],
        path: &mut Vec<(ComputationId, usize, usize)>,
    ) {
        let first = &mut times[self.first(id).0 as usize];
        if *first == u32::MAX {
            *first = now;
            path.push((id, 0, 0));
        }
    }
}

/// True for those whose computations run in time.
fn executes(instruction: &Instruction) -> bool {
    matches!(
        instruction.opcode,
        Opcode::Call | Opcode::While | Opcode::Conditional | Opcode::AsyncStart
    )
}

/// The computations that an instruction runs in time, in the order in which they run.
fn runs(module: &Module, id: InstructionId) -> Vec<ComputationId> {
    let instruction = &module.instructions[id];
    match instruction.opcode {
        Opcode::While => {
            [instruction.computations("condition"), instruction.computations("body")].concat()
        }
        Opcode::Call => instruction.called().take(1).collect(),
        Opcode::Conditional => instruction.branches(),
        Opcode::AsyncStart | Opcode::AsyncUpdate | Opcode::AsyncDone => {
            let callee = module.async_callee(id);
            callee.filter(|&callee| is_bound(module, instruction, callee)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
