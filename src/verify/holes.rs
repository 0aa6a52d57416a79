//! A buffer without a place: would there have been one?

use super::cap::{MAX_LISTED, rest};
use super::case::Case;

use super::say::Say;
use crate::diag::Code;
use crate::model::{BufferId, Finding};

/// Unplaced buffers whose free bytes are looked for; each looks at all others.
const MAX_LOOKED_AT: usize = 100;

/// Says which buffers have no place, and tells a full scope from a scattered one.
pub(super) fn unplaced(case: &Case<'_>, ids: &[BufferId], findings: &mut Vec<Finding>) {
    for (&id, nth) in ids.iter().zip(0..MAX_LISTED) {
        let (size, label) = (case.sizes[id], case.label(id));
        let room = if nth < MAX_LOOKED_AT { room(case, id) } else { None };
        let mut message = format!("{label} has no place in the plan; it needs {size} bytes");
        if let Some((free, hole)) = room {
            message += &format!(", {free} are free while it lives, the largest hole is {hole}");
        }
        Say::error(case, Code::VerifyUnplaced, message).buffers(case, &[id]).to(findings);
        if let Some((free, hole)) = room.filter(|&(free, hole)| hole < size && size <= free) {
            let message = format!(
                "{} has {free} bytes free while {label} lives, in holes of at most {hole}: moving \
                 the others together would make room for its {size} bytes",
                case.scope(id).name
            );
            Say::note(case, Code::VerifyFragmented, message).buffers(case, &[id]).to(findings);
        }
    }
    rest(case, Code::VerifyUnplaced, ids.len(), findings);
}

/// Free bytes and the largest hole while a buffer lives, as the plan has the others; `None` when
/// the scope has no capacity or the times are not given.
fn room(case: &Case<'_>, id: BufferId) -> Option<(u64, u64)> {
    let capacity = case.scope(id).bytes()?;
    let live = case.buffer(id).live.as_ref()?;
    let mut taken: Vec<(u128, u128)> = Vec::new();
    let scope = case.scope(id);
    taken.extend(scope.reserved.iter().map(|r| (r.range.start.into(), r.range.end.into())));
    let meets = |other: BufferId| {
        let theirs = case.buffer(other).live.as_deref();
        theirs.is_none_or(|all| all.iter().any(|a| live.iter().any(|b| a.meets(*b))))
    };
    for other in case.function.buffers.ids() {
        if case.buffer(other).scope == case.buffer(id).scope && meets(other) {
            taken.extend(case.slots(other).map(|s| (s.start, s.end)));
        }
    }
    taken.sort_unstable();
    let end = u128::from(capacity);
    let (mut at, mut free, mut hole) = (0u128, 0u128, 0u128);
    for (from, to) in taken.into_iter().chain([(end, end)]) {
        let gap = from.min(end).saturating_sub(at);
        free += gap;
        hole = hole.max(gap);
        at = at.max(to);
    }
    Some((u64::try_from(free).ok()?, u64::try_from(hole).ok()?))
}
