//! README's claim about a kernel: a spec is read, planned and verified in about a millisecond:
//! `cargo bench --bench kernel`.

#![allow(missing_docs, reason = "criterion's macros define items without docs")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use memplan::diag::Sources;
use memplan::front::spec::{self, targets::Embedded};
use memplan::model::Plan;
use memplan::plan::{Options, Question, solve};
use memplan::verify::verify;

fn whole_line(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("kernel.toml", text);
    let read = spec::read(&mut sources, file, None, &mut Embedded).expect("a valid spec");
    let answer = solve(&Question::of(&read.problem), &Options::default(), &|_| ());
    let plan = Plan { functions: answer.functions.iter().map(|f| f.plan.clone()).collect() };
    black_box(verify(&read.problem, &plan));
}

fn kernel(criterion: &mut Criterion) {
    let examples = [
        ("softmax", include_str!("../specs/examples/softmax.toml")),
        ("layernorm", include_str!("../specs/examples/layernorm.toml")),
        ("layernorm-fixed", include_str!("../specs/examples/layernorm-fixed.toml")),
    ];
    for (name, text) in examples {
        criterion.bench_function(name, |b| b.iter(|| whole_line(black_box(text))));
    }
}

criterion_group!(benches, kernel);
criterion_main!(benches);
