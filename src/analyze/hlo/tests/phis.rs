//! Where values meet (4.3) and which meetings are values (4.4).

use super::{analyse, read, values_by};
use crate::analyze::hlo::ValueOptions;
use crate::ir::hlo::ShapeIndex;

const CONDITION: &str = "
cond {
  pc = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(pc), index=0
  k = s32[] constant(9)
  ROOT lt = pred[] compare(i, k), direction=LT
}
";

/// Element 0 passes through; element 1 changes.
fn one_loop() -> String {
    format!(
        "HloModule m{CONDITION}
body {{
  pb = (s32[], s32[]) parameter(0)
  b0 = s32[] get-tuple-element(pb), index=0
  b1 = s32[] get-tuple-element(pb), index=1
  s = s32[] add(b0, b1)
  ROOT rb = (s32[], s32[]) tuple(b0, s)
}}
ENTRY e {{
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  t = (s32[], s32[]) tuple(x, y)
  ROOT w = (s32[], s32[]) while(t), condition=cond, body=body
}}
"
    )
}

#[test]
fn state_that_passes_through_a_loop_is_one_value_everywhere() {
    let module = read(&one_loop());
    let all = analyse(&module);
    assert_eq!(all.names_at("w{0}"), ["x"]);
    assert_eq!(all.positions("x"), ["b0", "i", "pb{0}", "pc{0}", "rb{0}", "t{0}", "w{0}", "x"]);
}

#[test]
fn state_that_changes_in_a_loop_has_a_value_at_each_place() {
    let module = read(&one_loop());
    let all = analyse(&module);
    assert_eq!(all.phis(), ["pc{}", "pc{1}", "pb{}", "pb{1}", "w{}", "w{1}"]);
    assert_eq!(all.names_at("b1"), ["pb{1}"]);
    assert_eq!(all.names_at("rb{1}"), ["s"]);
    assert_eq!(all.uses("s"), ["rb 1"]);
    assert_eq!(all.uses("y"), ["w 0{1}"]);
}

#[test]
fn without_phis_all_that_meets_stands_side_by_side() {
    let module = read(&one_loop());
    let values = values_by(&module, ValueOptions { phis: false, ..ValueOptions::default() });
    let (w, _) = super::node(&module, "w");
    let names = |index: &ShapeIndex| -> Vec<_> {
        values.at(w, index).iter().map(|&id| values.name(&module, id)).collect()
    };
    assert_eq!(names(&ShapeIndex::one(1)), ["s", "y"]);
    assert_eq!(names(&ShapeIndex::one(0)), ["x"]);
    assert!(values.values.iter().all(|value| !value.is_phi));
}

#[test]
fn loops_in_sequence_hand_over_what_they_pass_through() {
    let text = one_loop().replace(
        "ROOT w = (s32[], s32[]) while(t), condition=cond, body=body",
        "w = (s32[], s32[]) while(t), condition=cond, body=body
  ROOT v = (s32[], s32[]) while(w), condition=cond2, body=body2",
    );
    let second = "
cond2 {
  pc2 = (s32[], s32[]) parameter(0)
  ROOT lt2 = pred[] constant(false)
}
body2 {
  pb2 = (s32[], s32[]) parameter(0)
  b02 = s32[] get-tuple-element(pb2), index=0
  b12 = s32[] get-tuple-element(pb2), index=1
  s2 = s32[] add(b02, b12)
  ROOT rb2 = (s32[], s32[]) tuple(b02, s2)
}
ENTRY";
    let module = read(&text.replace("ENTRY", second.trim_start()));
    let all = analyse(&module);
    assert_eq!(all.names_at("v{0}"), ["x"]);
    assert_eq!(all.names_at("v{1}"), ["v{1}"]);
    assert_eq!(all.uses("w{1}"), ["v 0{1}"]);
    assert_eq!(all.names_at("b02"), ["x"]);
}

#[test]
fn a_loop_in_a_loop_forwards_what_neither_changes() {
    let module = read(
        "HloModule m
c1 {
  q1 = (f32[2], f32[2]) parameter(0)
  ROOT f1 = pred[] constant(false)
}
inner {
  pi = (f32[2], f32[2]) parameter(0)
  i0 = f32[2] get-tuple-element(pi), index=0
  i1 = f32[2] get-tuple-element(pi), index=1
  n = f32[2] add(i0, i1)
  ROOT ri = (f32[2], f32[2]) tuple(i0, n)
}
c2 {
  q2 = (f32[2], f32[2]) parameter(0)
  ROOT f2 = pred[] constant(false)
}
outer {
  po = (f32[2], f32[2]) parameter(0)
  ROOT wi = (f32[2], f32[2]) while(po), condition=c1, body=inner
}
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  t = (f32[2], f32[2]) tuple(x, y)
  ROOT wo = (f32[2], f32[2]) while(t), condition=c2, body=outer
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.names_at("wo{0}"), ["x"]);
    assert_eq!(all.names_at("i0"), ["x"]);
    assert_eq!(all.names_at("po{1}"), ["po{1}"]);
    assert_eq!(all.names_at("wi{1}"), ["wi{1}"]);
    assert_eq!(all.names_at("wo{1}"), ["wo{1}"]);
}

