//! Who shares bytes with whom.

use std::cmp::Reverse;

use super::columns::positions;
use super::names::Names;
use crate::format::picture::{Columns, Shares};
use crate::model::{Problem, Reuse, ScopeAnswer};
use crate::report::words;

/// Pairs of a scope that a page lists at most: those that stall, then the others in order.
const MOST: usize = 5_000;

/// A pair is free.
pub(super) const FREE: u8 = 0;
/// A pair is in place.
pub(super) const IN_PLACE: u8 = 1;
/// A pair makes one pipe wait for another.
pub(super) const STALLS: u8 = 2;

/// The pairs of a scope, stalling ones first, dearest first.
pub(super) fn shares(problem: &Problem, answer: &ScopeAnswer, buffers: &Columns) -> Shares {
    let at = positions(buffers);
    let mut all: Vec<&Reuse> = answer.reuse.iter().collect();
    all.sort_by_key(|r| (Reverse(r.stall), Reverse(r.cost)));
    let mut shares = Shares { left_out: all.len().saturating_sub(MOST), ..Shares::default() };
    let mut why = Names::default();
    for r in all.into_iter().take(MOST) {
        let (Some(&first), Some(&second)) = (at.get(&r.first.0), at.get(&r.second.0)) else {
            continue;
        };
        shares.first.push(first);
        shares.second.push(second);
        shares.kind.push(match (r.stall, r.inplace) {
            (true, _) => STALLS,
            (false, true) => IN_PLACE,
            (false, false) => FREE,
        });
        shares.cost.push(r.cost);
        shares.why.push(why.at(&reason(problem, r)));
    }
    shares.words = why.words();
    shares
}

/// The pipes that a pair ties together, the level it needs, and what the input says of it.
fn reason(problem: &Problem, r: &Reuse) -> String {
    let mut parts: Vec<String> = Vec::new();
    let pipes = r.pipes.iter().filter_map(|p| problem.pipes.get(*p));
    let pipes: Vec<String> = pipes.map(|p| words::name(&p.name)).collect();
    if !pipes.is_empty() {
        parts.push(pipes.join(" and "));
    }
    parts.extend(r.level.map(|level| format!("level {}", level.name())));
    parts.extend(r.why.as_deref().map(words::name));
    parts.join(", ")
}
