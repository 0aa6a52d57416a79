//! The bytes alive over time, and who makes the peak.

use std::collections::{BTreeMap, BTreeSet};

use super::exclusive::{self, Spared};
use super::parts;
use super::scene::Scene;
use crate::format::json_inspect::Scope;
use crate::format::json_solve::At;
use crate::model::{BufferId, ScopeId, Step};

/// Members of a group whose overlaps are worked out exactly; of larger ones the largest member
/// alive counts.
const MAX_EXACT: usize = 256;

/// The load of every scope that a function uses, in the order of the problem.
///
/// In-place pairs are counted once at the step at which one becomes the other, buffers that must
/// lie on the same bytes by the bytes that they cover together, and of buffers that are `exclusive`
/// although their live ranges meet the heaviest that can be alive at once. `solve` may know more: it
/// merges names of one memory in HIVM text.
pub(super) fn scopes(scene: Scene<'_>) -> Vec<Scope> {
    let used: BTreeSet<ScopeId> = scene.function.buffers.iter().map(|b| b.scope).collect();
    used.into_iter().map(|id| scope(scene, id)).collect()
}

/// More and less bytes at each step.
#[derive(Default)]
pub(super) struct Changes(BTreeMap<u64, (u128, u128)>);

impl Changes {
    fn add(&mut self, start: u64, end: u64, bytes: u128) {
        self.0.entry(start).or_default().0 += bytes;
        self.0.entry(end).or_default().1 += bytes;
    }

    fn less(&mut self, start: u64, end: u64, bytes: u128) {
        self.0.entry(start).or_default().1 += bytes;
        self.0.entry(end).or_default().0 += bytes;
    }
}

fn scope(scene: Scene<'_>, id: ScopeId) -> Scope {
    let groups = scene.reasons.together();
    let scope = &scene.input.problem.scopes[id];
    let here: Vec<BufferId> = {
        let all = scene.function.buffers.enumerate();
        all.filter(|(_, b)| b.scope == id).map(|(id, _)| id).collect()
    };
    let mut changes = Changes::default();
    for &buffer in here.iter().filter(|b| !groups.of.contains_key(b)) {
        let bytes = u128::from(scene.bytes(buffer));
        scene.live(buffer).iter().for_each(|l| changes.add(l.start.0, l.end.0, bytes));
    }
    for members in &groups.members {
        if members.first().is_some_and(|m| scene.function.buffers[*m].scope == id) {
            group(scene, members, &mut changes);
        }
    }
    let spared = exclusive::spared(scene, id);
    for (span, buffer) in spared.iter().flat_map(|s| s.buffers.iter().map(move |b| (s, *b))) {
        changes.less(span.start, span.end, u128::from(scene.bytes(buffer)));
    }
    let handed = handed_over(scene, id, &spared);
    for (step, into) in &handed {
        changes.less(step.0, step.0 + 1, u128::from(scene.bytes(*into)));
    }
    let mut sum: u128 = 0;
    let mut load: Vec<[u64; 2]> = Vec::new();
    for (step, (more, less)) in changes.0 {
        sum = (sum + more).saturating_sub(less);
        let bytes = u64::try_from(sum).unwrap_or(u64::MAX);
        if load.last().map_or(0, |[_, last]| *last) != bytes {
            load.push([step, bytes]);
        }
    }
    let peak = load.iter().map(|[_, bytes]| *bytes).max().unwrap_or(0);
    let first = load.iter().find(|[_, bytes]| *bytes == peak).map_or(0, |[step, _]| *step);
    let facts = scene.facts;
    let op = facts.order.op_at(Step(first)).and_then(|op| scene.function.ops.get(op));
    let at = At {
        step: first,
        name: facts.order.describe(scene.function, Step(first)),
        loc: scene.place(op.and_then(|op| op.loc)),
    };
    let counted = handed.iter().filter(|(step, _)| step.0 == first).map(|(_, into)| *into);
    let others = spared.iter().filter(|s| s.start <= first && first < s.end);
    let taken = counted.chain(others.flat_map(|s| s.buffers.iter().copied())).collect();
    let contributors = parts::contributors(scene, &here, Step(first), &taken);
    let parts = parts::parts(scope, &contributors);
    let many = contributors.len().saturating_sub(parts::MAX_CONTRIBUTORS);
    Scope {
        name: scope.name.clone(),
        capacity: scope.bytes(),
        usable: scope.usable(),
        peak_load: peak,
        at,
        load,
        contributors: contributors.into_iter().take(parts::MAX_CONTRIBUTORS).collect(),
        contributors_left_out: many as u64,
        parts,
    }
}