/// The body returns (b, c, a).
fn rotation(enters: &str) -> String {
    format!(
        "HloModule m
cond {{
  pc = (f32[2], f32[2], f32[2]) parameter(0)
  ROOT lt = pred[] constant(false)
}}
body {{
  pb = (f32[2], f32[2], f32[2]) parameter(0)
  a = f32[2] get-tuple-element(pb), index=0
  b = f32[2] get-tuple-element(pb), index=1
  c = f32[2] get-tuple-element(pb), index=2
  ROOT rb = (f32[2], f32[2], f32[2]) tuple(b, c, a)
}}
ENTRY e {{
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  z = f32[2] parameter(2)
  t = (f32[2], f32[2], f32[2]) tuple({enters})
  ROOT w = (f32[2], f32[2], f32[2]) while(t), condition=cond, body=body
}}
"
    )
}

#[test]
fn elements_that_rotate_are_all_new_values() {
    let module = read(&rotation("x, y, z"));
    let all = analyse(&module);
    for node in ["w{0}", "w{1}", "w{2}", "pb{0}", "pb{1}", "pb{2}", "pc{0}"] {
        assert_eq!(all.names_at(node), [node]);
    }
    assert_eq!(all.names_at("rb{2}"), ["pb{0}"]);
}

#[test]
fn elements_that_rotate_onto_themselves_are_one_value() {
    // No phi has a single input, but together they lead to x alone: the second rule of 4.4.
    let module = read(&rotation("x, x, x"));
    let all = analyse(&module);
    for node in ["w{0}", "w{1}", "w{2}", "pb{0}", "pb{2}", "pc{1}", "rb{1}"] {
        assert_eq!(all.names_at(node), ["x"], "{node}");
    }
    assert_eq!(all.phis(), ["pc{}", "pb{}", "w{}"], "only the tables");
}

#[test]
fn a_meeting_of_a_meeting_and_itself_is_the_first_meeting() {
    // The outer state changes; the inner loop passes it through: its phis have one other input.
    let module = read(
        "HloModule m
c1 {
  q1 = f32[2] parameter(0)
  ROOT f1 = pred[] constant(false)
}
inner {
  ROOT pi = f32[2] parameter(0)
}
c2 {
  q2 = f32[2] parameter(0)
  ROOT f2 = pred[] constant(false)
}
outer {
  po = f32[2] parameter(0)
  wi = f32[2] while(po), condition=c1, body=inner
  ROOT n = f32[2] negate(wi)
}
ENTRY e {
  x = f32[2] parameter(0)
  ROOT wo = f32[2] while(x), condition=c2, body=outer
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.names_at("wi"), ["po"]);
    assert_eq!(all.names_at("pi"), ["po"]);
    assert_eq!(all.phis(), ["q2", "po", "wo"]);
}

#[test]
fn a_deep_nest_of_loops_and_a_wide_state_take_no_time() {
    let width = 500;
    let depth = 40;
    let shape = format!("({})", vec!["f32[]"; width].join(", "));
    let mut text = String::from("HloModule m\n");
    for level in 0..depth {
        text += &format!(
            "c{level} {{\n  q{level} = {shape} parameter(0)\n  ROOT f{level} = pred[] constant(false)\n}}\n"
        );
        text += &format!("b{level} {{\n  p{level} = {shape} parameter(0)\n");
        match level {
            0 => text += "  ROOT r0 = ",
            _ => {
                text += &format!(
                    "  ROOT w{level} = {shape} while(p{level}), condition=c{}, body=b{}\n}}\n",
                    level - 1,
                    level - 1
                )
            }
        }
        if level == 0 {
            let takes = (0..width).map(|at| format!("g{at}")).collect::<Vec<_>>().join(", ");
            let mut body = String::new();
            for at in 0..width {
                body += &format!("  g{at} = f32[] get-tuple-element(p0), index={at}\n");
            }
            let head = text.rfind("  ROOT r0 = ").expect("just written");
            text.insert_str(head, &body);
            text += &format!("{shape} tuple({takes})\n}}\n");
        }
    }
    text += &format!(
        "ENTRY e {{\n  x = {shape} parameter(0)\n  ROOT w = {shape} while(x), condition=c{}, body=b{}\n}}\n",
        depth - 1,
        depth - 1
    );
    let module = read(&text);
    let all = analyse(&module);
    assert_eq!(all.names_at("w{7}"), ["x{7}"]);
    assert_eq!(all.names_at("p0{7}"), ["x{7}"]);
}
