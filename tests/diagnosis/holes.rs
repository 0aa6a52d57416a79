//! Holes in anybody's plan: the move that is offered cures, and no smaller one does.

use memplan::diagnose;
use memplan::model::{
    BufferId, Fragmentation, Function, FunctionPlan, Placement, Problem, RelationKind, ScopeId,
};

use super::bytes::Bytes;
use super::{check, ranges, read};

/// Offsets of single buffers, none without a place.
type Places = Vec<Option<u64>>;

fn footprint(problem: &Problem, id: BufferId) -> u64 {
    let buffer = &problem.functions[0].buffers[id];
    let scope = &problem.scopes[buffer.scope];
    let size = buffer.size.0;
    if scope.round_up { size.next_multiple_of(buffer.alignment) } else { size }
}

/// By the book: what is alive together, or may not share, lies apart.
fn apart(function: &Function, a: BufferId, b: BufferId) -> bool {
    let (x, y) = (&function.buffers[a], &function.buffers[b]);
    let between = |kind: RelationKind| {
        let pair = |r: &&memplan::model::Relation| {
            r.kind == kind && ((r.first, r.second) == (a, b) || (r.second, r.first) == (a, b))
        };
        function.relations.iter().filter(pair).count() > 0
    };
    let (x_live, y_live) = (x.live.as_deref().unwrap_or(&[]), y.live.as_deref().unwrap_or(&[]));
    let meet = x_live.iter().any(|l| y_live.iter().any(|m| l.start < m.end && m.start < l.end));
    x.unique
        || y.unique
        || between(RelationKind::Separate)
        || (meet && !between(RelationKind::Exclusive))
}

fn right(problem: &Problem, places: &Places) -> bool {
    let function = &problem.functions[0];
    let scope = &problem.scopes[ScopeId(0)];
    let ids: Vec<BufferId> = function.buffers.ids().collect();
    let range = |id: BufferId| {
        let size = footprint(problem, id);
        places[id.0 as usize].filter(|_| size > 0).map(|at| (at, at + size))
    };
    let one = |id: &BufferId| {
        let Some((start, end)) = range(*id) else { return true };
        start % function.buffers[*id].alignment == 0
            && scope.bytes().is_none_or(|capacity| end <= capacity)
            && scope.reserved.iter().all(|r| end <= r.range.start || r.range.end <= start)
            && function.buffers[*id].pin.as_ref().is_none_or(|pin| pin == &[start])
    };
    let two = |a: BufferId, b: BufferId| match (range(a), range(b)) {
        (Some(x), Some(y)) => x.1 <= y.0 || y.1 <= x.0 || !apart(function, a, b),
        _ => true,
    };
    ids.iter().all(one) && ids.iter().all(|a| ids.iter().all(|b| a == b || two(*a, *b)))
}

fn plan(problem: &Problem, places: &Places) -> FunctionPlan {
    let function = &problem.functions[0];
    let placed = function.buffers.enumerate().filter_map(|(id, buffer)| {
        Some(Placement {
            name: buffer.name.clone(),
            id: Some(id.0),
            scope: None,
            offsets: vec![places[id.0 as usize]?],
            loc: None,
        })
    });
    FunctionPlan { name: function.name.clone(), fingerprint: None, placements: placed.collect() }
}

fn movable(function: &Function, id: BufferId) -> bool {
    let tied = |r: &memplan::model::Relation| {
        matches!(r.kind, RelationKind::Colocate { .. }) && (r.first == id || r.second == id)
    };
    function.buffers[id].pin.is_none() && !function.relations.iter().any(tied)
}

