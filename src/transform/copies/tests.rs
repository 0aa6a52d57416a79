//! The scenarios of spec 14 on modules without copies: all are added, then those that need not be
//! there are removed.

use super::super::testing::{check, count, id, operands, read};
use super::super::{Measures, Note};
use super::*;
use crate::ir::hlo::{Module, Opcode, Platform, parse, print};

/// Adds and removes; how many copies are left.
fn settle(text: &str) -> (Module, usize) {
    let mut module = read(text);
    add(&mut module).unwrap();
    check(&module);
    reads_again(&module);
    let report = remove(&mut module, Platform::Cpu).unwrap();
    // Shown when a test fails.
    report.notes.iter().for_each(|note| println!("{note}"));
    println!("{}", print(&module));
    check(&module);
    reads_again(&module);
    let copies = count(&module, &Opcode::Copy);
    (module, copies)
}

/// What is printed is read as the same module.
fn reads_again(module: &Module) {
    let text = print(module);
    let mut sources = crate::diag::Sources::default();
    let file = sources.add("printed.hlo", text.as_str());
    let again = parse(&sources, file);
    assert!(again.is_ok_and(|again| again.same_as(module)), "{text}");
}

fn kept(report: &super::super::Report) -> Vec<&Kept> {
    let notes = report.notes.iter();
    notes
        .filter_map(|note| match note {
            Note::CopyKept { why, .. } => Some(why),
            _ => None,
        })
        .collect()
}

#[test]
fn a_parameter_that_is_returned_is_copied_once() {
    let (module, copies) = settle("HloModule m\n\nENTRY e {\n  ROOT p = f32[4] parameter(0)\n}\n");
    assert_eq!(copies, 1);
    let root = &module.instructions[module.entry().root];
    assert_eq!(root.opcode, Opcode::Copy);
}

#[test]
fn a_constant_that_is_returned_is_copied_once() {
    let (_, copies) = settle("HloModule m\n\nENTRY e {\n  ROOT c = f32[] constant(1)\n}\n");
    assert_eq!(copies, 1);
}

#[test]
fn a_value_that_is_returned_twice_is_copied_once() {
    let (module, copies) = settle(
        "HloModule m\n\nENTRY e {\n  p = f32[4] parameter(0)\n  n = f32[4] negate(p)\n  ROOT t = (f32[4], \
         f32[4]) tuple(n, n)\n}\n",
    );
    assert_eq!(copies, 1);
    let root = module.instructions[module.entry().root].name.clone();
    assert_eq!(operands(&module, &root)[0], "n");
}

#[test]
fn a_bitcast_of_a_parameter_that_is_returned_is_copied_once() {
    let (_, copies) = settle(
        "HloModule m\n\nENTRY e {\n  p = f32[4]{0} parameter(0)\n  ROOT b = f32[2,2]{1,0} bitcast(p)\n}\n",
    );
    assert_eq!(copies, 1);
}

/// A loop over `(s32[], f32[4], f32[4])` with this body; the init values are fresh.
fn loop_of(body: &str, init: &str) -> String {
    let state = "(s32[], f32[4], f32[4])";
    format!(
        "HloModule m\n\nbody {{\n  s = {state} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  x \
         = f32[4] get-tuple-element(s), index=1\n  y = f32[4] get-tuple-element(s), index=2\n  one = \
         s32[] constant(1)\n  j = s32[] add(i, one)\n{body}\n}}\n\ncond {{\n  c = {state} \
         parameter(0)\n  ci = s32[] get-tuple-element(c), index=0\n  n = s32[] constant(9)\n  ROOT lt = \
         pred[] compare(ci, n), direction=LT\n}}\n\nENTRY e {{\n  p = s32[] parameter(0)\n  q = f32[4] \
         parameter(1)\n  p1 = s32[] negate(p)\n  a = f32[4] negate(q)\n  b = f32[4] abs(q)\n  t = \
         {state} tuple({init})\n  ROOT w = {state} while(t), condition=cond, body=body\n}}\n"
    )
}

#[test]
fn loop_state_that_is_only_read_is_not_copied() {
    let body = "  z = f32[4] add(x, y)\n  ROOT r = (s32[], f32[4], f32[4]) tuple(j, x, z)";
    let (_, copies) = settle(&loop_of(body, "p1, a, b"));
    assert_eq!(copies, 0);
}

