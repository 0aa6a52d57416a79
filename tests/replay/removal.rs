//! Core programs without one of their synchronisations.

use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use memplan::model::trace::{Call, CoreLine, Instruction, Trace};
use memplan::verify::trace::{Options, trace as replay};

use crate::cases::{class, errors, read};

/// Each single set, wait and barrier that is removed from a correct program is missed, or was said to
/// be redundant.
pub(crate) fn every_sync(path: &Path) -> Result<(), Failed> {
    let (trace, machine) = read(&fs::read_to_string(path)?)?;
    let whole = replay(&trace, &machine, &Options::default());
    // What a limit has cut off may be what a synchronisation is for.
    if !errors(&whole).is_empty() || !whole.complete {
        return Ok(());
    }
    let redundant: Vec<&str> = whole
        .findings
        .iter()
        .filter(|f| class(f) == "redundant_sync")
        .filter_map(|f| f.op.as_deref())
        .collect();
    let mut unnoticed = Vec::new();
    for nth in 0.. {
        let mut less = trace.clone();
        less.expect_findings = None;
        let Some(label) = without(&mut less, nth) else { break };
        let found = replay(&less, &machine, &Options::default());
        if errors(&found).is_empty() && !redundant.contains(&label.as_str()) {
            unnoticed.push(label);
        }
    }
    if unnoticed.is_empty() {
        return Ok(());
    }
    Err(format!("nobody misses lines {}; redundant: {redundant:?}", unnoticed.join(", ")).into())
}

/// Files with waits that nothing needs: no data behind them, or the same is said twice.
pub(crate) const HARMLESS: [&str; 7] = [
    "streams/deadlock_two_threads_fixed",
    "streams/event_never_recorded_harmless",
    "streams/event_query",
    "streams/event_rerecord_second_wait",
    "streams/event_reset",
    "streams/event_two_threads_ordered",
    "streams/redundant_sync",
];

/// The same for what streams, hosts and processes wait for.
pub(crate) fn every_wait(path: &Path) -> Result<(), Failed> {
    let (trace, machine) = read(&fs::read_to_string(path)?)?;
    let whole = replay(&trace, &machine, &Options::default());
    if !errors(&whole).is_empty() {
        return Ok(());
    }
    let spare = |label: &str| {
        let mut redundant = whole.findings.iter().filter(|f| class(f) == "redundant_sync");
        redundant.any(|f| f.op.as_deref() == Some(label))
    };
    let mut unnoticed = Vec::new();
    for at in (0..trace.ops.len()).filter(|&at| waits(&trace.ops[at].call)) {
        let mut less = trace.clone();
        less.expect_findings = None;
        let label = less.ops.remove(at).label;
        let found = replay(&less, &machine, &Options::default());
        // A query that answers otherwise is no error of the plan.
        let noticed = errors(&found).iter().any(|class| *class != "expectation");
        if !noticed && !spare(&label) {
            unnoticed.push(label);
        }
    }
    if unnoticed.is_empty() {
        return Ok(());
    }
    Err(format!("nobody misses lines {}", unnoticed.join(", ")).into())
}

fn waits(call: &Call) -> bool {
    matches!(
        call,
        Call::EventRecord { .. }
            | Call::EventWait { .. }
            | Call::EventSync { .. }
            | Call::NotifyRecord { .. }
            | Call::NotifyWait { .. }
            | Call::ValueWrite { .. }
            | Call::ValueWait { .. }
            | Call::StreamSync { .. }
            | Call::DeviceSync { .. }
            | Call::Fork { .. }
            | Call::Join { .. }
            | Call::Barrier { .. }
    )
}

/// Takes the n-th synchronisation of all programs away; its label.
fn without(trace: &mut Trace, nth: usize) -> Option<String> {
    let mut left = nth;
    trace.programs.iter_mut().find_map(|program| take(&mut program.lines, &mut left))
}

fn take(lines: &mut Vec<CoreLine>, left: &mut usize) -> Option<String> {
    for at in 0..lines.len() {
        let found = match &mut lines[at].instruction {
            Instruction::Set { .. }
            | Instruction::Wait { .. }
            | Instruction::Barrier { .. }
            | Instruction::XSet { .. }
            | Instruction::XWait { .. } => {
                if *left == 0 {
                    return Some(lines.remove(at).label);
                }
                *left -= 1;
                None
            }
            Instruction::Loop { body, .. } => take(body, left),
            Instruction::If { then, otherwise, .. } => {
                take(then, left).or_else(|| take(otherwise, left))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
