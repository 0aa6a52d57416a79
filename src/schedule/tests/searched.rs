//! What the search for the best order promises.

use super::{Dice, OPTIONS, cases, module};
use crate::analyze::hlo::{Analysis, Metric, minimum_memory};
use crate::ir::hlo::arbitrary::random_module;
use crate::ir::hlo::{InstructionId, Module, Sequences, Sharing};
use crate::schedule::edges::clashes;
use crate::schedule::fixed::Fixed;
use crate::schedule::meter::{Facts, Meter};
use crate::schedule::{Budget, Order, Scheduled, schedule, valid};

fn best(module: &Module) -> Scheduled {
    schedule(module, OPTIONS, Order::Best, Budget::default()).expect("a schedule")
}

#[test]
fn the_best_order_is_a_sound_schedule_and_no_plain_one_needs_less() {
    for seed in 0..cases(15) {
        let module = module(&random_module(seed, 14));
        let scheduled = best(&module);
        valid(&module, &scheduled.sequences).expect("a schedule");
        let least = scheduled.orders.iter().map(|measured| measured.exact).min();
        assert_eq!(least, Some(scheduled.peak_after), "seed {seed}");
        assert_eq!(scheduled.orders[0].exact, scheduled.peak_before);
        let analysis =
            Analysis::of(&module, scheduled.sequences.clone(), OPTIONS).expect("an analysis");
        let sharing = Sharing::new(&module, OPTIONS.platform);
        let peak = minimum_memory(&analysis, &sharing, Metric::Exact);
        assert_eq!(peak, scheduled.peak_after, "seed {seed}");
        let Analysis { calls, values, groups, .. } = &analysis;
        let meter = Meter::of(Facts { module: &module, calls, values, groups }, &sharing);
        let lives = meter.lives_at(&meter.clock(&scheduled.sequences));
        let given = clashes(&meter, &meter.lives_at(&meter.clock(&module.sequences())));
        let meet = clashes(&meter, &lives);
        assert!(
            meet.is_subset(&given),
            "seed {seed}: {:?}: values of a group meet",
            scheduled.chosen
        );
    }
}

#[test]
fn the_same_module_gets_the_same_order() {
    let text = random_module(7, 30);
    let orders = [0, 1].map(|_| best(&module(&text)).sequences);
    assert_eq!(orders[0], orders[1]);
}

/// A flat module of some element-wise instructions on arrays of several sizes.
fn tiny(dice: &mut Dice) -> String {
    let sizes = [1, 3, 8, 20];
    let mut text = String::from("HloModule m\nENTRY e {\n p = f32[8] parameter(0)\n");
    let mut made = vec![("p".to_owned(), 8)];
    for at in 0..8 {
        let (a, size) = made[dice.below(made.len())].clone();
        let same: Vec<_> = made.iter().filter(|(_, of)| *of == size).cloned().collect();
        let (b, _) = same[dice.below(same.len())].clone();
        let name = format!("x{at}");
        let out = sizes[dice.below(sizes.len())];
        let (line, out) = match dice.below(3) {
            0 => (format!("f32[{size}] add({a}, {b})"), size),
            1 => (format!("f32[{size}] negate({a})"), size),
            _ => (format!("f32[{out}] custom-call({a}, {b}), custom_call_target=\"f\""), out),
        };
        text += &format!(" {name} = {line}\n");
        made.push((name, out));
    }
    let last: Vec<_> = made.iter().rev().take(3).cloned().collect();
    let names: Vec<_> = last.iter().map(|(name, _)| name.as_str()).collect();
    let shapes: Vec<_> = last.iter().map(|(_, size)| format!("f32[{size}]")).collect();
    text + &format!(" ROOT r = ({}) tuple({})\n}}\n", shapes.join(", "), names.join(", "))
}

/// The least peak of all orders of the entry.
fn least(module: &Module) -> u64 {
    let analysis = Analysis::of(module, module.sequences(), OPTIONS).expect("an analysis");
    let Analysis { calls, values, groups, .. } = &analysis;
    let sharing = Sharing::new(module, OPTIONS.platform);
    let given = module.sequences();
    let facts = Facts { module, calls, values, groups };
    let fixed = Fixed::of(Meter::of(facts, &sharing), &given);
    let all = module.computations[module.entry].instructions.clone();
    let mut least = u64::MAX;
    let mut open: Vec<Vec<InstructionId>> = vec![Vec::new()];
    while let Some(begun) = open.pop() {
        if begun.len() == all.len() {
            let mut order = Sequences(given.0.clone());
            order.0[module.entry] = begun;
            least = least.min(fixed.meter.cost_of(&fixed.moment(order).lives).exact);
            continue;
        }
        let is_ready = |id: &&InstructionId| {
            !begun.contains(id)
                && module.instructions[**id].operands.iter().all(|need| begun.contains(need))
        };
        for &next in all.iter().filter(is_ready) {
            open.push([&begun[..], &[next]].concat());
        }
    }
    least
}

#[test]
fn of_all_orders_of_a_tiny_module_none_needs_less_than_the_best() {
    let (mut found, mut proven) = (0, 0);
    let count = cases(30);
    for seed in 0..count {
        let text = tiny(&mut Dice(seed));
        let module = module(&text);
        let (scheduled, least) = (best(&module), least(&module));
        assert!(scheduled.peak_after >= least, "{text}");
        assert!(!scheduled.proven || scheduled.peak_after == least, "not the least: {text}");
        found += u64::from(scheduled.peak_after == least);
        proven += u64::from(scheduled.proven);
    }
    eprintln!("{found} of {count} are the least, {proven} proven");
    assert!(found * 100 >= count * 98, "{found} of {count}");
    assert!(proven * 10 >= count * 9, "{proven} of {count} proven");
}
