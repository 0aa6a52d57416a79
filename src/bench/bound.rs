//! One lower bound for all answers to one question.

use super::entry::{Entry, Facts};
use super::row::Row;
use crate::model::Verdict;

/// Gives all rows of one scope the best bound that any of them has proven.
///
/// A bound is a proof about a question, so it counts for those alone that answer the same one:
/// rows whose `max_load` (the largest sum of bytes alive at once) is the same and, on HIVM text,
/// whose entries plan by the same facts: `auto` may merge buffers that the other strategies keep
/// apart, and so may the compiler's pass, by rules of its own. A row with a smaller peak than the bound
/// refutes that it answers the same question, and keeps its own. A right plan whose peak meets the
/// bound is optimal, whoever has proven it.
pub fn share_bounds(entries: &[Entry], hivm_text: bool, rows: &mut [Row]) {
    let facts = |row: &Row| {
        let entry = entries.iter().find(|e| e.name == row.entry);
        entry.map_or(Facts::Own, |e| e.facts(hivm_text))
    };
    let proven: Vec<(Facts, u64, u64)> = rows
        .iter()
        .filter_map(|r| r.answered().map(|a| (facts(r), a.max_load, a.lower_bound)))
        .collect();
    for row in rows {
        let facts = facts(row);
        let Some(row) = row.answered_mut() else { continue };
        let same = proven.iter().filter(|(of, load, _)| (*of, *load) == (facts, row.max_load));
        let best = same.map(|(.., bound)| *bound).max().unwrap_or(0);
        if row.peak.is_none_or(|peak| peak >= best) {
            row.lower_bound = best.max(row.lower_bound);
        }
        if row.sound_peak() == Some(row.lower_bound) {
            row.verdict = Verdict::Optimal;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::fixture::row;
    use crate::plan::Strategy;

    fn bounds(hivm_text: bool, rows: &mut [Row]) -> Vec<u64> {
        let names = ["auto", "optimal", "first-fit", "hivm", "milp"];
        let entries: Vec<Entry> =
            names.iter().filter_map(|n| Strategy::find(n)).map(Entry::of).collect();
        share_bounds(&entries, hivm_text, rows);
        rows.iter().filter_map(Row::answered).map(|a| a.lower_bound).collect()
    }

    #[test]
    fn a_bound_counts_for_those_that_answer_the_same_question() {
        let rows = || {
            vec![
                row("auto", |a| (a.peak, a.max_load, a.lower_bound) = (Some(12), 8, 8)),
                row("optimal", |a| (a.peak, a.max_load, a.lower_bound) = (Some(10), 8, 10)),
                row("first-fit", |a| (a.peak, a.max_load, a.lower_bound) = (None, 8, 8)),
                row("hivm", |a| (a.peak, a.max_load, a.lower_bound) = (Some(9), 8, 8)),
                row("milp", |a| (a.peak, a.max_load, a.lower_bound) = (Some(20), 7, 7)),
            ]
        };
        assert_eq!(bounds(false, &mut rows()), [10, 10, 10, 8, 7]);
        assert_eq!(bounds(true, &mut rows()), [8, 10, 10, 8, 7]);
    }

    #[test]
    fn a_right_plan_that_meets_the_bound_of_another_is_optimal() {
        let wrong = Some("wrong".to_owned());
        let mut rows = vec![
            row("optimal", |a| (a.peak, a.lower_bound) = (Some(10), 10)),
            row("first-fit", |a| a.peak = Some(10)),
            row("hivm", |a| (a.peak, a.refuted) = (Some(10), wrong)),
            row("milp", |a| a.peak = Some(11)),
        ];
        bounds(false, &mut rows);
        let verdicts: Vec<Verdict> =
            rows.iter().filter_map(Row::answered).map(|a| a.verdict).collect();
        use Verdict::{Feasible, Optimal};
        assert_eq!(verdicts, [Optimal, Optimal, Feasible, Feasible]);
    }
}