#[test]
fn a_parameter_that_a_loop_changes_is_copied_before_it() {
    let body = "  z = f32[4] add(x, y)\n  ROOT r = (s32[], f32[4], f32[4]) tuple(j, x, z)";
    let (module, copies) = settle(&loop_of(body, "p, a, q"));
    assert_eq!(copies, 2, "p and q");
    assert!(operands(&module, "a").contains(&"q"), "other users keep the parameter");
}

#[test]
fn a_constant_that_two_loops_start_with_is_copied_for_each() {
    let state = "(s32[])";
    let part = |tag: &str| {
        format!(
            "body{tag} {{\n  s{tag} = {state} parameter(0)\n  i{tag} = s32[] get-tuple-element(s{tag}), \
             index=0\n  ROOT r{tag} = {state} tuple(j{tag})\n  j{tag} = s32[] add(i{tag}, \
             i{tag})\n}}\n\ncond{tag} {{\n  c{tag} = {state} parameter(0)\n  ci{tag} = s32[] \
             get-tuple-element(c{tag}), index=0\n  n{tag} = s32[] constant(9)\n  ROOT lt{tag} = pred[] \
             compare(ci{tag}, n{tag}), direction=LT\n}}\n\n"
        )
    };
    let text = format!(
        "HloModule m\n\n{}{}ENTRY e {{\n  k = s32[] constant(1)\n  t = {state} tuple(k)\n  w1 = {state} \
         while(t), condition=cond1, body=body1\n  w2 = {state} while(t), condition=cond2, body=body2\n  \
         g1 = s32[] get-tuple-element(w1), index=0\n  g2 = s32[] get-tuple-element(w2), index=0\n  ROOT \
         r = s32[] add(g1, g2)\n}}\n",
        part("1"),
        part("2"),
    );
    // The text of the bodies names the root before its operand: that is no order of execution.
    let mut module = read(&text);
    add(&mut module).unwrap();
    remove(&mut module, Platform::Cpu).unwrap();
    assert_eq!(count(&module, &Opcode::Copy), 2);
}

#[test]
fn two_values_that_change_places_need_three_moves() {
    let body = "  ROOT r = (s32[], f32[4], f32[4]) tuple(j, y, x)";
    let (_, copies) = settle(&loop_of(body, "p1, a, b"));
    assert_eq!(copies, 3);
}

#[test]
fn the_order_that_a_removal_counts_on_is_written_down() {
    let body = "  ROOT r = (s32[], f32[4], f32[4]) tuple(j, y, x)";
    let mut module = read(&loop_of(body, "p1, a, b"));
    add(&mut module).unwrap();
    let report = remove(&mut module, Platform::Cpu).unwrap();
    assert!(report.notes.iter().any(|note| matches!(note, Note::Ordered { .. })));
    assert!(module.instructions.iter().any(|i| !i.control_predecessors().is_empty()));
}

#[test]
fn nested_loops_of_plain_updates_need_no_copy() {
    let state = "(s32[], f32[4])";
    let text = format!(
        "HloModule m\n\ninner {{\n  s = {state} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  x \
         = f32[4] get-tuple-element(s), index=1\n  j = s32[] negate(i)\n  z = f32[4] negate(x)\n  ROOT r \
         = {state} tuple(j, z)\n}}\n\ncond1 {{\n  c1 = {state} parameter(0)\n  ROOT t1 = pred[] \
         constant(false)\n}}\n\nouter {{\n  o = {state} parameter(0)\n  ROOT v = {state} while(o), \
         condition=cond1, body=inner\n}}\n\ncond2 {{\n  c2 = {state} parameter(0)\n  ROOT t2 = pred[] \
         constant(false)\n}}\n\nENTRY e {{\n  p = s32[] parameter(0)\n  q = f32[4] parameter(1)\n  a = \
         s32[] negate(p)\n  b = f32[4] negate(q)\n  t = {state} tuple(a, b)\n  ROOT w = {state} \
         while(t), condition=cond2, body=outer\n}}\n"
    );
    assert_eq!(settle(&text).1, 0);
}

