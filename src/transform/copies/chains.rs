//! Chains: the values that are the same bytes, one after the other.
//!
//! A link of a chain is one value, or a value and those that were copies of it until their copies
//! were taken away. Links of one chain do not overlap in time; they may touch.

use std::collections::{BTreeMap, BTreeSet};

use super::Kept;
use super::edges::{Edges, Order};
use crate::analyze::hlo::{Analysis, GroupId, Position, Range, ValueId};
use crate::ir::hlo::{InstructionId, Opcode, ShapeIndex, Sharing};
use crate::model::IdVec;

/// Where a link stands in its chain: its start, its first value's end, that value.
type Key = (u32, u32, ValueId);

/// What a chain holds.
#[derive(Clone, Debug, Default)]
struct Chain {
    /// By key, the values of each link; the first is the one that the others were copies of.
    links: BTreeMap<Key, Vec<ValueId>>,
    /// A value of it is a constant, or a parameter of the entry that no output lies on.
    read_only: bool,
    /// A value of it is returned by the entry.
    live_out: bool,
}

/// All chains of a module; one is named by the must-alias group that it began with.
pub(super) struct Chains<'a> {
    analysis: &'a Analysis<'a>,
    sharing: &'a Sharing<'a>,
    chains: IdVec<GroupId, Chain>,
    /// The chain that a chain went into; itself while it is there.
    into: IdVec<GroupId, GroupId>,
    /// The first value of the link that a value is in.
    first: IdVec<ValueId, ValueId>,
    /// Where it counts on orders that are not given.
    pub(super) edges: Option<Edges<'a>>,
}

impl<'a> Chains<'a> {
    /// One chain for every must-alias group. With `edges`, orders that the module's dependencies do
    /// not give are collected there.
    pub(super) fn new(
        analysis: &'a Analysis<'a>,
        sharing: &'a Sharing<'a>,
        edges: Option<Edges<'a>>,
    ) -> Self {
        let (module, groups) = (analysis.module, &analysis.groups);
        let aliased: BTreeSet<(u32, &ShapeIndex)> =
            module.aliases.iter().map(|alias| (alias.parameter, &alias.index)).collect();
        let mut chains: IdVec<GroupId, Chain> = IdVec::new();
        for (id, values) in groups.groups.enumerate() {
            let mut chain = Chain { live_out: groups.live_out[id], ..Chain::default() };
            for &value in values {
                let Position { instruction, index } = &analysis.values.values[value].definition;
                let born = &module.instructions[*instruction];
                let number = born.parameter.filter(|_| born.computation == module.entry);
                let outer = number.is_some_and(|number| !aliased.contains(&(number, index)));
                chain.read_only |= outer || born.opcode == Opcode::Constant;
                if let Some(key) = analysis.ranges.live[value].map(|range| key(range, value)) {
                    chain.links.insert(key, vec![value]);
                }
            }
            chains.push(chain);
        }
        let into = chains.ids().collect();
        let first = analysis.values.values.ids().collect();
        Self { analysis, sharing, chains, into, first, edges }
    }

    /// Takes a copy away: its value becomes that of its source, and the two chains become one.
    ///
    /// # Errors
    /// Why the copy stays; nothing is changed then.
    pub(super) fn remove(&mut self, source: ValueId, copy: ValueId) -> Result<(), Kept> {
        let (from, to) = (self.chain(source), self.chain(copy));
        let (s, d) =
            (self.key_of(source).ok_or(Kept::NoTime)?, self.key_of(copy).ok_or(Kept::NoTime)?);
        let wanted = match from == to {
            true => self.adjacent(from, s, d)?,
            false => self.fits(from, s, to, d)?,
        };
        if let Some(edges) = &mut self.edges {
            edges.accept(wanted);
        }
        self.splice(from, s, to, d);
        Ok(())
    }

    fn chain(&self, value: ValueId) -> GroupId {
        let mut at = self.analysis.groups.of[value];
        while self.into[at] != at {
            at = self.into[at];
        }
        at
    }

    fn key_of(&self, value: ValueId) -> Option<Key> {
        let first = self.first[value];
        self.analysis.ranges.live[first].map(|range| key(range, first))
    }

    /// In one chain, the copy must come right after its source.
    fn adjacent(&self, chain: GroupId, s: Key, d: Key) -> Result<Vec<Order>, Kept> {
        let next = self.chains[chain].links.range(after(s)..).next();
        match next {
            Some((&key, _)) if key == d => Ok(Vec::new()),
            Some((&key, _)) => Err(self.overlap(s.2, key.2)),
            None => Err(Kept::NoTime),
        }
    }

