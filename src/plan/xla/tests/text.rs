//! The text of an assignment (9.5).

use super::{analyse, assigned, read};
use crate::ir::hlo::Platform;
use crate::plan::xla::{assignment_text, assignment_text_with_ids};

const TEXT: &str = "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {1}, may-alias) }
ENTRY e {
  p = (f32[4]{0}, f32[256]{0}) parameter(0)
  a = f32[256]{0} get-tuple-element(p), index=1
  x = f32[256]{0:S(5)} custom-call(a), custom_call_target=\"host\"
  b = f32[256]{0} custom-call(x), custom_call_target=\"device\"
  k = f32[] constant(1)
  ROOT r = (f32[256]{0}, f32[]) tuple(b, k)
}
";

#[test]
fn an_allocation_is_written_with_its_kinds_and_values() {
    let module = read(TEXT);
    let analysis = analyse(&module, Platform::Gpu);
    let wanted = "BufferAssignment:
allocation 0: size 1024, parameter 0, shape |f32[256]| at ShapeIndex {1}, maybe-live-out:
 value: <2 p{1} @0> (size=1024,offset=0): f32[256]{0}
 value: <4 b @0> (size=1024,offset=0): f32[256]{0}
allocation 1: size 16, output shape is |(f32[256], f32[])|, maybe-live-out:
 value: <6 r{} @0> (size=16,offset=0): (f32[256]{0}, f32[])
allocation 2: size 16, parameter 0, shape |(f32[4], f32[256])| at ShapeIndex {}:
 value: <0 p{} @0> (size=16,offset=0): (f32[4]{0}, f32[256]{0})
allocation 3: size 16, parameter 0, shape |f32[4]| at ShapeIndex {0}:
 value: <1 p{0} @0> (size=16,offset=0): f32[4]{0}
allocation 4: size 4, constant, maybe-live-out:
 value: <5 k @0> (size=4,offset=0): f32[]
allocation 5: size 1024, color 5, preallocated-temp:
 value: <3 x @5> (size=1024,offset=0): f32[256]{0:S(5)}
";
    assert_eq!(assignment_text(&analysis, &assigned(&analysis)), wanted);
}

#[test]
fn values_are_listed_by_the_ids_that_are_asked_for() {
    let module = read(TEXT);
    let analysis = analyse(&module, Platform::Gpu);
    let all = assigned(&analysis);
    let text = assignment_text_with_ids(&analysis, &all, &|value| 100 - u64::from(value.0));
    assert!(text.contains(" value: <96 b @0>"), "{text}");
    let (b, p) = (text.find("<96 b").unwrap(), text.find("<98 p{1}").unwrap());
    assert!(b < p);
}