#[test]
fn branches_that_return_the_same_parameter_need_no_copy_of_it() {
    let text = "HloModule m

left {
  lp = f32[4] parameter(0)
  ROOT lt = (f32[4]) tuple(lp)
}

right {
  rp = f32[4] parameter(0)
  ROOT rt = (f32[4]) tuple(rp)
}

ENTRY e {
  c = pred[] parameter(0)
  q = f32[4] parameter(1)
  n = f32[4] negate(q)
  w = (f32[4]) conditional(c, n, n), true_computation=left, false_computation=right
  g = f32[4] get-tuple-element(w), index=0
  ROOT r = f32[4] add(g, g)
}
";
    assert_eq!(settle(text).1, 0);
}

#[test]
fn branches_that_return_different_parameters_copy_what_they_must_not_lose() {
    let text = "HloModule m

left {
  lp = f32[4] parameter(0)
  ROOT lt = (f32[4]) tuple(lp)
}

right {
  rp = f32[4] parameter(0)
  rn = f32[4] negate(rp)
  ROOT rt = (f32[4]) tuple(rn)
}

ENTRY e {
  c = pred[] parameter(0)
  q = f32[4] parameter(1)
  n = f32[4] negate(q)
  w = (f32[4]) conditional(c, n, n), true_computation=left, false_computation=right
  g = f32[4] get-tuple-element(w), index=0
  ROOT r = f32[4] add(g, n)
}
";
    assert_eq!(settle(text).1, 1, "n is needed afterwards");
}

#[test]
fn an_aliased_parameter_updated_in_place_needs_no_copy() {
    let text = "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }

ENTRY e {
  p = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  ROOT d = f32[8] dynamic-update-slice(p, u, i)
}
";
    let (module, copies) = settle(text);
    assert_eq!(copies, 0);
    assert_eq!(operands(&module, "d"), ["p", "u", "i"]);
}

#[test]
fn aliased_parameters_that_change_places_are_copied() {
    let text = "HloModule m, input_output_alias={ {0}: (1, {}), {1}: (0, {}) }

ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  ROOT t = (f32[8], f32[8]) tuple(p, q)
}
";
    assert_eq!(settle(text).1, 3);
}

#[test]
fn an_aliased_parameter_that_is_returned_in_its_place_needs_no_copy() {
    let text = "HloModule m, input_output_alias={ {0}: (0, {}) }

ENTRY e {
  p = f32[8] parameter(0)
  n = f32[8] negate(p)
  ROOT t = (f32[8], f32[8]) tuple(p, n)
}
";
    assert_eq!(settle(text).1, 0);
}

#[test]
fn a_chain_of_updates_of_a_parameter_copies_it_once() {
    let text = "HloModule m

ENTRY e {
  p = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  d1 = f32[8] dynamic-update-slice(p, u, i)
  d2 = f32[8] dynamic-update-slice(d1, u, i)
  ROOT d3 = f32[8] dynamic-update-slice(d2, u, i)
}
";
    let (module, copies) = settle(text);
    assert_eq!(copies, 1);
    assert_eq!(operands(&module, "d2")[0], "d1");
}

#[test]
fn an_update_of_a_value_with_a_later_reader_keeps_its_copy() {
    let text = |then: &str| {
        format!(
            "HloModule m, is_scheduled=true\n\nENTRY e {{\n  p = f32[8] parameter(0)\n  u = f32[2] \
             parameter(1)\n  i = s32[] parameter(2)\n  n = f32[8] negate(p)\n  c = f32[8] copy(n)\n  d = \
             f32[8] dynamic-update-slice(c, u, i)\n  ROOT r = f32[8] add({then})\n}}\n"
        )
    };
    let mut module = read(&text("d, n"));
    let report = remove(&mut module, Platform::Cpu).unwrap();
    assert!(!report.changed);
    assert_eq!(kept(&report), [&Kept::Overlap { first: "n".into(), second: "d".into() }]);
    let mut module = read(&text("d, d"));
    assert!(remove(&mut module, Platform::Cpu).unwrap().changed);
    assert_eq!(operands(&module, "d")[0], "n");
}

