//! Slots of several buffers together, where those of one are not enough.

use super::asker::Asker;
use super::change::tied;
use super::search;
use crate::model::{Advice, BufferId, Change};

/// Buffers whose slots are taken away together, at most.
const MAX_TOGETHER: usize = 16;

/// The slots of as few buffers as it takes: all single, the largest first, until it is enough; then each is
/// given back as many as it can have. Drop any one of the changes and it is not enough any more.
pub(super) fn together(asker: &mut Asker, buffers: &[BufferId]) -> Option<Advice> {
    let function = asker.function();
    let bytes = |id: &BufferId| {
        let b = &function.buffers[*id];
        b.size.0.saturating_mul(u64::from(b.slots) - 1)
    };
    let multi = |id: &BufferId| {
        let b = &function.buffers[*id];
        b.slots > 1 && b.pin.is_none() && !tied(function, *id)
    };
    let mut all: Vec<BufferId> = buffers.iter().copied().filter(multi).collect();
    all.sort_by_key(|id| (std::cmp::Reverse(bytes(id)), *id));
    all.truncate(MAX_TOGETHER);
    let change = |asker: &Asker, buffer: BufferId, to: u32| Change::Slots {
        buffer,
        from: asker.function().buffers[buffer].slots,
        to,
    };
    let mut changes: Vec<Change> = Vec::new();
    let mut answer = None;
    for buffer in all {
        changes.push(change(asker, buffer, 1));
        answer = if changes.len() > 1 { asker.with(&changes) } else { None };
        if answer.is_some() {
            break;
        }
    }
    let mut answer = answer?;
    // The last one is needed: without it the others were not enough.
    let mut at = 0;
    while at < changes.len() && changes.len() > 1 {
        let mut rest = changes.clone();
        rest.remove(at);
        match asker.with(&rest) {
            Some(found) => (changes, answer) = (rest, found),
            None => at += 1,
        }
    }
    for at in 0..changes.len() {
        let Change::Slots { buffer, from, mut to } = changes[at] else { continue };
        while to + 1 < from {
            let mut more = changes.clone();
            more[at] = Change::Slots { buffer, from, to: to + 1 };
            let Some(found) = asker.with(&more) else { break };
            (changes, answer, to) = (more, found, to + 1);
        }
    }
    if !asker.may_ask() {
        return None;
    }
    let cost = changes.iter().map(|change| match change {
        Change::Slots { buffer, from, to } => {
            asker.function().buffers[*buffer].size.0.saturating_mul(u64::from(from - to))
        }
        _ => 0,
    });
    let cost = cost.fold(0, u64::saturating_add);
    let with = changes.split_off(1);
    Some(search::advice(changes.pop()?, with, cost, &answer))
}
