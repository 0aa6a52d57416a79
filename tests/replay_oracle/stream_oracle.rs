//! Every order that threads and streams may choose, cell by cell.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::classes::{Class, Classes};
use super::pool_rules::refused;
use super::stream_program::{Act, CELLS, Cells, Object, Program};

const POISON: u32 = u32::MAX;
const UNDEFINED: u32 = u32::MAX - 1;
/// What was there before: it is whatever is asked for.
const ANYTHING: u32 = 0;
const ENOUGH: usize = 60_000;

/// A task: its line, and the line of the record that it waits for.
type Task = (usize, usize);

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// The next line of each thread, as a position among its own.
    at: Vec<usize>,
    queues: Vec<Vec<Task>>,
    /// Lines whose accesses are under way.
    running: Vec<usize>,
    /// The latest record of each event, and the records that are done.
    latest: Vec<Option<usize>>,
    recorded: u64,
    /// Lines that have set each notify and were not taken.
    set: [Vec<usize>; 2],
    /// Cells of the buffer, then of each pool's block.
    cells: Vec<[u32; CELLS]>,
    /// The pointer under which each pool's block is out.
    live: Vec<Option<usize>>,
}

struct Oracle<'a> {
    program: &'a Program,
    threads: Vec<Vec<usize>>,
    faults: Classes,
    /// By line of a wait: the records that it was for.
    bound: BTreeMap<usize, BTreeSet<Option<usize>>>,
    seen: HashSet<State>,
    open: Vec<State>,
}

/// The faults that some order meets first; `None` when there are too many orders. `source`: pools
/// reuse by the numbers of events, not by what is known to be over.
pub(crate) fn faults(program: &Program, source: bool) -> Option<Classes> {
    if refused(program, source) {
        return Some(Classes::from([Class::Refused]));
    }
    let lines = &program.lines;
    let own = |t| (0..lines.len()).filter(|&n| lines[n].thread == t).collect();
    let mut cells = vec![[UNDEFINED; CELLS]; program.pools + 1];
    cells[0] = [ANYTHING; CELLS];
    let start = State {
        at: vec![0; program.threads],
        queues: vec![Vec::new(); program.streams],
        running: Vec::new(),
        latest: vec![None; 4],
        recorded: 0,
        set: [Vec::new(), Vec::new()],
        cells,
        live: vec![None; program.pools],
    };
    let mut oracle = Oracle {
        program,
        threads: (0..program.threads).map(own).collect(),
        faults: Classes::new(),
        bound: BTreeMap::new(),
        seen: HashSet::new(),
        open: vec![start],
    };
    while let Some(state) = oracle.open.pop() {
        if oracle.seen.len() > ENOUGH {
            return None;
        }
        if oracle.seen.insert(state.clone()) {
            oracle.step(&state);
        }
    }
    if oracle.bound.values().any(|records| records.len() > 1) {
        oracle.faults.insert(Class::Ambiguous);
    }
    Some(oracle.faults)
}

fn content(value: u16, index: usize) -> u32 {
    u32::from(value) * 64 + index as u32 + 1
}

