//! Peaks and times of the packers.
//!
//! `cargo run --release -p memplan-heuristic --example measure -- [jobs=N] PACKER[,PACKER..] INPUT...`
//! where an input is a CSV file (`id,lower,upper,size`), `random:N` (N items with sizes and lives
//! of very different magnitude), `spans:N` (the same with three spans each) or `related:N` (the same
//! with an in-place, an exclusive, a separate pair and a colocation for every tenth item).

use std::time::Instant;

use memplan_heuristic::by_name;
use memplan_packing::bounds::Bounds;
use memplan_packing::random::SplitMix64;
use memplan_packing::{Budget, Colocation, Goal, Inplace, Instance, Item, Span, check};

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let jobs = arguments.peek().and_then(|first| first.strip_prefix("jobs=")?.parse().ok());
    if jobs.is_some() {
        arguments.next();
    }
    let budget = Budget { jobs: jobs.unwrap_or(1), ..Budget::default() };
    let packers = arguments.next().unwrap_or_default();
    for input in arguments {
        let number = |kind: &str| input.strip_prefix(kind).and_then(|n| n.parse().ok());
        let instance = match (number("random:"), number("related:"), number("spans:")) {
            (Some(n), ..) => random(n),
            (_, Some(n), _) => related(n),
            (.., Some(n)) => spans(n),
            _ => csv(&std::fs::read_to_string(&input).unwrap_or_default()),
        };
        let name = input.rsplit('/').next().unwrap_or_default();
        let start = Instant::now();
        let bounds = Bounds::new(&instance);
        let bound = bounds.lower_bound;
        let n = instance.items.len();
        println!(
            "{name}: {n} items, bound {bound}, found in {:.3} s",
            start.elapsed().as_secs_f64()
        );
        for packer in packers.split(',') {
            let Some(packer) = by_name(packer) else {
                println!("  {packer}: unknown");
                continue;
            };
            let start = Instant::now();
            let packed = packer.pack(&instance, Goal::Peak, &budget);
            let seconds = start.elapsed().as_secs_f64();
            let Ok(packing) = packed else {
                println!("  {:18} found nothing", packer.name());
                continue;
            };
            let start = Instant::now();
            let faults = check(&instance, &packing).len();
            let checked = start.elapsed().as_secs_f64();
            let peak = packing.peak(&instance);
            let (whole, part) = (peak / bound.max(1), peak % bound.max(1));
            let part = u128::from(part) * 10_000 / u128::from(bound.max(1));
            let name = packer.name();
            println!(
                "  {name:18} {whole}.{part:04} {seconds:9.4} s, checked in {checked:.3} s, {faults} faults"
            );
        }
    }
}

fn csv(text: &str) -> Instance {
    let mut instance = Instance::default();
    for line in text.lines().skip(1) {
        let fields: Vec<u64> =
            line.split(',').skip(1).filter_map(|f| f.trim().parse().ok()).collect();
        if let [lower, upper, size, ..] = fields[..] {
            instance.items.push(Item::new(size, 1, lower, upper.max(lower + 1)));
        }
    }
    instance
}

/// Exponents are uniform, so sizes and lives spread over four and three powers of ten.
fn random(n: u64) -> Instance {
    let mut random = SplitMix64::new(1);
    let mut instance = Instance::default();
    for _ in 0..n {
        let start = random.below(2 * n);
        let exponent = random.below(10);
        let life = 1 + random.below(2 << exponent);
        let exponent = random.below(14);
        let size = 64 * (1 + random.below(1 << exponent));
        instance.items.push(Item::new(size, 64, start, start + life));
    }
    instance
}

/// As [`random`], each item alive three times.
fn spans(n: u64) -> Instance {
    let mut instance = random(n);
    for item in &mut instance.items {
        let hull = item.hull();
        let (length, gap) = (hull.end - hull.start, 1 + item.size % 50);
        for time in 1..3 {
            let start = hull.start + time * (length + gap);
            item.live.push(Span::new(start, start + length));
        }
    }
    instance
}

fn related(n: u64) -> Instance {
    let mut instance = random(n);
    instance.items.sort_by_key(|item| item.hull().start);
    for at in (0..n.saturating_sub(6) as u32).step_by(10) {
        let (a, b) = (at as usize, at as usize + 1);
        let larger = instance.items[a].size < instance.items[b].size;
        let (from, into) = if larger { (at + 1, at) } else { (at, at + 1) };
        instance.inplace.push(Inplace { from, into });
        instance.exclusive.push((at + 1, at + 2));
        instance.separate.push((at + 3, at + 4));
        instance.colocated.push(Colocation { first: at + 4, second: at + 5, delta: 0 });
    }
    instance
}
