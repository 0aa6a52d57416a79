//! What closes within a node budget: random kernels and, given paths, MiniMalloc CSV files.
//!
//! `cargo run --release -p memplan-exact --example closing -- NODES [FILE.csv ...]`

use std::time::Instant;

use memplan_exact::Exact;
use memplan_packing::random::SplitMix64;
use memplan_packing::sample::Shape;
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
        Outcome::Packed { packing, proof, bound, nodes, stop, .. } => {
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

/// Random kernels of several kinds, twenty of each size.
fn kernels(nodes: u64) {
    for (kind, make) in [
        ("tiles", (|n, seed| kernel(n, seed, 8)) as fn(usize, u64) -> Instance),
        ("bytes", |n, seed| kernel(n, seed, 4_000)),
        ("every feature", |n, seed| Shape::full(n).instance(seed)),
        ("but places", |n, seed| {
            Shape { places: false, reserved: false, ..Shape::full(n) }.instance(seed)
        }),
    ] {
        for n in [20, 40, 60, 80, 100] {
            let (mut closed, mut searched, mut total) = (0, 0, 0);
            for seed in 0..20 {
                let instance = make(n, seed);
                let start = Instant::now();
                let (done, line) = run(&instance, Goal::Peak, nodes);
                total += start.elapsed().as_millis();
                closed += u32::from(done);
                searched += u32::from(done && line.contains("Exhausted"));
                if !done {
                    println!("  {kind} {n} seed {seed}: {line}");
                }
            }
            println!(
                "{kind:13} n {n:3}: {closed} of 20 closed, {searched} by search, {total} ms in all"
            );
        }
    }
}

/// Short lives and a few long ones, sizes of up to so many vectors.
fn kernel(n: usize, seed: u64, vectors: u64) -> Instance {
    let mut random = SplitMix64::new(seed);
    let mut next = |below: u64| random.below(below);
    let steps = n as u64;
    let mut items = Vec::new();
    for _ in 0..n {
        let start = next(steps);
        let length = if next(6) == 0 { 1 + next(steps / 2) } else { 1 + next(8) };
        items.push(Item::new(32 * (1 + next(vectors)), 32, start, start + length));
    }
    Instance { items, ..Instance::default() }
}
