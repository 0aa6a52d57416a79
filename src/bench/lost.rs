//! Who should have won and did not.

use super::entry::Entry;
use super::row::{Answered, Row};
use crate::plan::Strategy;

/// A scope in which `auto` or `optimal` is behind another entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// Who lost.
    pub entry: String,
    /// To whom.
    pub to: String,
    /// The loser's peak; none: it has no plan that the judge accepts.
    pub peak: Option<u64>,
    /// The winner's.
    pub their_peak: u64,
}

/// Who lost in one scope, given its rows: `auto` and `optimal` where they have no plan and another
/// entry has one that the judge accepts; `optimal` where another peak is smaller.
///
/// The entries of one run have the same lowest level, but for the pass's own plans, which know no
/// limit: under one (`limited`) losing to them is no loss. Neither is losing to `auto:LEVEL`, which
/// is `auto` with less freedom and the same budget for each level.
pub fn lost(entries: &[Entry], rows: &[Row], limited: bool) -> Vec<Loss> {
    let of = |entry: &Entry| -> Option<(&Row, &Answered)> {
        let row = rows.iter().find(|r| r.entry == entry.name)?;
        Some((row, row.answered()?))
    };
    let fair = |e: &&Entry| e.level.is_none() && !(limited && e.is_hivm());
    let mut losses = Vec::new();
    for leader in entries.iter().filter(|e| e.leads()) {
        let Some((row, own)) = of(leader) else { continue };
        let others = entries.iter().filter(fair).filter(|e| *e != leader);
        let peaks = others.filter_map(|e| Some((of(e)?.1.sound_peak()?, e)));
        // The smallest peak; of equals the one named first.
        let Some((their_peak, to)) = peaks.min_by_key(|(peak, _)| *peak) else { continue };
        let peak = own.sound_peak();
        let higher = leader.strategy() == Some(Strategy::Optimal)
            && peak.is_some_and(|peak| peak > their_peak);
        if peak.is_none() || higher {
            losses.push(Loss {
                function: row.function.clone(),
                scope: row.scope.clone(),
                entry: leader.name.clone(),
                to: to.name.clone(),
                peak,
                their_peak,
            });
        }
    }
    losses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::fixture::{row, without_plan};
    use crate::model::ReuseLevel;

    fn entries() -> Vec<Entry> {
        let named = ["auto", "optimal", "hivm", "first-fit"];
        let named = named.iter().filter_map(|n| Strategy::find(n)).map(Entry::of);
        named.chain([Entry::at(ReuseLevel::Pipe)]).collect()
    }

    #[test]
    fn a_larger_peak_is_a_loss_for_optimal_alone() {
        let rows = [
            row("auto", |a| a.peak = Some(12)),
            row("optimal", |a| a.peak = Some(11)),
            row("first-fit", |a| a.peak = Some(9)),
        ];
        let losses = lost(&entries(), &rows, false);
        let [loss] = losses.as_slice() else { panic!("{losses:?}") };
        assert_eq!((loss.entry.as_str(), loss.to.as_str()), ("optimal", "first-fit"));
    }

    #[test]
    fn no_plan_is_a_loss_to_a_right_one() {
        let with = |refuted: bool| {
            let wrong = refuted.then(|| "wrong".to_owned());
            [row("auto", without_plan), row("hivm", |a| a.refuted = wrong)]
        };
        assert_eq!(lost(&entries(), &with(false), false).len(), 1);
        assert_eq!(lost(&entries(), &with(true), false), []);
        assert_eq!(lost(&entries(), &with(false), true), []);
        let freer = [row("auto", without_plan), row("auto:pipe", |_| ())];
        assert_eq!(lost(&entries(), &freer, false), []);
    }
}
