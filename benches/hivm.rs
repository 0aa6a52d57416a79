//! README's claim about HIVM text: a kernel is read, planned by both planners and judged in
//! milliseconds, and time grows with the number of functions: `cargo bench --bench hivm`.

#![allow(missing_docs, reason = "criterion's macros define items without docs")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use memplan::diag::{Severity, Sources};
use memplan::front::hivm;
use memplan::front::spec::targets::Embedded;
use memplan::ir::hivm::PassOptions;
use memplan::plan::{Options, Question, Strategy, solve};
use memplan::verify;

/// Kernels of usual size, one that is tight, one on which the pass rolls back.
const KERNELS: [(&str, &str); 3] = [
    ("softmax_rows", include_str!("../specs/kernels/softmax_rows.mlir")),
    ("exact_fill_double", include_str!("../specs/kernels/exact_fill_double.mlir")),
    ("split_restart", include_str!("../specs/kernels/split_restart.mlir")),
];

fn whole_line(text: &str, strategy: Strategy) {
    let mut sources = Sources::default();
    let file = sources.add("kernel.mlir", text);
    let options = PassOptions::default();
    let read = hivm::read(&mut sources, file, None, &options, &mut Embedded).expect("a kernel");
    let problem = &read.read.problem;
    let judge = |index: usize, plan: &memplan::model::FunctionPlan| {
        let found = verify::one(problem, &problem.functions[index], plan);
        found.iter().all(|f| f.severity != Severity::Error)
    };
    let question = Question { problem, kernels: Some(&read.kernels), module: None, judge: &judge };
    black_box(solve(&question, &Options { strategy, ..Options::default() }, &|_| ()));
}

fn kernels(criterion: &mut Criterion) {
    for (name, text) in KERNELS {
        let strategies =
            [("hivm", Strategy::Hivm { largest_first: false }), ("auto", Strategy::Auto)];
        for (word, strategy) in strategies {
            let id = format!("{name}/{word}");
            criterion.bench_function(&id, |b| b.iter(|| whole_line(text, strategy)));
        }
    }
}

/// Twice the functions, twice the time.
fn functions(criterion: &mut Criterion) {
    let body = KERNELS[0].1;
    let mut group = criterion.benchmark_group("functions");
    group.sample_size(10);
    for count in [500, 1000] {
        let text: String = (0..count)
            .map(|n| format!("{}\n// -----\n", body.replace("@softmax_rows", &format!("@f{n}"))))
            .collect();
        group.bench_function(count.to_string(), |b| b.iter(|| whole_line(&text, Strategy::Auto)));
    }
    group.finish();
}

criterion_group!(benches, kernels, functions);
criterion_main!(benches);
