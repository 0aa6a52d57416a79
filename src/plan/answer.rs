//! The answer of a scope, put together from its arenas.

use std::collections::BTreeMap;

use memplan_packing::bounds::{Bounds, Load as PackingLoad};
use memplan_packing::{ItemId, Packing, Refutation};

use super::Arena;
use super::instance::{Built, Scene, rounded};
use super::reuse::{MAX_LISTED, priced, reuse};
use super::rung::Rung;
use crate::model::{
    Attempt, BufferId, ByteRange, CoreIs, LimitedBy, Load, Mode, Objective, Overflow, Placement,
    Reuse, ReuseLevel, ScopeAnswer, Step, Verdict,
};

/// What is known about one arena.
pub(super) struct ArenaAnswer {
    pub(super) owner: Option<String>,
    pub(super) capacity: Option<u64>,
    /// Bytes that its buffers may use.
    pub(super) usable: Option<u64>,
    pub(super) verdict: Verdict,
    pub(super) packing: Option<(Built, Packing)>,
    pub(super) mode: Mode,
    pub(super) level: Option<ReuseLevel>,
    pub(super) solver: String,
    pub(super) reason: Option<String>,
    pub(super) message: Option<String>,
    pub(super) lower_bound: u64,
    /// The best bound proven at the lowest level that was looked at.
    pub(super) level_bound: u64,
    pub(super) load: PackingLoad,
    pub(super) hard: Option<Built>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) nodes: u64,
    pub(super) limited_by: Option<LimitedBy>,
    pub(super) refuted: Option<Refutation>,
    /// True when the proven bound on the peak passes the capacity.
    pub(super) over_bound: bool,
    /// The smallest peak found, within the capacity or not.
    pub(super) works_at: Option<u64>,
    /// The lower level that fits, where the one asked for does not.
    pub(super) fits_at: Option<ReuseLevel>,
    /// A proven bound on the reuse cost at the level of the plan.
    pub(super) cost_bound: u64,
}

impl ArenaAnswer {
    pub(super) fn new(arena: &Arena) -> Self {
        Self {
            owner: arena.owner.clone(),
            capacity: arena.capacity,
            usable: None,
            verdict: Verdict::Undecided,
            packing: None,
            mode: Mode::Reuse,
            level: None,
            solver: String::new(),
            reason: None,
            message: None,
            lower_bound: 0,
            level_bound: 0,
            load: PackingLoad::default(),
            hard: None,
            attempts: Vec::new(),
            nodes: 0,
            limited_by: None,
            refuted: None,
            over_bound: false,
            works_at: None,
            fits_at: None,
            cost_bound: 0,
        }
    }

    /// Takes in what the hard facts alone say.
    pub(super) fn bound(&mut self, hard: Built) {
        let bounds = Bounds::new(&hard.instance);
        self.usable = hard.instance.usable();
        self.lower_bound = bounds.lower_bound.max(bounds.max_load.sum);
        self.load = bounds.max_load;
        self.hard = Some(hard);
    }

    pub(super) fn take(
        &mut self,
        built: Built,
        packing: Packing,
        mode: Mode,
        level: Option<ReuseLevel>,
        solver: &str,
    ) {
        (self.mode, self.level) = (mode, level);
        solver.clone_into(&mut self.solver);
        self.packing = Some((built, packing));
    }

    /// Takes in what a rung learnt. Its bound counts for every level only when it is of the
    /// lowest one.
    pub(super) fn absorb(&mut self, rung: &Rung, level: ReuseLevel) {
        self.attempts.extend(rung.attempts.iter().cloned());
        self.nodes += rung.nodes;
        self.works_at = self.works_at.into_iter().chain(rung.works_at).min();
        self.level_bound = rung.bound;
        if level == ReuseLevel::Lifetime {
            self.lower_bound = self.lower_bound.max(rung.bound);
        }
    }

    pub(super) fn peak(&self) -> Option<u64> {
        self.packing.as_ref().map(|(built, packing)| packing.peak(&built.instance))
    }
}

