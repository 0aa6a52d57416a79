//! The replay against its slow twin, and against plans that are right or made wrong.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use quickcheck::{Gen, QuickCheck, TestResult};

use super::naive::{Found, paths};
use super::random::{Random, random};
use crate::diag::Severity;
use crate::model::{Function, Trips};
use crate::runtime::program::Limits;
use crate::verify::case::Case;
use crate::verify::faults::Key;
use crate::verify::held::Holds;
use crate::verify::objects::Objects;
use crate::verify::placements::place;
use crate::verify::replay::{Stage, replay};

/// Bytes that make an input; long enough for a dozen statements.
const SIZE: usize = 260;

fn check(tests: u64, property: fn(Vec<u8>) -> TestResult) {
    // A number of tests asked for from outside, for long runs.
    let asked = std::env::var("MEMPLAN_TESTS").ok().and_then(|n| n.parse().ok());
    let tests = asked.unwrap_or(tests);
    QuickCheck::new().rng(Gen::new(SIZE)).tests(tests).max_tests(tests * 20).quickcheck(property);
}

fn with_case<T>(input: &Random, judge: impl FnOnce(&Case<'_>) -> T) -> T {
    let plan: Vec<(&str, &[u64])> =
        input.offsets.iter().map(|(n, o)| (n.as_str(), o.as_slice())).collect();
    let (problem, plan) = (input.build.problem(), input.build.plan(&plan));
    let mut findings = Vec::new();
    let case = place(&problem, &problem.functions[0], &plan.functions[0], &mut findings);
    judge(&case)
}

/// What the replay finds, in the twin's words; none when it had doubts.
fn replayed(case: &Case<'_>) -> Option<Found> {
    let objects = Objects::of(case);
    let holds = Holds::of(case, &objects);
    let limits = Limits { work: 1 << 22, trips: 64, without: None };
    let outcome = replay(&Stage { case, objects: &objects, holds: &holds }, limits);
    let mut found = Found::default();
    for fault in outcome.faults.list {
        match fault.key {
            Key::Lost { victim, .. } => {
                found.lost.extend(fault.at.iter().map(|&op| (victim, op)));
            }
            Key::Unwritten { buffer, op } => {
                found.unwritten.insert((buffer, op), fault.certain);
            }
            Key::Operands { op, first, second, code } => {
                found.operands.insert((op, first, second, code));
            }
            Key::Held { op, writer, holder } => {
                found.held.insert((op, writer, holder));
            }
        }
    }
    outcome.doubts.is_empty().then_some(found)
}

fn endless(f: &Function) -> bool {
    f.loops.iter().any(|l| matches!(l.trips, Trips::AtLeast(_)))
}

/// True when everything that the one found the other found too.
fn within(a: &Found, b: &Found) -> bool {
    let unwritten = |f: &Found| f.unwritten.keys().copied().collect::<BTreeSet<_>>();
    a.lost.is_subset(&b.lost)
        && a.operands.is_subset(&b.operands)
        && a.held.is_subset(&b.held)
        && unwritten(a).is_subset(&unwritten(b))
}

/// Programs of each kind that were compared.
static COUNTS: [AtomicU32; 7] = [const { AtomicU32::new(0) }; 7];
const KINDS: [&str; 7] =
    ["equal", "at least as much", "lost", "operands", "held", "unwritten", "loops"];

fn count(kind: usize) {
    COUNTS[kind].fetch_add(1, Ordering::Relaxed);
}

fn agrees(data: Vec<u8>) -> TestResult {
    let input = random(&data);
    with_case(&input, |case| {
        let Some(ours) = replayed(case) else { return TestResult::discard() };
        let Some(theirs) = paths(case, 3, 3000) else { return TestResult::discard() };
        let loops = case.function.loops.iter().any(|l| l.trips.may_repeat());
        let empty = [
            ours.lost.is_empty(),
            ours.operands.is_empty(),
            ours.held.is_empty(),
            ours.unwritten.is_empty(),
            !loops,
        ];
        empty.iter().zip(2..).filter(|(empty, _)| !**empty).for_each(|(_, kind)| count(kind));
        if ours == theirs {
            count(0);
            return TestResult::passed();
        }
        // More trips may show more.
        let longer = endless(case.function).then(|| paths(case, 6, 30_000)).flatten();
        if longer.as_ref() == Some(&ours) {
            count(0);
            return TestResult::passed();
        }
        if endless(case.function) && longer.is_none() && within(&theirs, &ours) {
            count(1);
            return TestResult::passed();
        }
        let theirs = longer.unwrap_or(theirs);
        let function = case.function;
        let text = format!("{function:#?}\n{:?}\nours {ours:?}\ntwin {theirs:?}", input.offsets);
        TestResult::error(text)
    })
}

#[test]
fn the_replay_agrees_with_its_twin() {
    check(1_500, agrees);
    let counts: Vec<u32> = COUNTS.iter().map(|n| n.load(Ordering::Relaxed)).collect();
    println!("{:?}", KINDS.iter().zip(&counts).collect::<Vec<_>>());
    assert!(counts[0] > 20 * counts[1] && counts[2..].iter().all(|&n| n > 5));
}

/// Everything on bytes of its own: what is left is the program's own fault.
fn disjoint_is_right(data: Vec<u8>) -> TestResult {
    let mut input = random(&data);
    let mut next = 0;
    for ((_, offsets), buffer) in input.offsets.iter_mut().zip(input.build.f.buffers.iter()) {
        offsets.truncate(buffer.slots as usize);
        for offset in offsets {
            *offset = next;
            next += 12;
        }
    }
    // Colocated buffers cannot be on bytes of their own.
    input.build.f.relations.clear();
    let plan: Vec<(&str, &[u64])> =
        input.offsets.iter().map(|(n, o)| (n.as_str(), o.as_slice())).collect();
    let findings = input.build.verify(&plan);
    let own = |code: &str| code.ends_with("read_before_write");
    let wrong: Vec<_> =
        findings.iter().filter(|f| f.severity == Severity::Error && !own(f.code.name())).collect();
    if wrong.is_empty() { TestResult::passed() } else { TestResult::error(format!("{wrong:?}")) }
}

#[test]
fn plans_without_reuse_are_right() {
    check(1_000, disjoint_is_right);
}

/// Plans may say anything: offsets at the end of numbers, too many, none, on each other.
fn hostile_plans_do_no_harm(data: Vec<u8>, offsets: Vec<Vec<u64>>) -> bool {
    let mut input = random(&data);
    for ((_, own), theirs) in input.offsets.iter_mut().zip(offsets) {
        *own = theirs;
    }
    let plan: Vec<(&str, &[u64])> =
        input.offsets.iter().map(|(n, o)| (n.as_str(), o.as_slice())).collect();
    let first = input.build.verify(&plan);
    first == input.build.verify(&plan)
}

#[test]
fn plans_may_say_anything() {
    let property: fn(Vec<u8>, Vec<Vec<u64>>) -> bool = hostile_plans_do_no_harm;
    QuickCheck::new().rng(Gen::new(60)).tests(2_000).quickcheck(property);
}
