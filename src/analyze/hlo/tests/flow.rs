//! Calls, loops and branches (4.3).

use super::{analyse, read};

const INNER: &str = "
inner {
  x = f32[2] parameter(0)
  ROOT n = f32[2] negate(x)
}
";

#[test]
fn a_call_passes_its_operands_in_and_the_root_out() {
    let module = read(&format!(
        "HloModule m{INNER}
ENTRY e {{
  p = f32[2] parameter(0)
  c = f32[2] call(p), to_apply=inner
  ROOT r = f32[2] negate(c)
}}
"
    ));
    let all = analyse(&module);
    assert_eq!(all.values.values.len(), 3);
    assert_eq!(all.positions("p"), ["p", "x"]);
    assert_eq!(all.positions("n"), ["c", "n"]);
    assert_eq!(all.uses("p"), ["n 0", "c 0"]);
    assert_eq!(all.uses("n"), ["r 0"]);
}

#[test]
fn a_computation_that_is_called_twice_has_both_arguments_at_its_parameter() {
    let module = read(&format!(
        "HloModule m{INNER}
ENTRY e {{
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  c = f32[2] call(p), to_apply=inner
  d = f32[2] call(q), to_apply=inner
  ROOT r = f32[2] add(c, d)
}}
"
    ));
    let all = analyse(&module);
    assert_eq!(all.names_at("x"), ["p", "q"]);
    assert_eq!(all.names_at("c"), ["n"]);
    assert_eq!(all.positions("n"), ["c", "d", "n"]);
    assert!(all.phis().is_empty());
}

#[test]
fn a_computation_that_is_called_on_its_own_result_settles() {
    let module = read(
        "HloModule m
same {
  x = f32[2] parameter(0)
  ROOT b = f32[2] bitcast(x)
}
ENTRY e {
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  c = f32[2] call(p), to_apply=same
  d = f32[2] call(c), to_apply=same
  ROOT r = f32[2] call(q), to_apply=same
}
",
    );
    let all = analyse(&module);
    for node in ["x", "b", "c", "d", "r"] {
        assert_eq!(all.names_at(node), ["p", "q"], "{node}");
    }
}

#[test]
fn a_call_in_a_call_forwards_through_both() {
    let module = read(&format!(
        "HloModule m{INNER}
outer {{
  y = f32[2] parameter(0)
  ROOT i = f32[2] call(y), to_apply=inner
}}
ENTRY e {{
  p = f32[2] parameter(0)
  ROOT c = f32[2] call(p), to_apply=outer
}}
"
    ));
    let all = analyse(&module);
    assert_eq!(all.values.values.len(), 2);
    assert_eq!(all.positions("p"), ["p", "x", "y"]);
    assert_eq!(all.positions("n"), ["c", "i", "n"]);
}

#[test]
fn reducers_have_values_of_their_own() {
    let module = read(
        "HloModule m
sum {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT a = f32[] add(x, y)
}
ENTRY e {
  p = f32[4] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=sum
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.values.values.len(), 6);
    assert_eq!(all.names_at("x"), ["x"]);
    assert!(all.ranges.live[all.born("x")].is_none(), "embedded computations have no times");
}

#[test]
fn two_branches_meet_in_a_value() {
    let module = read(
        "HloModule m
yes {
  x = f32[2] parameter(0)
  ROOT n = f32[2] negate(x)
}
no {
  ROOT y = f32[2] parameter(0)
}
ENTRY e {
  c = pred[] parameter(0)
  p = f32[2] parameter(1)
  q = f32[2] parameter(2)
  ROOT r = f32[2] conditional(c, p, q), true_computation=yes, false_computation=no
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.names_at("x"), ["p"]);
    assert_eq!(all.names_at("y"), ["q"]);
    assert_eq!(all.phis(), ["r"]);
    assert_eq!(all.uses("c"), ["r 0"]);
    assert_eq!(all.uses("q"), ["r 2"]);
}

#[test]
fn three_branches_that_return_the_same_value_make_none() {
    let module = read(
        "HloModule m
a {
  ROOT x = f32[2] parameter(0)
}
b {
  ROOT y = f32[2] parameter(0)
}
c {
  ROOT z = f32[2] parameter(0)
}
ENTRY e {
  s = s32[] parameter(0)
  p = f32[2] parameter(1)
  ROOT r = f32[2] conditional(s, p, p, p), branch_computations={a, b, c}
}
",
    );
    let all = analyse(&module);
    assert!(all.phis().is_empty());
    assert_eq!(all.positions("p"), ["p", "r", "x", "y", "z"]);
    assert_eq!(all.uses("p"), ["r 1", "r 2", "r 3"]);
}

#[test]
fn nested_branches_meet_twice() {
    let module = read(
        "HloModule m
a {
  xa = f32[2] parameter(0)
  ROOT na = f32[2] negate(xa)
}
b {
  ROOT xb = f32[2] parameter(0)
}
inner {
  t = (pred[], f32[2]) parameter(0)
  s = pred[] get-tuple-element(t), index=0
  v = f32[2] get-tuple-element(t), index=1
  ROOT ci = f32[2] conditional(s, v, v), true_computation=a, false_computation=b
}
other {
  u = f32[2] parameter(0)
  ROOT ex = f32[2] exponential(u)
}
ENTRY e {
  c = pred[] parameter(0)
  p = f32[2] parameter(1)
  w = (pred[], f32[2]) tuple(c, p)
  ROOT r = f32[2] conditional(c, w, p), true_computation=inner, false_computation=other
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.phis(), ["ci", "r"]);
    assert_eq!(all.names_at("xa"), ["p"]);
    assert_eq!(all.names_at("r"), ["r"]);
}
