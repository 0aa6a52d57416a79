//! Reuse costs: what is found and proven in a node budget.
//!
//! `cargo run --release -p memplan-exact --example reuse -- NODES [FILE ...]`, files with a line for everything:
//! `capacity N`, `reserved A B`, `item SIZE ALIGN START END ..`, `pin I N`, `sep I J`, `excl I J`,
//! `coloc I J`, `cost I J N`.

use std::time::Instant;

use memplan_exact::Exact;
use memplan_packing::{
    Budget, Colocation, Goal, Instance, Item, Outcome, PairCost, Solver, Span, check,
};

fn main() {
    let mut args = std::env::args().skip(1);
    let nodes = args.next().and_then(|nodes| nodes.parse().ok()).unwrap_or(100_000);
    for file in args {
        let instance = read(&std::fs::read_to_string(&file).unwrap_or_default());
        let name = file.rsplit('/').next().unwrap_or(&file).to_owned();
        println!("{name} {}", run(&instance, nodes));
    }
}

fn read(text: &str) -> Instance {
    let mut instance = Instance::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let what = words.next().unwrap_or_default();
        let n: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
        let pair = || (n[0] as u32, n[1] as u32);
        match what {
            "capacity" => instance.capacity = Some(n[0]),
            "reserved" => instance.reserved.push(n[0]..n[1]),
            "item" => {
                let mut item = Item::new(n[0], n[1], n[2], n[3]);
                item.live = n[2..].chunks_exact(2).map(|s| Span::new(s[0], s[1])).collect();
                instance.items.push(item);
            }
            "pin" => instance.items[n[0] as usize].pin = Some(n[1]),
            "sep" => instance.separate.push(pair()),
            "excl" => instance.exclusive.push(pair()),
            "coloc" => {
                let (first, second) = pair();
                instance.colocated.push(Colocation { first, second, delta: 0 });
            }
            "cost" => {
                let (first, second) = pair();
                instance.costs.push(PairCost { first, second, cost: n[2] });
            }
            _ => {}
        }
    }
    instance
}

fn run(instance: &Instance, nodes: u64) -> String {
    let start = Instant::now();
    let goal = if instance.costs.is_empty() { Goal::Peak } else { Goal::CostThenPeak };
    if let Err(missing) = Exact::default().can(instance, goal) {
        return format!("cannot {missing:?}");
    }
    let out = Exact::default().solve(instance, goal, None, &Budget::nodes(nodes), &mut |_| ());
    let ms = start.elapsed().as_millis();
    match out {
        Outcome::Packed { packing, proof, bound, cost_bound, nodes, stop } => {
            assert!(check(instance, &packing).is_empty());
            let (cost, peak) = (packing.cost(instance), packing.peak(instance));
            format!(
                "cost {cost} bound {cost_bound} peak {peak} bound {bound} {proof:?} {stop:?} nodes {nodes} ms {ms}"
            )
        }
        Outcome::Refuted { why, nodes, .. } => format!("refuted {why:?} nodes {nodes} ms {ms}"),
        Outcome::GaveUp { stop, nodes, .. } => format!("gave-up {stop:?} nodes {nodes} ms {ms}"),
    }
}
