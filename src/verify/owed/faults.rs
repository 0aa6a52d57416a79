//! Synchronisation that is wrong or missing, in words.

use std::collections::BTreeSet;

use super::fold::remedy;
use super::order::Edge;
use super::shadow::Hazard;
use super::tape::{Flag, Path, Pipes};
use crate::diag::Code;
use crate::model::machine::Machine;
use crate::model::{BufferId, ByteRange, Evidence, Finding, FlagId, OpId, Sync, Witness};
use crate::runtime::clock::ActorId;
use crate::verify::cap::MAX_LISTED;
use crate::verify::case::{Case, bytes};
use crate::verify::objects::scope;
use crate::verify::say::Say;

/// What is wrong with the flags of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SyncFault {
    /// A wait for a flag that is set less often.
    NeverSet(OpId, Flag),
    /// A flag is still up at the end.
    NeverAwaited(OpId, Flag),
    /// A flag is set again, and nothing says that the wait before is done.
    Overrun(OpId, Flag),
    /// These wait for each other.
    Deadlock(Vec<OpId>),
}

/// Findings about synchronisation, each once.
#[derive(Default)]
pub(super) struct Faults {
    said: BTreeSet<SyncFault>,
    races: BTreeSet<(OpId, OpId, Code)>,
    pub list: Vec<Finding>,
}

impl Faults {
    /// What can be seen without running anything.
    pub(super) fn check(&mut self, case: &Case<'_>, pipes: &Pipes, machine: &Machine) {
        for (id, op) in case.function.ops.enumerate() {
            let (ids, count) = match &op.sync {
                Some(Sync::Barrier(Some(pipe))) => {
                    let actor = pipes.actor(Some(*pipe));
                    if pipes.scalar() == Some(actor) {
                        let message = format!(
                            "`{}` is a barrier on {}, which keeps its order itself and has none",
                            op.name,
                            pipes.name(actor)
                        );
                        Say::error(case, Code::ReplayBarrierS, message)
                            .op(case, id)
                            .to(&mut self.list);
                    }
                    continue;
                }
                Some(Sync::Set { id, .. } | Sync::Wait { id, .. }) => (id, machine.flag_ids),
                Some(Sync::CrossSet { id, .. } | Sync::CrossWait { id, .. }) => {
                    (id, machine.cross_flags)
                }
                _ => continue,
            };
            let ids = match ids {
                FlagId::Constant(id) => std::slice::from_ref(id),
                FlagId::Rotating { ids, .. } => ids.as_slice(),
                FlagId::Unknown => &[],
            };
            if let Some(bad) = ids.iter().find(|&&id| id >= u64::from(count)) {
                let message =
                    format!("`{}` uses flag {bad}; the machine has {count}, from 0", op.name);
                Say::error(case, Code::ReplayFlagIdRange, message).op(case, id).to(&mut self.list);
            }
        }
    }

    /// Adds what a path shows of its flags.
    pub(super) fn sync(&mut self, case: &Case<'_>, pipes: &Pipes, fault: SyncFault) {
        if self.list.len() >= MAX_LISTED || !self.said.insert(fault.clone()) {
            return;
        }
        let name = |op: OpId| case.function.ops[op].name.as_str();
        let (code, op, message) = match &fault {
            SyncFault::NeverSet(op, flag) => {
                let message = format!(
                    "`{}` waits for {}, which nothing sets that often",
                    name(*op),
                    label(pipes, *flag)
                );
                (Code::ReplayFlagUnmatched, Some(*op), message)
            }
            SyncFault::NeverAwaited(op, flag) => {
                let message = format!(
                    "`{}` sets {}, and nothing waits for it: it is still up at the end",
                    name(*op),
                    label(pipes, *flag)
                );
                (Code::ReplayFlagUnmatched, Some(*op), message)
            }
            SyncFault::Overrun(op, flag) => {
                let message = format!(
                    "`{}` sets {} again, and nothing says that the wait for it before is done",
                    name(*op),
                    label(pipes, *flag)
                );
                (Code::ReplayFlagOverrun, Some(*op), message)
            }
            SyncFault::Deadlock(ops) => {
                let names: Vec<String> = ops.iter().map(|&op| format!("`{}`", name(op))).collect();
                let message = format!("these wait for each other: {}", names.join(", then "));
                (Code::ReplayDeadlock, ops.first().copied(), message)
            }
        };
        let say = Say::error(case, code, message);
        match op {
            Some(op) => say.op(case, op).to(&mut self.list),
            None => say.to(&mut self.list),
        }
    }

