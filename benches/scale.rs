//! README's claim about size: 200,000 buffers are read, planned and verified in seconds, and the
//! time grows about as the input does. Compare the rows of one run: `cargo bench --bench scale`.

#![allow(missing_docs, reason = "criterion's macros define items without docs")]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memplan::diag::Sources;
use memplan::front::csv;
use memplan::model::Plan;
use memplan::plan::{Options, Question, solve};
use memplan::verify::verify;

/// Long-tailed lives and sizes, a few starts a step: the shape of a graph's temporaries.
fn graph(buffers: u64) -> String {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % limit
    };
    let mut text = String::from("id,lower,upper,size\n");
    let mut step = 0;
    for id in 0..buffers {
        step += random(3);
        let (long, large) = (1 + random(12), 1 + random(14));
        let life = 1 + random(1 << long);
        let size = 64 * (1 + random(1 << large));
        let _ = writeln!(text, "{id},{step},{},{size}", step + life);
    }
    text
}

fn whole_line(text: &str) -> u64 {
    let mut sources = Sources::default();
    let file = sources.add("graph.csv", text);
    let read = csv::read(&sources, file).expect("a valid CSV");
    let answer = solve(&Question::of(&read.problem), &Options::default(), &|_| ());
    let scope = &answer.functions[0].scopes[0];
    let plan = Plan { functions: answer.functions.iter().map(|f| f.plan.clone()).collect() };
    assert!(verify(&read.problem, &plan).is_empty(), "the plan verifies");
    scope.peak.expect("an unbounded arena has a plan")
}

fn scale(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read_plan_verify");
    group.sample_size(10);
    for buffers in [10_000, 50_000, 200_000] {
        let text = graph(buffers);
        group.throughput(Throughput::Elements(buffers));
        group.bench_with_input(BenchmarkId::from_parameter(buffers), &text, |b, text| {
            b.iter(|| black_box(whole_line(text)));
        });
    }
    group.finish();
}

criterion_group!(benches, scale);
criterion_main!(benches);
