//! What a placement must keep, from the JSON alone; slow and obvious.

use serde_json::Value;

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A buffer as the document has it.
struct Buffer<'a> {
    json: &'a Value,
    size: u64,
    pool: u64,
    at: Option<u64>,
}

fn buffers<'a>(document: &'a Value, offsets: &[Option<u64>]) -> Vec<Buffer<'a>> {
    let all = list(&document["problem"]["buffers"]).iter().zip(offsets);
    let one = |(json, at): (&'a Value, &Option<u64>)| Buffer {
        json,
        size: number(&json["size"]),
        pool: number(&json["allowed_pools"][0]),
        at: *at,
    };
    all.map(one).collect()
}

/// True when both are placed, in one pool, and have a byte in common.
fn share(a: &Buffer<'_>, b: &Buffer<'_>) -> bool {
    let (Some(x), Some(y)) = (a.at, b.at) else { return false };
    let end = |at: u64, size: u64| u128::from(at) + u128::from(size);
    let bytes = u128::from(x) < end(y, b.size) && u128::from(y) < end(x, a.size);
    a.pool == b.pool && a.size > 0 && b.size > 0 && bytes
}

fn together(a: &Value, b: &Value) -> bool {
    list(&a["live_intervals"]).iter().any(|x| {
        list(&b["live_intervals"]).iter().any(|y| {
            number(&x["lower"]) < number(&y["upper"]) && number(&y["lower"]) < number(&x["upper"])
        })
    })
}

/// Buffers of pairs, by their place in the document.
fn pairs<'a>(document: &'a Value, of: &'a Value) -> Vec<(usize, usize, &'a Value)> {
    let all = list(&document["problem"]["buffers"]);
    let find = |id: &Value| all.iter().position(|b| b["id"] == *id).expect("a buffer");
    list(of).iter().map(|p| (find(&p["first"]), find(&p["second"]), p)).collect()
}

/// Buffers that are one by colocation, also over others.
fn groups(document: &Value, count: usize) -> Vec<usize> {
    let mut of: Vec<usize> = (0..count).collect();
    for (a, b, _) in pairs(document, &document["problem"]["constraints"]["colocations"]) {
        let (from, to) = (of[a].max(of[b]), of[a].min(of[b]));
        of.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    }
    of
}

/// Everything that the placed buffers break.
pub(crate) fn faults(document: &Value, offsets: &[Option<u64>]) -> Vec<String> {
    let problem = &document["problem"];
    let rules = &problem["constraints"];
    let all = buffers(document, offsets);
    let mut faults = Vec::new();
    for (n, b) in all.iter().enumerate() {
        let Some(at) = b.at else { continue };
        let end = u128::from(at) + u128::from(b.size);
        if at % number(&b.json["alignment"]) != 0 {
            faults.push(format!("{n} is misaligned"));
        }
        let pool = list(&problem["pools"]).iter().find(|p| number(&p["id"]) == b.pool);
        let pool = pool.expect("a pool");
        if b.size > 0 && pool["capacity"].as_u64().is_some_and(|c| end > u128::from(c)) {
            faults.push(format!("{n} is past the capacity"));
        }
        for r in list(&pool["reserved_ranges"]) {
            let (begin, stop) = (number(&r["begin"]), number(&r["end"]));
            if b.size > 0 && at < stop && u128::from(begin) < end {
                faults.push(format!("{n} is on reserved bytes"));
            }
        }
    }
    let group = groups(document, all.len());
    let exclusive = pairs(document, &rules["temporal_exclusions"]);
    let excused = |a: usize, b: usize| {
        let listed = exclusive.iter().any(|(x, y, _)| (*x, *y) == (a, b) || (*x, *y) == (b, a));
        listed || group[a] == group[b]
    };
    let alone = |n: usize| {
        let mine = |p: &&Value| p["buffer"] == all[n].json["id"];
        let mut pins = list(&rules["pinned_allocations"]).iter().filter(mine);
        pins.any(|p| p["exclusive_for_all_time"] == true)
    };
    for a in 0..all.len() {
        for b in a + 1..all.len() {
            if !share(&all[a], &all[b]) {
                continue;
            }
            if together(all[a].json, all[b].json) && !excused(a, b) {
                faults.push(format!("{a} and {b} are alive together"));
            }
            if (alone(a) || alone(b)) && group[a] != group[b] {
                faults.push(format!("{a} or {b} shares with nobody"));
            }
        }
    }
    for (a, b, _) in pairs(document, &rules["separations"]) {
        if share(&all[a], &all[b]) {
            faults.push(format!("{a} and {b} are separated"));
        }
    }
    for (a, b, _) in pairs(document, &rules["colocations"]) {
        if all[a].at.is_some() && all[b].at.is_some() && all[a].at != all[b].at {
            faults.push(format!("{a} and {b} are colocated"));
        }
    }
    for pin in list(&rules["pinned_allocations"]) {
        let n = all.iter().position(|b| b.json["id"] == pin["buffer"]).expect("a buffer");
        if all[n].at.is_some_and(|at| at != number(&pin["offset"])) {
            faults.push(format!("{n} is not at its pin"));
        }
    }
    faults
}