impl Oracle<'_> {
    fn act(&self, line: usize) -> &Act {
        &self.program.lines[line].act
    }

    fn step(&mut self, state: &State) {
        let mut any = false;
        for t in 0..self.threads.len() {
            any |= self.thread(state, t);
        }
        for s in 0..self.program.streams {
            any |= self.stream(state, s);
        }
        let over = (0..self.threads.len()).all(|t| state.at[t] == self.threads[t].len())
            && state.queues.iter().all(Vec::is_empty);
        if !any && !over {
            self.faults.insert(Class::Deadlock);
        }
    }

    /// A thread does its next thing, if it can.
    fn thread(&mut self, state: &State, t: usize) -> bool {
        let Some(&line) = self.threads[t].get(state.at[t]) else { return false };
        let mut next = state.clone();
        next.at[t] += 1;
        match self.act(line).clone() {
            Act::HostRead(_) | Act::HostWrite(_) => {
                if let Some(at) = state.running.iter().position(|&l| l == line) {
                    next.running.remove(at);
                    self.end(&mut next, line);
                } else {
                    next.at[t] -= 1;
                    return self.begin(state, next, line);
                }
            }
            Act::Kernel { stream, .. }
            | Act::Alloc { stream, .. }
            | Act::Notify { stream, .. }
            | Act::Await { stream, .. } => {
                next.queues[stream].push((line, usize::MAX));
            }
            Act::Record { event, stream } => {
                next.queues[stream].push((line, usize::MAX));
                next.latest[event] = Some(line);
            }
            Act::Wait { event, stream } => {
                let record = state.latest[event];
                self.bound.entry(line).or_default().insert(record);
                if let Some(record) = record {
                    next.queues[stream].push((line, record));
                }
            }
            Act::EventSync(event) => {
                let record = state.latest[event];
                self.bound.entry(line).or_default().insert(record);
                if record.is_some_and(|r| state.recorded & (1 << r) == 0) {
                    return false;
                }
            }
            Act::StreamSync(stream) => {
                if !state.queues[stream].is_empty() {
                    return false;
                }
            }
            Act::DeviceSync => {
                if !state.queues.iter().all(Vec::is_empty) {
                    return false;
                }
            }
            Act::Free { stream: Some(stream), .. } => next.queues[stream].push((line, usize::MAX)),
            Act::Free { pointer, stream: None } => {
                if !self.free(&mut next, pointer) {
                    return true;
                }
            }
            Act::Meet => {
                // Whoever comes last takes all with him.
                next = state.clone();
                for u in 0..self.threads.len() {
                    let there = self.threads[u].get(state.at[u]);
                    if !there.is_some_and(|&l| *self.act(l) == Act::Meet) {
                        return false;
                    }
                    next.at[u] += 1;
                }
            }
        }
        self.open.push(next);
        true
    }

    /// A stream goes on with its first task, if it can.
    #[expect(clippy::collapsible_match, reason = "freeing is what the arm does, not a guard")]
    fn stream(&mut self, state: &State, s: usize) -> bool {
        let Some(&(line, record)) = state.queues[s].first() else { return false };
        let mut next = state.clone();
        match *self.act(line) {
            Act::Kernel { .. } => {
                let Some(at) = state.running.iter().position(|&l| l == line) else {
                    return self.begin(state, next, line);
                };
                next.running.remove(at);
                self.end(&mut next, line);
            }
            Act::Record { .. } => next.recorded |= 1 << line,
            Act::Notify { notify, .. } => next.set[notify].push(line),
            Act::Await { notify, .. } => {
                if state.set[notify].is_empty() {
                    return false;
                }
                let taken = next.set[notify].remove(0);
                self.bound.entry(line).or_default().insert(Some(taken));
            }
            Act::Wait { .. } if state.recorded & (1 << record) == 0 => return false,
            Act::Alloc { pointer, pool, .. } => {
                if state.live[pool].is_some() || self.in_use(state, pool) {
                    self.faults.insert(Class::Race);
                    return true;
                }
                next.live[pool] = Some(pointer);
                next.cells[pool + 1] = [UNDEFINED; CELLS];
            }
            Act::Free { pointer, .. } => {
                if !self.free(&mut next, pointer) {
                    return true;
                }
            }
            _ => {}
        }
        next.queues[s].remove(0);
        self.open.push(next);
        true
    }

    /// The block of a pointer goes back; false when it is not out, or still used.
    fn free(&mut self, state: &mut State, pointer: usize) -> bool {
        let Some(pool) = self.program.pool_of(pointer) else { return false };
        if state.live[pool] != Some(pointer) || self.in_use(state, pool) {
            self.faults.insert(Class::Race);
            return false;
        }
        state.live[pool] = None;
        true
    }

    /// True while something runs that touches the block of a pool.
    fn in_use(&self, state: &State, pool: usize) -> bool {
        let touches = |c: &Cells| self.place(c.object) == pool + 1;
        let uses = |&line: &usize| {
            self.act(line).reads().iter().chain(self.act(line).writes()).any(touches)
        };
        state.running.iter().any(uses)
    }

    fn place(&self, object: Object) -> usize {
        match object {
            Object::Buffer => 0,
            Object::Pointer(p) => self.program.pool_of(p).map_or(0, |pool| pool + 1),
        }
    }

    /// Accesses begin; true, since they could.
    fn begin(&mut self, state: &State, mut next: State, line: usize) -> bool {
        let act = self.act(line).clone();
        for c in act.reads().iter().chain(act.writes()) {
            if let Object::Pointer(p) = c.object
                && self.program.pool_of(p).is_none_or(|pool| state.live[pool] != Some(p))
            {
                self.faults.insert(Class::Race);
                return true;
            }
        }
        for c in act.reads() {
            for k in 0..c.len {
                let found = state.cells[self.place(c.object)][c.at + k];
                if found == POISON {
                    self.faults.insert(Class::Race);
                    return true;
                }
                if found != ANYTHING && found != content(c.value, c.from + k) {
                    self.faults.insert(Class::Value);
                }
            }
        }
        for w in act.writes() {
            let place = self.place(w.object);
            let poisoned = state.cells[place][w.at..w.at + w.len].contains(&POISON);
            let meets = |r: &Cells| {
                self.place(r.object) == place && r.at < w.at + w.len && w.at < r.at + r.len
            };
            if poisoned || state.running.iter().any(|&l| self.act(l).reads().iter().any(meets)) {
                self.faults.insert(Class::Race);
                return true;
            }
        }
        for w in act.writes() {
            next.cells[self.place(w.object)][w.at..w.at + w.len].fill(POISON);
        }
        next.running.push(line);
        next.running.sort_unstable();
        self.open.push(next);
        true
    }

    fn end(&self, next: &mut State, line: usize) {
        for w in self.act(line).writes() {
            for k in 0..w.len {
                next.cells[self.place(w.object)][w.at + k] = content(w.value, w.from + k);
            }
        }
    }
}