#[test]
fn a_fusion_that_updates_two_operands_in_place_needs_no_copies_of_fresh_ones() {
    let text = "HloModule m

f {
  fa = f32[8] parameter(0)
  fb = f32[8] parameter(1)
  fu = f32[2] parameter(2)
  fi = s32[] parameter(3)
  d1 = f32[8] dynamic-update-slice(fa, fu, fi)
  d2 = f32[8] dynamic-update-slice(fb, fu, fi)
  ROOT ft = (f32[8], f32[8]) tuple(d1, d2)
}

ENTRY e {
  p = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  a = f32[8] negate(p)
  b = f32[8] abs(p)
  ROOT x = (f32[8], f32[8]) fusion(a, b, u, i), kind=kLoop, calls=f
}
";
    assert_eq!(settle(text).1, 0);
    assert_eq!(settle(&text.replace("b = f32[8] abs(p)", "b = f32[8] abs(a)")).1, 0);
    let (_, copies) = settle(&text.replace("fusion(a, b,", "fusion(a, p,"));
    assert_eq!(copies, 1, "the parameter is not ours");
}

#[test]
fn a_copy_to_another_memory_space_or_layout_stays() {
    let text = |shape: &str| {
        format!(
            "HloModule m, is_scheduled=true\n\nENTRY e {{\n  p = f32[8,2]{{1,0}} parameter(0)\n  n = \
             f32[8,2]{{1,0}} negate(p)\n  c = f32[8,2]{shape} copy(n)\n  ROOT r = f32[8,2]{{1,0}} \
             negate(c)\n}}\n"
        )
    };
    for (shape, why) in [("{1,0:S(5)}", Kept::Space { from: 0, to: 5 }), ("{0,1}", Kept::Layout)] {
        let mut module = read(&text(shape));
        let report = remove(&mut module, Platform::Cpu).unwrap();
        assert_eq!((report.changed, kept(&report)), (false, vec![&why]));
    }
    let mut module = read(&text("{1,0}"));
    let report = remove(&mut module, Platform::Cpu).unwrap();
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["`c` is gone, its users take `n` (64 bytes)"]);
    assert_eq!(Measures::of(&module).copies, 0);
}

#[test]
fn copies_of_copies_go_to_a_fixpoint() {
    let text = "HloModule m, is_scheduled=true

ENTRY e {
  p = f32[8] parameter(0)
  c1 = f32[8] copy(p)
  c2 = f32[8] copy(c1)
  c3 = f32[8] copy(c2)
  ROOT r = f32[8] negate(c3)
}
";
    let mut module = read(text);
    let report = remove(&mut module, Platform::Cpu).unwrap();
    assert_eq!(report.notes.len(), 3);
    assert_eq!(operands(&module, "r"), ["p"]);
    check(&module);
}

#[test]
fn control_edges_outlive_a_copy() {
    let text = "HloModule m

ENTRY e {
  p = f32[8] parameter(0)
  a = f32[8] negate(p)
  c = f32[8] copy(a)
  b = f32[8] abs(p), control-predecessors={c}
  r = f32[8] negate(c)
  ROOT t = (f32[8], f32[8]) tuple(b, r)
}
";
    let mut module = read(text);
    assert!(remove(&mut module, Platform::Cpu).unwrap().changed);
    let (a, b) = (id(&module, "a"), id(&module, "b"));
    assert_eq!(module.instructions[b].control_predecessors(), [a]);
}

#[test]
fn a_copy_inside_of_a_fusion_is_not_looked_at() {
    let text = "HloModule m, is_scheduled=true

f {
  fp = f32[8] parameter(0)
  ROOT fc = f32[8] copy(fp)
}

ENTRY e {
  p = f32[8] parameter(0)
  ROOT x = f32[8] fusion(p), kind=kLoop, calls=f
}
";
    assert_eq!(remove(&mut read(text), Platform::Cpu).unwrap(), super::super::Report::default());
}

#[test]
fn a_copy_that_runs_asynchronously_stays() {
    let text = "HloModule m, is_scheduled=true

moved {
  mp = f32[8] parameter(0)
  ROOT mc = f32[8] copy(mp)
}

ENTRY e {
  p = f32[8] parameter(0)
  n = f32[8] negate(p)
  s = ((f32[8]), f32[8]) async-start(n), calls=moved
  d = f32[8] async-done(s)
  ROOT r = f32[8] negate(d)
}
";
    let report = remove(&mut read(text), Platform::Cpu).unwrap();
    assert_eq!((report.changed, kept(&report)), (false, vec![&Kept::Asynchronous]));
}
