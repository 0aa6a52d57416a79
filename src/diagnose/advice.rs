//! Which changes are tried, and which of those that are enough are told.

use super::asker::{Asker, Goal};
use super::search::{self, Excess, MAX_TRIED};
use super::slots;
use crate::model::{
    Advice, Attempt, AttemptEnd, BufferId, Change, CoreIs, Overflow, Problem, ScopeAnswer, ScopeId,
};
use crate::plan::Options;

/// Changes told of each kind, at most.
const MAX_OF_A_KIND: usize = 4;

/// Changes told in all, at most; but the cheapest of every kind is among them.
const MAX_ADVICE: usize = 8;

/// Buffers that are tried for a tight plan, at most: those that stall, then the largest.
const MAX_TIGHT: usize = 8;

/// What the search for changes came to.
pub(super) struct Found {
    pub(super) advice: Vec<Advice>,
    /// See [`crate::model::Diagnosis::tries`].
    pub(super) tries: u32,
    /// See [`crate::model::Diagnosis::complete`].
    pub(super) complete: bool,
}

/// Changes that make a scope fit.
pub(super) fn to_fit(
    problem: &Problem,
    index: usize,
    answer: &ScopeAnswer,
    overflow: Option<&Overflow>,
    options: &Options,
) -> Found {
    let mut asker = Asker::new(problem, index, answer.scope, Goal::Fit, options);
    let mut all = Vec::new();
    all.extend(overflow.and_then(|_| lower_level(options, &answer.attempts)));
    let excess = overflow
        .filter(|o| answer.max_load.bytes > o.available)
        .map(|o| Excess { bytes: answer.max_load.bytes - o.available });
    let buffers = concerned(&asker, answer, overflow);
    all.extend(search::capacity(&mut asker));
    single_changes(&mut asker, &buffers, excess, &mut all);
    all.extend(search::given_back(&mut asker));
    if !all.iter().any(|a| matches!(a.change, Change::Slots { .. })) {
        let every = every(&asker);
        all.extend(slots::together(&mut asker, &every));
    }
    all.extend(search::moved(&mut asker, &buffers));
    Found { advice: chosen(all), tries: asker.tries, complete: asker.may_ask() }
}

/// Changes that make a tight plan better.
pub(super) fn to_improve(
    problem: &Problem,
    index: usize,
    answer: &ScopeAnswer,
    goal: Goal,
    options: &Options,
) -> Found {
    let mut asker = Asker::new(problem, index, answer.scope, goal, options);
    let mut all: Vec<Advice> = search::capacity(&mut asker).into_iter().collect();
    let stalls = answer.reuse.iter().filter(|r| r.stall);
    let mut buffers: Vec<BufferId> = stalls.flat_map(|r| [r.first, r.second]).collect();
    buffers.extend(answer.max_load.buffers.iter().map(|(id, _)| *id));
    let mut seen = std::collections::BTreeSet::new();
    buffers.retain(|id| seen.insert(*id));
    buffers.truncate(MAX_TIGHT);
    single_changes(&mut asker, &buffers, None, &mut all);
    all.extend(search::given_back(&mut asker));
    Found { advice: chosen(all), tries: asker.tries, complete: asker.may_ask() }
}

fn single_changes(
    asker: &mut Asker,
    buffers: &[BufferId],
    excess: Option<Excess>,
    all: &mut Vec<Advice>,
) {
    let tried = buffers.iter().copied().take(MAX_TRIED);
    for id in tried.clone() {
        all.extend(search::unpinned(asker, id));
        all.extend(search::shared(asker, id));
    }
    all.extend(search::relaxed(asker, buffers));
    type Search = fn(&mut Asker, BufferId, Option<Excess>) -> Option<Advice>;
    let kinds: [Search; 3] = [
        |asker, id, _| search::fewer_slots(asker, id),
        |asker, id, excess| search::smaller(asker, id, excess),
        |asker, id, _| search::aligned(asker, id),
    ];
    for kind in kinds {
        for id in tried.clone() {
            let found = kind(asker, id, excess);
            // What was not asked to the end may not be the weakest.
            if asker.may_ask() {
                all.extend(found);
            }
        }
    }
}

