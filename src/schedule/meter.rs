//! Bytes alive under an order of execution, whole module (spec/xla-memory.md 7, 8.1, 8.2): what does not
//! depend on the order is found once, so that many orders can be measured.

use std::collections::BTreeSet;

use super::times::{Clock, Point, Times};
use crate::analyze::hlo::{GroupId, Groups, ValueId, Values};
use crate::ir::hlo::{Calls, InstructionId, Module, Opcode, Sequences, ShapeIndex, Sharing};
use crate::model::IdVec;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    /// The module.
    pub(crate) module: &'a Module,
    /// Who calls whom.
    pub(crate) calls: &'a Calls,
    /// Its values.
    pub(crate) values: &'a Values,
    /// Values that must be the same bytes.
    pub(crate) groups: &'a Groups,
}

/// A value that takes bytes: constants do not.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Bytes of its whole group.
    pub(crate) size: u64,
    /// The value.
    pub(crate) value: ValueId,
    /// Its group.
    pub(crate) group: GroupId,
    /// When it is born.
    pub(crate) start: Point,
    /// It is needed until the last of these.
    pub(crate) ends: Vec<Point>,
    /// Where it is defined.
    pub(crate) definer: InstructionId,
    /// Entries whose bytes it may take when they die at its birth, in the order of preference.
    pub(crate) may_take: Vec<u32>,
}

/// A module's values, ready to be measured under any order.
#[derive(Clone, Debug)]
pub(crate) struct Meter<'a> {
    /// What it is made from.
    pub(crate) facts: Facts<'a>,
    /// Values that take bytes, by value id.
    pub(crate) entries: Vec<Entry>,
    /// Entries of the groups of several values, by group.
    pub(crate) shared: Vec<Vec<u32>>,
    /// What of the clock does not depend on the order.
    pub(crate) times: Times,
}

/// When an entry is alive, both included; `None` where its computation never runs.
pub(crate) type Life = Option<(u32, u32)>;

/// What an order costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    /// The largest sum of bytes alive, each must-alias group once.
    pub(crate) exact: u64,
    /// The same as XLA counts: a value that takes over the bytes of its group counts twice at that moment.
    pub(crate) xla: u64,
}

impl<'a> Meter<'a> {
    /// Collects what does not depend on the order.
    pub(crate) fn of(facts: Facts<'a>, sharing: &Sharing<'_>) -> Self {
        let times = Times::of(facts.module, facts.calls);
        let mut number = IdVec::filled(u32::MAX, facts.values.values.len());
        let mut entries = Vec::new();
        for (id, value) in facts.values.values.enumerate() {
            let definer = value.definition.instruction;
            if facts.module.instructions[definer].opcode == Opcode::Constant {
                continue;
            }
            let group = facts.groups.of[id];
            number[id] = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            entries.push(Entry {
                value: id,
                size: facts.groups.size[group],
                group,
                start: times.start(facts.module, definer),
                ends: times.ends(facts.module, value),
                definer,
                may_take: Vec::new(),
            });
        }
        let mut shared = Vec::new();
        for values in facts.groups.groups.iter().filter(|values| values.len() > 1) {
            let simulated = values.iter().map(|&id| number[id]).filter(|&entry| entry != u32::MAX);
            shared.push(simulated.collect());
        }
        for (id, value) in facts.values.values.enumerate().filter(|(id, _)| number[*id] != u32::MAX)
        {
            let takes = Self::may_take(
                facts,
                sharing,
                value.definition.instruction,
                &value.definition.index,
            );
            let alone = |id| facts.groups.groups[facts.groups.of[id]].len() == 1;
            if alone(id) {
                let takes = takes.into_iter().filter(|&id| alone(id)).map(|id| number[id]);
                entries[number[id] as usize].may_take =
                    takes.filter(|&of| of != u32::MAX).collect();
            }
        }
        Self { facts, entries, shared, times }
    }

    /// The values whose bytes a value born there may take (8.1, 2b).
    fn may_take(
        facts: Facts<'_>,
        sharing: &Sharing<'_>,
        user: InstructionId,
        index: &ShapeIndex,
    ) -> Vec<ValueId> {
        let instruction = &facts.module.instructions[user];
        if matches!(instruction.opcode, Opcode::Copy | Opcode::Parameter) {
            return Vec::new();
        }
        let operands: BTreeSet<_> = instruction.operands.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for &operand in &instruction.operands {
            for &id in facts.values.at[operand].first().into_iter().flatten() {
                let from = &facts.values.values[id].definition;
                if seen.insert(id)
                    && operands.contains(&from.instruction)
                    && sharing.may_share(from.instruction, &from.index, user, index)
                {
                    found.push(id);
                }
            }
        }
        found
    }

