//! The machine: instructions of pipes, accesses to a large arena, managed memory beyond the device.
//! Ten times the work should take about ten times as long.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memplan::diag::Sources;
use memplan::front::trace;
use memplan::model::machine::Machine;
use memplan::model::trace::{Call, Span, Trace, TraceOp};
use memplan::verify::trace::{Options, Trips, trace as replay};

fn read(text: &str) -> Trace {
    let mut sources = Sources::default();
    let file = sources.add("bench.toml", text);
    trace::read(&sources, file).unwrap_or_else(|errors| panic!("{}", errors[0].message))
}

fn machine() -> Machine {
    Machine::named("910B3").expect("a name of the table")
}

/// Load, compute, store with two buffers each and flags both ways: 12 instructions a trip.
fn double_buffer(trips: u64) -> Trace {
    let flags = |op: &str| -> String {
        let flag = |pipe, peer, id| {
            format!(
                "[[op]]\ncore = \"aiv0\"\nop = \"{op}\"\npipe = \"{pipe}\"\npeer = \"{peer}\"\nid = {id}\n"
            )
        };
        [("V", "MTE2"), ("MTE3", "V")]
            .iter()
            .flat_map(|&(p, q)| [flag(p, q, 0), flag(p, q, 1)])
            .collect()
    };
    let body = r#"
    { op = "wait", pipe = "V", peer = "MTE2", id = [0, 1] },
    { op = "copy", pipe = "MTE2", src = { gm = "x", off = 0 }, dst = { ub = 0, stride = 8192, mod = 2 }, len = 8192, val = "x@1" },
    { op = "set", pipe = "MTE2", peer = "V", id = [0, 1] },
    { op = "wait", pipe = "MTE2", peer = "V", id = [0, 1] },
    { op = "wait", pipe = "MTE3", peer = "V", id = [0, 1] },
    { op = "exec", pipe = "V", r = [{ ub = 0, stride = 8192, mod = 2, len = 8192, val = "x@1" }], w = [{ ub = 16384, stride = 8192, mod = 2, len = 8192, val = "y@1" }] },
    { op = "set", pipe = "V", peer = "MTE2", id = [0, 1] },
    { op = "set", pipe = "V", peer = "MTE3", id = [0, 1] },
    { op = "wait", pipe = "V", peer = "MTE3", id = [0, 1] },
    { op = "copy", pipe = "MTE3", src = { ub = 16384, stride = 8192, mod = 2 }, dst = { gm = "y", off = 0 }, len = 8192, val = "y@1" },
    { op = "set", pipe = "MTE3", peer = "V", id = [0, 1] },
    { op = "barrier", pipe = "MTE3" },
"#;
    let (set, wait) = (flags("set"), flags("wait"));
    read(&format!(
        "trace = 1\n{set}[[op]]\ncore = \"aiv0\"\nop = \"loop\"\nn = {trips}\nbody = [{body}]\n{wait}"
    ))
}

/// Kernels that each read and write one of 2,048 buffers of an arena.
fn kernels(head: &str, count: u64, buffers: u64, size: u64) -> Trace {
    let mut trace = read(head);
    let arena = trace.names.intern("a");
    let stream = trace.names.intern("s");
    let thread = trace.ops[0].thread;
    for n in 0..count {
        // A stride that meets every buffer before it comes back.
        let off = (n * 1031 % buffers) * size;
        let span = Span { p: arena, off, len: Some(size), val: None, voff: 0 };
        let r = if n < buffers { Vec::new() } else { vec![span] };
        let call = Call::Kernel {
            stream: Some(stream),
            name: None,
            r,
            w: vec![span],
            rw: Vec::new(),
            cost: None,
            body: None,
            device: None,
        };
        trace.ops.push(TraceOp { label: String::new(), thread, call, expect: None, loc: None });
    }
    trace
}

fn pipes(c: &mut Criterion) {
    let mut group = c.benchmark_group("pipes");
    group.sample_size(10);
    let options = Options { trips: Trips::All, ..Options::default() };
    for trips in [80_000, 800_000] {
        let trace = double_buffer(trips);
        group.throughput(Throughput::Elements(trips * 12));
        group.bench_with_input(BenchmarkId::new("instructions", trips * 12), &trace, |b, trace| {
            b.iter(|| {
                let done = replay(black_box(trace), &machine(), &options);
                assert!(done.findings.is_empty() && done.counters.instructions > trips * 12);
            });
        });
    }
    group.finish();
}

fn ranges(c: &mut Criterion) {
    let mut group = c.benchmark_group("ranges");
    group.sample_size(10);
    let head = "trace = 1\n[[op]]\nop = \"alloc\"\nout = \"a\"\nsize = \"2GiB\"\ndevice = 0\nkind = \"dev\"\n";
    for count in [50_000, 500_000] {
        let trace = kernels(head, count, 2048, 1 << 20);
        group.throughput(Throughput::Elements(count * 2));
        group.bench_with_input(BenchmarkId::new("accesses", count * 2), &trace, |b, trace| {
            b.iter(|| {
                let done = replay(black_box(trace), &machine(), &Options::default());
                assert!(done.findings.is_empty());
            });
        });
    }
    group.finish();
}

fn managed(c: &mut Criterion) {
    let mut group = c.benchmark_group("managed");
    group.sample_size(10);
    let head = "trace = 1\n[[op]]\nop = \"alloc\"\nout = \"a\"\nsize = \"64GiB\"\ndevice = 0\nkind = \"uvm\"\n";
    let small = Machine { device_memory: 32 << 30, ..machine() };
    for rounds in [1, 10] {
        let trace = kernels(head, rounds * 1024, 1024, 64 << 20);
        group.throughput(Throughput::Elements(rounds * 1024));
        let id = BenchmarkId::new("sweeps of 64 GiB over a 32 GiB device", rounds);
        group.bench_with_input(id, &trace, |b, trace| {
            b.iter(|| black_box(replay(trace, &small, &Options::default()).counters.swapped));
        });
    }
    group.finish();
}

criterion_group!(benches, pipes, ranges, managed);
criterion_main!(benches);
