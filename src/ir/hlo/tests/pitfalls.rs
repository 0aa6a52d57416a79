//! The pitfalls of spec 2.3, by their numbers.

use super::{instruction, module, raw};
use crate::ir::hlo::fuzz::check;
use crate::ir::hlo::{AttributeValue, Module, Opcode, Shape, Style};

/// An entry with these lines, each an instruction.
fn entry(lines: &str) -> Module {
    let text = format!("HloModule m\n\nENTRY e {{\n{lines}\n}}\n");
    assert!(check(text.as_bytes()), "{text}");
    module(&text)
}

/// The value of an attribute as written, behind an instruction of one operand.
fn kept(attribute: &str, key: &str) -> String {
    let m = entry(&format!(
        "  p = f32[4] parameter(0)\n  x = f32[4] custom-call(p), {attribute}, last=1"
    ));
    assert_eq!(raw(&m, "x", "last"), "1");
    raw(&m, "x", key).to_owned()
}

#[test]
fn p1_indices_in_comments_are_skipped_in_shapes_operands_and_the_header() {
    let m = module(
        "HloModule m, entry_computation_layout={(f32[], /*index=1*/f32[])->f32[]}
ENTRY e {
  a = (f32[], f32[], /*index=2*/f32[]) parameter(0)
  b = f32[] get-tuple-element(/*x*/a), index=0
  ROOT c = (f32[], /*index=1*/f32[]) tuple(b, /*index=1*/b)
}",
    );
    assert_eq!(m.instructions[m.root(m.entry)].operands.len(), 2);
    let Some(AttributeValue::Raw(layout)) = m.attributes.first().map(|a| &a.value) else {
        panic!()
    };
    assert_eq!(layout, "{(f32[], f32[])->f32[]}");
}

#[test]
fn p1_a_comment_sign_in_a_string_is_text() {
    assert_eq!(kept("a=\"/*x*/ // y\"", "a"), "\"/*x*/ // y\"");
}

#[test]
fn p2_strings_hold_any_sign() {
    let metadata = "{op_name=\"jit(f)/a{b}(c);\\\"x\\\"\" stack_frame_id=3}";
    assert_eq!(kept(&format!("metadata={metadata}"), "metadata"), metadata);
}

#[test]
fn p3_backend_configs_are_json_or_strings() {
    for json in [
        "{\"known_trip_count\":{\"n\":\"8\"}}",
        "{\"a\":[1,{\"b\":\"}\\\"\"}],\"c\":null}",
        "\"{\\\"a\\\": 1}\"",
    ] {
        assert_eq!(kept(&format!("backend_config={json}"), "backend_config"), json);
    }
}

#[test]
fn p4_replica_groups_of_all_styles_are_one_value() {
    for groups in [
        "mesh['axis_0'=4,'axis_1'=1] {'axis_0'}",
        "{{0,1},{2,3}}",
        "[2,4]<=[8]",
        "[2,4]<=[4,2]T(1,0)",
        "{}",
    ] {
        assert_eq!(kept(&format!("replica_groups={groups}"), "replica_groups"), groups);
    }
}

#[test]
fn p5_shardings_are_one_value() {
    for sharding in [
        "{devices=[2,1]<=[2]}",
        "{replicated}",
        "{maximal device=0}",
        "{devices=[2,2]0,1,2,3 last_tile_dim_replicate}",
        "{{replicated}, {devices=[2,1]<=[2]}}",
        "#sdy.sharding<@mesh, [{\"x\"}, {}]>",
    ] {
        assert_eq!(kept(&format!("sharding={sharding}"), "sharding"), sharding);
    }
}

#[test]
fn p6_custom_calls_carry_everything() {
    let m = module(
        "%c { ROOT p = f32[] parameter(0)
}
ENTRY e {
  p = f32[4] parameter(0)
  buffer = f32[4]{0:S(5)} custom-call(), custom_call_target=\"AllocateBuffer\"
  ROOT x = (f32[4], f32[4]) custom-call(p, buffer), custom_call_target=\"top k\", \
         output_to_operand_aliasing={{0}: (1, {}), {1}: (0, {})}, \
         operand_layout_constraints={f32[4]{0}, f32[4]{0}}, api_version=API_VERSION_TYPED_FFI, \
         called_computations={%c}
}",
    );
    let x = instruction(&m, "x");
    assert_eq!(x.custom_call_target(), Some("top k"));
    assert_eq!(x.computations("called_computations").len(), 1);
    assert_eq!(x.raw("api_version"), Some("API_VERSION_TYPED_FFI"));
    let buffer = instruction(&m, "buffer");
    assert_eq!((buffer.operands.len(), buffer.shape.memory_space()), (0, 5));
}

