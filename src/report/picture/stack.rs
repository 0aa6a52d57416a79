//! Buffers without a plan: those alive at each step, one on another, so that the height is the load.

use std::collections::{BTreeMap, BTreeSet};

use super::load::{Curve, Piece, taken};
use crate::format::picture::{Columns, Map, Stack};

/// Rectangles of a stack at most; beyond them the curve alone is drawn.
const MOST: usize = 50_000;

/// The stack and its height over time. `inplace` are positions: the second takes the bytes of the first
/// at the step at which one becomes the other.
pub(super) fn stack(
    buffers: &Columns,
    inplace: &[(usize, usize)],
) -> (Option<Stack>, Vec<[u64; 2]>) {
    let bytes = |at: usize| {
        taken(buffers, at).saturating_mul(u64::from(buffers.slots.get(at).copied().unwrap_or(1)))
    };
    let host = hosts(buffers, inplace, bytes);
    let mut changes: BTreeMap<u64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, live) in buffers.live.iter().enumerate().filter(|(at, _)| bytes(*at) > 0) {
        for &[start, end] in live.as_chunks::<2>().0.iter().filter(|[s, e]| s < e) {
            changes.entry(start).or_default().0.push(at);
            changes.entry(end).or_default().1.push(at);
        }
    }
    let mut curve = Curve::default();
    let (mut alive, mut drawn) = (Alive::default(), Drawing::default());
    for (step, (come, go)) in changes {
        alive.change(&come, &go);
        if drawn.full() {
            // The sum alone, without places.
            let guest = |at: &&usize| host.get(at).is_some_and(|from| alive.set.contains(from));
            let sum = alive.set.iter().filter(|at| !guest(at)).map(|at| bytes(*at));
            curve.push(step, sum.fold(0, u64::saturating_add));
            continue;
        }
        let mut base: BTreeMap<usize, u64> = BTreeMap::new();
        let mut top: u64 = 0;
        for &at in &alive.order {
            let below = host.get(&at).and_then(|from| base.get(from)).copied();
            base.insert(at, below.unwrap_or(top));
            if below.is_none() {
                top = top.saturating_add(bytes(at));
            }
        }
        drawn.at(step, &base);
        curve.push(step, top);
    }
    let stack = (!drawn.full()).then_some(drawn.done);
    (stack, curve.points)
}

/// Whose bytes a buffer takes in place: one guest for each host.
fn hosts(
    buffers: &Columns,
    inplace: &[(usize, usize)],
    bytes: impl Fn(usize) -> u64,
) -> BTreeMap<usize, usize> {
    let (mut gave, mut host) = (BTreeSet::new(), BTreeMap::new());
    for &(from, into) in inplace {
        let last = buffers.live.get(from).and_then(|live| live.last());
        let first = buffers.live.get(into).and_then(|live| live.first());
        let meet = last.zip(first).is_some_and(|(last, first)| *last == first.saturating_add(1));
        if meet && bytes(into) <= bytes(from) && !host.contains_key(&into) && gave.insert(from) {
            host.insert(into, from);
        }
    }
    host
}

/// Who is alive, those who came first lowest.
#[derive(Debug, Default)]
struct Alive {
    order: Vec<usize>,
    set: BTreeSet<usize>,
}

impl Alive {
    fn change(&mut self, come: &[usize], go: &[usize]) {
        for at in go.iter().filter(|at| !come.contains(at)) {
            self.set.remove(at);
        }
        let set = &self.set;
        self.order.retain(|at| set.contains(at));
        for &at in come {
            if self.set.insert(at) {
                self.order.push(at);
            }
        }
    }
}

/// The rectangles made so far.
#[derive(Debug, Default)]
struct Drawing {
    done: Stack,
    /// Those that have not ended, with their base and start.
    open: BTreeMap<usize, (u64, u64)>,
}

impl Drawing {
    fn full(&self) -> bool {
        self.done.buffer.len() > MOST
    }

    /// From this step on, buffers lie on these bases.
    fn at(&mut self, step: u64, bases: &BTreeMap<usize, u64>) {
        let mut open = BTreeMap::new();
        for (&at, &base) in bases {
            match self.open.remove(&at) {
                Some((same, start)) if same == base => {
                    open.insert(at, (base, start));
                }
                before => {
                    self.close(at, before, step);
                    open.insert(at, (base, step));
                }
            }
        }
        for (at, piece) in std::mem::take(&mut self.open) {
            self.close(at, Some(piece), step);
        }
        self.open = open;
    }

    fn close(&mut self, at: usize, piece: Option<(u64, u64)>, step: u64) {
        if let Some((base, start)) = piece {
            self.done.buffer.push(u32::try_from(at).unwrap_or(u32::MAX));
            self.done.start.push(start);
            self.done.end.push(step);
            self.done.base.push(base);
        }
    }
}

/// The rectangles of a map without a plan.
pub(super) fn pieces(map: &Map) -> Vec<Piece> {
    let Some(stack) = &map.stack else { return Vec::new() };
    let mut all = Vec::with_capacity(stack.buffer.len());
    for (at, &buffer) in stack.buffer.iter().enumerate() {
        let buffer = usize::try_from(buffer).unwrap_or(usize::MAX);
        let slots = u64::from(map.buffers.slots.get(buffer).copied().unwrap_or(1));
        let low = stack.base[at];
        let high = low.saturating_add(taken(&map.buffers, buffer).saturating_mul(slots));
        all.push(Piece { buffer, slot: 0, start: stack.start[at], end: stack.end[at], low, high });
    }
    all
}
