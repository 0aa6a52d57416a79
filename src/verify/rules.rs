//! What can be said of one buffer's offsets: capacity, reserved bytes, alignment, pins, partitions.

use super::case::{Case, Slot};
use super::say::Say;
use crate::diag::Code;
use crate::model::{BufferId, ByteRange, Capacity, Finding, ScopeId, grouped};

/// All violations, buffer by buffer, slot by slot.
pub(super) fn check(case: &Case<'_>, findings: &mut Vec<Finding>) {
    for scope in case.problem.scopes.ids() {
        unknown_capacity(case, scope, findings);
    }
    for id in case.function.buffers.ids() {
        alignment(case, id, findings);
        pin(case, id, findings);
        for slot in case.slots(id) {
            capacity(case, slot, findings);
            reserved(case, slot, findings);
            partition(case, slot, findings);
        }
    }
}

fn unknown_capacity(case: &Case<'_>, scope: ScopeId, findings: &mut Vec<Finding>) {
    let mut inside = case.function.buffers.enumerate().filter(|(_, b)| b.scope == scope);
    if case.problem.scopes[scope].capacity == Capacity::Unknown
        && let Some((first, _)) = inside.find(|&(id, _)| !case.offsets(id).is_empty())
    {
        let name = &case.problem.scopes[scope].name;
        let message = format!("the capacity of {name} is not known: no end was checked against it");
        let say = Say::warning(case, Code::VerifyOverCapacity, message);
        say.buffers(case, &[first]).names(&[]).to(findings);
    }
}

fn alignment(case: &Case<'_>, id: BufferId, findings: &mut Vec<Finding>) {
    let alignment = case.buffer(id).alignment.max(1);
    for &offset in case.offsets(id) {
        if offset % alignment != 0 {
            let message = format!(
                "{} lies at {offset}, which is not a multiple of its alignment {alignment}",
                case.label(id)
            );
            let say = Say::error(case, Code::VerifyMisaligned, message);
            let end = offset.saturating_add(case.sizes[id]);
            say.buffers(case, &[id]).bytes(ByteRange::new(offset, end)).to(findings);
        }
    }
}

fn pin(case: &Case<'_>, id: BufferId, findings: &mut Vec<Finding>) {
    let offsets = case.offsets(id);
    let Some(pin) = case.buffer(id).pin.as_deref() else { return };
    if offsets.is_empty() || offsets == pin {
        return;
    }
    let at = offsets.iter().zip(pin).find(|(at, pin)| at != pin);
    let message = match at {
        Some((at, pin)) => {
            format!("{} is pinned at {pin}, the plan has it at {at}", case.label(id))
        }
        None => format!(
            "{} is pinned at {} offsets, the plan has it at {}",
            case.label(id),
            pin.len(),
            offsets.len()
        ),
    };
    Say::error(case, Code::VerifyPinMoved, message).buffers(case, &[id]).to(findings);
}

fn capacity(case: &Case<'_>, slot: Slot, findings: &mut Vec<Finding>) {
    let scope = case.scope(slot.buffer);
    let limit = scope.bytes().map_or(u128::from(u64::MAX), u128::from);
    if slot.end <= limit {
        return;
    }
    let message = match scope.bytes() {
        Some(bytes) => format!(
            "{} ends {} bytes past the capacity of {}, {} bytes",
            case.slot_label(slot),
            grouped(slot.end - limit),
            scope.name,
            grouped(bytes.into())
        ),
        None => format!("{} ends past 2^64", case.label(slot.buffer)),
    };
    let say = Say::error(case, Code::VerifyOverCapacity, message);
    say.buffers(case, &[slot.buffer]).bytes(slot.bytes()).to(findings);
}

fn reserved(case: &Case<'_>, slot: Slot, findings: &mut Vec<Finding>) {
    let scope = case.scope(slot.buffer);
    for reserved in &scope.reserved {
        let Some(both) = reserved.range.overlap(slot.bytes()) else { continue };
        let why = reserved.why.as_ref().map_or(String::new(), |why| format!(" ({why})"));
        let message = format!(
            "{} lies on bytes {both} of {}, which are reserved{why}",
            case.slot_label(slot),
            scope.name
        );
        let say = Say::error(case, Code::VerifyReserved, message);
        say.buffers(case, &[slot.buffer]).bytes(both).to(findings);
    }
}

fn partition(case: &Case<'_>, slot: Slot, findings: &mut Vec<Finding>) {
    let (scope, bytes) = (case.scope(slot.buffer), slot.bytes());
    let owner = case.buffer(slot.buffer).owner.as_deref();
    let own = |p: &&crate::model::Partition| Some(p.owner.as_str()) == owner;
    let mut mine = scope.partitions.iter().filter(own).peekable();
    if let Some(first) = mine.peek() {
        let part = first.range;
        if !mine.any(|p| p.range.start <= bytes.start && slot.end <= u128::from(p.range.end)) {
            let message = format!(
                "{} lies outside the part {part} of its owner {}",
                case.slot_label(slot),
                owner.unwrap_or_default()
            );
            let say = Say::error(case, Code::VerifyPartition, message);
            say.buffers(case, &[slot.buffer]).bytes(bytes).to(findings);
        }
    }
    for part in scope.partitions.iter().filter(|p| Some(p.owner.as_str()) != owner) {
        let Some(both) = part.range.overlap(bytes) else { continue };
        let message = format!(
            "{} lies on bytes {both}, which only {} may use",
            case.slot_label(slot),
            part.owner
        );
        let say = Say::error(case, Code::VerifyPartition, message);
        say.buffers(case, &[slot.buffer]).bytes(both).to(findings);
    }
}
