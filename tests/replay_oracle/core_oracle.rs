//! Every order that a core may choose, cell by cell: no clocks, no intervals, only what is there.
//!
//! S issues in program order and stops at its own waits and at barriers of all pipes. A pipe begins
//! what was issued to it in order. Reads look when they begin, and what they saw must stay until
//! they end; writes leave poison until they end. On a weak pipe the next may begin before.

use std::collections::HashSet;

use super::classes::{Class, Classes};
use super::core_program::{CELLS, Op, PIPES, Program, S};

const POISON: u32 = u32::MAX;
/// States after which the oracle gives up.
const ENOUGH: usize = 60_000;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Where S stands.
    pc: usize,
    /// Instructions that each pipe has begun.
    begun: [usize; PIPES.len()],
    /// By bit: instructions that run, and those that are over.
    running: u128,
    done: u128,
    flags: u64,
    cells: [u32; CELLS],
}

struct Oracle<'a> {
    ops: &'a [Op],
    /// True when each instruction touches all its cells at one moment.
    at_once: bool,
    queues: [Vec<usize>; PIPES.len()],
    faults: Classes,
    seen: HashSet<State>,
    open: Vec<State>,
}

/// The faults that some order meets first; `None` when there are too many orders.
pub(crate) fn faults(program: &Program) -> Option<Classes> {
    explore(program, false, false, ENOUGH)
}

/// A fault that some order meets, if any does; `None` when there are more than so many states.
pub(crate) fn fault(program: &Program, enough: usize) -> Option<Classes> {
    explore(program, false, true, enough)
}

/// True when some order reads a wrong value although each instruction touches all its cells at one
/// moment: what a run of the machine can show. `None` when there are too many orders.
pub(crate) fn shows_a_wrong_value(program: &Program) -> Option<bool> {
    explore(program, true, false, ENOUGH).map(|faults| faults.contains(&Class::Value))
}

fn explore(program: &Program, at_once: bool, one: bool, enough: usize) -> Option<Classes> {
    let ops = &program.ops;
    let queue = |p: usize| {
        let own = |&n: &usize| ops[n].pipe() == Some(p) && !(p == S && waits(&ops[n]));
        (0..ops.len()).filter(own).collect()
    };
    let start =
        State { pc: 0, begun: [0; PIPES.len()], running: 0, done: 0, flags: 0, cells: [0; CELLS] };
    let mut oracle = Oracle {
        ops,
        at_once,
        queues: std::array::from_fn(queue),
        faults: Classes::new(),
        seen: HashSet::new(),
        open: vec![start],
    };
    while let Some(state) = oracle.open.pop() {
        if one && !oracle.faults.is_empty() {
            break;
        }
        if oracle.seen.len() > enough {
            return None;
        }
        if oracle.seen.insert(state.clone()) {
            oracle.step(&state);
        }
    }
    Some(oracle.faults)
}

fn waits(op: &Op) -> bool {
    matches!(op, Op::Wait { .. })
}

/// True for what S stops at.
fn holds(op: &Op) -> bool {
    matches!(op, Op::Wait { to: S, .. } | Op::Drain)
}

fn flag(from: usize, to: usize, id: u32) -> u64 {
    1 << ((from * PIPES.len() + to) * 3 + id as usize)
}

fn content(value: u16, index: usize) -> u32 {
    u32::from(value) * 64 + index as u32 + 1
}