/// Joins the arenas of a scope.
pub(super) fn combine(
    scene: &Scene<'_>,
    arenas: Vec<ArenaAnswer>,
) -> (ScopeAnswer, Vec<Placement>) {
    let function = scene.function;
    let mine = function.buffers.enumerate().filter(|(_, b)| b.scope == scene.scope);
    let buffers: Vec<_> = mine.map(|(id, _)| (id, scene.facts.live[id].clone())).collect();
    let verdict = arenas.iter().map(|a| a.verdict).max().unwrap_or(Verdict::Optimal);
    let mut warnings = Vec::new();
    let mut reuses: Vec<Reuse> = Vec::new();
    let mut placements = Vec::new();
    // Where the ladder has left a level, its reason names the next one.
    let mut measured = arenas.iter().all(|a| a.reason.is_none());
    for arena in &arenas {
        let Some((built, packing)) = &arena.packing else { continue };
        let placed = place(scene, built, packing);
        if arena.mode == Mode::Reuse {
            measured &= built.first.len() <= MAX_LISTED;
            if built.first.len() <= MAX_LISTED {
                reuses.extend(reuse(scene, &placed));
            } else if scene.problem.objective == Objective::CostThenPeak {
                reuses.extend(priced(scene, &placed));
                warnings.push(format!(
                    "above {MAX_LISTED} buffers only the pairs that cost something are listed"
                ));
            } else if !scene.problem.pipes.is_empty() {
                warnings.push(format!("the reuse list is left out above {MAX_LISTED} buffers"));
            }
            if built.unpriced {
                warnings
                    .push("too many pairs: the stalls of the plan are not minimised".to_owned());
            }
        }
        placements.extend(placed);
    }
    reuses.sort_by_key(|r| (r.first, r.second));
    let complete = verdict.has_plan();
    if !complete {
        // A scope is planned whole or not at all.
        placements.clear();
        reuses.clear();
    }
    let reuse_cost = reuses.iter().map(|r| r.cost).fold(0, u64::saturating_add);
    let cost_bound = arenas.iter().map(|a| a.cost_bound).fold(0, u64::saturating_add);
    let worst = arenas.iter().max_by_key(|a| (a.verdict, a.load.sum));
    let peak = arenas.iter().map(ArenaAnswer::peak).collect::<Option<Vec<_>>>();
    let strictest = arenas.iter().filter(|a| a.mode == Mode::Reuse);
    let sequential = arenas.iter().all(|a| a.mode == Mode::Sequential);
    // The level of the plan is the lowest that one of its pairs needs, which may be stricter than the one
    // that it was planned at.
    let allowed = strictest.filter_map(|a| a.level).max();
    let needed = reuses.iter().filter_map(|r| r.level).max().unwrap_or(ReuseLevel::Pipe);
    let level = if measured { allowed.map(|level| level.min(needed)) } else { allowed };
    let answer = ScopeAnswer {
        scope: scene.scope,
        buffers,
        verdict,
        peak: peak.and_then(|p| p.into_iter().max()).filter(|_| complete),
        max_load: worst.map(|a| load(scene, a)).unwrap_or_else(empty_load),
        lower_bound: arenas.iter().map(|a| a.lower_bound).max().unwrap_or(0),
        reuse_cost,
        reuse_cost_bound: if complete { cost_bound } else { 0 },
        mode: if sequential { Mode::Sequential } else { Mode::Reuse },
        level: level.filter(|_| complete),
        strategy: worst.map(|a| a.solver.clone()).unwrap_or_default(),
        message: worst.and_then(|a| message(scene, a)),
        warnings,
        nodes: arenas.iter().map(|a| a.nodes).sum(),
        limited_by: arenas.iter().find_map(|a| a.limited_by),
        reuse: reuses,
        overflow: worst.filter(|_| !complete).and_then(overflow),
        attempts: arenas.into_iter().flat_map(|a| a.attempts).collect(),
        diagnosis: None,
    };
    (answer, placements)
}

pub(super) fn place(scene: &Scene<'_>, built: &Built, packing: &Packing) -> Vec<Placement> {
    let mut offsets: BTreeMap<BufferId, Vec<u64>> = BTreeMap::new();
    for ((buffer, _), offset) in built.items.iter().zip(&packing.offsets) {
        offsets.entry(*buffer).or_default().push(*offset);
    }
    for &index in &packing.promoted {
        let promotion = &built.instance.promotions[index as usize];
        let single = built.items[promotion.single as usize].0;
        let slots = promotion.slots.iter().map(|&s| packing.offsets[s as usize]);
        offsets.insert(single, slots.collect());
    }
    let placed = offsets.into_iter().map(|(id, offsets)| Placement {
        name: scene.function.buffers[id].name.clone(),
        id: Some(id.0),
        scope: Some(scene.problem.scopes[scene.scope].name.clone()),
        offsets,
        loc: None,
    });
    placed.collect()
}

fn empty_load() -> Load {
    Load { at: Step(0), op: None, step_name: None, bytes: 0, buffers: Vec::new() }
}

/// The load in words of the program.
fn load(scene: &Scene<'_>, arena: &ArenaAnswer) -> Load {
    match &arena.hard {
        Some(hard) => load_of(scene, &arena.load, hard),
        None => empty_load(),
    }
}

/// The load of an instance in words of the program.
pub(super) fn load_of(scene: &Scene<'_>, load: &PackingLoad, hard: &Built) -> Load {
    let at = Step(load.at);
    let mut bytes: BTreeMap<BufferId, u64> = BTreeMap::new();
    for &item in &load.items {
        let (buffer, _) = hard.items[item as usize];
        *bytes.entry(buffer).or_default() +=
            rounded(scene.problem, &scene.function.buffers[buffer]);
    }
    let mut buffers: Vec<(BufferId, u64)> = bytes.into_iter().collect();
    buffers.sort_by_key(|(id, bytes)| (std::cmp::Reverse(*bytes), *id));
    let program = scene.function.has_program();
    let order = &scene.facts.order;
    Load {
        at,
        op: order.op_at(at).filter(|_| program),
        step_name: order.describe(scene.function, at).filter(|_| program),
        bytes: load.sum,
        buffers,
    }
}

