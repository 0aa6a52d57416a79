//! What is allocated, freed and shared, in order (8.1): the call sequences of 8.7.

use super::{analyse, read};
use crate::analyze::hlo::{Analysis, EventKind, EventOptions, events};
use crate::ir::hlo::{Platform, Sharing};

/// The events of an entry's instructions in words: `A x` allocates, `F x` frees, `S x y` shares.
fn script(body: &str) -> String {
    script_of(&format!("HloModule m, is_scheduled=true\nENTRY e {{\n{body}\n}}\n"))
}

fn script_of(text: &str) -> String {
    script_by(text, Platform::Cpu, EventOptions::default())
}

fn script_by(text: &str, platform: Platform, options: EventOptions<'_>) -> String {
    let module = read(text);
    let analysis = analyse(&module);
    words(&analysis, &Sharing::new(&module, platform), options)
}

fn words(analysis: &Analysis<'_>, sharing: &Sharing<'_>, options: EventOptions<'_>) -> String {
    let name = |value| analysis.values.name(analysis.module, value);
    let words = events(analysis, sharing, options).into_iter().map(|event| {
        let value = name(event.value);
        match event.kind {
            EventKind::Alloc => format!("A {value}"),
            EventKind::Free => format!("F {value}"),
            EventKind::Share(with) => format!("S {value} {}", name(with)),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

const THREE: &str = "a = f32[2,2] parameter(0)
  x = f32[2,2] parameter(1)
  y = f32[2,2] parameter(2)
  mul = f32[2,2] multiply(a, x)";
const DOT: &str = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";

#[test]
fn a_constant_takes_no_part_unless_asked_to() {
    let text = "HloModule m\nENTRY e {\n  c = f32[] constant(1)\n}\n";
    assert_eq!(script_of(text), "");
    let options = EventOptions { alloc_constants: true, ..EventOptions::default() };
    assert_eq!(script_by(text, Platform::Cpu, options), "A c, F c");
}

#[test]
fn a_parameter_is_there_for_the_whole_run() {
    assert_eq!(script("ROOT p = f32[] parameter(0)"), "A p, F p");
}

#[test]
fn parameters_die_before_the_result() {
    let body = "a = f32[4] parameter(0)
      x = f32[4] parameter(1)
      ROOT mul = f32[4] multiply(a, x)";
    assert_eq!(script(body), "A a, A x, A mul, F a, F x, F mul");
}

#[test]
fn a_result_takes_the_bytes_of_an_operand_that_dies() {
    let body = format!("{THREE}\n  ROOT add = f32[2,2] add(mul, y)");
    let wanted = "A a, A x, A y, A mul, F mul, S add mul, F a, F x, F y, F add";
    assert_eq!(script(&body), wanted);
    let text = format!("HloModule m, is_scheduled=true\nENTRY e {{\n{body}\n}}\n");
    let options = EventOptions { may_reuse_operands: false, ..EventOptions::default() };
    let wanted = "A a, A x, A y, A mul, A add, F mul, F a, F x, F y, F add";
    assert_eq!(script_by(&text, Platform::Cpu, options), wanted);
}

#[test]
fn a_dot_takes_nobodys_bytes() {
    let body = format!("{THREE}\n  ROOT dot = f32[2,2] dot(mul, y), {DOT}");
    assert_eq!(script(&body), "A a, A x, A y, A mul, A dot, F mul, F a, F x, F y, F dot");
    let body =
        format!("{THREE}\n  dot = f32[2,2] dot(mul, y), {DOT}\n  ROOT add = f32[2,2] add(dot, a)");
    let wanted = "A a, A x, A y, A mul, A dot, F mul, F dot, S add dot, F a, F x, F y, F add";
    assert_eq!(script(&body), wanted);
}

#[test]
fn what_a_tuple_holds_lives_with_it() {
    let dots = format!(
        "{THREE}\n  dot0 = f32[2,2] dot(mul, y), {DOT}\n  ROOT dot1 = f32[2,2] dot(dot0, y), {DOT}"
    );
    let start = "A a, A x, A y, A mul, A dot0, F mul, A dot1";
    assert_eq!(script(&dots), format!("{start}, F dot0, F a, F x, F y, F dot1"));
    let both = dots.replace("ROOT ", "") + "\n  ROOT t = (f32[2,2], f32[2,2]) tuple(dot0, dot1)";
    let wanted = format!("{start}, A t{{}}, F a, F x, F y, F dot0, F dot1, F t{{}}");
    assert_eq!(script(&both), wanted);
}

#[test]
fn elements_of_a_tuple_die_by_themselves() {
    let body = "a = f32[] parameter(0)
      b = f32[] parameter(1)
      mul = f32[] multiply(a, b)
      add = f32[] add(a, b)
      tuple = (f32[], f32[]) tuple(mul, add)
      gte0 = f32[] get-tuple-element(tuple), index=0
      broadcast = f32[32] broadcast(gte0), dimensions={}
      sub = f32[] subtract(a, b)
      gte1 = f32[] get-tuple-element(tuple), index=1
      ROOT output = (f32[32], f32[], f32[]) tuple(broadcast, sub, gte1)";
    let wanted = "A a, A b, A mul, A add, A tuple{}, A broadcast, F mul, A sub, F tuple{}, A output{}, \
                  F a, F b, F add, F broadcast, F sub, F output{}";
    assert_eq!(script(body), wanted);
}

#[test]
fn state_that_a_loop_passes_through_is_one_value() {
    let text = "HloModule m, is_scheduled=true
cond {
  s = (f32[4], f32[]) parameter(0)
  data = f32[4] get-tuple-element(s), index=0
  first = f32[1] slice(data), slice={[0:1]}
  other = f32[] get-tuple-element(s), index=1
  ROOT lt = pred[] compare(other, other), direction=LT
}
body {
  ROOT b = (f32[4], f32[]) parameter(0)
}
ENTRY e {
  p = (f32[4], f32[]) parameter(0)
  ROOT w = (f32[4], f32[]) while(p), condition=cond, body=body
}
";
    let text = text.replace("  data = f32[4] get-tuple-element(s), index=0\n", "");
    let text = text.replace("  first = f32[1] slice(data), slice={[0:1]}\n", "");
    let wanted = "A p{}, A p{0}, A p{1}, A lt, F lt, F p{}, F p{0}, F p{1}";
    assert_eq!(script_of(&text), wanted);
}

#[test]
fn the_first_value_of_a_group_gives_its_bytes_to_the_others() {
    let body = "p = f32[8] parameter(0)
      u = f32[1] parameter(1)
      i = s32[] parameter(2)
      c = f32[8] copy(p)
      one = f32[8] dynamic-update-slice(c, u, i)
      ROOT two = f32[8] dynamic-update-slice(one, u, i)";
    let wanted = "A p, A u, A i, A c, S one c, F c, S two c, F one, F p, F u, F i, F two";
    assert_eq!(script(body), wanted);
}

#[test]
fn a_copy_takes_nobodys_bytes() {
    let body = "p = f32[8] parameter(0)
      n = f32[8] negate(p)
      c = f32[8] copy(n)
      ROOT m = f32[8] negate(c)";
    assert_eq!(script(body), "A p, A n, A c, F n, F c, S m c, F p, F m");
}

#[test]
fn one_result_only_takes_a_dying_operand() {
    let text = "HloModule m, is_scheduled=true
f {
  q = f32[4] parameter(0)
  x = f32[4] exponential(q)
  y = f32[4] negate(q)
  ROOT t = (f32[4], f32[4]) tuple(x, y)
}
ENTRY e {
  p = f32[4] parameter(0)
  n = f32[4] negate(p)
  fusion = (f32[4], f32[4]) fusion(n), kind=kLoop, calls=f
  g0 = f32[4] get-tuple-element(fusion), index=0
  g1 = f32[4] get-tuple-element(fusion), index=1
  ROOT sum = f32[4] add(g0, g1)
}
";
    for platform in [Platform::Cpu, Platform::Gpu] {
        let events = script_by(text, platform, EventOptions::default());
        let shares: Vec<&str> =
            events.split(", ").filter(|e| *e == "F n" || e.ends_with("} n")).collect();
        assert_eq!(shares, ["F n", "S fusion{0} n"], "{events}");
        assert!(events.contains("A fusion{1}"), "{events}");
    }
}

#[test]
fn only_what_is_asked_for_takes_part() {
    let module = read(&format!(
        "HloModule m, is_scheduled=true\nENTRY e {{\n{THREE}\n  ROOT add = f32[2,2] add(mul, y)\n}}\n"
    ));
    let analysis = analyse(&module);
    let sharing = Sharing::new(&module, Platform::Cpu);
    let subset = [analysis.born("mul"), analysis.born("add")].into();
    let options = EventOptions { subset: Some(&subset), ..EventOptions::default() };
    assert_eq!(words(&analysis, &sharing, options), "A mul, F mul, S add mul, F add");
    let subset = [analysis.born("add")].into();
    let options = EventOptions { subset: Some(&subset), ..EventOptions::default() };
    assert_eq!(words(&analysis, &sharing, options), "A add, F add");
}

#[test]
fn every_event_has_the_size_of_the_whole_group() {
    // The table of a tuple is 16 bytes, the loop's state 32 and 8.
    let text = "HloModule m, is_scheduled=true
cond {
  s = (f32[8], s32[]) parameter(0)
  ROOT c = pred[] constant(false)
}
body {
  b = (f32[8], s32[]) parameter(0)
  x = f32[8] get-tuple-element(b), index=0
  i = s32[] get-tuple-element(b), index=1
  y = f32[8] negate(x)
  ROOT t = (f32[8], s32[]) tuple(y, i)
}
ENTRY e {
  p = f32[8] parameter(0)
  n = s32[] parameter(1)
  c = f32[8] copy(p)
  t0 = (f32[8], s32[]) tuple(c, n)
  ROOT w = (f32[8], s32[]) while(t0), condition=cond, body=body
}
";
    let module = read(text);
    let analysis = analyse(&module);
    let sharing = Sharing::new(&module, Platform::Cpu);
    for event in events(&analysis, &sharing, EventOptions::default()) {
        let group = analysis.groups.of[event.value];
        let values = analysis.groups.groups[group].iter();
        let largest = values.map(|&value| analysis.values.values[value].size).max();
        assert_eq!(Some(event.size), largest);
    }
}
