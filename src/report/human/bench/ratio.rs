//! Ratios over rows: the only arithmetic here that is not of integers.

use std::collections::BTreeMap;

use crate::format::json_bench::{Bench, Row};

/// The geometric mean of `peak / lower_bound` over the plans of a strategy that the judge accepts;
/// none without one.
fn over_bound(bench: &Bench, strategy: &str) -> Option<f64> {
    let plans = bench.rows.iter().filter(|r| r.strategy == strategy && r.fits && !r.refuted);
    let pairs = plans.filter_map(|r| r.peak.zip(r.lower_bound)).filter(|(_, bound)| *bound > 0);
    let logs: Vec<f64> = pairs.map(|(peak, bound)| (peak as f64 / bound as f64).ln()).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// `1.3 %`: how far the peaks are above the lower bounds, as a geometric mean.
pub(super) fn excess(bench: &Bench, strategy: &str) -> String {
    // Zero may come out as a little less.
    let percent = |mean: f64| ((mean - 1.0) * 100.0).max(0.0);
    over_bound(bench, strategy).map_or("-".to_owned(), |mean| format!("{:.1} %", percent(mean)))
}

/// `0.52x`: the time of a strategy relative to another's, over the scopes that both answered.
pub(super) fn pace(bench: &Bench, strategy: &str, first: &str) -> String {
    let (ours, theirs) = both(bench, strategy, first);
    match ours / theirs {
        ratio if !ratio.is_finite() => "-".to_owned(),
        ratio if ratio < 0.1 => format!("{ratio:.4}x"),
        ratio => format!("{ratio:.2}x"),
    }
}

fn both(bench: &Bench, strategy: &str, first: &str) -> (f64, f64) {
    // The same names may stand for several rows, which come in the same order for each strategy.
    let of = |name: &str| {
        let mut times: BTreeMap<(&str, &str, &str, usize), f64> = BTreeMap::new();
        let mut seen: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for row in bench.rows.iter().filter(|r| r.strategy == name) {
            let key = (row.input.as_str(), row.function.as_str(), row.scope.as_str());
            let at = seen.entry(key).or_default();
            *at += 1;
            if let Some(time) = time(row) {
                times.insert((key.0, key.1, key.2, *at), time);
            }
        }
        times
    };
    let (ours, theirs) = (of(strategy), of(first));
    let common = || ours.iter().filter_map(|(key, time)| Some((*time, *theirs.get(key)?)));
    (common().map(|(a, _)| a).sum(), common().map(|(_, b)| b).sum())
}

fn time(row: &Row) -> Option<f64> {
    row.seconds.as_ref()?.as_f64()
}

/// `12.34 ms`.
pub(super) fn milliseconds(seconds: Option<&serde_json::Number>) -> String {
    let time = seconds.and_then(serde_json::Number::as_f64);
    time.map_or(String::new(), |time| format!("{:.2} ms", time * 1000.0))
}
