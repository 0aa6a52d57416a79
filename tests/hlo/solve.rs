//! Plans of whole modules: XLA's own, and the proven smallest; each replayed by the judge, who knows
//! the program and not the planner.

use memplan::analyze::hlo::{Analysis, Options as Assumptions};
use memplan::diag::{Severity, Sources};
use memplan::front::hlo::lower;
use memplan::ir::hlo::arbitrary::random_module;
use memplan::ir::hlo::{Calls, Module, Platform, Sharing, parse, platform_of};
use memplan::model::{Answer, FunctionAnswer, Plan, Verdict};
use memplan::plan::xla::{Planned, module as prepare};
use memplan::plan::{Options, Question, Strategy, solve};
use memplan::schedule::{Budget, Order, schedule};
use memplan::verify::verify;

use crate::corpus;

pub(crate) fn planned(module: &Module, platform: Platform) -> Planned {
    let calls = Calls::of(module).expect("no recursion");
    let order = module.sequences();
    let lowered = lower(module, &calls, &order, platform).expect("a program");
    let assumptions = Assumptions { platform, async_start_extension: false };
    let analysis = Analysis::of(module, order, assumptions).expect("facts");
    let sharing = Sharing::new(module, platform);
    prepare(&analysis, &sharing, &lowered.problem, &lowered.buffers).expect("an assignment")
}

pub(crate) fn answer(planned: &Planned, strategy: Strategy) -> FunctionAnswer {
    let question = Question { module: Some(planned), ..Question::of(&planned.problem) };
    let options = Options { strategy, ..Options::default() };
    let Answer { mut functions } = solve(&question, &options, &|_| ());
    functions.pop().expect("one function")
}

/// What the judge has against a plan.
pub(crate) fn faults(planned: &Planned, answer: &FunctionAnswer) -> Vec<String> {
    let plan = Plan { functions: vec![answer.plan.clone()] };
    let findings = verify(&planned.problem, &plan);
    let bad = findings.iter().filter(|f| f.severity >= Severity::Warning);
    bad.map(|f| format!("{}: {}", f.code.name(), f.message)).collect()
}

#[test]
fn every_plan_of_the_corpus_passes_the_replay() {
    for case in corpus::programs() {
        let module = &case.module;
        let planned = planned(module, platform_of(module));
        for strategy in [Strategy::Xla, Strategy::Auto] {
            let answer = answer(&planned, strategy);
            assert!(answer.verdict.has_plan(), "{}: {:?}", case.name, answer.verdict);
            assert_eq!(faults(&planned, &answer), Vec::<String>::new(), "{}", case.name);
        }
    }
}

#[test]
fn auto_is_proven_optimal_on_every_heap_and_never_above_the_known_optimum() {
    let known = corpus::optimal();
    let mut compared = 0;
    for case in corpus::programs() {
        let module = &case.module;
        let platform = platform_of(module);
        let planned = planned(module, platform);
        let (ours, xla) = (answer(&planned, Strategy::Auto), answer(&planned, Strategy::Xla));
        for (ours, xla) in ours.scopes.iter().zip(&xla.scopes) {
            assert_eq!(ours.verdict, Verdict::Optimal, "{}", case.name);
            let peak = ours.peak.expect("a plan");
            assert!(peak <= xla.peak.expect("a plan"), "{}", case.name);
            assert!(ours.lower_bound <= peak && ours.max_load.bytes <= ours.lower_bound);
        }
        // One row for each heap trace; a program may have one for each memory space.
        let mut rows: Vec<_> = known.iter().filter(|row| row.dump == case.name).collect();
        for (ours, xla) in ours.scopes.iter().zip(&xla.scopes) {
            let xla = xla.peak.expect("a plan");
            let Some(at) = rows.iter().position(|row| row.xla_heap == xla) else { continue };
            let row = rows.remove(at);
            let peak = ours.peak.expect("a plan");
            let aligned = peak.next_multiple_of(platform.alignment());
            assert_eq!(aligned, row.best_aligned, "{}", case.name);
            compared += 1;
        }
        assert!(rows.is_empty(), "{}: no heap of {} rows", case.name, rows.len());
    }
    if corpus::is_whole() {
        assert_eq!(compared, known.len());
    }
}

#[test]
fn a_plan_that_moves_a_value_onto_another_that_is_alive_is_refused() {
    let mut harmful = 0;
    for case in corpus::programs().into_iter().take(12) {
        let module = &case.module;
        let planned = planned(module, platform_of(module));
        let answer = answer(&planned, Strategy::Auto);
        let function = &planned.problem.functions[0];
        for heap in &planned.heaps {
            // The two largest values that are alive when most is, put at the same place.
            let [(a, x), (b, y), ..] = heap.load.buffers[..] else { continue };
            let (a, b) = (a.0, b.0);
            if x.min(y) == 0 {
                continue;
            }
            let mut wrong = answer.clone();
            let offset = |answer: &FunctionAnswer, id: u32| {
                let of = answer.plan.placements.iter().find(|p| p.id == Some(id));
                of.map(|p| p.offsets.clone()).expect("placed")
            };
            let there = offset(&wrong, a);
            if there == offset(&wrong, b) {
                continue;
            }
            let moved = wrong.plan.placements.iter_mut().find(|p| p.id == Some(b));
            moved.expect("placed").offsets = there;
            let faults = faults(&planned, &wrong);
            let name = |id: u32| &function.buffers[memplan::model::BufferId(id)].name;
            assert!(!faults.is_empty(), "{}: {} on {}", case.name, name(b), name(a));
            harmful += 1;
        }
    }
    assert!(harmful > 0);
}

fn cases(own: u64) -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(own)
}

#[test]
fn every_plan_of_a_random_module_passes_the_replay_in_any_order() {
    for seed in 0..cases(60) {
        let text = random_module(seed, 4 + (seed % 60) as usize);
        let mut sources = Sources::default();
        let file = sources.add("random.hlo", text.as_str());
        let module = parse(&sources, file).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        for platform in [Platform::Cpu, Platform::Gpu] {
            let assumptions = Assumptions { platform, async_start_extension: false };
            let budget = Budget { steps: 200_000 };
            let best = schedule(&module, assumptions, Order::Best, budget).expect("an order");
            assert!(best.peak_after <= best.peak_before, "seed {seed}\n{text}");
            let ordered = module.in_order(&best.sequences);
            for module in [&module, &ordered] {
                let planned = planned(module, platform);
                for strategy in [Strategy::Xla, Strategy::Auto] {
                    let answer = answer(&planned, strategy);
                    let faults = faults(&planned, &answer);
                    assert_eq!(faults, Vec::<String>::new(), "seed {seed} {platform:?}\n{text}");
                }
            }
        }
    }
}
