//! What a diagnosis promises: every change that it offers is enough, nothing weaker of the kind is, cores are
//! irreducible, moves cure, and it names lines that exist.
//!
//! `MEMPLAN_CASES=N` makes each property run N cases instead of its own number.

#[path = "properties/bytes.rs"]
mod bytes;
#[path = "diagnosis/holes.rs"]
mod holes;
#[path = "diagnosis/kernels.rs"]
mod kernels;
#[path = "properties/programs.rs"]
#[expect(dead_code, reason = "one generator of two")]
mod programs;
#[path = "properties/ranges.rs"]
mod ranges;
#[path = "diagnosis/scale.rs"]
mod scale;

use std::collections::BTreeMap;
use std::sync::Mutex;

use memplan::diag::{Code, Severity, Sources};
use memplan::diagnose;
use memplan::front::spec::{self, targets::Embedded};
use memplan::model::{
    Advice, Answer, BufferId, Capacity, Change, CoreIs, Plan, Problem, ReuseLevel, ScopeAnswer,
    ScopeId, Tight,
};
use memplan::plan::{self, Options};
use memplan::report::context::Input;
use memplan::report::human;
use memplan::verify;
use quickcheck::{Gen, QuickCheck};

/// A problem with its text.
struct Read {
    sources: Sources,
    problem: Problem,
}

fn read(text: &str) -> Read {
    let mut sources = Sources::default();
    let file = sources.add("case.toml", text);
    match spec::read(&mut sources, file, None, &mut Embedded) {
        Ok(read) => Read { sources, problem: read.problem },
        Err(errors) => {
            let words: Vec<String> = errors.iter().map(|e| e.message.clone()).collect();
            unreachable!("the generator wrote a broken spec: {words:?}\n{text}")
        }
    }
}

fn solve(problem: &Problem, level: Option<ReuseLevel>) -> Answer {
    let options = Options { level, ..Options::default() };
    plan::solve(&plan::Question::of(problem), &options, &|_| ())
}

fn explained(problem: &Problem, level: Option<ReuseLevel>) -> Answer {
    let mut answer = solve(problem, level);
    let options = Options { level, ..Options::default() };
    diagnose::explain(problem, &mut answer, &options);
    answer
}

/// Errors in a plan, by the judge. What nothing has written is a fault of the program, whatever the plan.
fn faults(problem: &Problem, answer: &Answer) -> Vec<String> {
    let plan = Plan { functions: answer.functions.iter().map(|f| f.plan.clone()).collect() };
    let mut all = verify::verify(problem, &plan);
    all.retain(|f| f.severity == Severity::Error && f.code != Code::VerifyReadBeforeWrite);
    all.into_iter().map(|f| f.message).collect()
}

/// The scope of the first function.
fn scope(answer: &Answer, scope: ScopeId) -> &ScopeAnswer {
    answer.functions[0].scopes.iter().find(|s| s.scope == scope).expect("scope")
}

/// The answer with changes made.
fn with(
    problem: &Problem,
    id: ScopeId,
    changes: &[&Change],
    level: Option<ReuseLevel>,
) -> (Problem, Answer) {
    let (mut problem, mut level) = (problem.clone(), level);
    for change in changes {
        match change {
            Change::Level { to } => level = Some(*to),
            _ => problem = diagnose::apply(&problem, 0, id, change).expect("a change"),
        }
    }
    let answer = solve(&problem, level);
    (problem, answer)
}

fn all(advice: &Advice) -> Vec<&Change> {
    std::iter::once(&advice.change).chain(&advice.with).collect()
}

