//! Buffers with given live ranges: those alive together may not share bytes.
//!
//! One sweep over time in each scope. A pair is excused when it is colocated, exclusive, or an
//! in-place pair: identical start, the second not larger, and alive together just at the second's
//! first step. A multi-buffer's slots are all alive in all its ranges.

use std::collections::{BTreeMap, BTreeSet};

use super::active::{Active, Stay};
use super::cap::{MAX_COUNTED, MAX_LISTED, rest};
use super::case::Case;
use super::lives::{Why, holds};
use super::say::Say;
use crate::diag::Code;
use crate::model::{BufferId, Finding, Live, ScopeId, Step};

/// Slots looked at before the sweep gives up. Only plans with very many excused pairs, such as
/// tens of thousands of buffers colocated with each other, come near it.
const MAX_LOOKS: u64 = 1 << 28;

/// All pairs at fault, by their ids; each once.
pub(super) fn check(case: &Case<'_>, findings: &mut Vec<Finding>) {
    let holds = holds(case);
    let mut scopes: BTreeMap<ScopeId, Vec<Stay>> = BTreeMap::new();
    for hold in &holds {
        let stays = scopes.entry(case.buffer(hold.buffer).scope).or_default();
        for slot in case.slots(hold.buffer) {
            stays.extend(hold.live.iter().map(|&live| Stay { slot, live }));
        }
    }
    let mut sweep = Sweep { case, faults: Vec::new(), seen: BTreeSet::new(), looks: 0 };
    let closed = scopes.into_values().all(|stays| sweep.scope(stays));
    let Sweep { mut faults, seen, .. } = sweep;
    faults.sort_by_key(|(a, b)| (a.slot.buffer, b.slot.buffer));
    // Nobody asks where there is no fault.
    let asked = holds.iter().filter(|_| !faults.is_empty());
    let whys: BTreeMap<BufferId, Why> = asked.map(|h| (h.buffer, h.why)).collect();
    for (a, b) in faults {
        report(case, &whys, a, b, findings);
    }
    rest(case, Code::VerifyOverlap, seen.len(), findings);
    if !closed && seen.len() < MAX_COUNTED {
        let message = "too many buffers share bytes under an excuse: the sweep over live ranges \
                       was not finished";
        Say::error(case, Code::VerifyUndecided, message.to_owned()).to(findings);
    }
}

struct Sweep<'c, 'a> {
    case: &'c Case<'a>,
    /// The pairs to be listed, lower id first.
    faults: Vec<(Stay, Stay)>,
    seen: BTreeSet<(BufferId, BufferId)>,
    looks: u64,
}

impl Sweep<'_, '_> {
    /// False when a limit ended the sweep early.
    fn scope(&mut self, mut stays: Vec<Stay>) -> bool {
        let order = |s: &Stay| (s.live.start, s.slot.buffer, s.slot.slot);
        stays.sort_unstable_by_key(order);
        let mut ends: Vec<(Step, usize)> =
            stays.iter().enumerate().map(|(at, s)| (s.live.end, at)).collect();
        ends.sort_unstable();
        let (mut active, mut ended, mut touching) = (Active::default(), 0, Vec::new());
        for &stay in &stays {
            while let Some(&(_, at)) = ends.get(ended).filter(|(end, _)| *end <= stay.live.start) {
                active.remove(stays[at]);
                ended += 1;
            }
            touching.clear();
            self.looks += active.touching(stay.slot, &mut touching);
            for &other in &touching {
                self.pair(other, stay);
            }
            if self.looks > MAX_LOOKS || self.seen.len() >= MAX_COUNTED {
                return false;
            }
            active.insert(stay);
        }
        true
    }

