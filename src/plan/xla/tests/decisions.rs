//! Where each buffer goes (9.2, 9.3), above all the rules that no program of the corpus needs.

use super::{analyse, assigned, attempt, entry, layout, layout_of, read};
use crate::diag::Code;
use crate::ir::hlo::Platform;

#[test]
fn a_temporary_lies_where_the_result_will_be() {
    let body = "p = f32[8] parameter(0)
      a = f32[8] negate(p)
      ROOT b = f32[8] negate(a)";
    assert_eq!(layout_of(body), "a, b | p");
}

#[test]
fn what_is_needed_beside_the_result_is_left_to_the_heap() {
    let body = "p = f32[8] parameter(0)
      a = f32[8] negate(p)
      b = f32[8] exponential(a)
      ROOT c = f32[8] add(a, b)";
    // One of them ends where the result begins, and so may the other: the result takes one.
    assert_eq!(layout_of(body), "a, c | p | temp: b@0");
}

#[test]
fn a_larger_buffer_does_not_fit_a_smaller_result() {
    let body = "p = f32[8] parameter(0)
      a = f32[16] concatenate(p, p), dimensions={0}
      ROOT b = f32[8] slice(a), slice={[0:8]}";
    assert_eq!(layout_of(body), "b | p | temp: a@0");
}

#[test]
fn a_donated_parameter_is_reused_between_its_last_use_and_its_result() {
    let text = "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  d = f32[8] parameter(0)
  q = f32[8] parameter(1)
  n = f32[2] slice(d), slice={[0:2]}
  x = f32[8] exponential(q)
  y = f32[8] sine(x)
  z = f32[2] slice(y), slice={[0:2]}
  ROOT r = f32[8] concatenate(n, n, z, z), dimensions={0}
}
";
    let module = read(text);
    assert_eq!(layout(&analyse(&module, Platform::Cpu)), "d, x, y, r | q | temp: n@0, z@64");
    // It may begin where the parameter ends, if it may take its bytes, as this and not as the next.
    let module = read(&text.replace("exponential(q)", "exponential(d)"));
    assert_eq!(layout(&analyse(&module, Platform::Cpu)), "d, x, y, r | q | temp: n@0, z@64");
    let module = read(&text.replace("exponential(q)", "reverse(d), dimensions={0}"));
    assert_eq!(layout(&analyse(&module, Platform::Cpu)), "d, y, r | q | temp: n@64, x@0, z@0");
}

#[test]
fn a_parameter_that_is_kept_is_not_reused() {
    let body = "d = f32[8] parameter(0)
      n = f32[2] slice(d), slice={[0:2]}
      x = f32[8] iota(), iota_dimension=0
      z = f32[2] slice(x), slice={[0:2]}
      ROOT r = f32[4] concatenate(n, z), dimensions={0}";
    assert_eq!(layout_of(body), "d | r | temp: n@64, x@0, z@128");
}

#[test]
fn a_copy_does_not_lie_on_what_it_copies() {
    // a ends where c begins, but c is a copy.
    let body = "p = f32[8] parameter(0)
      a = f32[8] negate(p)
      c = f32[8] copy(a)
      ROOT r = (f32[8], f32[8]) tuple(c, p)";
    assert_eq!(layout_of(body), "p | c | r{} | temp: a@0");
    // Without the copy it would.
    assert_eq!(layout_of(&body.replace("copy", "negate")), "p | a, c | r{}");
}

#[test]
fn a_later_copy_of_a_value_stays_off_its_allocation() {
    // a lives in the result r, which begins much later than a ends. The copy c reads a and ends before r
    // begins: it is in time with neither, and still may not lie there.
    let body = "p = f32[8] parameter(0)
      a = f32[8] negate(p)
      c = f32[8] copy(a)
      m = f32[2] slice(c), slice={[0:2]}
      ROOT r = f32[8] concatenate(m, m, m, m), dimensions={0}";
    assert_eq!(layout_of(body), "a, r | p | temp: c@0, m@64");
}

#[test]
fn the_allocation_of_an_operand_is_asked_before_newer_ones() {
    let body = "p = f32[8] parameter(0)
      e = f32[8] negate(p)
      a = f32[8] exponential(p)
      s = f32[2] slice(e), slice={[0:2]}
      b = f32[8] sine(a)
      k = f32[2] slice(b), slice={[0:2]}
      x = f32[8] concatenate(s, k, s, k), dimensions={0}
      y = f32[8] concatenate(k, s, k, s), dimensions={0}
      ROOT t = (f32[8], f32[8]) tuple(x, y)";
    // e goes to the newest, y; a is in time with it and goes to x. b fits both, and its operand is in x.
    let text = layout_of(body);
    assert!(text.starts_with("a, b, x | e, y | p | t{} | temp"), "{text}");
}

