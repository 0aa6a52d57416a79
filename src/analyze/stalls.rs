//! Whether sharing bytes makes one pipe wait for another in a way that the program's own data flow
//! does not already imply.
//!
//! Each loop is laid out for a few trips (enough for every slot to come round), inner loops once,
//! both sides of branches one after the other. Every op gets a clock: for each pipe, the last op
//! on it that is surely finished before. Order comes from pipes (ops of one pipe run in order) and
//! from data (a read after its write, a write after the reads and writes of the same slot). When
//! two buffers share bytes, each change of owner needs an edge from the old owner's last ops to
//! the new owner's first one; an edge between different pipes that the clock does not know stalls.
//! An edge from two or more trips ago is no stall: that is the slack that rotation gives.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::Facts;
use super::levels::common_loops;
use crate::model::{AccessMode, BufferId, Function, Index, LoopId, OpId, PipeId, Problem};

/// Instances in the layout of one loop, at most; past that every tie counts as a stall.
const MAX_INSTANCES: usize = 4_000_000;

/// The wait that a reuse adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stall {
    /// The pipe that is waited for.
    pub from: PipeId,
    /// The pipe that waits.
    pub to: PipeId,
}

/// One slot of a buffer: where it lies in the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotUse {
    /// The buffer.
    pub buffer: BufferId,
    /// The slot.
    pub slot: u32,
    /// Slots in all: those of the buffer, or those that a promotion gave it.
    pub slots: u32,
    /// The loop in which they rotate.
    pub rotates_in: Option<LoopId>,
}

/// Answers for one function; layouts are made when first needed.
pub struct Stalls<'a> {
    problem: &'a Problem,
    function: &'a Function,
    facts: &'a Facts,
    touching: BTreeMap<BufferId, Vec<OpId>>,
    layouts: RefCell<BTreeMap<Option<LoopId>, Option<Rc<Layout>>>>,
}

/// A loop (or the whole function) laid out in program order.
struct Layout {
    ops: Vec<OpId>,
    trips: usize,
    pipes: usize,
    /// For instance `trip * ops.len() + position` and pipe: one past the last instance finished.
    clocks: Vec<u32>,
    position: BTreeMap<OpId, usize>,
}

impl<'a> Stalls<'a> {
    /// Answers about pairs of this function.
    pub fn new(problem: &'a Problem, function: &'a Function, facts: &'a Facts) -> Self {
        let mut touching: BTreeMap<BufferId, Vec<OpId>> = BTreeMap::new();
        for (op, body) in function.ops.enumerate() {
            for access in &body.accesses {
                for buffer in function.roots(access.value) {
                    let list = touching.entry(buffer).or_default();
                    if list.last() != Some(&op) {
                        list.push(op);
                    }
                }
            }
        }
        for list in touching.values_mut() {
            list.sort_by_key(|op| facts.order.ops[*op]);
        }
        Self { problem, function, facts, touching, layouts: RefCell::default() }
    }

    /// The wait that sharing bytes adds, if any.
    pub fn between(&self, a: SlotUse, b: SlotUse) -> Option<Stall> {
        let (class_a, class_b) = (self.facts.class[a.buffer], self.facts.class[b.buffer]);
        let (pipes_a, pipes_b) = (&self.facts.pipes[a.buffer], &self.facts.pipes[b.buffer]);
        if class_a.shares_with(class_b) {
            return None;
        }
        let worst = || {
            let from = *pipes_a.first()?;
            let to = pipes_b.iter().copied().find(|p| *p != from).or(pipes_b.first().copied())?;
            Some(Stall { from, to })
        };
        // Without ops nobody knows the data flow: a tie is a stall.
        if !self.touching.contains_key(&a.buffer) || !self.touching.contains_key(&b.buffer) {
            return if a.slots > 1 && a.slots == b.slots { None } else { worst() };
        }
        let loops = common_loops(self.function, self.facts, a.buffer, b.buffer);
        let contexts = std::iter::once(None).chain(loops.into_iter().map(Some));
        for context in contexts {
            match self.layout(context) {
                Some(layout) => {
                    let found = self.in_layout(&layout, context, a, b);
                    if found.is_some() {
                        return found;
                    }
                }
                None => return worst(),
            }
        }
        None
    }

    fn in_layout(
        &self,
        layout: &Layout,
        context: Option<LoopId>,
        a: SlotUse,
        b: SlotUse,
    ) -> Option<Stall> {
        let mut events = self.events(layout, context, a, 0);
        events.extend(self.events(layout, context, b, 1));
        events.sort_unstable();
        // Last instances of the current owner, by pipe.
        let mut owner = None;
        let mut last: BTreeMap<PipeId, usize> = BTreeMap::new();
        for (at, side) in events {
            let op = layout.ops[at % layout.ops.len()];
            let pipes = self.pipes_of(op, if side == 0 { a.buffer } else { b.buffer });
            if owner.is_some_and(|o| o != side) {
                for (&from, &x) in &last {
                    let near = at / layout.ops.len() < x / layout.ops.len() + 2;
                    let known = layout.clocks[at * layout.pipes + from.at()] as usize > x;
                    let to = pipes.iter().copied().find(|p| *p != from);
                    if let (true, false, Some(to)) = (near && !pipes.contains(&from), known, to) {
                        return Some(Stall { from, to });
                    }
                }
            }
            if owner != Some(side) {
                owner = Some(side);
                last.clear();
            }
            for pipe in pipes {
                last.insert(pipe, at);
            }
        }
        None
    }

