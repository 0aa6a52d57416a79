//! The byte totals (16) and what is alive at the peak (9.6).

use super::{analyse, assigned, entry, read};
use crate::ir::hlo::Platform;
use crate::plan::xla::{peak_values, stats};

const DONATED: &str =
    "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }
ENTRY e {
  d = f32[256] parameter(0)
  q = f32[256] parameter(1)
  c = f32[] constant(2)
  b = f32[256] broadcast(c), dimensions={}
  w = f32[256] add(q, b)
  r = f32[256] add(d, w)
  m = f32[256] multiply(q, w)
  k = f32[1] slice(m), slice={[0:1]}
  ROOT t = (f32[256], f32[1]) tuple(r, k)
}
";

#[test]
fn an_aliased_parameter_is_argument_output_and_alias() {
    let module = read(DONATED);
    let analysis = analyse(&module, Platform::Cpu);
    let stats = stats(&assigned(&analysis));
    assert_eq!(stats.argument_size_in_bytes, 2048);
    assert_eq!(stats.alias_size_in_bytes, 1024);
    // The aliased parameter, the slice, and the table of the tuple.
    assert_eq!(stats.output_size_in_bytes, 1024 + 4 + 16);
    assert_eq!(stats.temp_size_in_bytes, 1024);
    assert_eq!(stats.total_size_in_bytes, 2048 + 1044 + 1024 - 1024);
    // The constant is in the allocations only.
    assert_eq!(stats.total_allocation_bytes, 2048 + 4 + 16 + 4 + 1024);
    assert_eq!(stats.indefinite_allocations, 2048 + 4 + 16 + 4);
    assert_eq!(stats.peak_unpadded_heap_bytes, 1024);
    let host = [
        stats.host_argument_size_in_bytes,
        stats.host_output_size_in_bytes,
        stats.host_alias_size_in_bytes,
        stats.host_temp_size_in_bytes,
        stats.host_generated_code_size_in_bytes,
        stats.generated_code_size_in_bytes,
    ];
    assert_eq!(host, [0; 6]);
}

#[test]
fn xlas_peak_on_a_cpu_leaves_out_the_temporaries() {
    let module = read(DONATED);
    let analysis = analyse(&module, Platform::Cpu);
    let stats = stats(&assigned(&analysis));
    assert_eq!(stats.xla_cpu_peak_in_bytes, 2048 + 4 + 16 + 4);
    assert_eq!(stats.peak_memory_in_bytes, stats.xla_cpu_peak_in_bytes + 1024);
}

#[test]
fn the_peak_names_what_is_alive_the_largest_first() {
    let module = read(DONATED);
    let analysis = analyse(&module, Platform::Cpu);
    let peak = peak_values(&analysis, &assigned(&analysis));
    let values = peak
        .values
        .iter()
        .map(|value| (analysis.values.name(&module, value.value), value.bytes, value.fixed));
    let values: Vec<_> = values.collect();
    let wanted = [
        ("d", 1024, true),
        ("q", 1024, true),
        ("b", 1024, false),
        ("t{}", 16, true),
        ("c", 4, true),
        ("k", 4, true),
    ];
    let wanted = wanted.map(|(name, bytes, fixed)| (name.to_owned(), bytes, fixed));
    assert_eq!(values.len(), wanted.len(), "{values:?}");
    for value in &wanted {
        assert!(values.contains(value), "{values:?}");
    }
    assert!(values.is_sorted_by(|a, b| a.1 >= b.1));
    assert_eq!(peak.bytes, values.iter().map(|value| value.1).sum::<u64>());
    assert_eq!(peak.heap_bytes, 1024);
    let at = peak.at.map(|at| module.instructions[at].name.clone());
    assert_eq!(at.as_deref(), Some("b"));
}

#[test]
fn the_host_is_memory_space_five_and_no_other() {
    let body = "p = f32[8]{0:S(5)} parameter(0)
      q = f32[8]{0:S(1)} parameter(1)
      a = f32[8]{0:S(5)} custom-call(p, q), custom_call_target=\"a\"
      b = f32[8]{0:S(2)} custom-call(a), custom_call_target=\"b\"
      c = f32[16]{0:S(5)} custom-call(b), custom_call_target=\"c\"
      ROOT r = f32[4]{0:S(5)} custom-call(c, a), custom_call_target=\"d\"";
    let module = entry(body);
    let analysis = analyse(&module, Platform::Gpu);
    let stats = stats(&assigned(&analysis));
    assert_eq!((stats.argument_size_in_bytes, stats.host_argument_size_in_bytes), (32, 32));
    assert_eq!((stats.output_size_in_bytes, stats.host_output_size_in_bytes), (0, 16));
    // a beside c, at a multiple of 256.
    assert_eq!((stats.temp_size_in_bytes, stats.host_temp_size_in_bytes), (32, 256 + 32));
    assert_eq!(stats.spaces[&1].argument, 32);
    assert_eq!(stats.spaces[&2].temp, 32);
    assert_eq!(stats.spaces[&5].total, 32 + 16 + 256 + 32);
    assert_eq!(stats.spaces[&5].heap_peak, 96);
    // Heaps one after the other: the larger counts.
    assert_eq!(stats.peak_memory_in_bytes, 32 + 32 + 16 + 96);
}

#[test]
fn a_module_without_buffers_needs_nothing() {
    let module = entry("ROOT t = () tuple()");
    let analysis = analyse(&module, Platform::Cpu);
    let all = assigned(&analysis);
    let stats = stats(&all);
    assert_eq!(stats.total_allocation_bytes, 0);
    let peak = peak_values(&analysis, &all);
    assert_eq!((peak.bytes, peak.at, peak.values), (0, None, Vec::new()));
}
