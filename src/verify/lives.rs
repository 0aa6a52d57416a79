//! Live ranges that are given, as opposed to those that executing will show.

use super::case::Case;
use crate::model::{BufferId, Live};

/// Why a buffer holds its bytes in certain steps whatever the ops do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The problem gives its live ranges.
    Given,
    /// It lives through the whole loop it is used in.
    Preload,
    /// Nobody says when it lives: no range, and no ops that would show it.
    Unknown,
}

/// When one buffer holds its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    pub buffer: BufferId,
    /// Sorted, disjoint, not touching.
    pub live: Vec<Live>,
    pub why: Why,
}

/// The buffers whose aliveness is given, in order.
pub(super) fn holds(case: &Case<'_>) -> Vec<Hold> {
    let program = case.function.has_program();
    let mut holds = Vec::new();
    for (buffer, body) in case.function.buffers.enumerate() {
        let home = case.homes[buffer].around.filter(|_| body.preload);
        let (live, why) = match (&body.live, home) {
            (Some(live), _) => (live.clone(), Why::Given),
            (None, Some(home)) => {
                let steps = case.order.loops[home];
                (vec![Live::new(steps.begin.0, steps.end.0.saturating_add(1))], Why::Preload)
            }
            (None, None) if !program => (vec![Live::new(0, u64::MAX)], Why::Unknown),
            (None, None) => continue,
        };
        holds.push(Hold { buffer, live: normal(live), why });
    }
    holds
}

fn normal(mut live: Vec<Live>) -> Vec<Live> {
    live.retain(|l| l.start < l.end);
    live.sort_unstable();
    let mut out: Vec<Live> = Vec::with_capacity(live.len());
    for next in live {
        match out.last_mut() {
            Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
            _ => out.push(next),
        }
    }
    out
}
