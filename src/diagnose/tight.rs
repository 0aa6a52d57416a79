//! What makes a plan tight.

use super::asker::Goal;
use crate::model::{ReuseLevel, Scope, ScopeAnswer, Tight};

/// A plan is tight when less than one part in so many of what may be used is free.
const SLACK: u64 = 33;

/// What makes the plan of a scope tight: stalls, else its level; and whether little is free.
pub(super) fn tight(scope: &Scope, answer: &ScopeAnswer) -> Vec<Tight> {
    let mut out = Vec::new();
    let (Some(peak), Some(usable)) = (answer.peak, scope.usable()) else { return out };
    let pairs = answer.reuse.iter().filter(|r| r.stall).count();
    match answer.level {
        _ if pairs > 0 => out.push(Tight::Stalls { pairs, cost: answer.reuse_cost }),
        Some(level) if level > ReuseLevel::Pipe => out.push(Tight::Level { level }),
        _ => {}
    }
    let free = end(scope).saturating_sub(peak);
    if free < usable / SLACK {
        out.push(Tight::Slack { free, usable });
    }
    out
}

/// The end of what may be used: reserved bytes at the top are not.
fn end(scope: &Scope) -> u64 {
    let mut end = scope.bytes().unwrap_or(u64::MAX);
    for reserved in scope.reserved.iter().rev() {
        if reserved.range.end >= end {
            end = end.min(reserved.range.start);
        }
    }
    end
}

/// What would be better.
pub(super) fn goal(tight: &[Tight]) -> Option<Goal> {
    tight.iter().find_map(|tight| match tight {
        Tight::Stalls { .. } => Some(Goal::NoStalls),
        Tight::Level { level } => Some(Goal::Above(*level)),
        Tight::Slack { .. } => None,
    })
}
