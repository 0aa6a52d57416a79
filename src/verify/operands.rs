//! Operands of one op that share bytes.
//!
//! All reads come before all writes, so a result may lie on an operand, if the op can bear it: it
//! works element by element, and finds each operand unharmed until it is done with it. That takes
//! identical starts and a result that is not larger. Nothing else may share: two results, or
//! scratch and anything.

use super::case::Case;
use super::faults::{Faults, Key};
use super::memory::Area;
use crate::diag::Code;
use crate::model::AccessMode;
use crate::runtime::program::At;

/// One operand on its bytes.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    /// Its position among the op's accesses.
    pub access: usize,
    pub mode: AccessMode,
    pub area: Area,
}

/// Notes every pair that may not share the bytes it shares.
pub(super) fn check(case: &Case<'_>, at: &At, operands: &[Operand], faults: &mut Faults) {
    let mut sorted: Vec<Operand> = operands.to_vec();
    sorted.sort_by_key(|o| (o.area.lo, o.area.hi, o.area.buffer, o.mode));
    for (n, a) in sorted.iter().enumerate() {
        let touching = sorted[n + 1..].iter().take_while(|b| b.area.lo < a.area.hi);
        for b in touching {
            pair(case, at, *a, *b, faults);
        }
    }
}

fn pair(case: &Case<'_>, at: &At, a: Operand, b: Operand, faults: &mut Faults) {
    // Candidates of one operand are not touched together.
    if a.access == b.access {
        return;
    }
    // Names for the same bytes of the same object.
    if (a.area.object, a.area.base) == (b.area.object, b.area.base) {
        return;
    }
    let code = match (a.mode, b.mode) {
        (AccessMode::Read, AccessMode::Read) => None,
        (AccessMode::Read, AccessMode::Write) => in_place(case, at, a.area, b.area),
        (AccessMode::Write, AccessMode::Read) => in_place(case, at, b.area, a.area),
        _ => Some(Code::VerifyOverlap),
    };
    let Some(code) = code else { return };
    // The operand first, then what lies on it.
    let (first, second) = match (a.mode, b.mode) {
        (AccessMode::Read, _) => (a.area, b.area),
        (_, AccessMode::Read) => (b.area, a.area),
        _ if a.area.buffer <= b.area.buffer => (a.area, b.area),
        _ => (b.area, a.area),
    };
    let key = Key::Operands { op: at.op, first: first.buffer, second: second.buffer, code };
    let bytes = (a.area.lo.max(b.area.lo), a.area.hi.min(b.area.hi));
    faults.note(key, bytes, Some(at.op), at.trail);
}

/// What is wrong with a result on an operand; nothing, if it may lie there.
fn in_place(case: &Case<'_>, at: &At, operand: Area, result: Area) -> Option<Code> {
    if case.handover(operand.buffer, result.buffer) {
        // That both start at the same byte is a rule of its own; sizes are those of the group.
        return None;
    }
    if case.inplace(operand.buffer, result.buffer) {
        // The problem vouches for the pair, as a whole.
        let (a, b) = (whole(case, operand), whole(case, result));
        return match (a.0 == b.0, b.1 <= a.1) {
            (true, true) => None,
            (true, false) => Some(Code::VerifyOverlap),
            (false, _) => Some(Code::VerifyInplaceShifted),
        };
    }
    let allowed = case.problem.inplace.allows(case.function.ops[at.op].inplace);
    match (allowed, operand.lo == result.lo, result.hi <= operand.hi) {
        (true, true, true) => None,
        (true, false, _) => Some(Code::VerifyInplaceShifted),
        (false, true, true) => Some(Code::VerifyInplaceForbidden),
        _ => Some(Code::VerifyOverlap),
    }
}

/// Start and end of the slot that an area lies in.
fn whole(case: &Case<'_>, area: Area) -> (u128, u128) {
    let start = area.base.wrapping_add(u128::from(case.groups.lead(area.buffer)));
    (start, start.wrapping_add(u128::from(case.sizes[area.buffer])))
}
