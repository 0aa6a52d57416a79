//! README's claim about size: a million buffers are read, planned and verified in seconds, and the time
//! grows near n log n. The growth is printed as a ratio of one run: `cargo bench --bench scale`.

#![allow(missing_docs, reason = "criterion's macros define items without docs")]

use std::cell::Cell;
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

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
    let mut before: Option<(u64, Duration)> = None;
    for buffers in [10_000, 100_000, 1_000_000] {
        let text = graph(buffers);
        // The shortest run: what else the machine does only ever adds to it.
        let shortest = Cell::new(Duration::MAX);
        group.throughput(Throughput::Elements(buffers));
        group.bench_with_input(BenchmarkId::from_parameter(buffers), &text, |b, text| {
            b.iter(|| {
                let start = Instant::now();
                black_box(whole_line(text));
                shortest.set(shortest.get().min(start.elapsed()));
            });
        });
        if let Some((fewer, time)) = before
            && shortest.get() < Duration::MAX
        {
            let times = buffers / fewer;
            let grown = shortest.get().as_secs_f64() / time.as_secs_f64();
            // n log n would be 12.5 from ten to a hundred thousand, 12 from there to a million.
            println!("{fewer} to {buffers}: {times} times the buffers, {grown:.1} times the time");
        }
        before = Some((buffers, shortest.get())).filter(|(_, time)| *time < Duration::MAX);
    }
    group.finish();
}

criterion_group!(benches, scale);
criterion_main!(benches);