/// The smallest distance by which one buffer has to move so that another one finds a place.
fn least(problem: &Problem, places: &Places, wants: BufferId, end: u64) -> Option<u64> {
    let function = &problem.functions[0];
    let mut least = None;
    for id in function.buffers.ids().filter(|id| *id != wants && movable(function, *id)) {
        let Some(from) = places[id.0 as usize] else { continue };
        for to in 0..end {
            let distance = from.abs_diff(to);
            if least.is_some_and(|least| least <= distance) {
                continue;
            }
            let mut moved = places.clone();
            moved[id.0 as usize] = Some(to);
            if !right(problem, &moved) {
                continue;
            }
            let fits = |at: u64| {
                let mut whole = moved.clone();
                whole[wants.0 as usize] = Some(at);
                right(problem, &whole)
            };
            if (0..end).any(fits) {
                least = Some(distance);
            }
        }
    }
    least
}

fn judged(problem: &Problem, places: &Places, found: &Fragmentation) -> Result<(), String> {
    let Some(moved) = found.moved else {
        let wants = found.wants.filter(|id| {
            let size = footprint(problem, *id);
            found.hole < size && size <= found.free
        });
        let end = problem.scopes[found.scope].bytes().unwrap_or(0);
        return match wants.and_then(|id| least(problem, places, id, end)) {
            Some(distance) => Err(format!("a move by {distance} cures, none was found: {found:?}")),
            None => Ok(()),
        };
    };
    let mut after = places.clone();
    after[moved.buffer.0 as usize] = Some(moved.to);
    if places[moved.buffer.0 as usize] != Some(moved.from) {
        return Err(format!("it does not lie there: {found:?}"));
    }
    if let Some(wants) = found.wants {
        after[wants.0 as usize] = moved.place;
        let end = problem.scopes[found.scope].bytes().unwrap_or(0);
        let least = least(problem, places, wants, end);
        if least != Some(moved.from.abs_diff(moved.to)) {
            return Err(format!("the smallest move is by {least:?}: {found:?}"));
        }
    }
    let ids = problem.functions[0].buffers.ids();
    let end = |id: BufferId| Some(after[id.0 as usize]? + footprint(problem, id));
    let ends = ids.filter(|id| footprint(problem, *id) > 0).filter_map(end);
    let peak = ends.max().unwrap_or(0);
    match right(problem, &after) {
        true if peak == moved.new_peak => Ok(()),
        true => Err(format!("the peak is {peak}: {found:?}")),
        false => Err(format!("it does not cure: {found:?}")),
    }
}

/// Buffers of one slot on random places that are right; one may have none.
fn scattered(problem: &Problem, bytes: &mut Bytes<'_>) -> Places {
    let function = &problem.functions[0];
    let mut places: Places = vec![None; function.buffers.len()];
    let without = bytes.below(function.buffers.len() + 1);
    for id in function.buffers.ids().filter(|id| id.0 as usize != without) {
        let first = bytes.below(24) as u64;
        for shift in 0..24 {
            let at = function.buffers[id].pin.as_ref().map_or((first + shift) % 24, |pin| pin[0]);
            places[id.0 as usize] = Some(at);
            if right(problem, &places) {
                break;
            }
            places[id.0 as usize] = None;
        }
    }
    places
}

fn cured(bytes: Vec<u8>) -> bool {
    let half = bytes.len() / 2;
    let mut problem = read(&ranges::generate(&bytes[..half])).problem;
    let function = &mut problem.functions[0];
    for buffer in function.buffers.iter_mut() {
        (buffer.slots, buffer.rotates_in) = (1, None);
    }
    // The judge allows what the oracle does not know.
    let plain = |kind: RelationKind| !matches!(kind, RelationKind::Colocate { .. });
    function.relations.retain(|r| plain(r.kind));
    let places = scattered(&problem, &mut Bytes::new(&bytes[half..]));
    let plan = plan(&problem, &places);
    let function = &problem.functions[0];
    for found in diagnose::fragmentation(&problem, function, &plan) {
        if let Err(why) = judged(&problem, &places, &found) {
            let names: Vec<_> =
                function.buffers.iter().map(|b| (&b.name, &b.live, b.size)).collect();
            eprintln!("{why}\n{names:?}\n{places:?}");
            return false;
        }
    }
    true
}

#[test]
fn the_move_that_is_offered_cures_and_no_smaller_one_does() {
    check(300, cured);
}