#[test]
fn p7_conditionals_name_branches_in_either_way() {
    for (chooser, branches) in [
        ("pred[]", "true_computation=%a, false_computation=%b"),
        ("s32[]", "branch_computations={%a, %b}"),
    ] {
        let m = module(&format!(
            "%a {{ ROOT p = f32[] parameter(0)
}}
%b {{ ROOT p = f32[] parameter(0)
}}
ENTRY e {{
  c = {chooser} parameter(0)
  x = f32[] parameter(1)
  ROOT y = f32[] conditional(c, x, x), {branches}
}}"
        ));
        let called: Vec<_> =
            instruction(&m, "y").called().map(|c| &*m.computations[c].name).collect();
        assert_eq!(called, ["a", "b"]);
    }
}

#[test]
fn p8_computations_are_found_under_every_key() {
    let m = module(
        "%b { ROOT p = f32[4] parameter(0)
}
%c { p = f32[4] parameter(0)
  ROOT t = pred[] constant(true)
}
%add { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y)
}
%ge { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = pred[] compare(x, y), direction=GE
}
ENTRY e {
  p = f32[4] parameter(0)
  zero = f32[] constant(0)
  w = f32[4] while(p), condition=%c, body=%b
  f = f32[4] fusion(w), kind=kLoop, calls=%b
  k = f32[4] call(f), to_apply=%b
  s = f32[4] select-and-scatter(k, k, zero), window={size=1}, select=%ge, scatter=%add
  ROOT r = f32[] reduce(s, zero), dimensions={0}, to_apply=%add
}",
    );
    for (name, callees) in [
        ("w", vec!["c", "b"]),
        ("f", vec!["b"]),
        ("k", vec!["b"]),
        ("s", vec!["ge", "add"]),
        ("r", vec!["add"]),
    ] {
        let called: Vec<_> =
            instruction(&m, name).called().map(|c| &*m.computations[c].name).collect();
        assert_eq!(called, callees, "{name}");
    }
    assert_eq!(raw(&m, "f", "kind"), "kLoop");
}

#[test]
fn p9_values_are_not_split_at_blanks() {
    for (key, value) in [
        ("window", "{size=1x16 pad=0_0x15_0 rhs_reversal=1x1}"),
        ("slice", "{[0:256], [1:9:2]}"),
        ("padding", "1_0x0_2_1"),
        ("dim_labels", "b01f_01io->b01f"),
        ("dimensions", "{}"),
    ] {
        assert_eq!(kept(&format!("{key}={value}"), key), value);
    }
}

#[test]
fn p10_literals_are_kept_as_written() {
    for literal in
        ["0", "true", "-inf", "nan", "(1, 2)", "{ { 1, 2 }, { 3, 4 } }", "{...}", "\"a)\"", "1e-05"]
    {
        let m = entry(&format!("  ROOT x = f32[] constant({literal}), a=1"));
        let x = instruction(&m, "x");
        assert_eq!(x.literal.as_deref(), Some(literal));
        assert!(x.operands.is_empty());
    }
    let m = entry("  ROOT x = s32[4] iota(), iota_dimension=0");
    assert!(instruction(&m, "x").operands.is_empty());
}

#[test]
fn p11_parameters_come_in_any_order() {
    let m =
        entry("  b = f32[2] parameter(1)\n  c = f32[3] parameter(2)\n  a = f32[1] parameter(0)");
    let names: Vec<_> = m.entry().parameters.iter().map(|&p| &*m.instructions[p].name).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let names: Vec<_> = m.entry().instructions.iter().map(|&p| &*m.instructions[p].name).collect();
    assert_eq!(names, ["b", "c", "a"]);
}

