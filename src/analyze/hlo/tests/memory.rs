//! How many bytes are needed when nothing is lost between buffers (8.2, 8.7).

use super::{analyse, read};
use crate::analyze::hlo::EventKind::{Alloc, Free, Share};
use crate::analyze::hlo::{
    Analysis, Event, EventKind, EventOptions, Metric, Peak, Ranges, Simulator, ValueId, exact_peak,
    minimum_memory, minimum_memory_within, no_fragmentation,
};
use crate::ir::hlo::{Platform, Sharing};

fn list(events: &[(EventKind, u32, u64)]) -> Vec<Event> {
    let event = |&(kind, value, size)| Event { kind, value: ValueId(value), size };
    events.iter().map(event).collect()
}

#[test]
fn without_gaps_a_heap_is_what_is_alive_at_once() {
    assert_eq!(no_fragmentation(&[]), 0);
    let all = list(&[(Alloc, 0, 10), (Alloc, 1, 20), (Alloc, 2, 30), (Alloc, 3, 30)]);
    assert_eq!(no_fragmentation(&all), 90);
    assert_eq!(exact_peak(&all).bytes, 90);
    let some = list(&[
        (Alloc, 0, 10),
        (Alloc, 1, 20),
        (Free, 1, 20),
        (Alloc, 2, 30),
        (Free, 2, 30),
        (Alloc, 3, 5),
        (Free, 3, 5),
        (Free, 0, 10),
    ]);
    assert_eq!(no_fragmentation(&some), 40);
    assert_eq!(
        exact_peak(&some),
        Peak { bytes: 40, at: Some(3), live: vec![ValueId(0), ValueId(2)] }
    );
}

#[test]
fn xla_counts_shared_bytes_twice_and_the_exact_metric_once() {
    let touching = list(&[
        (Alloc, 0, 10),
        (Share(ValueId(0)), 1, 10),
        (Free, 0, 10),
        (Share(ValueId(1)), 2, 10),
        (Free, 1, 10),
        (Free, 2, 10),
    ]);
    assert_eq!(no_fragmentation(&touching), 20);
    assert_eq!(exact_peak(&touching), Peak { bytes: 10, at: Some(0), live: vec![ValueId(0)] });
}

#[test]
fn shared_bytes_are_as_many_as_the_largest_sharer_needs() {
    let events = list(&[
        (Alloc, 3, 10),
        (Free, 3, 10),
        (Share(ValueId(3)), 4, 30),
        (Free, 4, 30),
        (Share(ValueId(4)), 1, 20),
    ]);
    assert_eq!(exact_peak(&events), Peak { bytes: 30, at: Some(0), live: vec![ValueId(3)] });
}

#[test]
fn odd_events_are_counted_without_harm() {
    let events = list(&[(Free, 2, 10), (Share(ValueId(9)), 1, 5), (Alloc, 0, u64::MAX)]);
    assert_eq!(exact_peak(&events).bytes, u64::MAX);
    assert_eq!(no_fragmentation(&events), u64::MAX);
    assert_eq!(exact_peak(&[]), Peak::default());
}

#[test]
fn a_loop_that_changes_nothing_needs_its_state_and_its_condition() {
    let module = read(
        "HloModule m, is_scheduled=true
cond {
  s = (f32[], f32[]) parameter(0)
  a = f32[] get-tuple-element(s), index=0
  b = f32[] get-tuple-element(s), index=1
  ROOT lt = pred[] compare(a, b), direction=LT
}
body {
  ROOT p = (f32[], f32[]) parameter(0)
}
ENTRY e {
  iter = f32[] parameter(0)
  data = f32[] parameter(1)
  t = (f32[], f32[]) tuple(iter, data)
  ROOT w = (f32[], f32[]) while(t), condition=cond, body=body
}
",
    );
    let analysis = analyse(&module);
    let sharing = Sharing::new(&module, Platform::Cpu);
    for metric in [Metric::Xla, Metric::Exact] {
        assert_eq!(minimum_memory(&analysis, &sharing, metric), 16 + 4 + 4 + 1);
    }
}

const NESTED: &str = "HloModule m, is_scheduled=true
cond {
  x = f32[4] parameter(0)
  slice = f32[1] slice(x), slice={[0:1]}
  scalar = f32[] reshape(slice)
  zero = f32[] constant(0)
  ROOT lt = pred[] compare(scalar, zero), direction=LT
}
body {
  y = f32[4] parameter(0)
  one = f32[4] constant({1, 1, 1, 1})
  ROOT next = f32[4] subtract(y, one)
}
ENTRY e {
  init = f32[4] constant({1, 1, 1, 1})
  scalar1 = f32[] constant(1)
  start = f32[4] copy(init)
  w = f32[4] while(start), condition=cond, body=body
  transpose = f32[4] transpose(init), dimensions={0}
  bcast = f32[4] broadcast(scalar1), dimensions={}
  add = f32[4] add(transpose, bcast)
  ROOT sum = f32[4] add(add, w)
}
";

#[test]
fn one_computation_is_measured_without_what_it_calls() {
    let module = read(NESTED);
    let analysis = analyse(&module);
    let sharing = Sharing::new(&module, Platform::Cpu);
    let within =
        |computation, metric| minimum_memory_within(&analysis, &sharing, computation, metric);
    let [cond, body, entry] = [0, 1, 2].map(crate::ir::hlo::ComputationId);
    // The loop's value, transpose and bcast; the sum takes the bytes of transpose.
    assert_eq!(within(entry, Metric::Xla), 48);
    assert_eq!(within(entry, Metric::Exact), 48);
    assert_eq!(within(cond, Metric::Exact), 16 + 4);
    // Inside of the body its parameter and its root are one buffer.
    assert_eq!(within(body, Metric::Exact), 16);
    assert_eq!(within(body, Metric::Xla), 32);
}

#[test]
fn without_reuse_of_operands_a_result_needs_bytes_of_its_own() {
    let module = read(NESTED);
    let analysis = analyse(&module);
    let Analysis { calls, order, options, values, groups, .. } = &analysis;
    let sharing = Sharing::new(&module, Platform::Cpu);
    let entry = &order.0[module.entry];
    let ranges = Ranges::within(&module, calls, entry, values, groups, options);
    let reuse = EventOptions { may_reuse_operands: false, ..EventOptions::default() };
    let events = Simulator::new(&module, values, groups, &sharing).events(&ranges, reuse);
    assert_eq!(no_fragmentation(&events), 64);
}

#[test]
fn a_module_needs_what_its_parts_need_where_they_run() {
    let module = read(NESTED);
    let analysis = analyse(&module);
    let sharing = Sharing::new(&module, Platform::Cpu);
    // In the condition 16 of state, slice and scalar; after the loop 48.
    assert_eq!(minimum_memory(&analysis, &sharing, Metric::Exact), 48);
}
