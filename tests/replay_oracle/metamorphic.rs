//! What must not change a verdict: names, addresses, how accesses are cut, and the order in which
//! instructions of different pipes are issued.

use memplan::model::trace::{Names, Trace};
use memplan::verify::trace::{Options, trace as check};

use super::classes::{self, Class, Classes};
use super::core_program::{Cells, Op, Program, S};
use super::dice::Dice;
use super::{core_random, machine, number};

fn verdict(trace: &Trace) -> (Classes, usize) {
    let said = check(trace, &machine(), &Options::default());
    (classes::of(&said), said.findings.len())
}

fn each(with: impl Fn(u64, &Program)) {
    for n in 0..number("MEMPLAN_CASES", 600) {
        with(n, &core_random::program(n));
    }
}

#[test]
fn a_constant_added_to_all_offsets_changes_nothing() {
    each(|n, program| {
        assert_eq!(verdict(&program.trace(0)), verdict(&program.trace(40_960)), "{n}");
    });
}

#[test]
fn other_names_change_nothing() {
    each(|n, program| {
        let trace = program.trace(0);
        let mut other = trace.clone();
        other.names = Names::default();
        for sym in 0..trace.names.len() {
            let text = trace.text(memplan::model::trace::Sym(sym as u32));
            let keep = ["p0", "h0", "aiv0"].contains(&text);
            // Backwards, so that they sort differently as well.
            let renamed = format!("{}_{text}", 9_999 - sym);
            other.names.intern(if keep { text } else { &renamed });
        }
        assert_eq!(verdict(&trace), verdict(&other), "{n}");
    });
}

#[test]
fn an_access_cut_in_two_is_judged_like_the_whole() {
    let cut = |cells: &[Cells]| -> Vec<Cells> {
        let halves = |c: &Cells| {
            let half = c.len / 2;
            let first = Cells { len: half, ..*c };
            let rest = Cells { at: c.at + half, from: c.from + half, len: c.len - half, ..*c };
            [first, rest].into_iter().filter(|c| c.len > 0).collect::<Vec<_>>()
        };
        cells.iter().flat_map(halves).collect()
    };
    each(|n, program| {
        let mut other = program.clone();
        for op in &mut other.ops {
            if let Op::Work { reads, writes, .. } = op {
                (*reads, *writes) = (cut(reads), cut(writes));
            }
        }
        assert_eq!(verdict(&program.trace(0)).0, verdict(&other.trace(0)).0, "{n}");
    });
}

#[test]
fn the_order_in_which_different_pipes_are_issued_changes_no_verdict() {
    each(|n, program| {
        let mut other = program.clone();
        let mut dice = Dice::new(n);
        for _ in 0..4 * other.ops.len() {
            let at = dice.below(other.ops.len().saturating_sub(1));
            let [a, b] = [at, at + 1].map(|k| other.ops.get(k).and_then(Op::pipe));
            if let (Some(a), Some(b)) = (a, b)
                && a != b
                && a != S
                && b != S
            {
                other.ops.swap(at, at + 1);
            }
        }
        let (one, two) = (verdict(&program.trace(0)).0, verdict(&other.trace(0)).0);
        assert_eq!(one.is_empty(), two.is_empty(), "{n}: {one:?} {two:?}");
        // In a race it depends on the order which values are read.
        if !one.contains(&Class::Race) && !one.contains(&Class::Overrun) {
            assert_eq!(one, two, "{n}");
        }
    });
}
