//! What can be said of two buffers' offsets without time: slots apart, `unique`, `separate`,
//! `colocate`.

use std::collections::{BTreeMap, BTreeSet};

use super::cap::{MAX_COUNTED, MAX_LISTED, rest};
use super::case::{Case, Slot};
use super::say::Say;
use crate::diag::Code;
use crate::model::{BufferId, Finding, RelationKind, ScopeId, grouped};

/// All violations; a pair of buffers once under each code.
pub(super) fn check(case: &Case<'_>, findings: &mut Vec<Finding>) {
    own_slots(case, findings);
    unique(case, findings);
    for relation in &case.function.relations {
        let (a, b) = (relation.first, relation.second);
        match relation.kind {
            RelationKind::Colocate { delta } => colocate(case, a, b, delta, findings),
            RelationKind::Handover => colocate(case, a, b, 0, findings),
            RelationKind::Separate => separate(case, a, b, relation.why.as_deref(), findings),
            RelationKind::Inplace | RelationKind::Exclusive | RelationKind::Cost { .. } => {}
        }
    }
}

/// Copies that share bytes are no copies: one is filled while the other is read.
fn own_slots(case: &Case<'_>, findings: &mut Vec<Finding>) {
    for (id, buffer) in case.function.buffers.enumerate() {
        let kept = buffer.class.filled_at_entry() || buffer.class.wanted_at_exit();
        if case.homes[id].first.is_none() && buffer.live.is_none() && !kept {
            // Nothing is ever in it.
            continue;
        }
        let mut slots: Vec<Slot> = case.slots(id).collect();
        slots.sort_by_key(|s| (s.start, s.slot));
        let touching = slots.windows(2).find_map(|w| Some((w[0], w[1], w[0].overlap(w[1])?)));
        if let Some((a, b, both)) = touching {
            let message = format!(
                "slots {} and {} of {} share bytes {both}",
                a.slot.min(b.slot),
                a.slot.max(b.slot),
                case.label(id)
            );
            let say = Say::error(case, Code::VerifyOverlap, message);
            say.buffers(case, &[id]).bytes(both).to(findings);
        }
    }
}

fn separate(
    case: &Case<'_>,
    a: BufferId,
    b: BufferId,
    why: Option<&str>,
    findings: &mut Vec<Finding>,
) {
    if case.buffer(a).scope != case.buffer(b).scope {
        return;
    }
    let shared = case.slots(a).find_map(|x| {
        let mut other = case.slots(b);
        other.find_map(|y| Some((x, y, x.overlap(y)?)))
    });
    if let Some((x, y, both)) = shared {
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        let message = format!(
            "{} and {} must never share bytes{why}, and share {both}",
            case.slot_label(x),
            case.slot_label(y)
        );
        let say = Say::error(case, Code::VerifySeparate, message);
        say.buffers(case, &[a, b]).bytes(both).to(findings);
    }
}

fn colocate(case: &Case<'_>, a: BufferId, b: BufferId, delta: u64, findings: &mut Vec<Finding>) {
    let (first, second) = (case.offsets(a), case.offsets(b));
    if first.is_empty() || second.is_empty() {
        return;
    }
    let message = if first.len() == second.len() {
        let apart = |(x, y): &(&u64, &u64)| x.checked_add(delta) != Some(**y);
        let Some((x, y)) = first.iter().zip(second).find(apart) else { return };
        let must = match delta {
            0 => "they must start at the same byte".to_owned(),
            delta => {
                format!("the second must start {} bytes after the first", grouped(delta.into()))
            }
        };
        format!("{} lies at {x} and {} at {y}; {must}", case.label(a), case.label(b))
    } else {
        format!(
            "{} has {} offsets and {} has {}; they must be the same bytes, slot by slot",
            case.label(a),
            first.len(),
            case.label(b),
            second.len()
        )
    };
    Say::error(case, Code::VerifyColocateSplit, message).buffers(case, &[a, b]).to(findings);
}

/// Sweeps each scope from its lowest byte up. What is open when a slot starts shares bytes with
/// it; the open ones that are unique are kept apart, so that the work is n log n plus the faults.
fn unique(case: &Case<'_>, findings: &mut Vec<Finding>) {
    let mut scopes: BTreeMap<ScopeId, Vec<Slot>> = BTreeMap::new();
    for id in case.function.buffers.ids() {
        scopes.entry(case.buffer(id).scope).or_default().extend(case.slots(id));
    }
    let alone = |slot: Slot| case.buffer(slot.buffer).unique;
    let mut seen = BTreeSet::new();
    for slots in scopes.values_mut().filter(|slots| slots.iter().any(|&s| alone(s))) {
        slots.sort_by_key(|s| (s.start, s.buffer, s.slot));
        let mut open: [BTreeMap<(u128, BufferId, u32), Slot>; 2] = Default::default();
        for &slot in slots.iter() {
            for side in &mut open {
                while let Some(first) = side.first_entry().filter(|f| f.key().0 <= slot.start) {
                    first.remove();
                }
            }
            let [shared, own] = &open;
            let others = shared.values().filter(|_| alone(slot)).chain(own.values());
            for &other in others {
                let (a, b) = (slot.buffer.min(other.buffer), slot.buffer.max(other.buffer));
                let Some(both) = slot.overlap(other) else { continue };
                if a == b || case.groups.same(a, b) || !seen.insert((a, b)) {
                    continue;
                }
                if seen.len() > MAX_LISTED {
                    continue;
                }
                let (mine, other) = if alone(slot) { (slot, other) } else { (other, slot) };
                let message = format!(
                    "{} must share bytes with nobody, and shares {both} with {}",
                    case.slot_label(mine),
                    case.slot_label(other)
                );
                let say = Say::error(case, Code::VerifyUnique, message);
                say.buffers(case, &[mine.buffer, other.buffer]).bytes(both).to(findings);
            }
            if seen.len() >= MAX_COUNTED {
                break;
            }
            open[usize::from(alone(slot))].insert((slot.end, slot.buffer, slot.slot), slot);
        }
    }
    rest(case, Code::VerifyUnique, seen.len(), findings);
}
