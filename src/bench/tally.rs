//! Sums over the rows of one entry.

use std::time::Duration;

use super::entry::Entry;
use super::row::{Answered, Row};
use crate::model::{Mode, ReuseLevel, Verdict};

/// Sums over the rows of one entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Scopes that it answered.
    pub scopes: usize,
    /// Scopes that it could not be asked about.
    pub skipped: usize,
    /// Scopes with a plan, right or wrong.
    pub fits: usize,
    /// Plans that the judge rejects.
    pub refuted: usize,
    /// Plans that are proven optimal.
    pub optimal: usize,
    /// Sum of the peaks of plans that the judge accepts.
    pub peak: u128,
    /// Sum of the lower bounds of the same scopes.
    pub lower_bound: u128,
    /// Stalling reuses in all.
    pub stalls: usize,
    /// Scopes in which nothing is shared.
    pub sequential: usize,
    /// Scopes by level, from the strictest down.
    pub levels: [usize; ReuseLevel::ALL.len()],
    /// The time of the planner.
    pub planning: Duration,
}

impl Tally {
    /// Adds those of some rows that are of an entry.
    pub fn add_rows(&mut self, entry: &Entry, rows: &[Row]) {
        for row in rows.iter().filter(|r| r.entry == entry.name) {
            match row.answered() {
                Some(answered) => self.add(answered),
                None => self.skipped += 1,
            }
        }
    }

    fn add(&mut self, row: &Answered) {
        self.scopes += 1;
        self.planning += row.planning;
        self.refuted += usize::from(row.refuted.is_some());
        if !row.fits() {
            return;
        }
        self.fits += 1;
        self.optimal += usize::from(row.verdict == Verdict::Optimal && row.refuted.is_none());
        self.stalls += row.stalls.unwrap_or(0);
        self.sequential += usize::from(row.mode == Mode::Sequential);
        let level = ReuseLevel::ALL.iter().position(|l| row.level == Some(*l));
        if let Some(level) = level {
            self.levels[level] += 1;
        }
        if let Some(peak) = row.sound_peak() {
            self.peak += u128::from(peak);
            self.lower_bound += u128::from(row.lower_bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::fixture::{row, without_plan};
    use crate::bench::row::Outcome;
    use crate::plan::Strategy;

    #[test]
    fn wrong_plans_fit_but_their_peaks_do_not_count() {
        let mut skipped = row("auto", |_| ());
        skipped.outcome = Outcome::Skipped("no".to_owned());
        let rows = [
            row("auto", |a| a.stalls = Some(2)),
            row("auto", |a| a.refuted = Some("wrong".to_owned())),
            row("auto", |a| (a.mode, a.level) = (Mode::Sequential, None)),
            row("auto", without_plan),
            skipped,
            row("optimal", |_| ()),
        ];
        let mut tally = Tally::default();
        tally.add_rows(&Entry::of(Strategy::Auto), &rows);
        assert_eq!((tally.scopes, tally.skipped, tally.fits, tally.refuted), (4, 1, 3, 1));
        assert_eq!((tally.peak, tally.lower_bound, tally.stalls), (20, 16, 2));
        assert_eq!((tally.sequential, tally.levels), (1, [2, 0, 0, 0]));
    }
}