/// The buffers that a single change has to touch, the largest first. Whatever is done to the others, those
/// of a core or witness still do not fit; without one, all may matter.
fn concerned(asker: &Asker, answer: &ScopeAnswer, overflow: Option<&Overflow>) -> Vec<BufferId> {
    let known = overflow.filter(|o| o.core_is != CoreIs::Unknown && o.impossible);
    let mut buffers = match known {
        Some(overflow) => overflow.core.clone(),
        None => every(asker),
    };
    let function = asker.function();
    let alive = |id: &BufferId| answer.max_load.buffers.iter().any(|(b, _)| b == id);
    let bytes = |id: &BufferId| {
        let b = &function.buffers[*id];
        b.size.0.saturating_mul(b.slots.into())
    };
    let key = |id: &BufferId| (!alive(id), std::cmp::Reverse(bytes(id)), *id);
    buffers.sort_by_cached_key(key);
    // Pins and shares with nobody are few and cost nothing to give up.
    let cheap = |id: &BufferId| {
        let b = &function.buffers[*id];
        b.pin.is_none() && !b.unique
    };
    let (rest, first): (Vec<BufferId>, Vec<BufferId>) =
        buffers.iter().skip(MAX_TRIED).partition(|id| cheap(id));
    buffers.truncate(MAX_TRIED.saturating_sub(first.len().min(MAX_TRIED / 2)));
    buffers.extend(first);
    buffers.extend(rest);
    buffers
}

/// All buffers of the scope.
fn every(asker: &Asker) -> Vec<BufferId> {
    let mine = |id: &BufferId| asker.function().buffers[*id].scope == asker.scope;
    asker.function().buffers.ids().filter(mine).collect()
}

/// The lower level that the ladder looked at and found to fit.
fn lower_level(options: &Options, attempts: &[Attempt]) -> Option<Advice> {
    let floor = options.level?;
    let below = attempts.iter().filter(|a| a.end == AttemptEnd::Found);
    let fits = below.filter(|a| a.level.is_some_and(|l| l > floor)).min_by_key(|a| a.level)?;
    let to = fits.level?;
    Some(Advice {
        change: Change::Level { to },
        with: Vec::new(),
        cost: 0,
        peak: fits.peak?,
        level: Some(to),
        stalls: 0,
        reuse_cost: 0,
    })
}

/// The planner that finds a plan where the one asked for did not.
pub(super) fn planner(to: &'static str, answer: &ScopeAnswer) -> Advice {
    search::advice(Change::Planner { to }, Vec::new(), 0, answer)
}

/// A few of the changes, in the order of [`Advice`].
fn chosen(mut all: Vec<Advice>) -> Vec<Advice> {
    let key = |a: &Advice| (a.change.of_machine(), a.cost, a.reuse_cost, a.change.rank());
    all.sort_by_key(key);
    let mut of_kind = [0usize; 16];
    let mut ranked: Vec<(usize, Advice)> = Vec::new();
    for advice in all {
        let count = &mut of_kind[usize::from(advice.change.rank()) % 16];
        *count += 1;
        if *count <= MAX_OF_A_KIND {
            ranked.push((*count, advice));
        }
    }
    while ranked.len() > MAX_ADVICE {
        // The dearest that is not the only one of its kind.
        let Some(at) = ranked.iter().rposition(|(nth, _)| *nth > 1) else { break };
        ranked.remove(at);
    }
    ranked.into_iter().map(|(_, advice)| advice).collect()
}

/// True for buffers that two functions share: what one function changes, the other has to change, too.
pub(super) fn coupled(problem: &Problem, index: usize, scope: ScopeId) -> bool {
    let function = &problem.functions[index];
    function.buffers.iter().any(|b| b.scope == scope && b.coupling.is_some())
}