fn message(scene: &Scene<'_>, arena: &ArenaAnswer) -> Option<String> {
    if arena.verdict.has_plan() {
        return arena.reason.clone();
    }
    if let Some(why) = &arena.message {
        return Some(why.clone());
    }
    let scope = &scene.problem.scopes[scene.scope];
    let available = arena.usable?;
    if let Some(pins) = clash(scene, arena) {
        let bits = u128::from(available) * 8;
        return Some(format!("{} overflow, {pins} ({bits} bits available)", scope.name));
    }
    let over = requires(arena);
    let bits = u128::from(over.0) * 8;
    let have = u128::from(available) * 8;
    let mut text = format!(
        "{} overflow, requires {bits} bits while {have} bits available ({} bytes, the {}; {} available)",
        scope.name, over.0, over.1, available
    );
    if let Some(owner) = &arena.owner {
        text.push_str(&format!(" in the partition of {owner}"));
    }
    if let Some(level) = arena.fits_at {
        text.push_str(&format!("; it fits at level {}", level.name()));
    }
    Some(text)
}

/// Two pins that contradict each other: no memory is large enough for them.
fn clash(scene: &Scene<'_>, arena: &ArenaAnswer) -> Option<String> {
    let (Some(Refutation::Clash(a, b)), Some(hard)) = (&arena.refuted, &arena.hard) else {
        return None;
    };
    let place = |item: &ItemId| {
        let (id, slot) = *hard.items.get(*item as usize)?;
        let buffer = &scene.function.buffers[id];
        let start = *buffer.pin.as_ref()?.get(usize::try_from(slot).ok()?)?;
        let end = start.saturating_add(rounded(scene.problem, buffer));
        Some(format!("`{}` at {}", buffer.name, ByteRange::new(start, end)))
    };
    let (a, b) = (place(a)?, place(b)?);
    Some(format!("{a} and {b} are pinned onto bytes that they may not share"))
}

/// The number of bytes required, and which number it is.
fn requires(arena: &ArenaAnswer) -> (u64, &'static str) {
    if arena.usable.is_none_or(|usable| arena.load.sum > usable) {
        return (arena.load.sum, "max_load");
    }
    let capacity = arena.capacity.unwrap_or(u64::MAX);
    if arena.lower_bound > capacity {
        return (arena.lower_bound, "lower_bound");
    }
    match arena.works_at {
        _ if arena.level_bound > capacity => (arena.level_bound, "bound at its level"),
        Some(peak) => (peak, "heuristic peak"),
        None => (arena.lower_bound, "lower_bound"),
    }
}

fn overflow(arena: &ArenaAnswer) -> Option<Overflow> {
    let available = arena.usable?;
    let (requires, requires_is) = requires(arena);
    let core = core(arena);
    Some(Overflow {
        impossible: arena.verdict == Verdict::Infeasible,
        owner: arena.owner.clone(),
        available,
        requires,
        requires_is,
        core_is: if core.is_empty() { CoreIs::Unknown } else { CoreIs::Witness },
        core,
        // Where a part of an owner would have to end is no capacity of the scope.
        works_at: arena.works_at.filter(|_| arena.owner.is_none()),
        advice: Vec::new(),
    })
}

/// The buffers of the refutation's witness, where it has one.
fn core(arena: &ArenaAnswer) -> Vec<BufferId> {
    let Some(hard) = &arena.hard else { return Vec::new() };
    let items = match &arena.refuted {
        Some(Refutation::Load { items, .. }) => enough(hard, items),
        Some(Refutation::NoPlace(item)) => vec![*item],
        Some(Refutation::Clash(a, b)) => vec![*a, *b],
        Some(Refutation::Exhausted) | None => Vec::new(),
    };
    // Items of every level are the same but for promoted copies, which come last.
    let known = items.into_iter().filter_map(|i| hard.items.get(i as usize));
    let mut buffers: Vec<BufferId> = known.map(|(buffer, _)| *buffer).collect();
    buffers.sort_unstable();
    buffers.dedup();
    buffers
}

/// As many of the items alive at once, largest first, as already do not fit: without any one of
/// them the rest is no proof.
fn enough(hard: &Built, items: &[ItemId]) -> Vec<ItemId> {
    let instance = &hard.instance;
    let Some(usable) = instance.usable() else { return items.to_vec() };
    // Colocated items count the bytes that they cover together, so their sizes do not add up.
    if !instance.colocated.is_empty() {
        return items.to_vec();
    }
    let size = |i: &ItemId| instance.items[*i as usize].size;
    let mut by_size = items.to_vec();
    by_size.sort_by_key(|i| (std::cmp::Reverse(size(i)), *i));
    let mut sum = 0u64;
    let mut out = Vec::new();
    for item in by_size {
        sum = sum.saturating_add(size(&item));
        out.push(item);
        if sum > usable {
            return out;
        }
    }
    items.to_vec()
}
