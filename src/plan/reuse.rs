//! Who shares bytes with whom in a plan, by which right, and whether it stalls.

use std::collections::BTreeMap;

use super::instance::{Scene, rounded};
use crate::analyze::{SlotUse, Stalls, allowed_at, stall_cost};
use crate::model::{BufferId, Function, PipeId, Placement, RelationKind, Reuse, ReuseLevel};

/// Buffers of a scope, at most, whose reuse is listed: the list may be quadratic.
pub const MAX_LISTED: usize = 2_000;

/// One placed copy of a buffer.
struct Copy {
    buffer: BufferId,
    start: u64,
    end: u64,
    slot: SlotUse,
    promoted_onto: Option<BufferId>,
}

/// The pairs of buffers of a scope that share bytes, in order.
pub(super) fn reuse(scene: &Scene<'_>, placements: &[Placement]) -> Vec<Reuse> {
    let (function, facts) = (scene.function, scene.facts);
    let mut copies = copies(scene, placements);
    copies.sort_by_key(|c| (c.start, c.buffer));
    let stalls = Stalls::new(scene.problem, function, facts);
    let prices = Prices::of(function);
    let levels = !scene.problem.pipes.is_empty();
    let mut found: BTreeMap<(BufferId, BufferId), Reuse> = BTreeMap::new();
    for (at, a) in copies.iter().enumerate() {
        for b in copies[at + 1..].iter().take_while(|b| b.start < a.end) {
            if a.buffer == b.buffer {
                continue;
            }
            let place = |id: BufferId| (facts.live[id].first().copied(), id);
            let (x, y) = if place(a.buffer) <= place(b.buffer) { (a, b) } else { (b, a) };
            let promoted = x.promoted_onto == Some(y.buffer) || y.promoted_onto == Some(x.buffer);
            let stall = if promoted { None } else { stalls.between(x.slot, y.slot) };
            let mut level = allowed_at(function, facts, x.buffer, y.buffer);
            if level == ReuseLevel::Slot && !promoted {
                level = ReuseLevel::Lifetime;
            }
            let waits = match stall {
                Some(_) => stall_cost(function, facts, x.buffer, y.buffer),
                None => 0,
            };
            let (price, why) = prices.get(x.buffer, y.buffer);
            let inplace = facts.inplace.iter().any(|p| {
                (p.from, p.into) == (x.buffer, y.buffer) || (p.into, p.from) == (x.buffer, y.buffer)
            });
            let reuse = Reuse {
                first: x.buffer,
                second: y.buffer,
                level: levels.then_some(level),
                stall: stall.is_some() || price > 0,
                pipes: tied(scene, x.buffer, y.buffer),
                cost: price.saturating_add(waits),
                why,
                inplace,
            };
            found
                .entry((x.buffer, y.buffer))
                .and_modify(|old| {
                    old.stall |= reuse.stall;
                    old.cost = old.cost.max(reuse.cost);
                    old.level = old.level.max(reuse.level);
                })
                .or_insert(reuse);
        }
    }
    found.into_values().collect()
}

/// The pairs that share bytes and pay a price of the input for it; where the whole list is too long.
pub(super) fn priced(scene: &Scene<'_>, placements: &[Placement]) -> Vec<Reuse> {
    let mut at: BTreeMap<BufferId, Vec<Copy>> = BTreeMap::new();
    for copy in copies(scene, placements) {
        at.entry(copy.buffer).or_default().push(copy);
    }
    let place = |id: BufferId| (scene.facts.live[id].first().copied(), id);
    let pair = |(&(a, b), &(cost, why)): (&(BufferId, BufferId), &(u64, Option<&str>))| {
        let (x, y) = (at.get(&a)?, at.get(&b)?);
        let shared = x.iter().any(|x| y.iter().any(|y| x.start < y.end && y.start < x.end));
        let (first, second) = if place(a) <= place(b) { (a, b) } else { (b, a) };
        shared.then(|| Reuse {
            first,
            second,
            level: None,
            stall: true,
            pipes: Vec::new(),
            cost,
            why: why.map(str::to_owned),
            inplace: false,
        })
    };
    Prices::of(scene.function).0.iter().filter_map(pair).collect()
}

/// What the input says that sharing costs, pair by pair, the smaller id first.
struct Prices<'a>(BTreeMap<(BufferId, BufferId), (u64, Option<&'a str>)>);

impl<'a> Prices<'a> {
    fn of(function: &'a Function) -> Self {
        let mut prices: BTreeMap<(BufferId, BufferId), (u64, Option<&str>)> = BTreeMap::new();
        for relation in &function.relations {
            let RelationKind::Cost { cost } = relation.kind else { continue };
            let pair = (relation.first.min(relation.second), relation.first.max(relation.second));
            let (sum, why) = prices.entry(pair).or_default();
            *sum = sum.saturating_add(cost);
            *why = why.or(relation.why.as_deref());
        }
        Self(prices)
    }

    fn get(&self, a: BufferId, b: BufferId) -> (u64, Option<String>) {
        match self.0.get(&(a.min(b), a.max(b))) {
            Some((cost, why)) => (*cost, why.map(str::to_owned)),
            None => (0, None),
        }
    }
}

/// The pipes of both buffers, where the sharing ties two of them together.
fn tied(scene: &Scene<'_>, a: BufferId, b: BufferId) -> Vec<PipeId> {
    let facts = scene.facts;
    if facts.class[a].shares_with(facts.class[b]) {
        return Vec::new();
    }
    let mut pipes: Vec<PipeId> = facts.pipes[a].iter().chain(&facts.pipes[b]).copied().collect();
    pipes.sort_unstable();
    pipes.dedup();
    if pipes.len() > 1 { pipes } else { Vec::new() }
}

/// The slots of all buffers of the scope that have bytes.
fn copies(scene: &Scene<'_>, placements: &[Placement]) -> Vec<Copy> {
    let function = scene.function;
    let placed = || {
        placements.iter().filter_map(|p| {
            let id = BufferId(p.id?);
            let buffer = function.buffers.get(id)?;
            (buffer.scope == scene.scope).then_some((id, buffer, &p.offsets))
        })
    };
    let multis: Vec<_> = placed().filter(|(_, buffer, _)| buffer.slots > 1).collect();
    let mut out = Vec::new();
    for (id, buffer, offsets) in placed() {
        let size = rounded(scene.problem, buffer);
        let slots = u32::try_from(offsets.len()).unwrap_or(u32::MAX);
        // A single with several places was promoted onto the multi-buffer that has them all.
        let onto = multis.iter().find(|(_, _, theirs)| {
            buffer.slots == 1 && slots > 1 && offsets.iter().all(|o| theirs.contains(o))
        });
        let rotates_in = match onto {
            Some((_, multi, _)) => multi.rotates_in,
            None if buffer.slots == 1 && slots > 1 => scene.facts.home[id],
            None => buffer.rotates_in,
        };
        for (n, &start) in offsets.iter().enumerate().filter(|_| size > 0) {
            out.push(Copy {
                buffer: id,
                start,
                end: start.saturating_add(size),
                slot: SlotUse { buffer: id, slot: n as u32, slots, rotates_in },
                promoted_onto: onto.map(|(multi, ..)| *multi),
            });
        }
    }
    out
}
