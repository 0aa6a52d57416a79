//! `--strategy milp`: it solves small kernels at every level, shows its model, and falls back in
//! sight when it breaks down.

use std::process::{Command, Output};

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