/// The bytes that the members of a group cover together, over time.
fn group(scene: Scene<'_>, members: &[BufferId], changes: &mut Changes) {
    let groups = scene.reasons.together();
    let live = |id: &BufferId| scene.live(*id).iter().flat_map(|l| [l.start.0, l.end.0]);
    let ends: BTreeSet<u64> = members.iter().flat_map(live).collect();
    let ends: Vec<u64> = ends.into_iter().collect();
    if members.len() > MAX_EXACT {
        // The largest member alive at each time, by walking from the largest to the smallest.
        let mut by_size = members.to_vec();
        by_size.sort_by_key(|id| (std::cmp::Reverse(scene.bytes(*id)), *id));
        let mut free: BTreeSet<usize> = (0..ends.len()).collect();
        for id in by_size {
            for l in scene.live(id) {
                let from = ends.partition_point(|e| *e < l.start.0);
                let past = ends.partition_point(|e| *e < l.end.0);
                let taken: Vec<usize> = free.range(from..past).copied().collect();
                for at in taken {
                    free.remove(&at);
                    changes.add(ends[at], ends[at + 1], u128::from(scene.bytes(id)));
                }
            }
        }
        return;
    }
    for pair in ends.windows(2) {
        let alive = members.iter().filter(|id| scene.alive(**id, Step(pair[0])));
        let mut covered: Vec<(u64, u64)> = alive
            .map(|id| {
                let offset = groups.of.get(id).map_or(0, |(_, offset)| *offset);
                (offset, offset.saturating_add(scene.bytes(*id)))
            })
            .collect();
        covered.sort_unstable();
        let (mut sum, mut past) = (0u128, 0u64);
        for (start, end) in covered {
            sum += u128::from(end.saturating_sub(start.max(past)));
            past = past.max(end);
        }
        changes.add(pair[0], pair[1], sum);
    }
}

/// The results of in-place pairs that are counted with their operands, and the step.
fn handed_over(scene: Scene<'_>, scope: ScopeId, spared: &[Spared]) -> Vec<(Step, BufferId)> {
    let groups = scene.reasons.together();
    let (mut gave, mut took) = (BTreeSet::new(), BTreeSet::new());
    let mut out = Vec::new();
    // Bytes that stand for others of a group at that step are counted already.
    let alone = |id: BufferId, at: Step| {
        let group = groups.of.get(&id).map(|(group, _)| &groups.members[*group]);
        group.into_iter().flatten().all(|other| *other == id || !scene.alive(*other, at))
    };
    // And so are those that exclusive others stand for.
    let spared = |id: BufferId, at: Step| {
        let past = spared.partition_point(|s| s.start <= at.0);
        let span = spared[..past].last().filter(|s| at.0 < s.end);
        span.is_some_and(|s| s.buffers.contains(&id))
    };
    for pair in &scene.facts.inplace {
        let (from, into) = (pair.from, pair.into);
        let (Some(a), Some(b)) =
            (scene.function.buffers.get(from), scene.function.buffers.get(into))
        else {
            continue;
        };
        let fits = a.scope == scope && b.scope == scope && scene.bytes(into) <= scene.bytes(from);
        if !fits || gave.contains(&from) || took.contains(&into) {
            continue;
        }
        if let Some(step) = meeting(scene, from, into)
            && alone(from, step)
            && alone(into, step)
            && !spared(from, step)
            && !spared(into, step)
        {
            gave.insert(from);
            took.insert(into);
            out.push((step, into));
        }
    }
    out
}

/// The one step that both share, if it is one.
fn meeting(scene: Scene<'_>, from: BufferId, into: BufferId) -> Option<Step> {
    let (last, first) = (scene.live(from).last()?, scene.live(into).first()?);
    (last.end.0 == first.start.0 + 1).then_some(first.start)
}
