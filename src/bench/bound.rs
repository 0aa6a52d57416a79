//! One lower bound for all answers to one question.

use super::row::Row;

/// Gives all rows of one scope the best bound that any of them has proven.
///
/// A bound is a proof about a question, so it counts for those alone that answer the same one:
/// rows whose `max_load` (the largest sum of bytes alive at once) is the same. A row with a
/// plan below that bound that the judge accepts rests on other facts (the pass of the compiler merges
/// buffers that our facts keep apart) and keeps its own.
pub fn share_bounds(rows: &mut [Row]) {
    let proven: Vec<(u64, u64)> =
        rows.iter().filter_map(Row::answered).map(|a| (a.max_load, a.lower_bound)).collect();
    for row in rows.iter_mut().filter_map(Row::answered_mut) {
        let same = proven.iter().filter(|(load, _)| *load == row.max_load);
        let best = same.map(|(_, bound)| *bound).max().unwrap_or(0);
        if row.peak.is_none_or(|peak| peak >= best) {
            row.lower_bound = best.max(row.lower_bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::fixture::row;

    #[test]
    fn a_bound_counts_for_those_that_answer_the_same_question() {
        let mut rows = vec![
            row("auto", |a| (a.peak, a.max_load, a.lower_bound) = (Some(12), 8, 8)),
            row("optimal", |a| (a.peak, a.max_load, a.lower_bound) = (Some(10), 8, 10)),
            row("first-fit", |a| (a.peak, a.max_load, a.lower_bound) = (None, 8, 8)),
            row("hivm", |a| (a.peak, a.max_load, a.lower_bound) = (Some(9), 8, 8)),
            row("other", |a| (a.peak, a.max_load, a.lower_bound) = (Some(20), 7, 7)),
        ];
        share_bounds(&mut rows);
        let bounds: Vec<u64> =
            rows.iter().filter_map(Row::answered).map(|a| a.lower_bound).collect();
        assert_eq!(bounds, [10, 10, 10, 8, 7]);
    }
}
