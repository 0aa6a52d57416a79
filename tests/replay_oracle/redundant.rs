//! What the checker calls redundant, and what it calls a loop.

use memplan::model::trace::{CoreLine, Instruction};
use memplan::verify::trace::{Options, Replayed, trace as check};

use super::classes::{self, Class};
use super::core_program::{Op, Program};
use super::{core_random, machine, number};

fn run(program: &Program) -> Replayed {
    check(&program.trace(0), &machine(), &Options::default())
}

/// Without the op, and without its set where it is a wait.
fn without(program: &Program, n: usize) -> Option<Program> {
    let mut less = program.clone();
    if let Op::Wait { from, to, id } = program.ops[n] {
        let wait = program.ops[n].clone();
        let k = program.ops[..n].iter().filter(|op| **op == wait).count();
        let set = Op::Set { from, to, id };
        let set = (0..program.ops.len()).filter(|&m| program.ops[m] == set).nth(k)?;
        less.ops.remove(n.max(set));
        less.ops.remove(n.min(set));
    } else {
        less.ops.remove(n);
    }
    Some(less)
}

#[test]
fn what_is_called_redundant_can_be_dropped() {
    let (mut dropped, cases) = (0, number("MEMPLAN_CASES", 3_000));
    for n in 0..cases {
        let program = core_random::program(n);
        let said = run(&program);
        if !classes::of(&said).is_empty() {
            continue;
        }
        let notes = said.findings.iter().filter(|f| f.code.name().ends_with("redundant_sync"));
        for label in notes.filter_map(|f| f.op.as_ref()) {
            let at = label.trim_start_matches('i').parse::<usize>().expect("labels are numbers");
            let Some(less) = without(&program, at) else { continue };
            dropped += 1;
            let now = run(&less);
            assert!(
                classes::of(&now).is_empty(),
                "program {n} without {at}: {:?}\n{program:#?}",
                now.findings.iter().map(|f| &f.message).collect::<Vec<_>>()
            );
        }
    }
    assert!(dropped * 10 > cases, "{dropped}");
}

#[test]
fn a_loop_is_judged_like_its_trips_one_after_the_other() {
    let (mut clean, mut wrong) = (0, 0);
    for n in 0..number("MEMPLAN_CASES", 200) {
        let program = core_random::program(n);
        for trips in [1, 2, 3, 70] {
            let (mut whole, mut unrolled) = (program.trace(0), program.trace(0));
            let body = std::mem::take(&mut whole.programs[0].lines);
            let Some(core) = body.first().map(|line| line.core) else { continue };
            let every: Vec<CoreLine> = (0..trips).flat_map(|_| body.clone()).collect();
            let may_be_zero = false;
            let instruction = Instruction::Loop { name: None, n: trips, may_be_zero, body };
            whole.programs[0].lines =
                vec![CoreLine { label: "loop".into(), core, instruction, loc: None }];
            unrolled.programs[0].lines = every;
            let said = |trace| classes::of(&check(trace, &machine(), &Options::default()));
            let (one, two) = (said(&whole), said(&unrolled));
            assert_eq!(one.is_empty(), two.is_empty(), "{n}, {trips} trips: {one:?} {two:?}");
            if !two.contains(&Class::Overrun) && !two.contains(&Class::Deadlock) {
                assert_eq!(one, two, "{n}, {trips} trips");
            }
            clean += u64::from(one.is_empty());
            wrong += u64::from(!one.is_empty());
        }
    }
    assert!(clean > 50 && wrong > 50, "{clean} {wrong}");
}

#[test]
fn a_wait_that_only_keeps_a_flag_from_being_set_twice_is_not_called_redundant() {
    let pair = |from, to| [Op::Set { from, to, id: 0 }, Op::Wait { from, to, id: 0 }];
    for (there, back) in [((1, 2), (2, 1)), ((1, 3), (3, 1)), ((2, 3), (3, 2))] {
        let program = Program {
            ops: [pair(there.0, there.1), pair(back.0, back.1), pair(there.0, there.1)].concat(),
        };
        let said = run(&program);
        assert!(classes::of(&said).is_empty());
        for finding in &said.findings {
            let at = finding.op.as_ref().and_then(|op| op.trim_start_matches('i').parse().ok());
            let Some(less) = at.and_then(|at| without(&program, at)) else { continue };
            assert!(classes::of(&run(&less)).is_empty(), "{:?}", finding.message);
        }
    }
}
