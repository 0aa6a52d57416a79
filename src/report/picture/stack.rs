//! Buffers without a plan: those alive at each step, one on another, so that the height is the load.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::load::{Curve, Piece, taken};
use crate::format::picture::{Columns, Map, Stack};

/// Rectangles of a stack at most; beyond them the curve alone is drawn.
const MOST: usize = 50_000;

/// Places that are looked for at most, over all steps: where everything is alive at once, each step has
/// as many as there are buffers.
const MOST_PLACES: usize = 2_000_000;

/// Pairs of positions that may hold the same bytes although both are alive.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// The second takes the bytes of the first at the step at which one becomes the other.
    pub(super) inplace: Vec<(usize, usize)>,
    /// Never alive together, whatever the live ranges say; each pair both ways.
    pub(super) exclusive: BTreeSet<(usize, usize)>,
}

/// The stack and its height over time.
pub(super) fn stack(buffers: &Columns, together: &Together) -> (Option<Stack>, Vec<[u64; 2]>) {
    let bytes = |at: usize| {
        taken(buffers, at).saturating_mul(u64::from(buffers.slots.get(at).copied().unwrap_or(1)))
    };
    let host = hosts(buffers, &together.inplace, bytes);
    let mut changes: BTreeMap<u64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, live) in buffers.live.iter().enumerate().filter(|(at, _)| bytes(*at) > 0) {
        for &[start, end] in live.as_chunks::<2>().0.iter().filter(|[s, e]| s < e) {
            changes.entry(start).or_default().0.push(at);
            changes.entry(end).or_default().1.push(at);
        }
    }
    let may_lie = host.keys().chain(together.exclusive.iter().map(|(at, _)| at)).copied();
    let mut curve = Curve::default();
    let mut alive = Alive { may_lie: may_lie.collect(), ..Alive::default() };
    let mut drawn = Drawing::default();
    for (step, (come, go)) in changes {
        alive.change(&come, &go, !drawn.full(), bytes);
        let guest = |at: usize| {
            let from = host.get(&at).filter(|from| alive.set.contains(from)).copied();
            from.or_else(|| alive.larger(at, &together.exclusive, bytes))
        };
        if !drawn.full() {
            let (mut base, mut guests, mut top) = (BTreeMap::new(), Vec::new(), 0_u64);
            for &at in &alive.order {
                if let Some(on) = guest(at) {
                    guests.push((at, on));
                } else {
                    base.insert(at, top);
                    top = top.saturating_add(bytes(at));
                }
            }
            // Whose host is a guest itself lies where that lies.
            for (at, on) in guests {
                let below = base.get(&on).copied().unwrap_or(0);
                base.insert(at, below);
            }
            drawn.at(step, &base);
        }
        let guests = alive.light.iter().filter(|at| guest(**at).is_some());
        let held: u128 = guests.map(|at| u128::from(bytes(*at))).sum();
        curve.push(step, u64::try_from(alive.bytes.saturating_sub(held)).unwrap_or(u64::MAX));
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
    /// Kept as long as they are drawn.
    order: Vec<usize>,
    set: BTreeSet<usize>,
    /// The sum of all.
    bytes: u128,
    /// Those that may lie on others, at whatever step.
    may_lie: BTreeSet<usize>,
    /// The same, of those that are alive.
    light: BTreeSet<usize>,
}

impl Alive {
    /// The largest buffer on whose bytes a smaller one may lie because they are exclusive.
    fn larger(
        &self,
        at: usize,
        exclusive: &BTreeSet<(usize, usize)>,
        bytes: impl Fn(usize) -> u64,
    ) -> Option<usize> {
        let others = exclusive.range((at, 0)..=(at, usize::MAX)).map(|(_, other)| *other);
        let size = |other: usize| (bytes(other), Reverse(other));
        let larger = others.filter(|o| self.set.contains(o) && size(*o) > size(at));
        larger.max_by_key(|other| size(*other))
    }

    fn change(
        &mut self,
        come: &[usize],
        go: &[usize],
        ordered: bool,
        bytes: impl Fn(usize) -> u64,
    ) {
        // Those that come are in ascending order.
        for at in go.iter().filter(|at| come.binary_search(at).is_err()) {
            if self.set.remove(at) {
                self.light.remove(at);
                self.bytes = self.bytes.saturating_sub(u128::from(bytes(*at)));
            }
        }
        if ordered && !go.is_empty() {
            let set = &self.set;
            self.order.retain(|at| set.contains(at));
        }
        for &at in come {
            if self.set.insert(at) {
                self.bytes += u128::from(bytes(at));
                if self.may_lie.contains(&at) {
                    self.light.insert(at);
                }
                if ordered {
                    self.order.push(at);
                }
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
    /// Places that were looked for.
    places: usize,
}

impl Drawing {
    fn full(&self) -> bool {
        self.done.buffer.len() > MOST || self.places > MOST_PLACES
    }

    /// From this step on, buffers lie on these bases.
    fn at(&mut self, step: u64, bases: &BTreeMap<usize, u64>) {
        self.places += bases.len();
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