    fn pair(&mut self, a: Stay, b: Stay) {
        let (a, b) = if a.slot.buffer <= b.slot.buffer { (a, b) } else { (b, a) };
        let (x, y) = (a.slot.buffer, b.slot.buffer);
        // Slots of one buffer have their own rule.
        if x == y || self.case.groups.same(x, y) || self.case.exclusive(x, y) {
            return;
        }
        if inplace(self.case, a, b) || inplace(self.case, b, a) {
            return;
        }
        if self.seen.insert((x, y)) && self.faults.len() < MAX_LISTED {
            self.faults.push((a, b));
        }
    }
}

/// True when `second` takes the bytes of `first` as a relation allows.
fn inplace(case: &Case<'_>, first: Stay, second: Stay) -> bool {
    let (x, y) = (first.slot.buffer, second.slot.buffer);
    case.inplace(x, y) && fits(case, first, second) && dies(case, first, second)
}

/// Identical start, not larger; slot by slot of as many: all slots hold data for the whole range.
fn fits(case: &Case<'_>, first: Stay, second: Stay) -> bool {
    let slots = |s: Stay| case.offsets(s.slot.buffer).len();
    let same = slots(first) == slots(second) && first.slot.slot == second.slot.slot;
    first.slot.start == second.slot.start && second.slot.end <= first.slot.end && same
}

/// Alive together only at the second's first step.
fn dies(case: &Case<'_>, first: Stay, second: Stay) -> bool {
    let given = case.buffer(second.slot.buffer).live.iter().flatten();
    let born = given.filter(|l| l.start < l.end).map(|l| l.start).min();
    born == Some(second.live.start) && first.live.end.0 <= second.live.start.0.saturating_add(1)
}

fn report(
    case: &Case<'_>,
    whys: &BTreeMap<BufferId, Why>,
    a: Stay,
    b: Stay,
    findings: &mut Vec<Finding>,
) {
    let (x, y) = (a.slot.buffer, b.slot.buffer);
    let Some(both) = a.slot.overlap(b.slot) else { return };
    let meet = Live { start: a.live.start.max(b.live.start), end: a.live.end.min(b.live.end) };
    let (first, second) = if case.inplace(y, x) { (b, a) } else { (a, b) };
    let pair = case.inplace(first.slot.buffer, second.slot.buffer);
    let shifted = pair && dies(case, first, second) && first.slot.start != second.slot.start;
    let (labels, when) = (
        format!("{} and {}", case.slot_label(a.slot), case.slot_label(b.slot)),
        steps(case, whys, meet, x, y),
    );
    let (code, message) = if shifted {
        let text =
            format!("the in-place pair {labels} share bytes {both} {when}, at different offsets");
        (Code::VerifyInplaceShifted, text)
    } else {
        let text = format!("{labels} share bytes {both} and are both alive {when}");
        let why = match pair {
            true if !dies(case, first, second) => {
                "; in place they may be alive together only at the second's first step"
            }
            true if !fits(case, first, second) => {
                "; in place the second may not be larger, and takes slot by slot"
            }
            _ => "",
        };
        (Code::VerifyOverlap, text + why)
    };
    let say = Say::error(case, code, message).buffers(case, &[x, y]).bytes(both);
    match case.order.op_at(meet.start).filter(|_| case.function.has_program()) {
        Some(op) => say.op(case, op).to(findings),
        None => say.to(findings),
    }
}

/// The steps at which both are alive, in words.
fn steps(
    case: &Case<'_>,
    whys: &BTreeMap<BufferId, Why>,
    meet: Live,
    x: BufferId,
    y: BufferId,
) -> String {
    let why = |b| whys.get(&b).copied().unwrap_or(Why::Unknown);
    if why(x) == Why::Unknown || why(y) == Why::Unknown {
        return "as far as anybody says".to_owned();
    }
    let name = case.order.describe(case.function, meet.start);
    let name = name.map_or(String::new(), |name| format!(" ({name})"));
    match meet.end.0.saturating_sub(meet.start.0) {
        1 => format!("at step {}{name}", meet.start.0),
        _ => format!("in steps [{}, {}){name}", meet.start.0, meet.end.0),
    }
}
