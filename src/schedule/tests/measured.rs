//! The meter that measures many orders is the analysis that measures one.

use super::{Dice, OPTIONS, cases, module, ordered};
use crate::analyze::hlo::{Analysis, Metric, Options, minimum_memory};
use crate::ir::hlo::arbitrary::random_module;
use crate::ir::hlo::{Module, Sequences, Sharing};
use crate::schedule::fixed::Fixed;
use crate::schedule::meter::{Facts, Meter};
use crate::schedule::model::Model;
use crate::schedule::state::run;
use crate::schedule::{Order, valid};

/// Checks both metrics of an order, and the model of the entry against the bytes by time. Models of other
/// computations guide the search only; what they find is measured.
fn agrees(module: &Module, order: &Sequences, options: Options) {
    let analysis = Analysis::of(module, order.clone(), options).expect("an analysis");
    let Analysis { calls, values, groups, .. } = &analysis;
    let sharing = Sharing::new(module, options.platform);
    let fixed = Fixed::of(Meter::of(Facts { module, calls, values, groups }, &sharing), order);
    let moment = fixed.moment(order.clone());
    let cost = fixed.meter.cost_of(&moment.lives);
    assert_eq!(cost.exact, minimum_memory(&analysis, &sharing, Metric::Exact), "exact");
    assert_eq!(cost.xla, minimum_memory(&analysis, &sharing, Metric::Xla), "xla");
    let profile = fixed.meter.profile(&moment.lives);
    {
        let id = module.entry;
        let model = Model::of(&fixed, id, &moment).expect("bytes that fit");
        let places: Vec<u32> = order.0[id]
            .iter()
            .map(|&at| fixed.places.get(module, id, at).expect("a place"))
            .collect();
        for (bytes, &at) in run(&model, &places).into_iter().zip(&order.0[id]) {
            let Some(time) = analysis.ranges.time[at] else { continue };
            let alive = profile[time as usize];
            let name = &module.instructions[at].name;
            // An instruction that runs others needs what those need; at the first of a computation what
            // ran before is alive for one more moment.
            let runs = !fixed.meter.times.runs(at).is_empty();
            let is_first = order.0[id].first() == Some(&at);
            let of = &module.computations[id].name;
            let right = bytes == alive || (runs && bytes > alive) || (is_first && bytes < alive);
            assert!(
                right,
                "`{name}` of `{of}`: {bytes}, not {alive}\n{}",
                crate::ir::hlo::print(module)
            );
        }
    }
}

#[test]
fn the_meter_and_the_model_are_the_analysis_on_generated_modules() {
    for seed in 0..cases(60) {
        let text = random_module(seed, 14);
        let module = module(&text);
        agrees(&module, &module.sequences(), OPTIONS);
        for wanted in [Order::List, Order::Dfs, Order::Bfs, Order::Post] {
            let order = ordered(&module, wanted);
            valid(&module, &order).expect("a schedule");
        }
    }
}

#[test]
fn the_meter_is_the_analysis_in_any_order() {
    for seed in 0..cases(60) {
        let module = module(&random_module(seed, 14));
        let mut dice = Dice(seed);
        let mut order = module.sequences();
        for sequence in order.0.iter_mut() {
            let mut waiting = std::mem::take(sequence);
            while !waiting.is_empty() {
                let is_ready = |id: &&_| {
                    let op = &module.instructions[**id];
                    let mut needs = op.operands.iter().chain(op.control_predecessors());
                    needs.all(|need| !waiting.contains(need))
                };
                let ready: Vec<_> = waiting.iter().filter(is_ready).copied().collect();
                let next = ready[dice.below(ready.len())];
                waiting.retain(|id| *id != next);
                sequence.push(next);
            }
        }
        let analysis = Analysis::of(&module, order.clone(), OPTIONS).expect("an analysis");
        let Analysis { calls, values, groups, .. } = &analysis;
        let sharing = Sharing::new(&module, OPTIONS.platform);
        let facts = Facts { module: &module, calls, values, groups };
        let meter = Meter::of(facts, &sharing);
        let cost = meter.cost_of(&meter.lives_at(&meter.clock(&order)));
        assert_eq!(cost.exact, minimum_memory(&analysis, &sharing, Metric::Exact), "exact");
        assert_eq!(cost.xla, minimum_memory(&analysis, &sharing, Metric::Xla), "xla");
    }
}
