//! What random, skewed and exhaustive orders find.

use memplan::model::Finding;
use memplan::model::trace::Trace;
use memplan::verify::trace::{Options, Replayed, Schedule, trace as check};

use super::classes::{self, Class};
use super::core_oracle::{faults, shows_a_wrong_value};
use super::{core_random, machine, number, stream_oracle, stream_random};

fn run(trace: &Trace, schedule: Schedule, seed: u64) -> Replayed {
    check(trace, &machine(), &Options { schedule, seed, ..Options::default() })
}

fn wrong_values(said: &Replayed) -> usize {
    let codes = said.findings.iter().map(|f| f.code.name());
    codes
        .filter(|code| {
            code.ends_with("wrong_value")
                || code.ends_with("partial_value")
                || code.ends_with("uninit_read")
        })
        .count()
}

fn all(runs: u64) -> [Schedule; 4] {
    [
        Schedule::Random { runs },
        Schedule::Pct { runs, depth: 3 },
        Schedule::Skew,
        Schedule::Exhaustive { bound: 1 },
    ]
}

#[test]
fn no_order_finds_anything_in_a_clean_core_program() {
    let mut seen = 0;
    for n in 0..number("MEMPLAN_CASES", 150) {
        let program = core_random::program(n);
        if program.ops.len() > 14 || !faults(&program).is_some_and(|f| f.is_empty()) {
            continue;
        }
        seen += 1;
        for schedule in all(4) {
            let said = run(&program.trace(0), schedule.clone(), n);
            assert!(classes::of(&said).is_empty(), "{n} {schedule:?}: {:?}", said.findings);
            assert!(said.complete, "{n} {schedule:?}");
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn no_order_finds_anything_in_a_clean_program_of_streams() {
    let mut seen = 0;
    for n in 0..number("MEMPLAN_CASES", 60) {
        let program = stream_random::program(n, n % 2 == 0);
        let clean = program.makes_sense()
            && stream_oracle::faults(&program, false).is_some_and(|f| f.is_empty());
        if program.lines.len() > 14 || !clean {
            continue;
        }
        seen += 1;
        for schedule in all(4) {
            let said = run(&program.trace(), schedule.clone(), n);
            assert!(classes::of(&said).is_empty(), "{n} {schedule:?}: {:?}", said.findings);
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn all_orders_show_a_wrong_value_exactly_when_some_order_reads_one() {
    let (mut racy, mut shown, mut limited) = (0, 0, 0);
    for n in 0..number("MEMPLAN_CASES", 400) {
        let program = core_random::program(n);
        let small =
            program.ops.iter().filter(|op| op.works()).count() <= 4 && program.ops.len() < 7;
        let truth = faults(&program).filter(|f| f.contains(&Class::Race));
        if !small || truth.is_none_or(|f| f.contains(&Class::Overrun)) {
            continue;
        }
        let said = run(&program.trace(0), Schedule::Exhaustive { bound: 40 }, 0);
        if said.runs > 100_000 {
            limited += 1;
            continue;
        }
        racy += 1;
        let wrong = shows_a_wrong_value(&program).expect("it is small");
        shown += u64::from(wrong);
        assert_eq!(wrong_values(&said) > 0, wrong, "{n}: {program:#?} {:?}", said.findings);
    }
    println!("{racy} racy programs, {shown} with an order that reads wrong, {limited} too large");
    assert!(racy > 20 && shown > 10);
}

#[test]
fn the_schedule_of_a_witness_shows_the_wrong_value_again() {
    let (mut races, mut witnesses) = (0, 0);
    for n in 0..number("MEMPLAN_CASES", 300) {
        let cores = n % 2 == 0;
        let trace = match cores {
            true => core_random::program(n).trace(0),
            false => {
                let program = stream_random::program(n, false);
                if !program.makes_sense() {
                    continue;
                }
                program.trace()
            }
        };
        let first = run(&trace, Schedule::Canonical, 0);
        for found in &first.findings {
            let Some(evidence) = &found.evidence else { continue };
            races += u64::from(found.code.name().contains("race"));
            let Some(schedule) = &evidence.schedule else { continue };
            witnesses += 1;
            let again = run(&trace, Schedule::Replay(schedule.clone()), 0);
            assert!(
                wrong_values(&again) > wrong_values(&first),
                "{n}: `{schedule}` shows nothing new: {:?}",
                again.findings
            );
        }
    }
    println!("{races} races, {witnesses} witnesses");
    assert!(witnesses > 30, "{races} {witnesses}");
}

#[test]
fn a_seed_gives_the_same_report_twice() {
    for n in 0..number("MEMPLAN_CASES", 60) {
        let core = core_random::program(n).trace(0);
        let streams = Some(stream_random::program(n, true)).filter(|p| p.makes_sense());
        for trace in [Some(core), streams.map(|p| p.trace())].into_iter().flatten() {
            for schedule in [
                Schedule::Canonical,
                Schedule::Random { runs: 3 },
                Schedule::Pct { runs: 3, depth: 2 },
            ] {
                let (one, two) = (run(&trace, schedule.clone(), n), run(&trace, schedule, n));
                assert!(one == two, "{n}");
            }
        }
    }
}

#[test]
fn what_another_order_finds_has_a_schedule_that_finds_it_again() {
    let mut seen = 0;
    for n in 0..number("MEMPLAN_CASES", 300) {
        let program = stream_random::shared(n);
        if !program.makes_sense() {
            continue;
        }
        let trace = program.trace();
        let said = run(&trace, Schedule::Random { runs: 8 }, n);
        let first = run(&trace, Schedule::Canonical, 0);
        let pair = |found: &Finding| {
            let both = found.evidence.as_ref().map(|e| (e.earlier.clone(), e.later.clone()));
            let (earlier, later) = both.unwrap_or_default();
            let mut ops = [earlier.map(|w| (w.op, w.actor)), later.map(|w| (w.op, w.actor))];
            ops.sort();
            ops
        };
        let known = |found: &Finding| {
            first.findings.iter().any(|f| f.code == found.code && f.message == found.message)
        };
        for found in said.findings.iter().filter(|f| !known(f)) {
            let evidence = found.evidence.as_ref();
            let Some(schedule) = evidence.and_then(|e| e.schedule.clone()) else { continue };
            seen += 1;
            let again = run(&trace, Schedule::Replay(schedule.clone()), 0);
            // A witness has the two in the other order, and so perhaps another class.
            let same =
                again.findings.iter().any(|f| f.code == found.code && pair(f) == pair(found));
            let same = same || wrong_values(&again) > wrong_values(&first);
            assert!(
                same,
                "{n}: `{schedule}` does not show: {}\n{:#?}",
                found.message, again.findings
            );
        }
    }
    assert!(seen > 50, "{seen}");
}
