//! The replay's faults in words.

use std::collections::BTreeMap;

use super::cap::rest;
use super::case::Case;
use super::choices;
use super::faults::{Fault, Key};
use super::held::{Holds, bytes};
use super::lives::Why;
use super::memory::{Blame, How};
use super::objects::Objects;
use super::replay::{Outcome, Stage, replay};
use super::say::Say;
use crate::diag::Code;
use crate::model::{BufferId, Finding, OpId};
use crate::runtime::program::{Choice, Doubt, Limits, TrailId, Trails};

/// Replays a function that has ops, and says what came out; where it is to be `explained`, with what each
/// fault depends on.
pub(super) fn check(case: &Case<'_>, limits: Limits, explained: bool, findings: &mut Vec<Finding>) {
    if !case.function.has_program() {
        return;
    }
    let objects = Objects::of(case);
    let holds = Holds::of(case, &objects);
    let stage = Stage { case, objects: &objects, holds: &holds };
    let Outcome { faults, trails, doubts } = replay(&stage, limits);
    let needed = if explained { choices::needed(&stage, limits, &faults) } else { BTreeMap::new() };
    for fault in &faults.list {
        let needs = needed.get(&fault.key).map_or(&[][..], Vec::as_slice);
        let words = Words { case, holds: &holds, trails: &trails, needs };
        match fault.key {
            Key::Lost { victim, .. } => words.lost(fault, victim, findings),
            Key::Unwritten { buffer, op } => words.unwritten(fault, buffer, op, findings),
            Key::Operands { op, first, second, code } => {
                words.operands(fault, op, (first, second), code, findings);
            }
            Key::Held { op, writer, holder } => {
                words.held(fault, op, (writer, holder), findings);
            }
        }
    }
    for (&code, &count) in &faults.counts {
        rest(case, code, count, findings);
    }
    for doubt in doubts {
        say_doubt(case, doubt, findings);
    }
}

struct Words<'c, 'a> {
    case: &'c Case<'a>,
    holds: &'c Holds,
    trails: &'c Trails,
    /// Without these it does not happen.
    needs: &'c [Choice],
}

impl Words<'_, '_> {
    fn lost(&self, fault: &Fault, victim: BufferId, findings: &mut Vec<Finding>) {
        let case = self.case;
        let at = bytes(case, victim, fault.bytes);
        let who = case.label(victim);
        let needed = match fault.op {
            Some(op) => format!("op `{}` reads {who}", self.op(op)),
            None => format!("{who} is wanted at the end"),
        };
        let done = fault.blame.map_or_else(
            || "they hold something else".to_owned(),
            |blame| self.blame(victim, &blame),
        );
        let more = match fault.at.len() {
            0 | 1 => String::new(),
            2 => "; it is needed at one more place".to_owned(),
            n => format!("; it is needed at {} more places", n - 1),
        };
        let message = format!("{needed}, whose bytes {at} are gone: {done}{more}");
        let mut buffers = vec![victim];
        buffers.extend(fault.blame.map(|b| b.who).filter(|&who| who != victim));
        let say = Say::error(case, Code::VerifyClobbered, message).buffers(case, &buffers);
        let say = say.bytes(at).witness(self.witness(fault));
        match fault.op {
            Some(op) => say.op(case, op).to(findings),
            None => say.to(findings),
        }
    }

    fn blame(&self, victim: BufferId, blame: &Blame) -> String {
        let who = self.case.label(blame.who);
        let op = blame.op.map_or("the start", |op| self.op(op));
        match blame.how {
            How::Moved => format!("op `{op}` wrote {who} in another of its slots since"),
            _ if blame.who == victim => format!("op `{op}` wrote another slot of {who} over them"),
            How::Write => format!("op `{op}` wrote {who} over them"),
            How::Scratch => format!("op `{op}` used them as its temporary {who}"),
            How::Entry => format!("{who} is filled there before the function starts"),
            How::Hold => format!("{who} holds them{}", self.holding(blame.who)),
        }
    }

    /// When a buffer with given live ranges holds its bytes.
    fn holding(&self, id: BufferId) -> String {
        let mut own = self.holds.items.iter().filter(|h| h.buffer == id);
        match own.next() {
            None => String::new(),
            Some(h) if h.why == Why::Preload => " through its whole loop".to_owned(),
            Some(h) => {
                let more = if own.next().is_some() { " and later" } else { "" };
                format!(" in steps [{}, {}){more}", h.live.start.0, h.live.end.0)
            }
        }
    }

