//! README's claims about HLO text: a training step of 1,250 instructions is read, planned and judged in
//! tens of milliseconds, and time grows with the number of instructions: `cargo bench --bench hlo`.

#![allow(missing_docs, reason = "criterion's macros define items without docs")]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use memplan::analyze::hlo::{Analysis, Options as Assumptions};
use memplan::diag::Sources;
use memplan::front::hlo::lower;
use memplan::ir::hlo::{Calls, Module, Platform, Sharing, parse};
use memplan::model::Plan;
use memplan::plan::xla::{Planned, module};
use memplan::plan::{Options, Question, Strategy, solve};
use memplan::schedule::{Budget, Order, schedule};
use memplan::verify::verify;

const ASSUMPTIONS: Assumptions =
    Assumptions { platform: Platform::Cpu, async_start_extension: false };

/// Layers that go forward and back, each of 25 instructions: activations are alive from one way to
/// the other, as in a training step.
fn text(layers: usize) -> String {
    let mut text = String::from("HloModule layers, is_scheduled=true\n\nENTRY main {\n");
    text.push_str("  x0 = f32[64,64] parameter(0)\n");
    for n in 0..layers {
        let m = n + 1;
        let _ = writeln!(text, "  a{n} = f32[64,64] dot(x{n}, x{n}), lhs_contracting_dims={{1}}");
        for k in 0..10 {
            let from = if k == 0 { format!("a{n}") } else { format!("b{n}_{}", k - 1) };
            let _ = writeln!(text, "  b{n}_{k} = f32[64,64] tanh({from})");
        }
        let _ = writeln!(text, "  x{m} = f32[64,64] add(b{n}_9, a{n})");
    }
    let _ = writeln!(text, "  g{layers} = f32[64,64] negate(x{layers})");
    for n in (0..layers).rev() {
        let m = n + 1;
        let _ = writeln!(text, "  c{n} = f32[64,64] dot(g{m}, x{n}), lhs_contracting_dims={{1}}");
        for k in 0..10 {
            let from = if k == 0 { format!("c{n}") } else { format!("d{n}_{}", k - 1) };
            let _ = writeln!(text, "  d{n}_{k} = f32[64,64] cosine({from})");
        }
        let _ = writeln!(text, "  g{n} = f32[64,64] multiply(d{n}_9, x{m})");
    }
    text.push_str("  ROOT end = f32[64,64] copy(g0)\n}\n");
    text
}

fn read(text: &str) -> Module {
    let mut sources = Sources::default();
    let file = sources.add("layers.hlo", text);
    parse(&sources, file).expect("a module")
}

fn planned(of: &Module) -> Planned {
    let calls = Calls::of(of).expect("calls");
    let order = of.sequences();
    let lowered = lower(of, &calls, &order, Platform::Cpu).expect("a program");
    let analysis = Analysis::of(of, order, ASSUMPTIONS).expect("facts");
    let sharing = Sharing::new(of, Platform::Cpu);
    module(&analysis, &sharing, &lowered.problem, &lowered.buffers).expect("an assignment")
}

fn judged(planned: &Planned, strategy: Strategy) -> usize {
    let question = Question { module: Some(planned), ..Question::of(&planned.problem) };
    let answer = solve(&question, &Options { strategy, ..Options::default() }, &|_| ());
    let functions = answer.functions.into_iter().map(|f| f.plan).collect();
    verify(&planned.problem, &Plan { functions }).len()
}

fn modules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("instructions");
    group.sample_size(10);
    for layers in [40, 400, 4000] {
        let text = text(layers);
        let of = read(&text);
        let planned = planned(&of);
        let count = of.instructions.len();
        group.bench_function(format!("{count}/read"), |b| b.iter(|| black_box(read(&text))));
        group.bench_function(format!("{count}/analyse and assign"), |b| {
            b.iter(|| black_box(self::planned(&of)));
        });
        for (word, strategy) in [("xla", Strategy::Xla), ("auto", Strategy::Auto)] {
            group.bench_function(format!("{count}/{word} and replay"), |b| {
                b.iter_batched(
                    || (),
                    |()| black_box(judged(&planned, strategy)),
                    BatchSize::PerIteration,
                );
            });
        }
        group.bench_function(format!("{count}/order list"), |b| {
            let budget = Budget::default();
            b.iter(|| {
                black_box(schedule(&of, ASSUMPTIONS, Order::List, budget).expect("an order"))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, modules);
criterion_main!(benches);