/// Changes of the same kind that ask for less.
fn weaker(problem: &Problem, id: ScopeId, change: &Change) -> Vec<Change> {
    let scope = &problem.scopes[id];
    match *change {
        Change::Size { buffer, from, to } => {
            let of = &problem.functions[0].buffers[buffer];
            let step = if scope.round_up { of.alignment } else { 1 };
            let next = to + step;
            (next < from).then_some(Change::Size { buffer, from, to: next }).into_iter().collect()
        }
        Change::Slots { buffer, from, to } => {
            (to + 1..from).map(|to| Change::Slots { buffer, from, to }).collect()
        }
        Change::Align { buffer, from, to } => (to + 1..from)
            .filter(|d| from.is_multiple_of(*d))
            .map(|to| Change::Align { buffer, from, to })
            .collect(),
        Change::Capacity { to, proven: true } => {
            let now = scope.bytes().unwrap_or(0);
            let next = to.saturating_sub(1);
            let smaller = Change::Capacity { to: next, proven: true };
            (next > now).then_some(smaller).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// One change after the other left out, or made weaker, is not enough.
fn nothing_weaker(
    problem: &Problem,
    id: ScopeId,
    advice: &Advice,
    level: Option<ReuseLevel>,
    enough: &dyn Fn(&ScopeAnswer) -> bool,
) -> Result<(), String> {
    let changes = all(advice);
    for at in 0..changes.len() {
        if changes.len() > 1 {
            let mut rest = changes.clone();
            rest.remove(at);
            let (_, answer) = with(problem, id, &rest, level);
            if enough(scope(&answer, id)) {
                return Err(format!("{:?} is not needed in {advice:?}", changes[at]));
            }
        }
        for less in weaker(problem, id, changes[at]) {
            let mut other = changes.clone();
            other[at] = &less;
            let (_, answer) = with(problem, id, &other, level);
            if enough(scope(&answer, id)) {
                return Err(format!("{less:?} is enough instead of {advice:?}"));
            }
        }
    }
    Ok(())
}

fn fits(answer: &ScopeAnswer) -> bool {
    answer.verdict.has_plan()
}

/// True when the changes make a plan that the judge takes; in the scope moved to, too.
fn enough(
    problem: &Problem,
    id: ScopeId,
    advice: &Advice,
    level: Option<ReuseLevel>,
    good: &dyn Fn(&ScopeAnswer) -> bool,
) -> Result<(), String> {
    let (changed, answer) = with(problem, id, &all(advice), level);
    let found = scope(&answer, id);
    if !good(found) {
        return Err(format!("{advice:?} is not enough: {:?}", found.verdict));
    }
    if let Change::Move { to, .. } = advice.change
        && !fits(scope(&answer, to))
    {
        return Err(format!("{advice:?} has no room there"));
    }
    let faults = faults(&changed, &answer);
    let whole = answer.functions[0].verdict.has_plan();
    if whole && !faults.is_empty() {
        return Err(format!("{advice:?} leads to a wrong plan: {faults:?}"));
    }
    Ok(())
}

/// A problem in which only some buffers have bytes.
fn only(problem: &Problem, id: ScopeId, keep: &[BufferId]) -> Problem {
    let mut out = problem.clone();
    let function = &mut out.functions[0];
    let ids: Vec<BufferId> = function.buffers.ids().collect();
    for buffer in ids.into_iter().filter(|b| !keep.contains(b)) {
        let of = &mut function.buffers[buffer];
        if of.scope == id {
            (of.size.0, of.pin, of.unique, of.shape) = (0, None, false, None);
            // What is the same bytes as a buffer that is kept asks nothing of its place.
            of.alignment = 1;
        }
    }
    out
}

fn irreducible(
    problem: &Problem,
    answer: &ScopeAnswer,
    level: Option<ReuseLevel>,
) -> Result<(), String> {
    let Some(overflow) = answer.overflow.as_ref().filter(|o| o.core_is == CoreIs::Proven) else {
        return Ok(());
    };
    let id = answer.scope;
    let alone = solve(&only(problem, id, &overflow.core), level);
    if fits(scope(&alone, id)) {
        return Err(format!("the core {:?} fits", overflow.core));
    }
    for at in 0..overflow.core.len() {
        let mut rest = overflow.core.clone();
        rest.remove(at);
        let less = solve(&only(problem, id, &rest), level);
        if !fits(scope(&less, id)) {
            return Err(format!("{:?} is no core: {rest:?} does not fit either", overflow.core));
        }
    }
    Ok(())
}

/// The lines that the words of a scope name are those on which its buffers stand.
fn lines(read: &Read, text: &str, answer: &Answer) -> Result<(), String> {
    let input = Input { name: "case.toml", sources: &read.sources, problem: &read.problem };
    let rows: Vec<&str> = text.lines().collect();
    for (_, buffer) in read.problem.functions[0].buffers.enumerate() {
        let line: usize = input.line(buffer.loc).parse().map_err(|_| "a line without number")?;
        let row = rows.get(line.wrapping_sub(1)).ok_or("a line that does not exist")?;
        if !row.contains(&buffer.name) {
            return Err(format!("`{}` does not stand on line {line}", buffer.name));
        }
    }
    let words = human::solve(human::View::default(), input, answer);
    let names = |word: &str| words.contains(&format!("`{word}`"));
    let known = |name: &str| read.problem.functions[0].buffers.iter().any(|b| b.name == name);
    for at in 0..20 {
        let name = format!("b{at}");
        if names(&name) && !known(&name) {
            return Err(format!("`{name}` does not exist"));
        }
    }
    Ok(())
}

/// Numbers of cases by word, so that a property is seen to say something.
static SEEN: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

fn seen(word: impl Into<String>) {
    if let Ok(mut seen) = SEEN.lock() {
        *seen.entry(word.into()).or_default() += 1;
    }
}

fn count(word: &str) -> u64 {
    SEEN.lock().map(|seen| seen.get(word).copied().unwrap_or(0)).unwrap_or(0)
}

/// All that is promised of one spec.
fn promised(text: &str, level: Option<ReuseLevel>) -> Result<(), String> {
    let read = read(text);
    let problem = &read.problem;
    let answer = explained(problem, level);
    lines(&read, text, &answer)?;
    for found in &answer.functions[0].scopes {
        let id = found.scope;
        let diagnosis = found.diagnosis.as_ref().ok_or("no diagnosis")?;
        irreducible(problem, found, level)?;
        seen(diagnosis.ruling.name());
        if let Some(overflow) = &found.overflow {
            seen(format!("core {}", overflow.core_is.name()));
        }
        for advice in found.advice() {
            let which = if fits(found) { "better" } else { "fits" };
            seen(format!("{which}: {}{}", advice.change.kind(), "+".repeat(advice.with.len())));
        }
        if !fits(found) {
            for advice in found.advice() {
                enough(problem, id, advice, level, &fits)?;
                nothing_weaker(problem, id, advice, level, &fits)?;
            }
            continue;
        }
        if matches!(problem.scopes[id].capacity, Capacity::Bytes(_)) && !found.advice().is_empty() {
            let stalls = diagnosis.tight.iter().any(|t| matches!(t, Tight::Stalls { .. }));
            let now = found.level;
            let better = |a: &ScopeAnswer| {
                fits(a)
                    && match stalls {
                        true => a.reuse_cost == 0 && a.reuse.iter().all(|r| !r.stall),
                        false => a.level.is_none() || a.level < now,
                    }
            };
            for advice in found.advice() {
                enough(problem, id, advice, level, &better)?;
                nothing_weaker(problem, id, advice, level, &better)?;
            }
        }
    }
    Ok(())
}

/// Runs a property over byte strings.
fn check(cases: u64, property: fn(Vec<u8>) -> bool) {
    let wanted = std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok());
    let cases = wanted.unwrap_or(cases);
    QuickCheck::new().tests(cases).max_tests(cases).rng(Gen::new(160)).quickcheck(property);
}

fn holds(text: &str, level: Option<ReuseLevel>) -> bool {
    match promised(text, level) {
        Ok(_) => true,
        Err(why) => {
            eprintln!("{why}\nlevel {level:?}\n{text}");
            false
        }
    }
}

/// A level out of the first byte: mostly none.
fn level(bytes: &[u8]) -> Option<ReuseLevel> {
    ReuseLevel::ALL.get(usize::from(bytes.first()? % 12)).copied()
}

#[test]
fn every_change_offered_for_given_ranges_is_enough_and_nothing_weaker_is() {
    check(150, |bytes| holds(&ranges::generate(&bytes), level(&bytes)));
    eprintln!("{:?}", SEEN.lock().map(|seen| seen.clone()));
    assert!(count("fits: size") > 0 && count("core proven") > 0);
}

#[test]
fn every_change_offered_for_a_program_is_enough_and_nothing_weaker_is() {
    check(60, |bytes| holds(&programs::generate(&bytes), level(&bytes)));
    eprintln!("{:?}", SEEN.lock().map(|seen| seen.clone()));
}
