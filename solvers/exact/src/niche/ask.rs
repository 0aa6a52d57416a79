//! One question, asked again and again in different manners.

use memplan_packing::Meter;
use memplan_packing::random::SplitMix64;

use super::memo::Memo;
use super::order::{MANNERS, ranks};
use super::problem::Problem;
use super::search::{End, Search};
use crate::rules::Rules;
use crate::search::Verdict;
use crate::units::Unit;

/// The first run gets so many nodes per rectangle: a run that makes few mistakes needs one.
const NODES: u64 = 2;
/// Every run gets so many percent of the one before. Slowly at first: every manner shall have its
/// turns while they are cheap.
const SLOW: u64 = 105;
/// After [`TURNS`] of each manner it goes faster, so that in the end a run may finish.
const FAST: u64 = 120;
/// See [`FAST`].
const TURNS: usize = 5;

/// What carries over from one question to the next.
pub(super) struct Asker<'a> {
    pub(super) problem: &'a Problem,
    pub(super) rules: Rules,
    memo: Memo,
    random: SplitMix64,
}

impl<'a> Asker<'a> {
    /// Nothing was asked yet.
    pub(super) fn new(problem: &'a Problem, rules: Rules) -> Self {
        let memo = Memo::new(problem.rects.len());
        Self { problem, rules, memo, random: SplitMix64::new(0x72_6573_7461_7274) }
    }

    /// Is there a packing within so many units?
    pub(super) fn ask(&mut self, capacity: Unit, slice: u64, meter: &mut Meter<'_>) -> Verdict {
        let until = meter.nodes().saturating_add(slice);
        let mut nodes = (NODES * self.problem.rects.len() as u64).max(16);
        for turn in 0.. {
            let manner = &MANNERS[turn % MANNERS.len()];
            let ranks = ranks(self.problem, manner, &mut self.random);
            let rest = until.saturating_sub(meter.nodes());
            let run = if self.rules.restarts { nodes.min(rest) } else { rest };
            let how = (ranks, manner.pick);
            let mut search = Search::new(self.problem, self.rules, capacity, how, &mut self.memo);
            match search.run(run, meter) {
                End::Found => return Verdict::Found(search.state.offsets),
                End::Refuted => return Verdict::Refuted,
                End::Stopped(stop) => return Verdict::Stopped(stop),
                End::Slice if meter.nodes() >= until => return Verdict::Slice,
                End::Slice => {
                    let growth = if turn < TURNS * MANNERS.len() { SLOW } else { FAST };
                    nodes = nodes.saturating_mul(growth).div_ceil(100);
                }
            }
        }
        Verdict::Slice
    }
}
