//! Values that must be the same bytes (6).

use super::{analyse, read, refused};
use crate::diag::Code;

#[test]
fn values_without_a_reason_to_meet_are_groups_of_their_own() {
    let module = read(
        "HloModule m\nENTRY e {\n  c1 = f32[] constant(1)\n  c2 = f32[] constant(2)\n  ROOT a = f32[] add(c1, c2)\n}\n",
    );
    let all = analyse(&module);
    assert_eq!(all.groups.groups.len(), 3);
    assert!(all.groups.groups.iter().all(|group| group.len() == 1));
    assert_eq!(all.group("a"), ["a"]);
    let live_out: Vec<_> = all.groups.live_out.iter().copied().collect();
    assert_eq!(live_out, [false, false, true]);
}

#[test]
fn elements_of_a_tuple_stay_apart() {
    let module = read(
        "HloModule m
ENTRY e {
  p0 = f32[] parameter(0)
  p1 = f32[] parameter(1)
  t = (f32[], f32[]) tuple(p0, p1)
  g0 = f32[] get-tuple-element(t), index=0
  g1 = f32[] get-tuple-element(t), index=1
  ROOT a = f32[] add(g0, g1)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.groups.groups.len(), 4);
    assert_eq!(all.positions("p0"), ["g0", "p0", "t{0}"]);
    assert_ne!(all.groups_at("t{0}"), all.groups_at("t{1}"));
    assert_eq!(all.groups_at("t{0}"), all.groups_at("p0"));
}

#[test]
fn an_element_returned_twice_is_one_group_at_two_nodes() {
    let module = read(
        "HloModule m
ENTRY e {
  p0 = f32[] parameter(0)
  p1 = f32[] parameter(1)
  ROOT t = (f32[], f32[], f32[]) tuple(p0, p1, p0)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.groups_at("t{0}"), all.groups_at("t{2}"));
    assert_eq!(all.groups_at("t{0}").len(), 1, "distinct or not, it is not ambiguous");
    assert!(all.groups.live_out.iter().all(|&out| out));
}

fn negated(header: &str, root: &str) -> String {
    format!(
        "HloModule m, {header}
ENTRY e {{
  p = (f32[], f32[]) parameter(0)
  g0 = f32[] get-tuple-element(p), index=0
  g1 = f32[] get-tuple-element(p), index=1
  n0 = f32[] negate(g0)
  n1 = f32[] negate(g1)
  ROOT out = (f32[], f32[]) tuple({root})
}}
"
    )
}

#[test]
fn an_output_lies_on_the_parameter_that_it_is_aliased_with() {
    let aliases = "input_output_alias={ {0}: (0, {0}, may-alias), {1}: (0, {1}, may-alias) }";
    let module = read(&negated(aliases, "n0, n1"));
    let all = analyse(&module);
    assert_eq!(all.groups_at("g0"), all.groups_at("out{0}"));
    assert_eq!(all.groups_at("g1"), all.groups_at("out{1}"));
    assert_ne!(all.groups_at("g0"), all.groups_at("g1"));
}

#[test]
fn outputs_that_are_swapped_onto_their_parameters_are_all_the_same_bytes() {
    let aliases = "input_output_alias={ {0}: (0, {1}, may-alias), {1}: (0, {0}, may-alias) }";
    let module = read(&negated(aliases, "g0, g1"));
    let all = analyse(&module);
    assert_eq!(all.group("p{0}"), ["p{0}", "p{1}"]);
}

#[test]
fn an_alias_that_the_entry_does_not_allow_is_refused() {
    use crate::analyze::hlo::{Groups, ValueOptions};
    use crate::ir::hlo::ShapeIndex;
    // The reader refuses these texts; the analysis stands on its own.
    let aliases = "input_output_alias={ {0}: (0, {0}, may-alias), {1}: (0, {1}, may-alias) }";
    let good = read(&negated(aliases, "n0, n1"));
    let refuses = |spoil: &dyn Fn(&mut crate::ir::hlo::Alias)| {
        let mut module = good.clone();
        spoil(&mut module.aliases[1]);
        let values = super::values_by(&module, ValueOptions::default());
        Groups::of(&module, &values).expect_err("an error")
    };
    for (error, message) in [
        (refuses(&|a| a.output = ShapeIndex::one(0)), "output {0} is aliased twice"),
        (refuses(&|a| a.output = ShapeIndex::one(2)), "the output has no node {2}"),
        (refuses(&|a| a.index = ShapeIndex::one(0)), "two outputs take parameter 0 at {0}"),
        (refuses(&|a| a.index = ShapeIndex::one(7)), "parameter 0 has no node {7}"),
        (refuses(&|a| a.parameter = 4), "parameter 4 is aliased, and the entry has 1 parameters"),
    ] {
        assert_eq!((error.code, error.message.as_str()), (Code::HloBadAlias, message));
        assert!(error.help.is_some() && !error.labels.is_empty());
    }
}

#[test]
fn a_loop_between_a_parameter_and_its_output_is_all_one_group() {
    let module = read(
        "HloModule m, input_output_alias={ {0}: (0, {0}, may-alias), {1}: (0, {1}, may-alias) }
cond {
  pc = (f32[8], f32[8]) parameter(0)
  ROOT lt = pred[] constant(true)
}
body {
  pb = (f32[8], f32[8]) parameter(0)
  b0 = f32[8] get-tuple-element(pb), index=0
  b1 = f32[8] get-tuple-element(pb), index=1
  add = f32[8] add(b0, b1)
  ROOT rb = (f32[8], f32[8]) tuple(b0, add)
}
ENTRY e {
  p = (f32[8], f32[8]) parameter(0)
  w = (f32[8], f32[8]) while(p), condition=cond, body=body
  w0 = f32[8] get-tuple-element(w), index=0
  w1 = f32[8] get-tuple-element(w), index=1
  n1 = f32[8] negate(w0)
  n2 = f32[8] negate(w1)
  ROOT out = (f32[8], f32[8]) tuple(n1, n2)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.group("w{1}"), ["add", "n2", "pb{1}", "pc{1}", "p{1}", "w{1}"]);
    let [group] = all.groups_at("w{1}")[..] else { panic!("one group") };
    let values = all.groups.groups[group].iter();
    let positions: usize = values.map(|&v| all.values.values[v].positions.len()).sum();
    assert_eq!(positions, 10);
}

#[test]
fn calls_share_no_more_than_their_values() {
    let inner = "
inner {
  s0 = f32[] parameter(0)
  s1 = f32[] parameter(1)
  ROOT add = f32[] add(s0, s1)
}
";
    let once = read(&format!(
        "HloModule m{inner}
ENTRY e {{
  c1 = f32[] constant(1)
  c2 = f32[] constant(2)
  ROOT call = f32[] call(c1, c2), to_apply=inner
}}
"
    ));
    let all = analyse(&once);
    assert_eq!(all.positions("c1"), ["c1", "s0"]);
    assert_eq!(all.positions("add"), ["add", "call"]);
    assert_eq!(all.groups.groups.len(), 3);

    let twice = read(&format!(
        "HloModule m{inner}
ENTRY e {{
  c1 = f32[] constant(1)
  c2 = f32[] constant(2)
  call1 = f32[] call(c1, c2), to_apply=inner
  ROOT call2 = f32[] call(call1, c2), to_apply=inner
}}
"
    ));
    let all = analyse(&twice);
    assert_eq!(all.positions("add"), ["add", "call1", "call2", "s0"]);
    assert_eq!(all.groups_at("s0").len(), 2, "c1 and add: ambiguous, and still two groups");
    assert_eq!(all.groups.groups.len(), 3);
}

const LOOP: &str = "
cond {
  pc = (f32[], f32[]) parameter(0)
  ROOT lt = pred[] constant(true)
}
body {
  pb = (f32[], f32[]) parameter(0)
  b0 = f32[] get-tuple-element(pb), index=0
  b1 = f32[] get-tuple-element(pb), index=1
  add = f32[] add(b0, b1)
  ROOT rb = (f32[], f32[]) tuple(b0, add)
}
";

#[test]
fn changed_loop_state_is_one_group_of_five_values() {
    let module = read(&format!(
        "HloModule m{LOOP}
ENTRY e {{
  k1 = f32[] constant(1)
  k2 = f32[] constant(2)
  t = (f32[], f32[]) tuple(k1, k2)
  ROOT w = (f32[], f32[]) while(t), condition=cond, body=body
}}
"
    ));
    let all = analyse(&module);
    let [group] = all.groups_at("w{1}")[..] else { panic!("one group") };
    assert_eq!(all.groups.groups[group].len(), 5);
    let of = |at: &str| {
        let [group] = all.groups_at(at)[..] else { panic!("one group") };
        let values = all.groups.groups[group].iter();
        values.map(|&v| all.values.values[v].positions.len()).sum::<usize>()
    };
    assert_eq!((of("w{}"), of("w{0}"), of("w{1}")), (5, 7, 8));
    assert_eq!(all.group("w{0}"), ["k1"]);
}

#[test]
fn state_reaches_the_last_of_three_loops_in_the_same_bytes() {
    let mut text = String::from("HloModule m\n");
    for at in 0..3 {
        let names = ["cond", "pc", "lt", "body", "pb", "b0", "b1", "add", "rb"];
        let renamed = names.iter().fold(LOOP.to_owned(), |text, name| {
            let found = [format!("{name} "), format!("({name})"), format!("({name},")];
            let renamed =
                [format!("{name}.{at} "), format!("({name}.{at})"), format!("({name}.{at},")];
            found.iter().zip(&renamed).fold(text, |text, (from, to)| text.replace(from, to))
        });
        text += &renamed
            .replace(" b1)", &format!(" b1.{at})"))
            .replace(" add)", &format!(" add.{at})"));
    }
    text += "ENTRY e {
  k1 = f32[] constant(1)
  k2 = f32[] constant(2)
  t = (f32[], f32[]) tuple(k1, k2)
  u = (f32[], f32[]) while(t), condition=cond.0, body=body.0
  v = (f32[], f32[]) while(u), condition=cond.1, body=body.1
  ROOT w = (f32[], f32[]) while(v), condition=cond.2, body=body.2
}
";
    let module = read(&text);
    let all = analyse(&module);
    for (last, first) in [("w{}", "t{}"), ("w{0}", "k1"), ("w{1}", "k2")] {
        assert_eq!(all.groups_at(last), all.groups_at(first));
    }
}

#[test]
fn a_rotation_makes_all_that_rotates_one_group() {
    let module = read(
        "HloModule m
cond {
  pc = (f32[], f32[], f32[]) parameter(0)
  ROOT lt = pred[] constant(true)
}
body {
  pb = (f32[], f32[], f32[]) parameter(0)
  a = f32[] get-tuple-element(pb), index=0
  b = f32[] get-tuple-element(pb), index=1
  c = f32[] get-tuple-element(pb), index=2
  ROOT rb = (f32[], f32[], f32[]) tuple(b, c, a)
}
ENTRY e {
  k1 = f32[] constant(1)
  k2 = f32[] constant(2)
  k3 = f32[] constant(3)
  t = (f32[], f32[], f32[]) tuple(k1, k2, k3)
  ROOT w = (f32[], f32[], f32[]) while(t), condition=cond, body=body
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.groups_at("k1"), all.groups_at("k3"));
    assert_eq!(all.groups.groups.len(), 3, "the tables, the predicate, the rotation");
}

#[test]
fn branches_return_into_the_conditionals_bytes() {
    let module = read(
        "HloModule m
yes {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  ROOT tn = (f32[2]) tuple(n)
}
no {
  y = f32[2] parameter(0)
  m = f32[2] exponential(y)
  ROOT tm = (f32[2]) tuple(m)
}
ENTRY e {
  c = pred[] parameter(0)
  p = f32[2] parameter(1)
  ROOT r = (f32[2]) conditional(c, p, p), branch_computations={yes, no}
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.group("r{0}"), ["m", "n", "r{0}"]);
    assert_eq!(all.group("r{}"), ["r{}", "tm{}", "tn{}"]);
    assert_eq!(all.group("p"), ["p"]);
}

#[test]
fn a_bitcast_is_the_bytes_of_its_operand() {
    let module = read(
        "HloModule m\nENTRY e {\n  k = f32[4] constant({1, 2, 3, 4})\n  ROOT b = f32[2,2] bitcast(k)\n}\n",
    );
    assert_eq!(analyse(&module).groups.groups.len(), 1);
}

#[test]
fn updates_in_place_are_the_bytes_of_what_they_update() {
    let module = read(
        "HloModule m
f {
  x0 = f32[8] parameter(0)
  x1 = f32[8] parameter(1)
  x2 = f32[8] parameter(2)
  i = s32[] parameter(3)
  u = f32[2] parameter(4)
  add = f32[8] add(x0, x0)
  d1 = f32[8] dynamic-update-slice(x1, u, i)
  d2 = f32[8] dynamic-update-slice(x2, u, i)
  ROOT out = (f32[8], f32[8], f32[8]) tuple(add, d1, d2)
}
g {
  y = f32[8] parameter(0)
  j = s32[] parameter(1)
  v = f32[2] parameter(2)
  e1 = f32[8] dynamic-update-slice(y, v, j)
  ROOT e2 = f32[8] dynamic-update-slice(e1, v, j)
}
ENTRY e {
  p = f32[8] parameter(0)
  k = s32[] constant(1)
  w = f32[2] constant({1, 2})
  c0 = f32[8] copy(p)
  c1 = f32[8] copy(p)
  c2 = f32[8] copy(p)
  c3 = f32[8] copy(p)
  dus = f32[8] dynamic-update-slice(c3, w, k)
  chained = f32[8] fusion(dus, k, w), kind=kLoop, calls=g
  ROOT fused = (f32[8], f32[8], f32[8]) fusion(c0, c1, c2, k, w), kind=kLoop, calls=f
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.group("c3"), ["c3", "dus"]);
    assert_eq!(all.group("c1"), ["c1", "fused{1}"]);
    assert_eq!(all.group("c2"), ["c2", "fused{2}"]);
    assert_eq!(all.group("c0"), ["c0"]);
    assert_eq!(all.group("chained"), ["chained"], "two updates deep is not in place");
}

#[test]
fn what_binds_late_stands_at_the_links_after_it() {
    let late = |attribute: &str| {
        format!(
            "HloModule m
work {{
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  n = f32[2] add(x, y)
  ROOT t = (f32[2]) tuple(n)
}}
ENTRY e {{
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  s = ((f32[2]), ()) async-start(p), calls=work{attribute}
  u = ((f32[2], f32[2]), (f32[2])) async-update(s, q), calls=work
  ROOT d = (f32[2]) async-done(u), calls=work
}}
"
        )
    };
    let module = read(&late(""));
    let all = analyse(&module);
    assert_eq!(all.groups_at("p"), all.groups_at("s{0,0}"));
    assert_eq!(all.groups_at("p"), all.groups_at("u{0,0}"));
    assert_eq!(all.groups_at("q"), all.groups_at("u{0,1}"));
    assert_eq!(all.groups_at("u{1,0}"), all.groups_at("d{0}"));
    assert_ne!(all.groups_at("p"), all.groups_at("d{0}"));
}

#[test]
fn an_annotated_custom_call_works_in_place() {
    let module = read(
        "HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  q = (f32[2], s32[]) parameter(1)
  ROOT c = (f32[2], s32[]) custom-call(p, q), custom_call_target=\"f\", output_to_operand_aliasing={{0}: (1, {0}), {1}: (1, {1})}
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.group("c{0}"), ["c{0}", "q{0}"]);
    assert_eq!(all.group("c{1}"), ["c{1}", "q{1}"]);
    assert_eq!(all.group("p"), ["p"]);
}

#[test]
fn a_group_is_as_large_as_its_largest_value() {
    let module = read(
        "HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  ROOT c = f32[8] custom-call(p), custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}
}
",
    );
    let all = analyse(&module);
    let [group] = all.groups_at("p")[..] else { panic!("one group") };
    assert_eq!(all.groups.size[group], 32);
}

#[test]
fn an_output_that_is_aliased_twice_in_the_text_is_refused() {
    let aliases = "input_output_alias={ {0}: (0, {0}, may-alias), {0}: (0, {1}, may-alias) }";
    let mut sources = crate::diag::Sources::default();
    let file = sources.add("test.hlo", negated(aliases, "n0, n1").as_str());
    if let Err(errors) = crate::ir::hlo::parse(&sources, file) {
        assert_eq!(errors[0].code, Code::HloBadAlias);
        return;
    }
    assert_eq!(refused(&negated(aliases, "n0, n1")).code, Code::HloBadAlias);
}