    /// Adds a dependency that a program which synchronises does not see to.
    pub(super) fn race(&mut self, case: &Case<'_>, pipes: &Pipes, path: &Path, edge: &Edge) {
        let at = |stage: u32| path.stages.get(stage as usize);
        let (Some(first), Some(second)) = (at(edge.first), at(edge.second)) else { return };
        let (from, to) = (first.epoch.actor, second.epoch.actor);
        let code = match edge.before.hazard {
            _ if from == to => Code::ReplaySamePipe,
            Hazard::Raw => Code::ReplayRaceRaw,
            Hazard::War => Code::ReplayRaceWar,
            Hazard::Waw => Code::ReplayRaceWaw,
        };
        if self.list.len() >= MAX_LISTED || !self.races.insert((first.op, second.op, code)) {
            return;
        }
        let (a, b) = (&case.function.ops[first.op], &case.function.ops[second.op]);
        let (x, y) = edge.before.buffers;
        let (does, did) = match edge.before.hazard {
            Hazard::Raw => ("reads", "writes"),
            Hazard::War => ("writes", "reads"),
            Hazard::Waw => ("writes", "writes"),
        };
        let at = place(case, x, &edge.before.bytes);
        let why = if edge.placement { "; they share bytes by their placement" } else { "" };
        let message = format!(
            "`{}` on {} {does} {} at {at} and may start before `{}` on {} is done, which {did} {}{why}",
            b.name,
            pipes.name(to),
            case.label(y),
            a.name,
            pipes.name(from),
            case.label(x),
        );
        let witness = |op: OpId, actor: ActorId, does: &str, buffer: BufferId| Witness {
            op: case.function.ops[op].name.clone(),
            index: case.order.ops[op].0,
            actor: pipes.name(actor).to_owned(),
            what: format!("{does} {}", case.buffer(buffer).name),
            loc: case.function.ops[op].loc,
        };
        let evidence = Evidence {
            earlier: Some(witness(first.op, from, did, x)),
            later: Some(witness(second.op, to, does, y)),
            physical: Some(format!("{}{at}", case.scope(x).name)),
            missing: Some(remedy(pipes, (from, to), (&a.name, &b.name), 0)),
            ..Evidence::default()
        };
        let buffers = if x == y { vec![x] } else { vec![x, y] };
        let say = Say::error(case, code, message).buffers(case, &buffers).op(case, second.op);
        say.bytes(at).evidence(evidence).to(&mut self.list);
    }
}

/// From the first to the last of the bytes, in their scope.
fn place(case: &Case<'_>, buffer: BufferId, ranges: &[(u128, u128)]) -> ByteRange {
    let home = scope(case, buffer);
    let lo = ranges.iter().map(|r| r.0).min().unwrap_or(home);
    let hi = ranges.iter().map(|r| r.1).max().unwrap_or(home);
    bytes(lo.saturating_sub(home), hi.saturating_sub(home))
}

fn label(pipes: &Pipes, flag: Flag) -> String {
    match flag {
        Flag::Pipes(from, to, id) => {
            format!("flag {id} from {} to {}", pipes.name(from), pipes.name(to))
        }
        Flag::Cores(id) => format!("cross-core flag {id}"),
    }
}
