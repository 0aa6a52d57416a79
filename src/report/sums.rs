//! Ratios over the rows of a bench, worked out once for every format.

use std::collections::BTreeMap;

use serde_json::Number;

use crate::format::json_bench::{Bench, Row};

/// The shortest time that counts, in seconds: rows are to the microsecond.
const SHORTEST: f64 = 1e-6;

/// Fills in what the strategies' rows say together.
pub fn fill(bench: &mut Bench) {
    let rows = &bench.rows;
    let first = bench.strategies.first().map(|s| s.strategy.clone()).unwrap_or_default();
    let theirs = times(rows, &first);
    for s in &mut bench.strategies {
        let ratios = excess(rows, &s.strategy);
        s.mean_excess = geometric(&ratios).and_then(|mean| number(mean - 1.0));
        s.worst_excess = ratios.iter().copied().reduce(f64::max).and_then(|r| number(r - 1.0));
        let ours = times(rows, &s.strategy);
        let both = ours.iter().filter_map(|(key, time)| Some(theirs.get(key)? / time));
        s.speed = geometric(&both.collect::<Vec<_>>()).and_then(number);
    }
}

/// `peak / lower_bound` of each plan that the judge accepts.
fn excess(rows: &[Row], strategy: &str) -> Vec<f64> {
    let plans = rows.iter().filter(|r| r.strategy == strategy && r.fits && !r.refuted);
    let pairs = plans.filter_map(|r| r.peak.zip(r.lower_bound)).filter(|(_, bound)| *bound > 0);
    pairs.map(|(peak, bound)| peak as f64 / bound as f64).collect()
}

/// The time of each scope. The same names may stand for several rows, which come in the same order for
/// each strategy.
fn times<'a>(rows: &'a [Row], strategy: &str) -> BTreeMap<(&'a str, &'a str, &'a str, usize), f64> {
    let mut times = BTreeMap::new();
    let mut seen: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.strategy == strategy) {
        let key = (row.input.as_str(), row.function.as_str(), row.scope.as_str());
        let at = seen.entry(key).or_default();
        *at += 1;
        if let Some(time) = row.seconds.as_ref().and_then(Number::as_f64) {
            times.insert((key.0, key.1, key.2, *at), time.max(SHORTEST));
        }
    }
    times
}

fn geometric(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|r| r.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// Six digits behind the point: more would be noise of the logarithm. Zero may come out as a little less.
fn number(n: f64) -> Option<Number> {
    Number::from_f64((n * 1e6).round().max(0.0) / 1e6)
}