    /// The instructions at which an entry is defined, stands or is used.
    pub(crate) fn touchers(&self, entry: u32) -> Vec<InstructionId> {
        let value = &self.facts.values.values[self.entries[entry as usize].value];
        let stands = value.positions.iter().map(|position| position.instruction);
        let mut found: Vec<_> = stands.chain(value.uses.iter().map(|at| at.user)).collect();
        found.push(value.definition.instruction);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The clock of an order.
    pub(crate) fn clock(&self, order: &Sequences) -> Clock {
        self.times.clock(order)
    }

    /// When each entry is alive, before the ranges of a group are cut to each other (7.2).
    pub(crate) fn lives_at(&self, clock: &Clock) -> Vec<Life> {
        let life = |entry: &Entry| {
            let start = clock.at(entry.start)?;
            let ends = entry.ends.iter().filter_map(|&end| clock.at(end));
            Some((start, ends.max().unwrap_or(start).max(start)))
        };
        self.entries.iter().map(life).collect()
    }

    /// What lives cost.
    pub(crate) fn cost_of(&self, lives: &[Life]) -> Cost {
        let (exact, xla) = self.sums(lives);
        Cost { exact: exact.max(), xla: xla.max() }
    }

    /// Bytes alive at every time, exactly.
    pub(crate) fn profile(&self, lives: &[Life]) -> Vec<u64> {
        self.sums(lives).0.each().collect()
    }

    fn sums(&self, lives: &[Life]) -> (Sum, Sum) {
        let last = lives.iter().flatten().map(|life| life.1).max().unwrap_or(0);
        let mut exact = Sum::new(last);
        let mut xla = Sum::new(last);
        let alone = |group: GroupId| self.facts.groups.groups[group].len() == 1;
        for (entry, life) in self.entries.iter().zip(lives) {
            if let Some((start, end)) = *life
                && alone(entry.group)
            {
                exact.add(start, end, entry.size);
                xla.add(start, end, entry.size);
            }
        }
        for group in &self.shared {
            let mut ranges = self.sorted(group, lives);
            let size = group.first().map_or(0, |&at| self.entries[at as usize].size);
            union(&ranges).into_iter().for_each(|(start, end)| exact.add(start, end, size));
            cut(&mut ranges);
            ranges.into_iter().for_each(|(start, end, _)| xla.add(start, end, size));
        }
        for (time, size) in self.takes(lives) {
            exact.less(time, size);
            xla.less(time, size);
        }
        (exact, xla)
    }

    /// The lives of a group's entries in the order of their starts.
    pub(crate) fn sorted(&self, group: &[u32], lives: &[Life]) -> Vec<(u32, u32, u32)> {
        let life = |&at: &u32| lives[at as usize].map(|(start, end)| (start, end, at));
        let mut found: Vec<_> = group.iter().filter_map(life).collect();
        found.sort_unstable();
        found
    }

    /// Times at which a value takes the bytes of one that dies there, and how many.
    fn takes(&self, lives: &[Life]) -> Vec<(u32, u64)> {
        let mut takers: Vec<_> = (0_u32..)
            .zip(self.entries.iter().zip(lives))
            .filter(|(_, (entry, _))| !entry.may_take.is_empty())
            .filter_map(|(at, (_, life))| life.map(|(start, end)| (start, end, at)))
            .collect();
        takers.sort_unstable();
        let mut taken = Vec::new();
        let mut found = Vec::new();
        for (at, &(time, _, taker)) in takers.iter().enumerate() {
            if at == 0 || takers[at - 1].0 != time {
                taken.clear();
            }
            let may = self.entries[taker as usize].may_take.iter().copied();
            let dies = |from: &u32| lives[*from as usize].is_some_and(|life| life.1 == time);
            if let Some(from) = may.filter(dies).find(|from| !taken.contains(from)) {
                taken.push(from);
                found.push((time, self.entries[from as usize].size));
            }
        }
        found
    }
}

/// Closed ranges, joined where they meet; they come sorted.
pub(crate) fn union(ranges: &[(u32, u32, u32)]) -> Vec<(u32, u32)> {
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for &(start, end, _) in ranges {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// Cuts each range where the next begins (7.3).
fn cut(ranges: &mut [(u32, u32, u32)]) {
    for at in 1..ranges.len() {
        ranges[at].1 = ranges[at].1.max(ranges[at - 1].1);
        ranges[at - 1].1 = ranges[at - 1].1.min(ranges[at].0);
    }
}

/// Bytes over time.
struct Sum {
    steps: Vec<i128>,
    less: Vec<u64>,
}

impl Sum {
    fn new(last: u32) -> Self {
        let len = last as usize + 2;
        Self { steps: vec![0; len], less: vec![0; len] }
    }

    fn add(&mut self, start: u32, end: u32, size: u64) {
        self.steps[start as usize] += i128::from(size);
        self.steps[end as usize + 1] -= i128::from(size);
    }

    fn less(&mut self, time: u32, size: u64) {
        self.less[time as usize] = self.less[time as usize].saturating_add(size);
    }

    /// The sum at each time; `u64::MAX` when it is larger.
    fn each(&self) -> impl Iterator<Item = u64> {
        let mut now = 0_i128;
        self.steps.iter().zip(&self.less).map(move |(step, &less)| {
            now += step;
            u64::try_from((now - i128::from(less)).max(0)).unwrap_or(u64::MAX)
        })
    }

    /// The largest sum.
    fn max(&self) -> u64 {
        self.each().max().unwrap_or(0)
    }
}
