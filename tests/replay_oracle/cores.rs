//! Programs of one core: what the checker says against what can happen.

use memplan::model::machine::Machine;
use memplan::verify::trace::{Options, trace as check};

use super::classes::{self, Class, Classes};
use super::core_oracle::faults;
use super::core_program::Program;
use super::core_random::program;

/// What was seen of many traces.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) clean: u64,
    pub(crate) races: u64,
    pub(crate) values: u64,
    pub(crate) overruns: u64,
    pub(crate) deadlocks: u64,
    pub(crate) left: u64,
    pub(crate) given_up: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, truth: &Classes) {
        let has = |class: Class| u64::from(truth.contains(&class));
        self.clean += u64::from(truth.is_empty());
        self.races += has(Class::Race);
        self.values += has(Class::Value);
        self.overruns += has(Class::Overrun);
        self.deadlocks += has(Class::Deadlock);
        self.left += has(Class::Left);
    }
}

pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// A machine that lets every pipe reach every byte: the tests are about order.
pub(crate) fn machine() -> Machine {
    let mut machine = Machine::named("910B3").expect("a known chip");
    machine.scopes.clear();
    machine
}

/// What the two disagree about, if they do. After an overrun the classes need not agree: what
/// happens then is undefined.
fn disagreement(said: &Classes, truth: &Classes) -> Option<String> {
    let has = |class| truth.contains(&class);
    let same = |class| has(class) == said.contains(&class);
    let agree = if truth.is_empty() || said.is_empty() {
        truth.is_empty() == said.is_empty()
    } else if has(Class::Overrun) {
        true
    } else if has(Class::Race) {
        said.contains(&Class::Race)
    } else {
        [Class::Race, Class::Value, Class::Overrun, Class::Deadlock, Class::Left]
            .into_iter()
            .all(same)
    };
    (!agree).then(|| format!("checker {said:?}, oracle {truth:?}"))
}

fn judged(program: &Program, machine: &Machine) -> Option<(Classes, Option<String>)> {
    let truth = faults(program)?;
    let said = classes::of(&check(&program.trace(0), machine, &Options::default()));
    let words = disagreement(&said, &truth);
    Some((truth, words))
}

/// Ops are dropped as long as the two still disagree.
fn shrunk(mut program: Program, machine: &Machine) -> Program {
    let mut at = 0;
    while at < program.ops.len() {
        let mut less = program.clone();
        less.ops.remove(at);
        if judged(&less, machine).is_some_and(|(_, words)| words.is_some()) {
            program = less;
            at = 0;
        } else {
            at += 1;
        }
    }
    program
}

#[test]
fn a_core_program_is_clean_exactly_when_every_order_reads_what_it_should() {
    let (cases, seed) = (number("MEMPLAN_CASES", 10_000), number("MEMPLAN_SEED", 0));
    let machine = machine();
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for n in seed..seed + cases {
        let program = program(n);
        let Some((truth, words)) = judged(&program, &machine) else {
            tally.given_up += 1;
            continue;
        };
        tally.count(&truth);
        if let Some(words) = words {
            wrong.push((n, program, words));
        }
    }
    println!("{cases} core programs: {tally:?}, {} disagreements", wrong.len());
    if let Some((n, program, words)) = wrong.into_iter().next() {
        let small = shrunk(program, &machine);
        let (_, now) = judged(&small, &machine).expect("it was judged before");
        let said = check(&small.trace(0), &machine, &Options::default());
        let messages: Vec<&str> = said.findings.iter().map(|f| f.message.as_str()).collect();
        panic!("program {n}: {words}; smaller: {now:?}\n{small:#?}\n{messages:#?}");
    }
    assert!(tally.given_up * 100 <= cases, "{tally:?}");
    assert!(tally.clean * 5 >= cases && tally.races * 10 >= cases, "{tally:?}");
}

#[test]
fn a_flag_to_the_scalar_pipe_may_be_set_again_behind_its_wait() {
    use super::core_program::{Op, S};
    let pair = [Op::Set { from: 1, to: S, id: 0 }, Op::Wait { from: 1, to: S, id: 0 }];
    let twice = Program { ops: [pair.clone(), pair.clone()].concat() };
    let early = Program { ops: [&pair[..1], &pair[..1], &pair[1..], &pair[1..]].concat() };
    let said =
        |program: &Program| classes::of(&check(&program.trace(0), &machine(), &Options::default()));
    assert!(said(&twice).is_empty());
    assert!(said(&early).contains(&Class::Overrun));
}