    /// In two chains, every link of one must fit between the links of the other.
    fn fits(&self, from: GroupId, s: Key, to: GroupId, d: Key) -> Result<Vec<Order>, Kept> {
        let (source, copy) = (&self.chains[from], &self.chains[to]);
        if source.live_out && copy.live_out {
            return Err(Kept::TwoOutputs);
        }
        if source.read_only && copy.live_out {
            return Err(Kept::Returned);
        }
        if copy.read_only || (source.read_only && copy.links.len() > 1) {
            return Err(Kept::ReadOnly);
        }
        let mut wanted = Vec::new();
        let mut fit = |first: Key, of: &Chain, then: Key| self.before(first, of, then, &mut wanted);
        // What follows the source in its own chain must wait for the copy's users as well.
        if let Some((&next, _)) = source.links.range(after(s)..).next() {
            fit(d, copy, next)?;
        }
        // The link of both starts with the source and ends with the copy.
        if let Some((&before, _)) = copy.links.range(..d).next_back() {
            fit(before, copy, s)?;
        }
        if let Some((&next, _)) = copy.links.range(after(d)..).next() {
            fit(s, source, next)?;
        }
        let (small, large) = match source.links.len() < copy.links.len() {
            true => (source, copy),
            false => (copy, source),
        };
        for &link in small.links.keys().filter(|&&link| link != s && link != d) {
            if let Some((&before, _)) = large.links.range(..link).rfind(|(key, _)| **key != d) {
                fit(before, large, link)?;
            }
            if let Some((&next, _)) = large.links.range(link..).find(|(key, _)| **key != d) {
                fit(link, small, next)?;
            }
        }
        Ok(wanted)
    }

    /// Every value of the first link is over when the second begins.
    fn before(
        &self,
        first: Key,
        of: &Chain,
        then: Key,
        wanted: &mut Vec<Order>,
    ) -> Result<(), Kept> {
        let values = of.links.get(&first).map_or(&[][..], Vec::as_slice);
        let later = then.2;
        if let Some(&value) = values.iter().find(|&&value| !self.is_over(value, later)) {
            return Err(self.overlap(value, later));
        }
        if let Some(edges) = &self.edges {
            for &value in values {
                wanted.extend(edges.orders(value, later)?);
            }
        }
        Ok(())
    }

    /// `first` ends before `later` begins, or they touch where 5.2 allows it.
    fn is_over(&self, first: ValueId, later: ValueId) -> bool {
        let live = &self.analysis.ranges.live;
        let (Some(a), Some(b)) = (live[first], live[later]) else { return false };
        if a.end != b.start {
            return a.end < b.start;
        }
        if self.analysis.groups.of[first] == self.analysis.groups.of[later] {
            return a.start < b.start;
        }
        let values = &self.analysis.values.values;
        let Position { instruction: taker, index } = &values[later].definition;
        // A copy may touch what it copies, other than in 9.3: one chain makes it go.
        let last = self.last_position(first);
        self.sharing.may_share(last.instruction, &last.index, *taker, index)
    }

    /// The position with the greatest time, the first of them.
    fn last_position(&self, value: ValueId) -> &Position {
        let (module, ranges) = (self.analysis.module, &self.analysis.ranges);
        let value = &self.analysis.values.values[value];
        let time = |id: InstructionId| match ranges.span[module.instructions[id].computation] {
            Some(span) if module.is_root(id) => Some(span.end),
            _ => ranges.time[id],
        };
        let (mut last, mut at) = (&value.definition, time(value.definition.instruction));
        for position in &value.positions {
            let now = time(position.instruction);
            if now > at {
                (last, at) = (position, now);
            }
        }
        last
    }

    fn overlap(&self, a: ValueId, b: ValueId) -> Kept {
        let name = |id| self.analysis.values.name(self.analysis.module, id);
        let live = &self.analysis.ranges.live;
        let (first, second) = if live[b] < live[a] { (b, a) } else { (a, b) };
        Kept::Overlap { first: name(first), second: name(second) }
    }

    /// Makes one chain of two; the smaller one moves.
    fn splice(&mut self, from: GroupId, s: Key, to: GroupId, d: Key) {
        let moved = self.chains[to].links.remove(&d).unwrap_or_default();
        for &value in &moved {
            self.first[value] = s.2;
        }
        self.chains[from].links.entry(s).or_default().extend(moved);
        if from == to {
            return;
        }
        let (keep, gone) = match self.chains[from].links.len() < self.chains[to].links.len() {
            true => (to, from),
            false => (from, to),
        };
        let small = std::mem::take(&mut self.chains[gone]);
        let chain = &mut self.chains[keep];
        // One by one: appending would walk through the large one.
        for (key, values) in small.links {
            chain.links.insert(key, values);
        }
        chain.live_out |= small.live_out;
        chain.read_only |= small.read_only;
        self.into[gone] = keep;
    }
}

fn key(range: Range, value: ValueId) -> Key {
    (range.start, range.end, value)
}

/// The key right behind.
fn after((start, end, value): Key) -> Key {
    (start, end, ValueId(value.0.saturating_add(1)))
}
