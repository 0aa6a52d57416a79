//! What closes within a node budget: random kernels and, given paths, MiniMalloc CSV files.
//!
//! `cargo run --release -p memplan-exact --example closing -- NODES [FILE.csv ...]`

use std::time::Instant;

use memplan_exact::Exact;
use memplan_packing::{Budget, Goal, Instance, Item, Outcome, Solver};

fn main() {
    let mut args = std::env::args().skip(1);
    let nodes = args.next().and_then(|nodes| nodes.parse().ok()).unwrap_or(100_000);
    let files: Vec<String> = args.collect();
    if files.is_empty() {
        kernels(nodes);
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let instance = read(&text);
        let name = file.rsplit('/').next().unwrap_or(&file).to_owned();
        for goal in [Goal::Fit, Goal::Peak] {
            println!("{name:16} {goal:?} {}", run(&instance, goal, nodes).1);
        }
    }
}

/// Rows `id,lower,upper,size`; what is not a row is skipped.
fn read(text: &str) -> Instance {
    let row = |line: &str| -> Option<Item> {
        let mut fields = line.split(',').skip(1).map(|field| field.trim().parse::<u64>());
        let (start, end) = (fields.next()?.ok()?, fields.next()?.ok()?);
        Some(Item::new(fields.next()?.ok()?, 1, start, end))
    };
    let items = text.lines().filter_map(row).collect();
    Instance { items, capacity: Some(1_048_576), ..Instance::default() }
}

/// True when the answer is proven, and a line about it.
fn run(instance: &Instance, goal: Goal, nodes: u64) -> (bool, String) {
    let start = Instant::now();
    if let Err(missing) = Exact::default().can(instance, goal) {
        return (false, format!("{missing:?}"));
    }
    let outcome = Exact::default().solve(instance, goal, None, &Budget::nodes(nodes), &mut |_| ());
    let ms = start.elapsed().as_millis();
    match outcome {
        Outcome::Packed { packing, proof, bound, nodes, stop } => {
            let peak = packing.peak(instance);
            let closed = stop == memplan_packing::Stop::Complete;
            (closed, format!("peak {peak} bound {bound} {proof:?} {stop:?} nodes {nodes} {ms} ms"))
        }
        Outcome::Refuted { why, nodes, .. } => (true, format!("refuted {why:?} {nodes} {ms} ms")),
        Outcome::GaveUp { bound, nodes, stop } => {
            (false, format!("gave up, bound {bound} {stop:?} nodes {nodes} {ms} ms"))
        }
    }
}

/// Sizes of whole vectors and odd ones, short lives and a few long ones, as kernels have them.
fn kernels(nodes: u64) {
    let mut x = 0x1234_5678_9abc_def1u64;
    let mut next = move |below: u64| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) % below
    };
    for (shape, units) in [("tiles", 8), ("bytes", 4_000)] {
        for n in [20, 40, 60, 80, 100] {
            let (mut closed, mut total) = (0, 0u128);
            for _ in 0..20 {
                let mut items = Vec::new();
                for _ in 0..n {
                    let start = next(n);
                    let length = if next(6) == 0 { 1 + next(n / 2) } else { 1 + next(8) };
                    items.push(Item::new(32 * (1 + next(units)), 32, start, start + length));
                }
                let instance = Instance { items, ..Instance::default() };
                let start = Instant::now();
                let (done, line) = run(&instance, Goal::Peak, nodes);
                total += start.elapsed().as_millis();
                closed += u32::from(done);
                if !done {
                    println!("  {shape} {n}: {line}");
                }
            }
            println!("{shape:6} n {n:3}: {closed} of 20 closed, {total} ms in all");
        }
    }
}
