//! The text of live ranges (7.4, 22.5).

use super::{analyse, read};
use crate::analyze::hlo::{live_range_text, peak_moment, values_text};

#[test]
fn ranges_print_as_xla_prints_them() {
    let module = read(
        "HloModule m, is_scheduled=true
ENTRY e {
  a = f32[4] parameter(0)
  n = f32[4] negate(a)
  c = f32[1] slice(n), slice={[0:1]}
  ROOT t = (f32[1]) tuple(c)
}
",
    );
    let text = live_range_text(&analyse(&module));
    assert_eq!(
        text,
        "HloLiveRange (max 4):
  InstructionSequence:
    0:a
    1:n
    2:c
    3:t
  BufferLiveRange:
    a{}:0-4
    n{}:1-2
    c{}:2-4
    t{}:3-4
  Live ranges at 3 (peak):
    a{}: 16 bytes (cumulative: 16 bytes)
    t{}: 8 bytes (cumulative: 24 bytes)
    c{}: 4 bytes (cumulative: 28 bytes)
"
    );
}

#[test]
fn the_moment_counts_an_instructions_whole_shape_as_xla_does() {
    // An element of `f` counts as the table of `f`, so the moment is not that of the true peak.
    let module = read(
        "HloModule m, is_scheduled=true
ENTRY e {
  a = f32[] parameter(0)
  f = (f32[1000], f32[]) custom-call(a), custom_call_target=\"f\"
  g = f32[1000] get-tuple-element(f), index=0
  s = f32[] reduce-precision(a), exponent_bits=1, mantissa_bits=1
  w = f32[100] broadcast(s), dimensions={}
  ROOT r = f32[] custom-call(w), custom_call_target=\"g\"
}
",
    );
    assert_eq!(peak_moment(&analyse(&module)), Some(5));
}

#[test]
fn an_unknown_size_is_said() {
    let module =
        read("HloModule m, is_scheduled=true\nENTRY e {\n  ROOT a = f32[?] parameter(0)\n}\n");
    let text = live_range_text(&analyse(&module));
    assert!(text.ends_with("could not be determined\n"), "{text}");
}

#[test]
fn values_print_as_xla_prints_them() {
    let module = read(
        "HloModule m, is_scheduled=true
ENTRY e {
  a = f32[4]{0:S(5)} parameter(0)
  t = (f32[4]{0:S(5)}) tuple(a)
  g = f32[4]{0:S(5)} get-tuple-element(t), index=0
  ROOT n = f32[4] negate(g)
}
",
    );
    assert_eq!(
        values_text(&analyse(&module)),
        "Used values:
<0 a @5>
 positions:
  a
  t {0}
  g
 uses:
  n, operand 0
<1 t{} @0>
 positions:
  t {}
 uses:
  g, operand 0 {}
<2 n @0>
 positions:
  n
 uses:
  (none)
"
    );
}