/// What the placement pays in a pool, by its place in the document.
pub(crate) fn cost(document: &Value, pool: usize, offsets: &[Option<u64>]) -> u64 {
    let all = buffers(document, offsets);
    let pool = number(&document["problem"]["pools"][pool]["id"]);
    let prices = pairs(document, &document["problem"]["cost_model"]["reuse_penalties"]);
    let paid = prices.iter().filter(|(a, b, _)| all[*a].pool == pool && share(&all[*a], &all[*b]));
    paid.map(|(_, _, p)| number(&p["cost"])).sum()
}

/// True for two buffers that can never share bytes.
pub(crate) fn conflict(document: &Value, a: usize, b: usize) -> bool {
    let all = list(&document["problem"]["buffers"]);
    let apart = pairs(document, &document["problem"]["constraints"]["separations"]);
    let apart = apart.iter().any(|(x, y, _)| (*x, *y) == (a, b) || (*x, *y) == (b, a));
    apart || together(&all[a], &all[b])
}

/// The least cost of a pool and its peak by trying all offsets; `Some(None)` when there is no
/// placement, `None` when there is too much to try.
pub(crate) fn best(document: &Value, pool: usize) -> Option<Option<(u64, u64)>> {
    let pools = &document["problem"]["pools"];
    let end = pools[pool]["capacity"].as_u64()?;
    let id = number(&pools[pool]["id"]);
    let count = list(&document["problem"]["buffers"]).len();
    let all = buffers(document, &vec![None; count]);
    let mine: Vec<usize> = (0..count).filter(|n| all[*n].pool == id).collect();
    let choices =
        |n: usize| end.saturating_sub(all[n].size) / number(&all[n].json["alignment"]) + 1;
    if mine.iter().map(|n| choices(*n)).product::<u64>() > 50_000 {
        return None;
    }
    let mut best: Option<(u64, u64)> = None;
    let mut at: Vec<Option<u64>> = vec![None; count];
    place(document, pool, &mine, &all, &mut at, &mut best);
    Some(best)
}

fn place(
    document: &Value,
    pool: usize,
    left: &[usize],
    all: &[Buffer<'_>],
    at: &mut Vec<Option<u64>>,
    best: &mut Option<(u64, u64)>,
) {
    let Some((&n, rest)) = left.split_first() else {
        let ends = all.iter().zip(at.iter()).filter(|(b, _)| b.size > 0);
        let peak = ends.filter_map(|(b, at)| Some((*at)? + b.size)).max().unwrap_or(0);
        let found = (cost(document, pool, at), peak);
        *best = Some(best.map_or(found, |old| old.min(found)));
        return;
    };
    let end = number(&document["problem"]["pools"][pool]["capacity"]);
    let step = number(&all[n].json["alignment"]);
    let last = end.checked_sub(all[n].size);
    let mut offsets: Vec<u64> = (0..).map(|k| k * step).take_while(|o| Some(*o) <= last).collect();
    // What has no bytes may be pinned past the end.
    let pins = list(&document["problem"]["constraints"]["pinned_allocations"]);
    offsets.extend(pins.iter().map(|pin| number(&pin["offset"])).filter(|at| Some(*at) > last));
    for offset in offsets {
        at[n] = Some(offset);
        if faults(document, at).is_empty() {
            place(document, pool, rest, all, at, best);
        }
    }
    at[n] = None;
}
