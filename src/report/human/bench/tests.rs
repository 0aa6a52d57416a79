//! Tables of made-up rows.

use std::time::Duration;

use anstream::adapter::strip_str;

use super::bench as print;
use crate::format::json_bench::{
    Baseline, Bench, Change, Levels, Loss, Row, Standing, Strategy, seconds,
};
use crate::report::human::View;
use crate::report::sums;

fn row(strategy: &str, scope: &str, peak: Option<u64>, micros: u64) -> Row {
    Row {
        input: "a.toml".to_owned(),
        function: "f".to_owned(),
        scope: scope.to_owned(),
        capacity: Some(256),
        optimum: None,
        buffers: 3,
        max_load: Some(80),
        lower_bound: Some(100),
        strategy: strategy.to_owned(),
        peak,
        excess: peak.map(|p| p - 100),
        reuse_cost: peak.map(|_| 3),
        reuse_cost_bound: peak.map(|_| 2),
        verdict: Some(if peak.is_some() { "feasible" } else { "not-found" }),
        nodes: Some(1200),
        seconds: Some(seconds(Duration::from_micros(micros))),
        mode: peak.map(|_| "reuse"),
        level: peak.map(|_| "pipe"),
        stalls: peak.map(|_| 1),
        fits: peak.is_some(),
        refuted: false,
        limited_by: None,
        read_seconds: seconds(Duration::ZERO),
        startup_seconds: seconds(Duration::ZERO),
        replay_seconds: None,
        note: None,
    }
}

fn strategy(name: &str, level: Option<&'static str>, fits: usize) -> Strategy {
    Strategy {
        strategy: name.to_owned(),
        level,
        scopes: 2,
        skipped: 0,
        fits,
        refuted: 0,
        optimal: 0,
        peak: 0,
        lower_bound: 0,
        stalls: fits,
        levels: Levels { pipe: fits, ..Levels::default() },
        seconds: seconds(Duration::from_micros(2500)),
        mean_excess: None,
        worst_excess: None,
        speed: None,
    }
}

/// Two strategies and a level over two scopes.
fn two() -> Bench {
    let skipped = Row {
        verdict: None,
        seconds: None,
        note: Some("it reads HIVM text alone".to_owned()),
        ..row("hivm", "l1", None, 0)
    };
    let wrong = Row { refuted: true, ..row("hivm", "ub", Some(100), 10) };
    Bench {
        strategies: vec![
            strategy("auto", None, 2),
            Strategy { skipped: 1, scopes: 1, refuted: 1, ..strategy("hivm", None, 1) },
            strategy("auto:slot", Some("slot"), 1),
        ],
        rows: vec![
            row("auto", "ub", Some(200), 2000),
            wrong,
            row("auto", "l1", Some(100), 500),
            skipped,
        ],
        ..Bench::default()
    }
}

fn plain(view: View, mut bench: Bench) -> String {
    sums::fill(&mut bench);
    strip_str(&print(view, &bench, 1, 0)).to_string()
}

#[test]
fn a_line_for_each_strategy() {
    insta::assert_snapshot!(plain(View::default(), two()));
}

#[test]
fn every_row_with_its_times() {
    let view = View { verbose: true, ..View::default() };
    insta::assert_snapshot!(plain(view, two()));
}

#[test]
fn losses_and_changes() {
    let lost = Loss {
        input: "a.toml".to_owned(),
        function: "f".to_owned(),
        scope: "ub".to_owned(),
        strategy: "auto".to_owned(),
        to: "hivm".to_owned(),
        peak: None,
        their_peak: 100,
    };
    let standing =
        |verdict, peak| Standing { verdict, peak, reuse_cost: peak.map(|_| 3), refuted: false };
    let change = |before, after, verdict, peak| Change {
        input: "a.toml".to_owned(),
        function: "f".to_owned(),
        scope: "ub".to_owned(),
        strategy: "auto".to_owned(),
        before,
        after,
        verdict,
        peak,
        cost: "same",
        worse: verdict == "worse",
    };
    let (good, bad) = (standing(Some("optimal"), Some(100)), standing(Some("feasible"), Some(110)));
    let changes = vec![
        change(good.clone(), bad.clone(), "worse", "up"),
        change(bad, good, "better", "down"),
        change(standing(None, None), standing(Some("not-found"), None), "better", "same"),
    ];
    let file = "old.json".to_owned();
    let baseline = Some(Baseline { file, rows: 4, differ: vec!["--nodes", "--seed"], changes });
    let bench = Bench { lost: vec![lost], baseline, ..two() };
    let text = plain(View::default(), bench);
    let from = text.find("lost").expect("the loss is told");
    insta::assert_snapshot!(&text[from..]);
}
