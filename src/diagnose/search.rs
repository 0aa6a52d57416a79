//! The weakest change of each kind that is enough: one function a kind.
//!
//! Every function asks the planner, and gives a change only where the answer is a plan. Nothing weaker of
//! the kind is enough, as far as the planner could tell within the budget of a question.

use super::asker::{Asker, Goal};
use super::change::tied;
use crate::model::{
    Advice, BufferId, Change, Function, Index, Relation, RelationKind, ReuseLevel, Scope,
    ScopeAnswer, ScopeId, ValueKind,
};
use crate::plan::Options;

/// Changes of one kind that are tried, at most.
pub(super) const MAX_TRIED: usize = 24;

/// Buffers that are tried in other memories, at most, and memories.
const MAX_MOVED: usize = 6;

/// Moves told, at most: whether the ops can use another memory is not known here.
const MAX_TOLD: usize = 2;

/// Sums of the buffers alive at once that a smaller size can be guessed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    /// Bytes of the largest load past what may be used.
    pub(super) bytes: u64,
}

/// A change that was enough, with the answer to it.
pub(super) fn advice(change: Change, with: Vec<Change>, cost: u64, answer: &ScopeAnswer) -> Advice {
    Advice {
        change,
        with,
        cost,
        peak: answer.peak.unwrap_or(0),
        level: answer.level,
        stalls: answer.reuse.iter().filter(|r| r.stall).count(),
        reuse_cost: answer.reuse_cost,
    }
}

fn single(asker: &mut Asker, change: Change, cost: u64) -> Option<Advice> {
    let answer = asker.with(std::slice::from_ref(&change))?;
    Some(advice(change, Vec::new(), cost, &answer))
}

/// A pinned buffer that may lie elsewhere.
pub(super) fn unpinned(asker: &mut Asker, buffer: BufferId) -> Option<Advice> {
    asker.function().buffers[buffer].pin.as_ref()?;
    single(asker, Change::Unpin { buffer }, 0)
}

/// A buffer that may share its bytes.
pub(super) fn shared(asker: &mut Asker, buffer: BufferId) -> Option<Advice> {
    if !asker.function().buffers[buffer].unique {
        return None;
    }
    single(asker, Change::Share { buffer }, 0)
}

