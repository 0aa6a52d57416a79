//! The list scheduler: of what is ready, the one that frees most (spec/xla-memory.md 10.1).

use std::collections::BTreeSet;

use super::graph::{Graph, distinct};
use crate::analyze::hlo::{ValueId, Values};
use crate::diag::Diagnostic;
use crate::ir::hlo::{Instruction, InstructionId, Module, Opcode, Shape};
use crate::model::IdVec;

/// What it looks at first: bytes freed, then users.
type Priority = (i128, u64);

/// A ready instruction: the greatest is taken, the one inserted last among equals.
type Entry = (Priority, u64, u32);

struct List<'a> {
    module: &'a Module,
    graph: &'a Graph,
    defined: &'a IdVec<InstructionId, u64>,
    /// What each value frees when it is used for the last time.
    worth: Vec<i128>,
    /// How many instructions that have not run use each value; the root's count once more.
    count: Vec<u32>,
    /// The distinct values at each instruction's nodes, by place.
    stands: Vec<Vec<u32>>,
    /// The places where each value stands.
    places: Vec<Vec<u32>>,
    /// The entry of each instruction that is ready.
    entry: Vec<Option<Entry>>,
    ready: BTreeSet<Entry>,
    inserted: u64,
    /// Which instructions have a value of which the count fell to 1 since their priority was computed:
    /// others would get the priority that they have.
    stale: Vec<bool>,
    /// Stale instructions by operand.
    stale_of: Vec<Vec<u32>>,
    /// When each value was last looked at, so that one at several operands counts once.
    seen: Vec<u64>,
    looks: u64,
}

/// The list scheduler's order of a computation. `defined` has the bytes that each instruction of the
/// module defines.
///
/// # Errors
///
/// `HloCycle` when instructions wait for each other.
pub(crate) fn list(
    module: &Module,
    values: &Values,
    graph: &Graph,
    defined: &IdVec<InstructionId, u64>,
) -> Result<Vec<u32>, Diagnostic> {
    let (met, stands) = numbered(values, graph);
    let mut places = vec![Vec::new(); met.len()];
    for (place, values) in (0_u32..).zip(&stands) {
        values.iter().for_each(|&value| places[value as usize].push(place));
    }
    let worth = |&id: &ValueId| {
        let value = &values.values[id];
        let given = is_given(&module.instructions[value.definition.instruction]);
        if given { 0 } else { i128::from(value.size) }
    };
    List {
        module,
        graph,
        defined,
        worth: met.iter().map(worth).collect(),
        count: vec![0; met.len()],
        stands,
        places,
        entry: vec![None; graph.len()],
        ready: BTreeSet::new(),
        inserted: 0,
        stale: vec![false; graph.len()],
        stale_of: vec![Vec::new(); graph.len()],
        seen: vec![0; met.len()],
        looks: 0,
    }
    .run()
}

/// The values that stand anywhere in a computation, and their numbers at each instruction.
fn numbered(values: &Values, graph: &Graph) -> (Vec<ValueId>, Vec<Vec<u32>>) {
    let at = |id: &InstructionId| values.at[*id].iter().flatten().copied();
    let mut met: Vec<ValueId> = graph.ids.iter().flat_map(at).collect();
    met.sort_unstable();
    met.dedup();
    let number = |value| u32::try_from(met.binary_search(&value).unwrap_or(0)).unwrap_or(u32::MAX);
    let stands = graph.ids.iter().map(|id| distinct(at(id).map(number).collect())).collect();
    (met, stands)
}