impl Oracle<'_> {
    fn step(&mut self, state: &State) {
        // What only makes room for others need not be tried late.
        if self.ops.get(state.pc).is_some_and(|op| !holds(op)) {
            self.issue(state);
            return;
        }
        let sets = |p: &usize| {
            let next = self.queues[*p].get(state.begun[*p]).filter(|&&n| n < state.pc);
            next.is_some_and(|&n| matches!(self.ops[n], Op::Set { .. }))
        };
        if let Some(p) = (0..PIPES.len()).find(sets) {
            self.begin(state, p);
            return;
        }
        let mut any = self.issue(state);
        for p in 0..PIPES.len() {
            any |= self.begin(state, p);
        }
        for n in 0..self.ops.len() {
            if state.running & (1 << n) != 0 {
                any = true;
                match &self.ops[n] {
                    Op::Set { from, to, id } => self.fire(state, n, *from, flag(*from, *to, *id)),
                    _ => self.end(state, n),
                }
            }
        }
        if any {
            return;
        }
        let all = self.queues.iter().enumerate().all(|(p, q)| state.begun[p] == q.len());
        if state.pc < self.ops.len() || !all {
            self.faults.insert(Class::Deadlock);
        } else if state.flags != 0 {
            self.faults.insert(Class::Left);
        }
    }

    /// S goes on; true when it can.
    fn issue(&mut self, state: &State) -> bool {
        let Some(op) = self.ops.get(state.pc) else { return false };
        let mut next = state.clone();
        next.pc += 1;
        match op {
            Op::Wait { from, to: S, id } => {
                let flag = flag(*from, S, *id);
                if state.flags & flag == 0 {
                    return false;
                }
                next.flags &= !flag;
            }
            Op::Drain => {
                let behind = (0..state.pc).filter(|&n| self.queued(n));
                if !behind.into_iter().all(|n| state.done & (1 << n) != 0) {
                    return false;
                }
            }
            _ => {}
        }
        self.open.push(next);
        true
    }

    /// True for instructions that stand in the queue of a pipe.
    fn queued(&self, n: usize) -> bool {
        self.queues.iter().any(|queue| queue.contains(&n))
    }

    fn earlier_done(&self, state: &State, p: usize, upto: usize) -> bool {
        self.queues[p].iter().take(upto).all(|&n| state.done & (1 << n) != 0)
    }

    /// A pipe begins what comes next; true when it can.
    fn begin(&mut self, state: &State, p: usize) -> bool {
        let at = state.begun[p];
        let Some(&n) = self.queues[p].get(at).filter(|&&n| n < state.pc) else { return false };
        let mut next = state.clone();
        next.begun[p] += 1;
        match &self.ops[n] {
            Op::Wait { from, to, id } => {
                let flag = flag(*from, *to, *id);
                if state.flags & flag == 0 {
                    return false;
                }
                next.flags &= !flag;
                next.done |= 1 << n;
            }
            Op::Barrier(_) => {
                if !self.earlier_done(state, p, at) {
                    return false;
                }
                next.done |= 1 << n;
            }
            Op::Set { .. } => next.running |= 1 << n,
            _ => {
                if p == S && !self.earlier_done(state, p, at) {
                    return false;
                }
                if !self.at_once && !self.touch(state, &mut next, n) {
                    self.faults.insert(Class::Race);
                    return true;
                }
                next.running |= 1 << n;
            }
        }
        self.open.push(next);
        true
    }

    /// What a beginning instruction does to the cells; false when it meets another one at work.
    fn touch(&mut self, state: &State, next: &mut State, n: usize) -> bool {
        for read in self.ops[n].reads() {
            for k in 0..read.len {
                let found = state.cells[read.at + k];
                if found == POISON {
                    return false;
                }
                if found != content(read.value, read.from + k) {
                    self.faults.insert(Class::Value);
                }
            }
        }
        for (at, len) in self.ops[n].writes() {
            for cell in at..at + len {
                let read = (0..self.ops.len()).filter(|m| state.running & (1 << m) != 0).any(|m| {
                    self.ops[m].reads().iter().any(|r| (r.at..r.at + r.len).contains(&cell))
                });
                if read || state.cells[cell] == POISON {
                    return false;
                }
            }
        }
        for (at, len) in self.ops[n].writes() {
            next.cells[at..at + len].fill(POISON);
        }
        true
    }

    fn end(&mut self, state: &State, n: usize) {
        let mut next = state.clone();
        next.running &= !(1 << n);
        next.done |= 1 << n;
        if self.at_once {
            let alone = State { running: 0, ..state.clone() };
            self.touch(&alone, &mut alone.clone(), n);
        }
        match &self.ops[n] {
            Op::Work { writes, .. } => {
                for w in writes {
                    for k in 0..w.len {
                        next.cells[w.at + k] = content(w.value, w.from + k);
                    }
                }
            }
            Op::Move { from, to, .. } => {
                for k in 0..from.len {
                    next.cells[to + k] = state.cells[from.at + k];
                }
            }
            _ => {}
        }
        self.open.push(next);
    }

    /// A set fires once all before it on its pipe is over.
    fn fire(&mut self, state: &State, n: usize, p: usize, flag: u64) {
        let at = self.queues[p].iter().position(|&m| m == n).unwrap_or(0);
        if !self.earlier_done(state, p, at) {
            return;
        }
        if state.flags & flag != 0 {
            self.faults.insert(Class::Overrun);
            return;
        }
        let mut next = state.clone();
        next.running &= !(1 << n);
        next.done |= 1 << n;
        next.flags |= flag;
        self.open.push(next);
    }
}
