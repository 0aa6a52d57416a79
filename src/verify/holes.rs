//! A buffer without a place: would there have been one?

use super::cap::{MAX_LISTED, rest};
use super::case::Case;
use super::fragments::{self, MAX_CURED};
use super::room::Room;
use super::say::Say;
use crate::diag::Code;
use crate::model::{BufferId, Finding, Fragmentation, IdVec, Live, grouped};

/// Unplaced buffers whose free bytes are looked for; each looks at all others.
const MAX_LOOKED_AT: usize = 100;

/// Buffers of a function past which nobody is asked to move.
const MAX_MOVED: usize = 2_000;

/// Says which buffers have no place, and tells a full scope from a scattered one.
pub(super) fn unplaced(case: &Case<'_>, ids: &[BufferId], findings: &mut Vec<Finding>) {
    let live = if ids.is_empty() { IdVec::new() } else { lives(case) };
    for (&id, nth) in ids.iter().zip(0..MAX_LISTED) {
        let (size, label) = (case.sizes[id], case.label(id));
        let room = if nth < MAX_LOOKED_AT { room(case, &live, id, nth) } else { None };
        let mut message = format!("{label} has no place in the plan; it needs {size} bytes");
        if let Some(room) = &room {
            let (free, hole) = (room.free, room.hole);
            message += &format!(", {free} are free while it lives, the largest hole is {hole}");
        }
        Say::error(case, Code::VerifyUnplaced, message).buffers(case, &[id]).to(findings);
        let scattered = |f: &Fragmentation| f.hole < size && size <= f.free;
        if let Some(room) = room.filter(scattered) {
            let (message, buffers) = fragmented(case, id, &room);
            let say = Say::note(case, Code::VerifyFragmented, message);
            say.buffers(case, &buffers).to(findings);
        }
    }
    rest(case, Code::VerifyUnplaced, ids.len(), findings);
}

/// What is in the way of a buffer, and what to move.
fn fragmented(case: &Case<'_>, id: BufferId, room: &Fragmentation) -> (String, Vec<BufferId>) {
    let (size, label) = (case.sizes[id], case.label(id));
    let mut message = format!(
        "{} has {} bytes free while {label} lives, in holes of at most {}: ",
        case.scope(id).name,
        room.free,
        room.hole
    );
    let mut buffers = vec![id];
    match (room.moved, room.blocking) {
        (Some(moved), _) => {
            let by = grouped(u128::from(moved.from.abs_diff(moved.to)));
            message += &format!(
                "moving {} from {} to {} ({by} bytes) makes room for its {size} bytes",
                case.label(moved.buffer),
                moved.from,
                moved.to
            );
            message += &moved.place.map_or(String::new(), |at| format!(" at {at}"));
            buffers.push(moved.buffer);
        }
        (None, blocking) => {
            message += &format!("moving the others together would make room for its {size} bytes");
            if let Some(blocking) = blocking {
                message += &format!("; {} is most in the way", case.label(blocking));
                buffers.push(blocking);
            }
        }
    }
    (message, buffers)
}

/// The live ranges that are given; a buffer without any may live at any time.
fn lives(case: &Case<'_>) -> IdVec<BufferId, Vec<Live>> {
    let given = |b: &crate::model::Buffer| match &b.live {
        Some(live) => live.clone(),
        None => vec![Live::new(0, u64::MAX)],
    };
    case.function.buffers.iter().map(given).collect()
}

/// Free bytes and the largest hole while a buffer lives, as the plan has the others, and who is in the
/// way; `None` when the scope has no capacity or the times are not given.
fn room(
    case: &Case<'_>,
    live: &IdVec<BufferId, Vec<Live>>,
    id: BufferId,
    nth: usize,
) -> Option<Fragmentation> {
    case.buffer(id).live.as_ref()?;
    case.scope(id).bytes()?;
    let room = Room::new(case, live, case.buffer(id).scope)?;
    let cure = nth < MAX_CURED && case.function.buffers.len() <= MAX_MOVED;
    // The places alone decide here: who moves lies apart from all that live with him.
    fragments::without_place(&room, id, cure, &mut |_, _| true)
}
