//! Buffers that are never alive together although their live ranges meet: the heaviest that can be
//! alive at once count.

use std::collections::{BTreeMap, BTreeSet};

use super::scene::Scene;
use crate::model::{BufferId, RelationKind, ScopeId, Step};

/// Pairs of buffers that are looked at, at most, over all steps; past that all buffers count.
const MAX_WORK: usize = 20_000_000;

/// Steps `[start, end)` and those buffers alive there that others stand for.
pub(super) struct Spared {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) buffers: Vec<BufferId>,
}

/// Who is exclusive with whom.
type Pairs = BTreeMap<BufferId, BTreeSet<BufferId>>;

/// What exclusive buffers of a scope do not add to its load.
pub(super) fn spared(scene: Scene<'_>, scope: ScopeId) -> Vec<Spared> {
    let pairs = pairs(scene, scope);
    let ends = pairs.keys().flat_map(|id| scene.live(*id)).flat_map(|l| [l.start.0, l.end.0]);
    let ends: Vec<u64> = ends.collect::<BTreeSet<u64>>().into_iter().collect();
    let mut out = Vec::new();
    let mut work = 0usize;
    for span in ends.windows(2) {
        let alive = pairs.keys().copied().filter(|id| scene.alive(*id, Step(span[0])));
        let alive: Vec<BufferId> = alive.collect();
        work = work.saturating_add(pairs.len()).saturating_add(alive.len().saturating_pow(2));
        if work > MAX_WORK {
            break;
        }
        let bytes = |id: BufferId| u128::from(scene.bytes(id));
        let counted: BTreeSet<BufferId> = heaviest(&alive, &pairs, &bytes, 0).into_iter().collect();
        let buffers: Vec<BufferId> = alive.into_iter().filter(|id| !counted.contains(id)).collect();
        if !buffers.is_empty() {
            out.push(Spared { start: span[0], end: span[1], buffers });
        }
    }
    out
}

/// The exclusive pairs of a scope, without buffers that must lie where others do.
fn pairs(scene: Scene<'_>, scope: ScopeId) -> Pairs {
    let of = &scene.reasons.together().of;
    let here = |id: &BufferId| scene.function.buffers[*id].scope == scope && !of.contains_key(id);
    let mut pairs = Pairs::new();
    for relation in scene.function.relations.iter().filter(|r| r.kind == RelationKind::Exclusive) {
        let (a, b) = (relation.first, relation.second);
        if here(&a) && here(&b) && a != b {
            pairs.entry(a).or_default().insert(b);
            pairs.entry(b).or_default().insert(a);
        }
    }
    pairs
}

/// The heaviest buffers of which no two are exclusive. Exact for the sides of nested branches: what
/// is apart adds up, and of what excludes each other as a whole the heaviest counts. Else by
/// size, the largest first.
fn heaviest(
    all: &[BufferId],
    pairs: &Pairs,
    bytes: &dyn Fn(BufferId) -> u128,
    depth: u32,
) -> Vec<BufferId> {
    const MAX_DEPTH: u32 = 64;
    let excludes = |a: BufferId, b: BufferId| pairs.get(&a).is_some_and(|s| s.contains(&b));
    if all.len() < 2 {
        return all.to_vec();
    }
    if depth < MAX_DEPTH {
        let apart = split(all, &excludes);
        if apart.len() > 1 {
            return apart.iter().flat_map(|p| heaviest(p, pairs, bytes, depth + 1)).collect();
        }
        let sides = split(all, &|a, b| !excludes(a, b));
        if sides.len() > 1 {
            let best = sides.iter().map(|side| heaviest(side, pairs, bytes, depth + 1));
            let sum = |side: &Vec<BufferId>| side.iter().map(|id| bytes(*id)).sum::<u128>();
            // Of equal ones the first.
            return best.rev().max_by_key(sum).unwrap_or_default();
        }
    }
    let mut order = all.to_vec();
    order.sort_by_key(|id| (std::cmp::Reverse(bytes(*id)), *id));
    let mut taken: Vec<BufferId> = Vec::new();
    for id in order {
        if taken.iter().all(|other| !excludes(id, *other)) {
            taken.push(id);
        }
    }
    taken
}

/// The parts that are tied together.
fn split(all: &[BufferId], tied: &dyn Fn(BufferId, BufferId) -> bool) -> Vec<Vec<BufferId>> {
    let mut rest = all.to_vec();
    let mut parts = Vec::new();
    while let Some(first) = rest.first().copied() {
        let mut part = vec![first];
        rest.remove(0);
        let mut at = 0;
        while let Some(&next) = part.get(at) {
            let (more, others): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|other| tied(next, *other));
            part.extend(more);
            rest = others;
            at += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}
