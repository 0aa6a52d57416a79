//! The text with addresses in it.

use std::collections::BTreeMap;

use memplan::emit;
use memplan::front::hivm::ReadHivm;
use memplan::model::{Answer, FunctionPlan, Placement, Plan};
use memplan::plan::Strategy;

use super::generic::generic;
use super::print::custom;
use super::property::{Any, Tally, check};
use super::solve::{COMPAT, faults, fits, plan_of, read, solve};

static TALLY: Tally = Tally::new();

pub(crate) fn emitted(text: &str, read: &ReadHivm, answer: &Answer) -> String {
    let plans: Vec<&FunctionPlan> = answer.functions.iter().map(|f| &f.plan).collect();
    emit::mlir(text, &read.kernels, &plans)
}

/// The addresses that are in a planned text, by name of the buffer.
fn pins(read: &ReadHivm) -> BTreeMap<String, Option<Vec<u64>>> {
    let buffers = read.read.problem.functions.iter().flat_map(|f| f.buffers.iter());
    buffers.map(|b| (b.name.clone(), b.pin.clone())).collect()
}

/// The plan that a planned text has in it.
fn plan_in(read: &ReadHivm) -> Plan {
    let problem = &read.read.problem;
    let place = |f: &memplan::model::Function| {
        let placed = f.buffers.enumerate().map(|(id, b)| Placement {
            name: b.name.clone(),
            id: Some(id.0),
            scope: None,
            offsets: b.pin.clone().unwrap_or_default(),
            loc: None,
        });
        FunctionPlan { name: f.name.clone(), fingerprint: None, placements: placed.collect() }
    };
    Plan { functions: problem.functions.iter().map(place).collect() }
}

fn comes_back(text: &str, strategy: Strategy) -> Result<(), String> {
    let first = read(text);
    let answer = solve(&first, strategy);
    if !fits(&answer) {
        return Ok(());
    }
    let plan = plan_of(&answer);
    let written = emitted(text, &first, &answer);
    let second = read(&written);
    let wanted = plan.functions.iter().flat_map(|f| &f.placements);
    let wanted: BTreeMap<String, Vec<u64>> =
        wanted.map(|p| (p.name.clone(), p.offsets.clone())).collect();
    // A cast that is replaced by a marked one with the same addresses is gone (6.5).
    for (name, pin) in pins(&second) {
        if pin.as_ref() != wanted.get(&name) {
            return Err(format!("{name}: {pin:?} for {:?}\n{written}", wanted.get(&name)));
        }
    }
    if written.contains("memref.alloc(") {
        return Err(format!("an alloc is left\n{written}"));
    }
    let found = faults(&first.read.problem, &plan);
    if found.is_empty() {
        TALLY.count("accepted");
        let again = faults(&second.read.problem, &plan_in(&second));
        if !again.is_empty() {
            return Err(format!("refuted when written: {again:?}\n{written}"));
        }
    } else {
        TALLY.count("refuted");
    }
    // Planned text has nothing left to plan.
    let answer = solve(&second, strategy);
    let twice = emitted(&written, &second, &answer);
    if twice == written { Ok(()) } else { Err(format!("not idempotent\n{written}\n{twice}")) }
}

#[test]
fn written_text_comes_back_with_the_addresses_of_the_plan() {
    check(25, 26, |Any(program)| {
        comes_back(&custom(&program), COMPAT)?;
        comes_back(&custom(&program), Strategy::Auto)
    });
    check(20, 20, |Any(program)| comes_back(&generic(&program), COMPAT));
    TALLY.print();
}
