//! The rows of today and those of an earlier run.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::model::Verdict;

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The input, as given on the command line.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// The entry.
    pub entry: String,
}

/// What a row says, as far as it can get better or worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The verdict; none where the entry could not be asked.
    pub verdict: Option<Verdict>,
    /// The peak.
    pub peak: Option<u64>,
    /// The reuse cost.
    pub cost: Option<u64>,
    /// True when the judge rejects the plan.
    pub refuted: bool,
}

/// A row that both runs have and that is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it is about.
    pub key: Key,
    /// What it said.
    pub before: Standing,
    /// What it says.
    pub after: Standing,
}

impl Change {
    /// How the verdict changed: greater is worse. No answer is worse than any verdict, and a plan
    /// that the judge rejects worse than one that it accepts.
    pub fn verdict(&self) -> Ordering {
        let rank = |s: &Standing| (s.verdict.is_none(), s.verdict, s.refuted);
        rank(&self.after).cmp(&rank(&self.before))
    }

    /// How the peak changed, where both have one: greater is worse.
    pub fn peak(&self) -> Ordering {
        grown(self.before.peak, self.after.peak)
    }

    /// How the reuse cost changed, where both have one: greater is worse.
    pub fn cost(&self) -> Ordering {
        grown(self.before.cost, self.after.cost)
    }

    /// True when the verdict got worse, or one of peak and cost higher and the other not lower: bytes may
    /// be traded for stalls, and stalls for bytes.
    pub fn is_worse(&self) -> bool {
        use Ordering::{Equal, Greater};
        let sizes = (self.peak(), self.cost());
        let higher = matches!(sizes, (Greater, Equal | Greater) | (Equal, Greater));
        self.verdict() == Greater || higher
    }
}

fn grown(before: Option<u64>, after: Option<u64>) -> Ordering {
    match (before, after) {
        (Some(before), Some(after)) => after.cmp(&before),
        _ => Ordering::Equal,
    }
}

/// How many rows both runs have, and those that changed, in the order of `after`.
pub fn compare(before: &[(Key, Standing)], after: &[(Key, Standing)]) -> (usize, Vec<Change>) {
    // The same key may stand for several rows: names may repeat.
    let mut known: BTreeMap<&Key, Vec<Standing>> = BTreeMap::new();
    for (key, standing) in before.iter().rev() {
        known.entry(key).or_default().push(*standing);
    }
    let mut both = 0;
    let mut changes = Vec::new();
    for (key, after) in after {
        let Some(before) = known.get_mut(key).and_then(Vec::pop) else { continue };
        both += 1;
        if before != *after {
            changes.push(Change { key: key.clone(), before, after: *after });
        }
    }
    (both, changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(entry: &str) -> Key {
        let name = |s: &str| s.to_owned();
        Key { input: name("a.toml"), function: name("f"), scope: name("ub"), entry: name(entry) }
    }

    fn standing(verdict: Option<Verdict>, peak: Option<u64>) -> Standing {
        Standing { verdict, peak, cost: peak.map(|_| 5), refuted: false }
    }

    fn one(before: Standing, after: Standing) -> Option<Change> {
        compare(&[(key("auto"), before)], &[(key("auto"), after)]).1.pop()
    }

    #[test]
    fn worse_is_a_worse_verdict_or_a_higher_peak() {
        use Verdict::{Feasible, NotFound, Optimal};
        let plan = |verdict, peak| standing(Some(verdict), Some(peak));
        let worse = |before, after| one(before, after).map(|c| c.is_worse());
        assert_eq!(worse(plan(Optimal, 8), plan(Optimal, 8)), None);
        assert_eq!(worse(plan(Feasible, 8), plan(Optimal, 8)), Some(false));
        assert_eq!(worse(plan(Feasible, 8), plan(Feasible, 9)), Some(true));
        assert_eq!(worse(plan(Optimal, 8), plan(Feasible, 7)), Some(true));
        assert_eq!(worse(plan(Feasible, 8), standing(Some(NotFound), None)), Some(true));
        assert_eq!(worse(standing(None, None), standing(Some(NotFound), None)), Some(false));
        let cost = |peak, cost| Standing { cost: Some(cost), ..plan(Feasible, peak) };
        assert_eq!(worse(cost(8, 5), cost(8, 6)), Some(true));
        assert_eq!(worse(cost(8, 5), cost(9, 4)), Some(false));
        assert_eq!(worse(cost(8, 5), cost(7, 6)), Some(false));
        assert_eq!(worse(cost(8, 5), cost(7, 5)), Some(false));
        let wrong = Standing { refuted: true, ..plan(Feasible, 8) };
        assert_eq!(worse(plan(Feasible, 8), wrong), Some(true));
    }

    #[test]
    fn rows_of_one_name_are_compared_in_their_order() {
        let rows = |peaks: [u64; 2]| {
            peaks.map(|p| (key("auto"), standing(Some(Verdict::Feasible), Some(p))))
        };
        let (both, changes) = compare(&rows([1, 2]), &rows([1, 3]));
        assert_eq!((both, changes.len()), (2, 1));
        assert_eq!((changes[0].before.peak, changes[0].after.peak), (Some(2), Some(3)));
        let other = [(key("optimal"), standing(None, None))];
        assert_eq!(compare(&other, &rows([1, 2])), (0, Vec::new()));
    }
}