#[test]
fn a_tuple_has_an_allocation_of_its_own() {
    let body = "p = f32[8] parameter(0)
      a = f32[8] negate(p)
      t = (f32[8], f32[8]) tuple(a, p)
      b = f32[8] get-tuple-element(t), index=0
      ROOT r = f32[8] negate(b)";
    assert_eq!(layout_of(body), "a, r | p | temp: t{}@0");
}

#[test]
fn constants_and_parameters_that_are_not_donated_are_read_only() {
    let body = "p = f32[8] parameter(0)
      c = f32[8] constant({...})
      a = f32[8] negate(c)
      b = f32[8] add(a, p)
      ROOT r = f32[2] slice(a), slice={[0:2]}";
    let module = entry(body);
    let analysis = analyse(&module, Platform::Cpu);
    assert_eq!(layout(&analysis), "c | p | r | temp: a@0, b@64");
    let all = assigned(&analysis);
    let kinds = all.allocations.iter().map(|a| (a.is_read_only(), a.constant, a.live_out));
    let wanted = [(true, true, false), (true, false, false), (false, false, true)];
    assert_eq!(kinds.take(3).collect::<Vec<_>>(), wanted);
}

#[test]
fn each_value_of_a_function_called_per_element_is_thread_local() {
    let text = "HloModule m, is_scheduled=true
sum {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
ENTRY e {
  p = f32[8] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=sum
}
";
    let module = read(text);
    let analysis = analyse(&module, Platform::Cpu);
    assert_eq!(layout(&analysis), "p | r | z | x | y | s");
    let local = assigned(&analysis).allocations.iter().map(|a| a.thread_local).collect::<Vec<_>>();
    assert_eq!(local, [false, false, false, true, true, true]);
}

#[test]
fn a_fused_computation_has_no_buffers() {
    let text = "HloModule m, is_scheduled=true
f {
  x = f32[8] parameter(0)
  ROOT y = f32[8] negate(x)
}
ENTRY e {
  p = f32[8] parameter(0)
  ROOT r = f32[8] fusion(p), kind=kLoop, calls=f
}
";
    let module = read(text);
    assert_eq!(layout(&analyse(&module, Platform::Cpu)), "r | p");
}

#[test]
fn every_memory_space_has_a_heap_of_its_own() {
    let body = "p = f32[8]{0} parameter(0)
      a = f32[8]{0:S(5)} custom-call(p), custom_call_target=\"host\"
      b = f32[8]{0} custom-call(a, p), custom_call_target=\"device\"
      ROOT r = f32[2]{0} slice(b), slice={[0:2]}";
    let module = entry(body);
    let analysis = analyse(&module, Platform::Gpu);
    assert_eq!(layout(&analysis), "p | r | temp: b@0 | temp: a@0");
    let all = assigned(&analysis);
    let spaces: Vec<u32> = all.allocations.iter().map(|a| a.memory_space).collect();
    assert_eq!(spaces, [0, 0, 0, 5]);
    let heaps: Vec<_> = all.heaps.iter().map(|h| (h.memory_space, h.allocation, h.base)).collect();
    assert_eq!(heaps, [(0, 2, 0), (5, 3, 0)]);
}

#[test]
fn bytes_in_two_memory_spaces_are_refused() {
    let text = "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  p = f32[8]{0} parameter(0)
  ROOT r = f32[8]{0:S(5)} custom-call(p), custom_call_target=\"host\"
}
";
    let module = read(text);
    let error = attempt(&analyse(&module, Platform::Gpu)).expect_err("an error");
    assert_eq!(error.code, Code::HloMixedSpaces);
    assert_eq!(
        error.message,
        "`p` in memory space 0 and `r` in memory space 5 must be the same bytes"
    );
    assert_eq!(error.labels.len(), 2);
}

#[test]
fn more_bytes_than_can_be_added_up_are_refused() {
    let body = "p = f32[1152921504606846976] parameter(0)
      ROOT r = f32[1152921504606846976] negate(p)";
    let module = entry(body);
    let error = attempt(&analyse(&module, Platform::Cpu)).expect_err("an error");
    assert_eq!(error.code, Code::HloSizeOverflow);
}