#[test]
fn p12_tuples_may_be_empty_and_nested() {
    let m = entry("  ROOT p = ((), ((f32[2]), f32[2], u32[]), token[], opaque[]) parameter(0)");
    let Shape::Tuple(parts) = &instruction(&m, "p").shape else { panic!("no tuple") };
    assert_eq!(parts.first(), Some(&Shape::Tuple(Vec::new())));
    assert_eq!(instruction(&m, "p").shape.leaves().len(), 5);
}

// 13: asynchronous.rs.

#[test]
fn p14_control_predecessors_are_instructions_of_the_computation() {
    let m = entry(
        "  a = f32[] parameter(0)\n  ROOT b = f32[] negate(a), control-predecessors={%a, c}\n  c = f32[] negate(a)",
    );
    let names: Vec<_> = instruction(&m, "b")
        .control_predecessors()
        .iter()
        .map(|&i| &*m.instructions[i].name)
        .collect();
    assert_eq!(names, ["a", "c"]);
}

#[test]
fn p15_small_elements_are_packed_only_where_the_layout_says_so() {
    let m = entry(
        "  a = s4[9]{0:E(4)} parameter(0)\n  b = s4[9]{0} parameter(1)\n  c = u4[9] parameter(2)",
    );
    let bytes = |name| instruction(&m, name).shape.bytes(8);
    assert_eq!((bytes("a"), bytes("b"), bytes("c")), (Some(5), Some(9), Some(9)));
}

#[test]
fn p16_without_a_root_the_last_instruction_is_it_and_a_root_may_stand_anywhere() {
    let root = |lines| {
        let m = entry(lines);
        m.instructions[m.root(m.entry)].name.clone()
    };
    assert_eq!(root("  a = f32[] parameter(0)\n  b = f32[] negate(a)"), "b");
    assert_eq!(
        root("  a = f32[] parameter(0)\n  ROOT b = f32[] negate(a)\n  c = f32[] negate(b)"),
        "b"
    );
}

#[test]
fn p17_dead_instructions_stay() {
    let m = entry("  a = f32[] parameter(0)\n  dead = f32[] negate(a)\n  ROOT b = f32[] negate(a)");
    assert_eq!(m.entry().instructions.len(), 3);
}

#[test]
fn p18_a_computation_may_be_called_from_several_places() {
    let m = module(
        "%f { ROOT p = f32[] parameter(0)
}
ENTRY e {
  a = f32[] parameter(0)
  b = f32[] call(a), to_apply=%f
  ROOT c = f32[] call(b), to_apply=%f
}",
    );
    let calls = crate::ir::hlo::Calls::of(&m).unwrap();
    assert_eq!(calls.callers.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0]);
}

#[test]
fn p19_domains_keep_their_sides() {
    let m = entry(
        "  a = f32[] parameter(0)\n  ROOT b = f32[] domain(a), domain={kind=\"sharding\", entry={maximal device=0}, exit={replicated}}",
    );
    assert_eq!(
        raw(&m, "b", "domain"),
        "{kind=\"sharding\", entry={maximal device=0}, exit={replicated}}"
    );
}

#[test]
fn p20_the_signature_is_ignored() {
    let m = module(
        "ENTRY %e (%other: f32[9], q: (f32[2]{0}, /*index=1*/s32[])) -> ((f32[4]{0:S(1)}), f32[]) {
  ROOT %p = f32[4]{0} parameter(0)
}",
    );
    assert_eq!(instruction(&m, "p").shape.to_string(), "f32[4]{0}");
}

#[test]
fn p21_line_comments_may_stand_anywhere() {
    let m = module(
        "// before
HloModule m // here
// there
ENTRY e { // e
  a = f32[] parameter(0) // a = f32[] add(b)
  // between
  ROOT b = f32[] negate(a), x=y // last
} // end
// after",
    );
    assert_eq!(raw(&m, "b", "x"), "y");
}

