//! Ops that pass values on (4.1) and what counts as a use (4.2).

use super::{analyse, read, values_by};
use crate::analyze::hlo::ValueOptions;

#[test]
fn a_binary_op_has_three_values_with_their_uses() {
    let module = read(
        "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] parameter(1)\n  ROOT s = f32[2] add(a, b)\n}\n",
    );
    let all = analyse(&module);
    assert_eq!(all.values.values.len(), 3);
    assert_eq!(all.names_at("s"), ["s"]);
    assert_eq!(all.uses("a"), ["s 0"]);
    assert_eq!(all.uses("b"), ["s 1"]);
    assert_eq!(all.values.values[all.born("a")].size, 8);
    assert!(all.uses("s").is_empty() && all.phis().is_empty());
}

#[test]
fn an_operand_in_two_slots_is_two_uses() {
    let module =
        read("HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  ROOT s = f32[2] add(a, a)\n}\n");
    assert_eq!(analyse(&module).uses("a"), ["s 0", "s 1"]);
}

#[test]
fn elements_pass_through_tuples_and_only_the_table_is_new() {
    let module = read(
        "HloModule m
ENTRY e {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  t = (f32[2], f32[2]) tuple(a, b)
  n = ((f32[2], f32[2]), f32[2]) tuple(t, a)
  in = (f32[2], f32[2]) get-tuple-element(n), index=0
  g = f32[2] get-tuple-element(in), index=1
  ROOT s = f32[2] add(g, a)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.values.values.len(), 5, "a, b, two tables, s");
    assert_eq!(all.names_at("n{0}"), ["t{}"]);
    assert_eq!(all.names_at("n{0,1}"), ["b"]);
    assert_eq!(all.names_at("g"), ["b"]);
    assert_eq!(all.positions("t{}"), ["in{}", "n{0}", "t{}"]);
    assert_eq!(all.positions("a"), ["a", "in{0}", "n{0,0}", "n{1}", "t{0}"]);
    assert_eq!(all.uses("n{}"), ["in 0"]);
    assert_eq!(all.uses("t{}"), ["g 0"], "taking an element reads the table");
    assert_eq!(all.uses("b"), ["s 0"], "neither tuples nor takers use elements");
    assert_eq!(all.values.values[all.born("n{}")].size, 16, "two pointers");
}

#[test]
fn a_tuple_at_the_root_is_a_use_and_one_inside_is_none() {
    let module = read(
        "HloModule m
ENTRY e {
  a = f32[2] parameter(0)
  t = (f32[2]) tuple(a)
  ROOT r = ((f32[2]), f32[2]) tuple(t, a)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.uses("a"), ["r 0{0}", "r 1"]);
    assert_eq!(all.uses("t{}"), ["r 0"]);
}

#[test]
fn bitcasts_forward_unless_they_are_told_to_define() {
    let module = read(
        "HloModule m\nENTRY e {\n  a = f32[4] parameter(0)\n  b = f32[2,2] bitcast(a)\n  ROOT s = f32[2,2] negate(b)\n}\n",
    );
    let all = analyse(&module);
    assert_eq!(all.names_at("b"), ["a"]);
    assert_eq!(all.uses("a"), ["b 0", "s 0"]);
    let defines =
        values_by(&module, ValueOptions { bitcast_defines: true, ..ValueOptions::default() });
    let (b, top) = super::node(&module, "b");
    let own = defines.unique(b, &top).expect("one value");
    assert_eq!(defines.name(&module, own), "b");
}

#[test]
fn a_copy_of_a_tuple_copies_the_table_only() {
    let module = read(
        "HloModule m
ENTRY e {
  p = (f32[2], (f32[3])) parameter(0)
  c = (f32[2], (f32[3])) copy(p)
  ROOT g = f32[2] get-tuple-element(c), index=0
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.names_at("c{}"), ["c{}"]);
    assert_eq!(all.names_at("c{0}"), ["p{0}"]);
    assert_eq!(all.names_at("c{1}"), ["p{1}"]);
    assert_eq!(all.names_at("c{1,0}"), ["p{1,0}"]);
    assert_eq!(all.uses("p{}"), ["c 0"]);
    assert!(all.uses("p{0}").is_empty(), "a shallow copy reads the table alone");
    assert_eq!(all.values.values.len(), 5);
}

#[test]
fn barriers_domains_and_dependencies_forward_all_nodes() {
    let module = read(
        "HloModule m
ENTRY e {
  p = (f32[2], f32[3]) parameter(0)
  k = token[] after-all()
  o = (f32[2], f32[3]) opt-barrier(p)
  d = (f32[2], f32[3]) domain(o), domain={kind=\"sharding\", entry={replicated}, exit={maximal device=0}}
  x = (f32[2], f32[3]) add-dependency(d, k)
  ROOT g = f32[3] get-tuple-element(x), index=1
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.values.values.len(), 4, "three nodes of p, one token");
    assert_eq!(all.positions("p{1}"), ["d{1}", "g", "o{1}", "p{1}", "x{1}"]);
    assert_eq!(all.uses("p{1}"), ["o 0{1}", "x 0{1}"], "a domain is no use");
    assert_eq!(all.uses("k"), ["x 1"]);
}

#[test]
fn a_domain_at_the_root_is_a_use() {
    let module = read(
        "HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT d = f32[2] domain(p), domain={kind=\"sharding\", entry={replicated}, exit={replicated}}\n}\n",
    );
    assert_eq!(analyse(&module).uses("p"), ["d 0"]);
}

#[test]
fn every_node_of_an_op_without_a_rule_is_a_value() {
    let module = read(
        "HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  ROOT c = (f32[2], (s32[], token[])) custom-call(p), custom_call_target=\"f\"
}
",
    );
    let all = analyse(&module);
    for node in ["c{}", "c{0}", "c{1}", "c{1,0}", "c{1,1}"] {
        assert_eq!(all.names_at(node), [node]);
    }
    assert_eq!(all.values.values[all.born("c{1,1}")].size, 0, "a token has no bytes");
}

#[test]
fn fused_computations_have_values_only_on_demand() {
    let module = read(
        "HloModule m
f {
  x = f32[2] parameter(0)
  ROOT n = f32[2] negate(x)
}
ENTRY e {
  p = f32[2] parameter(0)
  ROOT r = f32[2] fusion(p), kind=kLoop, calls=f
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.values.values.len(), 2);
    assert!(all.names_at("n").is_empty());
    let inside = values_by(
        &module,
        ValueOptions { phis: false, bitcast_defines: true, include_fused: true },
    );
    assert_eq!(inside.values.len(), 4, "a fused parameter is a value of its own");
}

#[test]
fn values_are_numbered_by_computation_post_order_and_node() {
    let module = read(
        "HloModule m
ENTRY e {
  late = f32[2] constant({1, 2})
  q = f32[2] parameter(1)
  p = (f32[2], f32[2]) parameter(0)
  a = f32[2] negate(late)
  b = f32[2] negate(q), control-predecessors={a}
  ROOT r = f32[2] add(b, q)
}
",
    );
    let all = analyse(&module);
    let names: Vec<_> = all.values.values.ids().map(|id| all.values.name(&module, id)).collect();
    // p has no user and comes first; b waits for a before its operand.
    assert_eq!(names, ["p{}", "p{0}", "p{1}", "late", "a", "q", "b", "r"]);
}