    /// The instances that touch a slot.
    fn events(
        &self,
        layout: &Layout,
        context: Option<LoopId>,
        slot: SlotUse,
        side: u8,
    ) -> Vec<(usize, u8)> {
        let rotates = slot.slots > 1 && slot.rotates_in == context && context.is_some();
        let mut out = Vec::new();
        for op in self.touching.get(&slot.buffer).into_iter().flatten() {
            let Some(&position) = layout.position.get(op) else { continue };
            for trip in 0..layout.trips {
                if !rotates || trip % slot.slots as usize == slot.slot as usize {
                    out.push((trip * layout.ops.len() + position, side));
                }
            }
        }
        out
    }

    fn pipes_of(&self, op: OpId, buffer: BufferId) -> Vec<PipeId> {
        let body = &self.function.ops[op];
        let mine = body
            .accesses
            .iter()
            .filter(|access| self.function.roots(access.value).binary_search(&buffer).is_ok());
        let mut pipes: Vec<PipeId> = mine.filter_map(|access| access.pipe.or(body.pipe)).collect();
        pipes.sort_unstable();
        pipes.dedup();
        pipes
    }

    fn layout(&self, context: Option<LoopId>) -> Option<Rc<Layout>> {
        if let Some(known) = self.layouts.borrow().get(&context) {
            return known.clone();
        }
        let made = self.lay_out(context).map(Rc::new);
        self.layouts.borrow_mut().insert(context, made.clone());
        made
    }

    fn lay_out(&self, context: Option<LoopId>) -> Option<Layout> {
        let order = &self.facts.order;
        let inside = |op: &OpId| match context {
            None => true,
            Some(l) => order.loops_of_op[*op].contains(&l),
        };
        let mut ops: Vec<OpId> = self.function.ops.ids().filter(inside).collect();
        ops.sort_by_key(|op| order.ops[*op]);
        let slots = self.function.buffers.iter().filter(|b| b.rotates_in == context);
        let most = slots.map(|b| b.slots as usize).max().unwrap_or(1);
        let trips = if context.is_some() { most + 2 } else { 1 };
        let pipes = self.problem.pipes.len();
        let size = ops.len().checked_mul(trips)?;
        if size.checked_mul(pipes.max(1))? > MAX_INSTANCES {
            return None;
        }
        let position = ops.iter().enumerate().map(|(at, op)| (*op, at)).collect();
        let mut layout = Layout { ops, trips, pipes, clocks: vec![0; size * pipes], position };
        self.tick(context, &mut layout);
        Some(layout)
    }

    /// Runs the clocks over a layout.
    fn tick(&self, context: Option<LoopId>, layout: &mut Layout) {
        let pipes = layout.pipes;
        let mut on_pipe: Vec<Vec<u32>> = vec![vec![0; pipes]; pipes];
        let mut written: BTreeMap<(BufferId, u32), Vec<u32>> = BTreeMap::new();
        let mut touched: BTreeMap<(BufferId, u32), Vec<u32>> = BTreeMap::new();
        for at in 0..layout.ops.len() * layout.trips {
            let (trip, position) = (at / layout.ops.len(), at % layout.ops.len());
            let body = &self.function.ops[layout.ops[position]];
            let mut clock = vec![0u32; pipes];
            let mut own: Vec<PipeId> = body.pipe.into_iter().collect();
            own.extend(body.accesses.iter().filter_map(|access| access.pipe));
            for pipe in &own {
                join(&mut clock, &on_pipe[pipe.at()]);
            }
            let mut slots = Vec::new();
            for access in &body.accesses {
                for buffer in self.function.roots(access.value) {
                    let b = &self.function.buffers[buffer];
                    let rotates = b.slots > 1 && b.rotates_in == context && context.is_some();
                    let slot = if rotates { trip as u32 % b.slots } else { 0 };
                    slots.push(((buffer, slot), access.mode != AccessMode::Read));
                }
            }
            for (key, writes) in &slots {
                let before = if *writes { touched.get(key) } else { written.get(key) };
                if let Some(before) = before {
                    join(&mut clock, before);
                }
            }
            layout.clocks[at * pipes..(at + 1) * pipes].copy_from_slice(&clock);
            for pipe in &own {
                clock[pipe.at()] = at as u32 + 1;
            }
            for pipe in &own {
                on_pipe[pipe.at()] = clock.clone();
            }
            for (key, writes) in slots {
                join(touched.entry(key).or_insert_with(|| vec![0; pipes]), &clock);
                if writes {
                    join(written.entry(key).or_insert_with(|| vec![0; pipes]), &clock);
                }
            }
        }
    }
}

fn join(clock: &mut [u32], other: &[u32]) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}
