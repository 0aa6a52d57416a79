//! `auto` against the pass, and against trying every plan.

use memplan::model::{Mode, ScopeAnswer, Verdict};
use memplan::plan::Strategy;

use super::brute;
use super::print::custom;
use super::property::{Any, Straight, Tally, check};
use super::solve::{COMPAT, faults, fits, plan_of, read, solve};
use super::tree::Program;

static TALLY: Tally = Tally::new();

/// Level, stalling reuses, peak: smaller is better.
fn rank(scope: &ScopeAnswer) -> (u8, usize, u64) {
    let level = match scope.mode {
        Mode::Sequential => 0,
        Mode::Reuse => scope.level.map_or(0, |l| l as u8 + 1),
    };
    let stalls = scope.reuse.iter().filter(|r| r.stall).count();
    (level, stalls, scope.peak.unwrap_or(u64::MAX))
}

/// `auto` on a program for which the pass may have a plan, too.
fn never_worse(program: &Program) -> Result<(), String> {
    let text = custom(program);
    let read = read(&text);
    let problem = &read.read.problem;
    let (pass, auto) = (solve(&read, COMPAT), solve(&read, Strategy::Auto));
    if fits(&auto) {
        let found = faults(problem, &plan_of(&auto));
        if !found.is_empty() {
            return Err(format!("the judge refuses auto's plan: {found:?}\n{:?}", plan_of(&auto)));
        }
    }
    if !fits(&pass) {
        TALLY.count(if fits(&auto) { "auto alone" } else { "neither" });
        return Ok(());
    }
    if !faults(problem, &plan_of(&pass)).is_empty() {
        TALLY.count(if fits(&auto) {
            "the pass is refuted, auto fits"
        } else {
            "the pass is refuted, no plan"
        });
        return Ok(());
    }
    if !fits(&auto) {
        return Err("the pass has a right plan, auto has none".to_owned());
    }
    for (theirs, ours) in pass.functions[0].scopes.iter().zip(&auto.functions[0].scopes) {
        let (a, b) = (rank(theirs), rank(ours));
        TALLY.count(match b.cmp(&a) {
            std::cmp::Ordering::Less => "better",
            std::cmp::Ordering::Equal => "as good",
            // Cost weighs stalls by trips and bytes; a dearer one may count for several.
            std::cmp::Ordering::Greater => {
                return Err(format!(
                    "{a:?} by the pass, {b:?} by auto\n{:?}\n{:?}",
                    theirs.reuse, ours.reuse
                ));
            }
        });
    }
    Ok(())
}

#[test]
fn auto_is_never_worse_than_a_right_plan_of_the_pass() {
    check(30, 24, |Any(program)| never_worse(&program));
    check(60, 16, |Straight(program)| never_worse(&program));
    TALLY.print();
}

static BRUTE: Tally = Tally::new();

#[test]
fn auto_fits_whenever_a_plan_exists() {
    check(1_000, 12, |Straight(mut program)| {
        // A capacity that decides something.
        let Some(best) = brute::optimum(&program) else {
            BRUTE.count("not for brute force");
            return Ok(());
        };
        for capacity in [best, best.saturating_sub(32)] {
            program.capacity[0] = capacity;
            let read = read(&custom(&program));
            let auto = solve(&read, Strategy::Auto);
            let verdict = auto.functions[0].verdict;
            let exists = capacity == best;
            match (exists, fits(&auto)) {
                (true, true) => BRUTE.count("fits"),
                (true, false) => {
                    return Err(format!("{verdict:?} in {capacity} bytes, where a plan exists"));
                }
                (false, true) => {
                    return Err(format!(
                        "a plan in {capacity} bytes, where none exists: {:?}",
                        plan_of(&auto)
                    ));
                }
                (false, false) => BRUTE.count(match verdict {
                    Verdict::Infeasible => "infeasible",
                    _ => "no plan, no proof",
                }),
            }
        }
        Ok(())
    });
    BRUTE.print();
}
