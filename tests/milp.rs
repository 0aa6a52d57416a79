//! `--strategy milp`: it solves small kernels at every level, shows its model, and falls back in
//! sight when it breaks down. No size makes anybody believe it.
//!
//! `MEMPLAN_CASES=2000 cargo test --release --test milp -- --nocapture` looks at so many instances.

use std::process::{Command, Output};

use memplan::diag::Sources;
use memplan::front::csv;
use memplan::model::{Plan, Verdict};
use memplan::plan::{self, Options, Question, Strategy};
use memplan::verify::verify;
use memplan_packing::random::SplitMix64;
use memplan_packing::{Instance, Item};

fn solve(file: &str, fault: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.args(["solve", file, "--strategy", "milp", "--format", "json"]);
    if fault {
        command.env("MEMPLAN_FAULT", "milp");
    }
    command.output().expect("memplan runs")
}

fn scopes(output: &Output) -> Vec<serde_json::Value> {
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    json["functions"][0]["scopes"].as_array().expect("scopes").clone()
}

#[test]
fn the_milp_alone_plans_every_rung_and_shows_its_model() {
    for (rung, level) in [("2_pipe", "pipe"), ("3_loop", "loop"), ("4_slot", "slot")] {
        let output = solve(&format!("tests/files/plan/ladder_{rung}.toml"), false);
        assert_eq!(output.status.code(), Some(0), "{rung}");
        let scope = &scopes(&output)[0];
        assert_eq!((&scope["level"], &scope["strategy"]), (&level.into(), &"milp".into()));
        let attempts = scope["attempts"].as_array().expect("attempts");
        let found = attempts.iter().find(|a| a["end"] == "found").expect("a found attempt");
        assert!(found["note"].as_str().is_some_and(|n| n.contains("variables")), "{found}");
    }
}

#[test]
fn a_milp_that_breaks_down_is_seen_to_hand_over_to_the_exact_search() {
    // At level `pipe` nothing fits, so its own greedy start is no way out.
    let output = solve("specs/examples/layernorm-fixed.toml", true);
    assert_eq!(output.status.code(), Some(0));
    let scope = &scopes(&output)[0];
    let attempts = scope["attempts"].as_array().expect("attempts");
    assert_eq!((&attempts[0]["solver"], &attempts[0]["end"]), (&"milp".into(), &"gave-up".into()));
    assert!(attempts[0]["note"].as_str().is_some_and(|n| n.contains("failure")), "{attempts:?}");
    assert_eq!(attempts[1]["solver"], "exact");
}

/// Up to twelve buffers with sizes up to `2^bits`, few alive at once.
fn sparse(seed: u64, bits: u64) -> Vec<(u64, u64, u64)> {
    let mut random = SplitMix64::new(seed);
    let count = 2 + random.below(11);
    let buffer = |k: u64| (k, k + 1 + random.below(3), 1 + random.below(1 << bits));
    (0..count).map(buffer).collect()
}

#[test]
fn sizes_of_any_magnitude_get_true_verdicts_and_bounds() {
    let cases: u64 = std::env::var("MEMPLAN_CASES").map_or(300, |n| n.parse().expect("a number"));
    let mut reached = 0;
    for seed in 0..cases {
        let buffers = sparse(seed, 4 + 4 * (seed % 10));
        let mut text = String::from("id,lower,upper,size\n");
        for (id, (lower, upper, size)) in buffers.iter().enumerate() {
            text += &format!("{id},{lower},{upper},{size}\n");
        }
        let items = buffers.iter().map(|&(lower, upper, size)| Item::new(size, 1, lower, upper));
        let instance = Instance { items: items.collect(), ..Instance::default() };
        let best = memplan_oracle::optimum(&instance).expect("memory without end").0;
        let mut sources = Sources::default();
        let file = sources.add("case.csv", text);
        let problem = csv::read(&sources, file).expect("a valid CSV").problem;
        for strategy in [Strategy::Auto, Strategy::Milp] {
            let options = Options { strategy, ..Options::default() };
            let answer = plan::solve(&Question::of(&problem), &options, &|_| ());
            let scope = &answer.functions[0].scopes[0];
            let peak = scope.peak.expect("a plan");
            assert!(scope.lower_bound <= best && best <= peak, "seed {seed} {strategy:?}");
            assert_eq!(scope.verdict == Verdict::Optimal, peak == scope.lower_bound);
            reached += u64::from(strategy == Strategy::Milp && peak == best);
            let plan = answer.functions.iter().map(|f| f.plan.clone()).collect();
            assert!(verify(&problem, &Plan { functions: plan }).is_empty(), "seed {seed}");
        }
    }
    println!("the MILP alone has the smallest peak on {reached} of {cases}");
    assert!(reached * 20 >= cases * 19, "{reached} of {cases}");
}
