//! README's claim about hard instances: rectangles cut from a full rectangle, where no step has a byte to
//! spare, or few. `auto` fills the rectangle in milliseconds; the named heuristics are faster and need more
//! bytes, which is printed. Compare the rows of one run: `cargo bench --bench hard`.

#![allow(missing_docs, reason = "criterion's macros define items without docs")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use memplan::bench::generate::{Order, generate};
use memplan::diag::Sources;
use memplan::front::csv;
use memplan::model::{Problem, Verdict};
use memplan::plan::{Options, Question, Strategy, solve};

/// What is drawn, and the seeds.
const ORDERS: [&str; 4] = ["perfect,60,1", "near,60,1", "perfect,150,1", "near,100,1"];

/// Ours first, then the heuristics of the field.
const STRATEGIES: [&str; 5] = ["auto", "first-fit", "best-fit", "greedy-size", "lowest-first"];

fn problem(order: &str) -> (Problem, u64) {
    let order: Order = order.parse().expect("an order");
    let made = generate(&order);
    let mut sources = Sources::default();
    let file = sources.add("made.csv", made.csv());
    let read = csv::read(&sources, file).expect("a valid CSV");
    (read.problem, made.capacity.expect("a known capacity"))
}

/// The peak, and whether it is proven to be the smallest.
fn peak(problem: &Problem, strategy: &str) -> (u64, bool) {
    let strategy = Strategy::find(strategy).expect("a strategy");
    let answer =
        solve(&Question::of(problem), &Options { strategy, ..Options::default() }, &|_| ());
    let scope = &answer.functions[0].scopes[0];
    let peak = scope.peak.expect("an unbounded arena has a plan");
    (peak, scope.verdict == Verdict::Optimal)
}

fn hard(criterion: &mut Criterion) {
    for order in ORDERS {
        let (problem, height) = problem(order);
        let mut group = criterion.benchmark_group(order.replace(',', "_"));
        group.sample_size(10);
        for strategy in STRATEGIES {
            let (bytes, proven) = peak(&problem, strategy);
            if strategy == "auto" {
                assert!(proven && bytes <= height, "`auto` closes {order}");
            }
            let permille = bytes * 1000 / height;
            println!(
                "{order}: {strategy} needs {}.{} % of the rectangle",
                permille / 10,
                permille % 10
            );
            group.bench_with_input(
                BenchmarkId::from_parameter(strategy),
                &problem,
                |b, problem| {
                    b.iter(|| black_box(peak(problem, strategy)));
                },
            );
        }
        group.finish();
    }
}

criterion_group!(benches, hard);
criterion_main!(benches);
