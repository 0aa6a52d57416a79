//! Free bytes that are no room: the largest hole, who is in the way, and the smallest move that cures it.
//!
//! A pure question about places and live ranges, so it is asked of anybody's plan. In-place pairs are not
//! trusted: what is alive at one step lies apart in every move that is offered.

use super::case::Case;
use super::room::{Gap, Room, align_up, nearest};
use crate::model::{BufferId, Fragmentation, IdVec, Live, Moved, ScopeId, Step};

/// Buffers that are tried as the one in the way, at most.
const MAX_MOVED: usize = 100;

/// Gaps of one buffer that are looked at, at most.
const MAX_GAPS: usize = 8;

/// Buffers without a place for which somebody is asked to move, at most.
pub(super) const MAX_CURED: usize = 4;

/// Moves that are checked, at most: the smallest first.
const MAX_CHECKED: usize = 8;

/// The fragmentation of a scope; `None` where nothing is placed or no time is known. `right` says whether
/// the plan with a move is right.
pub(super) fn of_scope(
    case: &Case<'_>,
    live: &IdVec<BufferId, Vec<Live>>,
    scope: ScopeId,
    right: &mut dyn FnMut(&Moved, Option<BufferId>) -> bool,
) -> Option<Fragmentation> {
    let mine = |id: &BufferId| case.buffer(*id).scope == scope;
    let homeless = |id: &BufferId| case.offsets(*id).is_empty() && case.sizes[*id] > 0;
    let unplaced: Vec<BufferId> =
        case.function.buffers.ids().filter(mine).filter(homeless).collect();
    let room = Room::new(case, live, scope).filter(|room| !room.is_empty())?;
    let mut first = None;
    for &id in unplaced.iter().take(MAX_CURED) {
        let found = without_place(&room, id, true, right);
        if let Some(found) = &found
            && found.moved.is_some()
        {
            return Some(found.clone());
        }
        first = first.or(found);
    }
    match unplaced.is_empty() {
        true => complete(&room, right),
        false => first,
    }
}

/// Free bytes and the largest hole while a buffer without a place lives; with `cure`, who is in its way.
pub(super) fn without_place(
    room: &Room<'_, '_>,
    id: BufferId,
    cure: bool,
    right: &mut dyn FnMut(&Moved, Option<BufferId>) -> bool,
) -> Option<Fragmentation> {
    room.bounded()?;
    let size = u128::from(room.case.sizes[id]);
    let gaps = room.gaps(id, None, None);
    let mut found = sums(room, &gaps, room.fullest(id)?)?;
    found.wants = Some(id);
    if cure
        && room.case.buffer(id).slots == 1
        && u128::from(found.hole) < size
        && size <= u128::from(found.free)
    {
        let (blocking, moves) = cures(room, id, size);
        let cure = moves.into_iter().take(MAX_CHECKED).find(|m| right(m, Some(id)));
        found.blocking = cure.map(|m| m.buffer).or(blocking);
        found.moved = cure;
    }
    Some(found)
}

fn sums(room: &Room<'_, '_>, gaps: &[Gap], at: Step) -> Option<Fragmentation> {
    let free: u128 = gaps.iter().map(|g| g.end - g.start).sum();
    let hole = gaps.iter().map(|g| g.end - g.start).max().unwrap_or(0);
    Some(Fragmentation {
        scope: room.scope,
        free: u64::try_from(free).ok()?,
        hole: u64::try_from(hole).ok()?,
        at,
        wants: None,
        blocking: None,
        moved: None,
    })
}

/// The buffer without which the hole is largest, and all single moves that make room, the smallest first.
fn cures(room: &Room<'_, '_>, id: BufferId, size: u128) -> (Option<BufferId>, Vec<Moved>) {
    let alignment = room.case.buffer(id).alignment;
    let (mut most, mut moves) = ((0, None), Vec::new());
    for slot in room.colliding(id).into_iter().take(MAX_MOVED) {
        if !room.movable(slot.buffer) {
            continue;
        }
        let gaps = room.gaps(id, Some(slot), None);
        let hole = gaps.iter().map(|g| g.end - g.start).max().unwrap_or(0);
        if hole > most.0 {
            most = (hole, Some(slot.buffer));
        }
        let mut best: Option<Moved> = None;
        for gap in gaps.iter().filter(|g| g.end - g.start >= size).take(MAX_GAPS) {
            // With the newcomer at either end of the gap most is left for the one that moves.
            let low = align_up(gap.start, alignment);
            let high =
                (gap.end - size) / u128::from(alignment.max(1)) * u128::from(alignment.max(1));
            for place in [low, high] {
                if place < gap.start || place + size > gap.end {
                    continue;
                }
                let taken = Gap { start: place, end: place + size };
                let own = room.gaps(slot.buffer, Some(slot), Some(taken));
                let Some(moved) = room.moved(slot, &own, taken) else { continue };
                let nearer = |old: &Moved| distance(&moved) < distance(old);
                if best.as_ref().is_none_or(nearer) {
                    best = Some(moved);
                }
            }
        }
        moves.extend(best);
    }
    moves.sort_by_key(|m| (distance(m), m.buffer, m.slot));
    (most.1, moves)
}

fn distance(moved: &Moved) -> u64 {
    moved.from.abs_diff(moved.to)
}

/// A plan of everything: its free bytes at the fullest step, and whether one move lowers its peak.
fn complete(
    room: &Room<'_, '_>,
    right: &mut dyn FnMut(&Moved, Option<BufferId>) -> bool,
) -> Option<Fragmentation> {
    let (at, load) = room.most_alive()?;
    let mut found = sums(room, &room.gaps_at(at), at)?;
    let peak = room.peak(None);
    if peak <= load {
        return Some(found);
    }
    let tops = room.tops(peak);
    found.blocking = tops.first().map(|top| top.buffer);
    // While another buffer reaches as far, no single move helps.
    let [top] = tops.as_slice() else { return Some(found) };
    if !room.movable(top.buffer) {
        return Some(found);
    }
    let size = top.end - top.start;
    let alignment = room.case.buffer(top.buffer).alignment;
    let rest = room.peak(Some(*top));
    let mut moves: Vec<Moved> = Vec::new();
    for gap in room.gaps(top.buffer, Some(*top), None) {
        let low = align_up(gap.start, alignment);
        if low + size > gap.end || low + size >= peak {
            continue;
        }
        let new_peak = rest.max(low + size);
        let within = Gap { start: gap.start, end: gap.end.min(new_peak) };
        let Some(to) = nearest(&within, size, alignment, top.start) else { continue };
        moves.extend(room.put(*top, to, None, new_peak));
    }
    moves.sort_by_key(|m| (m.new_peak, distance(m)));
    found.moved = moves.into_iter().take(MAX_CHECKED).find(|m| right(m, None));
    Some(found)
}