#[test]
fn p22_an_instruction_may_be_wrapped() {
    let m = entry(
        "  a = f32[4]
     parameter(0)
  ROOT b = (f32[4],
            f32[4]) custom-call(a,
      a),
    custom_call_target=\"t\",
    groups=mesh['x'=1]
      {'x'},
    backend_config={\"a\":
      1}
  c = f32[4] negate(a)",
    );
    assert_eq!(raw(&m, "b", "groups"), "mesh['x'=1] {'x'}");
    assert_eq!(m.entry().instructions.len(), 3);
    assert_eq!(m.instructions[m.root(m.entry)].name, "b");
}

#[test]
fn p22_several_instructions_may_share_a_line() {
    let m = module("ENTRY e { p = f32[] parameter(0), a=1 ROOT n = f32[] negate(p), b=x }");
    assert_eq!((raw(&m, "p", "a"), raw(&m, "n", "b")), ("1", "x"));
}

#[test]
fn p23_names_may_repeat_between_computations() {
    let m = module(
        "%f { ROOT p = f32[] parameter(0)
}
ENTRY e {
  p = f32[] parameter(0)
  ROOT q = f32[] call(p), to_apply=%f
}",
    );
    assert_eq!(m.instructions.iter().filter(|i| i.name == "p").count(), 2);
}

#[test]
fn p24_placements_are_frontend_attributes() {
    let value = "{_xla_buffer_placement=\"pinned_host\"}";
    assert_eq!(kept(&format!("frontend_attributes={value}"), "frontend_attributes"), value);
}

#[test]
fn a_text_may_be_in_both_styles_at_once() {
    let m = module(
        "f { p = f32[] parameter(0)
  ROOT %n = f32[] negate(p)
}
ENTRY %e (p: f32[]) -> f32[] {
  %p = f32[] parameter(0)
  ROOT q = f32[] call(f32[] %p), to_apply=f
}",
    );
    assert_eq!(m.style, Style::Long);
    let m = module("ENTRY e { p = f32[] parameter(0) }");
    assert_eq!((m.style, &*m.name), (Style::Short, "module"));
}

#[test]
fn names_may_be_words_of_the_grammar() {
    let m = entry(
        "  f32 = f32[] parameter(0)
  add = f32[] add(f32, f32)
  token = f32[] negate(add)
  ROOT = f32[] negate(f32[] token)
  ROOT ENTRY = f32[] multiply(ROOT, add)",
    );
    assert_eq!(instruction(&m, "ENTRY").opcode, Opcode::Multiply);
    assert_eq!(instruction(&m, "ROOT").operands.len(), 1);
    assert!(check(
        b"%ENTRY { ROOT %0 = f32[] parameter(0)\n}\nFileNames { a = f32[] parameter(0) }"
    ));
}

#[test]
fn unknown_opcodes_and_attributes_are_kept() {
    let m =
        entry("  a = f32[2] parameter(0)\n  ROOT b = f32[2] ragged-dot(a, a), what.ever-1=<a b> c");
    assert_eq!(instruction(&m, "b").opcode, Opcode::Other("ragged-dot".into()));
    assert_eq!(raw(&m, "b", "what.ever-1"), "<a b> c");
}

#[test]
fn an_entry_without_a_name_and_lines_of_windows_are_read() {
    let m = module("HloModule m\r\n\r\nENTRY {\r\n  ROOT a = f32[] parameter(0)\r\n}\r\n");
    assert_eq!(m.entry().name, "entry");
}

#[test]
fn aliases_and_donors_are_read() {
    let m = module(
        "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}), {1,0}: (1, {1}, must-alias) }, \
         buffer_donor={ (1, {0}) }, replica_count=2
ENTRY e {
  a = f32[] parameter(0)
  b = (f32[], f32[]) parameter(1)
  c = f32[] get-tuple-element(b), index=1
  d = (f32[]) tuple(c)
  ROOT r = (f32[], (f32[])) tuple(a, d)
}",
    );
    let aliases: Vec<_> = m
        .aliases
        .iter()
        .map(|a| format!("{} {} {} {:?}", a.output, a.parameter, a.index, a.kind))
        .collect();
    assert_eq!(aliases, ["{0} 0 {} May", "{1,0} 1 {1} Must"]);
    assert_eq!(m.donors.len(), 1);
    assert!(m.is_scheduled);
    assert_eq!(m.attributes.len(), 1);
}