impl List<'_> {
    fn run(&mut self) -> Result<Vec<u32>, Diagnostic> {
        let places = 0..u32::try_from(self.graph.len()).unwrap_or(u32::MAX);
        for place in places.clone() {
            self.uses(place, |list, value| list.count[value] += 1);
        }
        for &value in self.stands.get(self.graph.root as usize).into_iter().flatten() {
            self.count[value as usize] += 1;
        }
        let mut waits = self.graph.waits();
        for place in places.filter(|&place| waits[place as usize] == 0) {
            self.insert(place);
        }
        let mut order = Vec::with_capacity(self.graph.len());
        while let Some((_, _, place)) = self.ready.pop_last() {
            self.entry[place as usize] = None;
            order.push(place);
            let refresh = self.leave(place);
            for next in self.graph.after(place) {
                waits[next as usize] -= 1;
                if waits[next as usize] == 0 {
                    self.insert(next);
                }
            }
            if refresh {
                self.refresh(place);
            }
        }
        self.graph.complete(self.module, order, &waits)
    }

    /// Calls `each` for every value that stands at an operand, once.
    fn uses(&mut self, place: u32, mut each: impl FnMut(&mut Self, usize)) {
        self.looks += 1;
        let graph = self.graph;
        for &operand in &graph.operands[place as usize] {
            let values = std::mem::take(&mut self.stands[operand as usize]);
            for &value in &values {
                let last = std::mem::replace(&mut self.seen[value as usize], self.looks);
                if last != self.looks {
                    each(self, value as usize);
                }
            }
            self.stands[operand as usize] = values;
        }
    }

    /// Counts what it uses down; true when a count falls to 1.
    fn leave(&mut self, place: u32) -> bool {
        let mut last = Vec::new();
        self.uses(place, |list, value| {
            let count = &mut list.count[value];
            *count = count.saturating_sub(1);
            if *count == 1 {
                last.push(value);
            }
        });
        for &value in &last {
            self.mark(value);
        }
        !last.is_empty()
    }

    /// Marks those that use a value as stale.
    fn mark(&mut self, value: usize) {
        let graph = self.graph;
        for &place in &self.places[value] {
            for &user in &graph.users[place as usize] {
                if !std::mem::replace(&mut self.stale[user as usize], true) {
                    for &operand in &graph.operands[user as usize] {
                        self.stale_of[operand as usize].push(user);
                    }
                }
            }
        }
    }

    fn insert(&mut self, place: u32) {
        self.inserted += 1;
        let entry = (self.priority(place), self.inserted, place);
        self.entry[place as usize] = Some(entry);
        self.ready.insert(entry);
        self.stale[place as usize] = false;
    }

    /// Computes the priorities of ready users of its operands again; those that changed are inserted
    /// again.
    fn refresh(&mut self, place: u32) {
        let graph = self.graph;
        for &operand in &graph.operands[place as usize] {
            let mut stale = std::mem::take(&mut self.stale_of[operand as usize]);
            stale.sort_unstable();
            stale.dedup();
            for user in stale {
                let Some(old) = self.entry[user as usize] else { continue };
                if self.stale[user as usize] && self.priority(user) != old.0 {
                    self.ready.remove(&old);
                    self.insert(user);
                }
                self.stale[user as usize] = false;
            }
        }
    }

    fn priority(&mut self, place: u32) -> Priority {
        let id = self.graph.ids[place as usize];
        let instruction = &self.module.instructions[id];
        if is_scalar(&instruction.shape) {
            return (i128::MAX, u64::MAX);
        }
        let users = self.graph.users[place as usize].len() as u64;
        (fixed(instruction).unwrap_or_else(|| self.freed(place, id)), users)
    }

    /// Bytes that it frees for good, less those that it defines.
    fn freed(&mut self, place: u32, id: InstructionId) -> i128 {
        let mut freed = 0_i128;
        self.uses(place, |list, value| {
            if list.count[value] == 1 {
                freed += list.worth[value];
            }
        });
        let defined = if is_given(&self.module.instructions[id]) { 0 } else { self.defined[id] };
        freed - i128::from(defined)
    }
}

/// True for those whose bytes exist anyway.
fn is_given(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Parameter | Opcode::Constant)
}

/// True for an array of one element.
fn is_scalar(shape: &Shape) -> bool {
    shape.array().and_then(|array| array.elements()) == Some(1)
}

/// What transfers out of and into the device count for: out as early, in as late as possible.
fn fixed(instruction: &Instruction) -> Option<i128> {
    let says = |name| instruction.raw(name).is_some_and(|text| !text.trim_matches('"').is_empty());
    match instruction.opcode {
        Opcode::Outfeed if says("outfeed_config") => Some(i128::from(i32::MAX)),
        Opcode::Infeed if says("infeed_config") => Some(-i128::from(i32::MAX)),
        _ => None,
    }
}