    fn unwritten(
        &self,
        fault: &Fault,
        buffer: BufferId,
        op: Option<OpId>,
        findings: &mut Vec<Finding>,
    ) {
        let case = self.case;
        let at = bytes(case, buffer, fault.bytes);
        let who = case.label(buffer);
        let message = match op {
            Some(op) if fault.certain => {
                format!("op `{}` reads {who}, which nothing has written", self.op(op))
            }
            Some(op) => format!(
                "op `{}` reads {who}, of which bytes of {at} may not have been written",
                self.op(op)
            ),
            None => format!("{who} is handed out and never written"),
        };
        let code = Code::VerifyReadBeforeWrite;
        let say = if fault.certain {
            Say::error(case, code, message)
        } else {
            Say::warning(case, code, message)
        };
        let say =
            say.buffers(case, &[buffer]).bytes(at).witness(self.seen(self.trail(fault.trail)));
        match op {
            Some(op) => say.op(case, op).to(findings),
            None => say.to(findings),
        }
    }

    fn operands(
        &self,
        fault: &Fault,
        op: OpId,
        (first, second): (BufferId, BufferId),
        code: Code,
        findings: &mut Vec<Finding>,
    ) {
        let case = self.case;
        let at = bytes(case, first, fault.bytes);
        let (a, b) = (case.label(first), case.label(second));
        let name = self.op(op);
        let message = match code {
            Code::VerifyInplaceForbidden => {
                format!("op `{name}` writes {b} over its operand {a} on {at}, which it may not")
            }
            Code::VerifyInplaceShifted => format!(
                "op `{name}` writes {b} over its operand {a} on {at}, at another start than it reads"
            ),
            _ => format!("{a} and {b} share bytes {at} within op `{name}`"),
        };
        let say = Say::error(case, code, message).buffers(case, &[first, second]);
        say.op(case, op).bytes(at).witness(self.trail(fault.trail)).to(findings);
    }

    fn held(
        &self,
        fault: &Fault,
        op: OpId,
        (writer, holder): (BufferId, BufferId),
        findings: &mut Vec<Finding>,
    ) {
        let case = self.case;
        let at = bytes(case, writer, fault.bytes);
        let message = format!(
            "op `{}` at step {} writes {} on bytes {at}, which {} holds{}",
            self.op(op),
            case.order.ops[op].0,
            case.label(writer),
            case.label(holder),
            self.holding(holder)
        );
        let say = Say::error(case, Code::VerifyOverlap, message).buffers(case, &[writer, holder]);
        say.op(case, op).bytes(at).witness(self.trail(fault.trail)).to(findings);
    }

    /// A witness after the choices that it does not tell.
    fn seen(&self, witness: String) -> String {
        let choices = self.needs.iter().map(|&choice| choices::told(self.case.function, choice));
        let mut words: Vec<String> = choices.filter(|told| !witness.contains(told)).collect();
        if !witness.is_empty() {
            words.push(witness);
        }
        words.join("; ")
    }

    /// Where it was done and where it shows; empty in straight-line code.
    fn witness(&self, fault: &Fault) -> String {
        let done = fault.blame.and_then(|b| Some((b.op?, self.trail(b.trail))));
        let shows = self.trail(fault.trail);
        let mut words = Vec::new();
        if let Some((op, trail)) = done.filter(|(_, trail)| !trail.is_empty()) {
            words.push(format!("{trail}: `{}`", self.op(op)));
        }
        match fault.op {
            Some(op) if !shows.is_empty() => words.push(format!("{shows}: `{}`", self.op(op))),
            _ => {}
        }
        self.seen(words.join("; then "))
    }

    fn trail(&self, id: TrailId) -> String {
        self.trails.describe(self.case.function, id)
    }

    fn op(&self, id: OpId) -> &str {
        &self.case.function.ops[id].name
    }
}

fn say_doubt(case: &Case<'_>, doubt: Doubt, findings: &mut Vec<Finding>) {
    let code = Code::VerifyUndecided;
    let name = |step| case.order.describe(case.function, step).unwrap_or_default();
    match doubt {
        Doubt::Stopped(step) => {
            let message = format!(
                "the replay ran out of work at step {} ({}): what follows was not checked on \
                 every path",
                step.0,
                name(step)
            );
            Say::error(case, code, message).to(findings);
        }
        Doubt::Nameless(op, value) => {
            let value = case.function.values.get(value).map_or("?", |v| v.name.as_str());
            let message = format!("nothing is known of what `{value}` stands for");
            Say::error(case, code, message).op(case, op).to(findings);
        }
        Doubt::Flooded => {
            let message = "the loops have too many states to be run trip by trip: each was taken \
                           to make any number of trips, which may find faults that no path has";
            Say::note(case, code, message.to_owned()).to(findings);
        }
        Doubt::Folded(id) => {
            let message = format!(
                "loop {} did not settle: its late trips were checked as any trip, which may find \
                 faults that no trip has",
                case.function.loops[id].name
            );
            Say::note(case, code, message).to(findings);
        }
        Doubt::Merged(step) => {
            let message = format!(
                "too many combinations of references before step {} ({}): they were checked as \
                 any of them, which may find faults that no path has",
                step.0,
                name(step)
            );
            Say::note(case, code, message).to(findings);
        }
    }
}
