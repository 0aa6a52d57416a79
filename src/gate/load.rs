//! Which buffers make the difference between two largest loads.

use std::collections::BTreeMap;

use super::pairs::{At, Pairs};
use crate::model::{Kernel, KernelBuffer, KernelScope, LoadShift};

/// The largest load of a scope, its first step, and who is alive there.
struct Load {
    bytes: u64,
    at: u64,
    /// Position in the scope and bytes of all slots.
    alive: Vec<(usize, u64)>,
}

/// For each scope of `new` whose largest load is another one: who makes the difference. Only where the
/// plain sum of sizes is the load on both sides, so that the shares add up.
pub(super) fn shifts(old: &Kernel, new: &Kernel, pairs: &Pairs) -> Vec<LoadShift> {
    let mut shifts = Vec::new();
    let was: BTreeMap<At, At> = pairs.both.iter().map(|&(then, now)| (then, now)).collect();
    for (s, scope) in new.scopes.iter().enumerate() {
        let Some(before) = old.scopes.iter().position(|o| o.name == scope.name) else { continue };
        let (Some(a), Some(b)) = (old.scopes[before].max_load, scope.max_load) else { continue };
        if a == b {
            continue;
        }
        let (Some(then), Some(now)) = (load(&old.scopes[before]), load(scope)) else { continue };
        if (then.bytes, now.bytes) != (a, b) {
            continue;
        }
        let mut shares: BTreeMap<(bool, At), i128> = BTreeMap::new();
        for (at, bytes) in &now.alive {
            shares.insert((true, (s, *at)), i128::from(*bytes));
        }
        for (at, bytes) in &then.alive {
            let key = match was.get(&(before, *at)) {
                Some(now) => (true, *now),
                None => (false, (before, *at)),
            };
            *shares.entry(key).or_default() -= i128::from(*bytes);
        }
        let name = |(is_new, (s, b)): (bool, At)| {
            let kernel = if is_new { new } else { old };
            kernel.scopes[s].buffers[b].name.clone()
        };
        let mut shares: Vec<(String, i128)> =
            shares.into_iter().filter(|(_, d)| *d != 0).map(|(key, d)| (name(key), d)).collect();
        // What pulls in the direction of the difference comes first.
        let sign = if b > a { 1 } else { -1 };
        shares.sort_by_key(|share| -sign * share.1);
        debug_assert_eq!(
            shares.iter().map(|s| s.1).sum::<i128>(),
            i128::from(b) - i128::from(a),
            "shares add up"
        );
        let at = new.steps.as_ref().and_then(|steps| steps.get(usize::try_from(now.at).ok()?));
        let at = at.map_or_else(|| format!("step {}", now.at), |name| format!("`{name}`"));
        shifts.push(LoadShift { scope: scope.name.clone(), old: a, new: b, at, shares });
    }
    shifts
}

/// Bytes of all slots.
pub(super) fn bytes(buffer: &KernelBuffer) -> Option<u64> {
    Some(buffer.size?.saturating_mul(buffer.slots.unwrap_or(1).into()))
}

fn load(scope: &KernelScope) -> Option<Load> {
    let mut events: BTreeMap<u64, (u128, u128)> = BTreeMap::new();
    for buffer in &scope.buffers {
        let bytes = u128::from(bytes(buffer)?);
        for [start, end] in buffer.live.as_ref()? {
            if start < end {
                events.entry(*start).or_default().0 += bytes;
                events.entry(*end).or_default().1 += bytes;
            }
        }
    }
    let (mut sum, mut best, mut at) = (0u128, 0, 0);
    for (step, (begins, ends)) in events {
        sum = (sum + begins).saturating_sub(ends);
        if sum > best {
            (best, at) = (sum, step);
        }
    }
    let alive = scope.buffers.iter().enumerate().filter_map(|(b, buffer)| {
        let alive = buffer.live.as_ref()?.iter().any(|[start, end]| *start <= at && at < *end);
        if alive { Some((b, bytes(buffer)?)) } else { None }
    });
    Some(Load { bytes: u64::try_from(best).ok()?, at, alive: alive.collect() })
}

/// The largest buffers of those that are alive at the largest load, a few; without live ranges none.
pub(super) fn largest(scope: &KernelScope) -> Vec<String> {
    const FEW: usize = 3;
    let Some(load) = load(scope) else { return Vec::new() };
    let mut alive = load.alive;
    alive.sort_by_key(|&(at, bytes)| (std::cmp::Reverse(bytes), at));
    alive.iter().take(FEW).map(|&(at, _)| scope.buffers[at].name.clone()).collect()
}