/// Pairs of these buffers that are kept apart, each dropped.
pub(super) fn relaxed(asker: &mut Asker, buffers: &[BufferId]) -> Vec<Advice> {
    let mut known = vec![false; asker.function().buffers.len()];
    buffers.iter().for_each(|id| known[id.at()] = true);
    let both = |a: BufferId, b: BufferId| known[a.at()] && known[b.at()];
    let relations = asker.function().relations.iter();
    let mut pairs: Vec<(BufferId, BufferId)> = relations
        .filter(|r| r.kind == RelationKind::Separate && both(r.first, r.second))
        .map(|r| (r.first.min(r.second), r.first.max(r.second)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let kind = RelationKind::Separate;
    let change = |(first, second)| Change::Relax { kind, first, second };
    let tried = pairs.into_iter().take(MAX_TRIED).map(change);
    tried.filter_map(|change| single(asker, change, 0)).collect()
}

/// The largest smaller alignment that is enough: a divisor of the one that the buffer has.
pub(super) fn aligned(asker: &mut Asker, buffer: BufferId) -> Option<Advice> {
    let from = asker.function().buffers[buffer].alignment;
    let change = |to| Change::Align { buffer, from, to };
    if from <= 1 || asker.function().buffers[buffer].pin.is_some() {
        return None;
    }
    let least = single(asker, change(1), 0)?;
    // Not more than a page has divisors worth trying.
    let divisors = (2..=from / 2).take(4096).filter(|d| from.is_multiple_of(*d));
    let larger: Vec<u64> = divisors.map(|d| from / d).filter(|to| *to > 1).take(12).collect();
    let found = larger.into_iter().find_map(|to| single(asker, change(to), 0));
    Some(found.unwrap_or(least))
}

/// The largest smaller number of slots that is enough.
pub(super) fn fewer_slots(asker: &mut Asker, buffer: BufferId) -> Option<Advice> {
    let function = asker.function();
    let of = &function.buffers[buffer];
    if of.pin.is_some() || of.slots < 2 || tied(function, buffer) {
        return None;
    }
    let (from, size) = (of.slots, of.size.0);
    let try_one = |asker: &mut Asker, to| {
        let cost = size.saturating_mul(u64::from(from - to));
        single(asker, Change::Slots { buffer, from, to }, cost)
    };
    // Where one slot is not enough, no number is.
    let mut best = try_one(asker, 1)?;
    let (mut low, mut high) = (1, from);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match try_one(asker, middle) {
            Some(found) => (best, low) = (found, middle),
            None => high = middle,
        }
    }
    Some(best)
}

/// The largest size that is enough, in steps of the alignment where sizes are rounded up to it, else of
/// an element. The guess is what the largest load says is too many. Not less than what views, operands and
/// in-place pairs of the input say of the buffer: it would be no input any more.
pub(super) fn smaller(
    asker: &mut Asker,
    buffer: BufferId,
    excess: Option<Excess>,
) -> Option<Advice> {
    let of = &asker.function().buffers[buffer];
    let (from, slots) = (of.size.0, u64::from(of.slots.max(1)));
    let step = step(&asker.problem.scopes[asker.scope], of);
    // Steps: fewest .. most; `most` itself is the size now. A buffer of no bytes is no way out.
    let fewest = said(asker.function(), buffer).div_ceil(step).max(1);
    let most = from.div_ceil(step);
    if fewest >= most {
        return None;
    }
    let mut best = None;
    let mut fits = |asker: &mut Asker, steps: u64| {
        let to = steps.saturating_mul(step);
        let cost = (from - to).saturating_mul(slots);
        let found = single(asker, Change::Size { buffer, from, to }, cost);
        let yes = found.is_some();
        best = found.or(best.take());
        yes
    };
    let (mut low, mut high) = (0, most);
    let guess = excess.map(|e| from.saturating_sub(e.bytes.div_ceil(slots)) / step);
    match guess.filter(|g| (fewest..most).contains(g)) {
        Some(guess) if fits(asker, guess) => {
            low = guess;
            if guess + 1 == high || !fits(asker, guess + 1) {
                high = guess + 1;
            } else {
                low = guess + 1;
            }
        }
        guess => {
            high = guess.unwrap_or(high);
            if high <= fewest || !fits(asker, fewest) {
                return None;
            }
            low = low.max(fewest);
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(asker, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    // Without an answer about the step above it nothing says that it is the largest.
    asker.may_ask().then_some(best).flatten()
}

/// Bytes of a buffer that the input names: by views and ranges of operands, and by what takes its place.
/// Those that name all of it shrink with it.
fn said(function: &Function, buffer: BufferId) -> u64 {
    let size = function.buffers[buffer].size.0;
    let part = |start: u64, end: u64| (start > 0 || end < size).then_some(end);
    let start = |value| function.exact(value).filter(|(of, _)| *of == buffer).map(|(_, r)| r.start);
    let views = function.values.enumerate().filter_map(|(id, value)| match value.kind {
        ValueKind::View { length, .. } => {
            let from = start(id)?;
            part(from, from.saturating_add(length.unwrap_or(0)))
        }
        _ => None,
    });
    let accesses = function.ops.iter().flat_map(|op| &op.accesses);
    let ranges = accesses.filter_map(|a| {
        let (from, range) = (start(a.value)?, a.range?);
        part(from.saturating_add(range.start), from.saturating_add(range.end))
    });
    let takes = |r: &&Relation| r.kind == RelationKind::Inplace && r.first == buffer;
    let pairs = function.relations.iter().filter(takes).map(|r| function.buffers[r.second].size.0);
    views.chain(ranges).chain(pairs).max().unwrap_or(0)
}

/// The step in which sizes are looked for.
fn step(scope: &Scope, buffer: &crate::model::Buffer) -> u64 {
    let element = buffer.shape.as_ref().map_or(1, |shape| match shape.bits {
        bits if bits > 0 && bits.is_multiple_of(8) => bits / 8,
        _ => 1,
    });
    if scope.round_up { buffer.alignment.max(1) } else { element }
}

/// Reserved ranges and parts of owners given back, one at a time.
pub(super) fn given_back(asker: &mut Asker) -> Vec<Advice> {
    let scope = &asker.problem.scopes[asker.scope];
    let mut changes: Vec<(Change, u64)> = Vec::new();
    for reserved in scope.reserved.iter().take(MAX_TRIED) {
        let change = Change::Reserved { range: reserved.range, why: reserved.why.clone() };
        changes.push((change, reserved.range.len()));
    }
    let mut owners: Vec<&str> = scope.partitions.iter().map(|p| p.owner.as_str()).collect();
    owners.sort_unstable();
    owners.dedup();
    for owner in owners.into_iter().take(MAX_TRIED) {
        let parts = scope.partitions.iter().filter(|p| p.owner == owner);
        let bytes = parts.map(|p| p.range.len()).fold(0, u64::saturating_add);
        changes.push((Change::Partition { owner: owner.to_owned(), bytes }, bytes));
    }
    changes.into_iter().filter_map(|(change, cost)| single(asker, change, cost)).collect()
}

/// Buffers in another memory that has room for them; the largest first.
pub(super) fn moved(asker: &mut Asker, buffers: &[BufferId]) -> Vec<Advice> {
    let from = asker.scope;
    let others: Vec<ScopeId> = asker.problem.scopes.ids().filter(|id| *id != from).collect();
    let mut out = Vec::new();
    for &buffer in buffers.iter().take(MAX_MOVED) {
        if out.len() == MAX_TOLD {
            break;
        }
        let of = &asker.function().buffers[buffer];
        let bytes = of.size.0.saturating_mul(of.slots.into());
        for &to in others.iter().take(MAX_MOVED) {
            let scope = &asker.problem.scopes[to];
            if scope.usable().is_none_or(|usable| usable < bytes) {
                continue;
            }
            let change = Change::Move { buffer, to, name: scope.name.clone() };
            let Some(problem) = super::apply(&asker.problem, 0, from, &change) else { continue };
            // Both memories have to fit.
            let Some(here) = asker.ask(&problem, from).filter(|a| asker.goal.met(a)) else {
                break;
            };
            if asker.ask(&problem, to).is_some_and(|there| there.verdict.has_plan()) {
                out.push(advice(change, Vec::new(), 0, &here));
                // The first memory that has room will do.
                break;
            }
        }
    }
    out
}

/// The smallest capacity for which a plan is known, and true when no smaller one works.
///
/// For a tight plan it is the one at the strictest level at which nothing stalls.
pub(super) fn capacity(asker: &mut Asker) -> Option<Advice> {
    let scope = &asker.problem.scopes[asker.scope];
    let now = scope.bytes()?;
    if !scope.partitions.is_empty() {
        return None;
    }
    let mut problem = asker.problem.clone();
    problem.scopes[asker.scope] = scope.endless();
    let options = asker.options();
    let level = match asker.goal {
        Goal::Fit => options.level,
        Goal::NoStalls | Goal::Above(_) => Some(ReuseLevel::Pipe),
    };
    let options = Options { level, ..options };
    let free = asker.ask_with(&problem, asker.scope, &options)?;
    let peak = free.peak.filter(|_| free.verdict.has_plan())?;
    let to = asker.problem.scopes[asker.scope].capacity_for(peak);
    let lowest = level.is_none_or(|level| level == ReuseLevel::Lifetime);
    let bound = free.attempts.iter().map(|a| a.bound).max();
    let proven = if lowest { free.lower_bound == peak } else { bound == Some(peak) };
    if asker.goal != Goal::Fit {
        // At that size the planner may choose; what it chooses is told.
        return single(asker, Change::Capacity { to, proven: false }, to.saturating_sub(now));
    }
    let change = Change::Capacity { to, proven };
    // Nobody looks at levels and stalls where the size is the answer.
    let told = advice(change, Vec::new(), to.saturating_sub(now), &free);
    Some(Advice { level: None, stalls: 0, reuse_cost: 0, ..told })
}
