//! When values are alive (7): the table of 7.5.

use super::{OPTIONS, analyse, read};
use crate::analyze::hlo::{Analysis, Options, peak_moment};
use crate::diag::Code;

const HEAD: &str = "HloModule m, is_scheduled=true
ENTRY e {
  A = f32[] parameter(0)
  X = f32[4] parameter(1)
";

#[test]
fn parameters_live_to_the_end_and_so_does_the_root() {
    let module = read(&format!("{HEAD}  ROOT mul = f32[4] multiply(X, X)\n}}\n"));
    let all = analyse(&module);
    assert_eq!(all.range("A"), (0, 3));
    assert_eq!(all.range("X"), (0, 3));
    assert_eq!(all.range("mul"), (2, 3));
    assert_eq!(all.ranges.end, 3);
}

const SUM: &str = "  mul = f32[4] multiply(X, X)
  Y = f32[4] parameter(2)
";

#[test]
fn a_value_lives_to_its_last_use() {
    let module = read(&format!("{HEAD}{SUM}  ROOT add = f32[4] add(mul, Y)\n}}\n"));
    let all = analyse(&module);
    for parameter in ["A", "X", "Y"] {
        assert_eq!(all.range(parameter), (0, 5));
    }
    assert_eq!(all.range("mul"), (2, 4));
    assert_eq!(all.range("add"), (4, 5));
}

const TUPLE: &str = "  add = f32[4] add(mul, Y)
  ROOT tuple = (f32[4], f32[4]) tuple(mul, add)
";

#[test]
fn what_a_root_tuple_holds_lives_to_the_end() {
    let module = read(&format!("{HEAD}{SUM}{TUPLE}}}\n"));
    let all = analyse(&module);
    assert_eq!(all.range("A"), (0, 6));
    assert_eq!(all.range("mul"), (2, 6));
    assert_eq!(all.range("add"), (4, 6));
}

#[test]
fn instructions_after_the_root_have_times() {
    let module = read(&format!("{HEAD}{SUM}{TUPLE}  add2 = f32[4] add(mul, Y)\n}}\n"));
    let all = analyse(&module);
    assert_eq!(all.range("A"), (0, 7));
    assert_eq!(all.range("mul"), (2, 7));
    assert_eq!(all.range("add"), (4, 7));
    assert_eq!(all.range("tuple{}"), (5, 7));
    assert_eq!(all.range("add2"), (6, 6));
}

#[test]
fn a_parameter_that_an_output_takes_dies_at_its_last_use() {
    let text = format!("{HEAD}  mul = f32[4] multiply(A, X)\n  Y = f32[4] parameter(2)\n  ROOT add = f32[4] add(mul, Y)\n}}\n")
        .replace("A = f32[]", "A = f32[4]")
        .replace("is_scheduled=true", "is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }");
    let module = read(&text);
    let all = analyse(&module);
    assert_eq!(all.range("A"), (0, 2));
    assert_eq!(all.range("X"), (0, 5));
    assert_eq!(all.range("Y"), (0, 5));
    assert_eq!(all.range("mul"), (2, 4));
    assert_eq!(all.range("add"), (4, 5));
}

#[test]
fn the_state_of_a_loop_is_handed_on_without_gaps() {
    let module = read(
        "HloModule m, is_scheduled=true
cond {
  pc = (f32[8], s32[]) parameter(0)
  ic = s32[] get-tuple-element(pc), index=1
  k = s32[] constant(9)
  ROOT lt = pred[] compare(ic, k), direction=LT
}
body {
  pb = (f32[8], s32[]) parameter(0)
  data = f32[8] get-tuple-element(pb), index=0
  ib = s32[] get-tuple-element(pb), index=1
  one = s32[] constant(1)
  next = s32[] add(ib, one)
  ROOT rb = (f32[8], s32[]) tuple(data, next)
}
ENTRY e {
  iter = s32[] constant(0)
  init = f32[8] constant({0, 0, 0, 0, 0, 0, 0, 0})
  t = (f32[8], s32[]) tuple(init, iter)
  ROOT w = (f32[8], s32[]) while(t), condition=cond, body=body
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.range("iter").1, all.range("pc{1}").0);
    assert_eq!(all.range("pc{1}").1, all.range("pb{1}").0);
    assert_eq!(all.range("pb{1}").1, all.range("next").0);
    assert_eq!(all.range("next").1, all.range("w{1}").0);
    assert_eq!(all.time("pc"), 3, "the condition, then the body, then the loop itself");
    assert_eq!((all.time("pb"), all.time("w")), (7, 13));
}

#[test]
fn the_same_text_gives_the_same_ranges() {
    let module = read(&format!("{HEAD}{SUM}{TUPLE}}}\n"));
    let first = analyse(&module).ranges;
    assert!((0..20).all(|_| analyse(&module).ranges == first));
}

const ASYNC: &str = "HloModule m, is_scheduled=true
called {
  c_a = f32[8] parameter(0)
  c_b = f32[8] parameter(1)
  negate_2 = f32[8] negate(c_a)
  negate_3 = f32[8] negate(c_b)
  ROOT sum = f32[8] add(negate_2, negate_3)
}
wrapped {
  w_a = f32[8] parameter(0)
  w_b = f32[8] parameter(1)
  ROOT call = f32[8] call(w_a, w_b), to_apply=called
}
ENTRY e {
  a = f32[8] parameter(0)
  b = f32[8] parameter(1)
  negate_0 = f32[8] negate(a)
  negate_1 = f32[8] negate(b)
  start = ((f32[8], f32[8]), f32[8], s32[]) async-start(negate_0, negate_1), calls=wrapped
  add_0 = f32[8] add(a, b)
  done = f32[8] async-done(start), calls=wrapped
  ROOT add_1 = f32[8] add(add_0, done)
}
";

#[test]
fn values_inside_an_asynchronous_computation_live_until_it_is_done() {
    let module = read(ASYNC);
    let all = analyse(&module);
    assert_eq!(all.ranges.end, 16);
    assert_eq!((all.range("a"), all.range("b")), ((0, 16), (0, 16)));
    assert_eq!((all.range("negate_0"), all.range("negate_1")), ((2, 14), (3, 14)));
    assert_eq!((all.range("negate_2"), all.range("negate_3")), ((8, 14), (9, 14)));
    assert_eq!(all.range("sum"), (10, 15));
    assert_eq!(all.range("add_0"), (13, 15));
    assert_eq!(all.range("add_1"), (15, 16));
}

#[test]
fn newer_xla_starts_them_where_the_asynchronous_computation_starts() {
    let module = read(ASYNC);
    let options = Options { async_start_extension: true, ..OPTIONS };
    let all = Analysis::text(&module, options).expect("an analysis");
    assert_eq!(all.range("negate_3").0, all.time("w_a"));
    assert_eq!(analyse(&module).range("negate_3").0, all.time("negate_3"));
    assert_eq!(all.range("add_0"), (13, 15), "what is outside stays");
}

/// Links after the start: each names the shapes of what it binds and the result.
fn late(links: &str) -> String {
    format!(
        "HloModule m, is_scheduled=true
inner {{
  inner_param = f32[4] parameter(0)
  ROOT inner_negate = f32[4] negate(inner_param)
}}
callee {{
  callee_a = f32[4] parameter(0)
  callee_b = f32[4] parameter(1)
  ROOT call = f32[4] call(callee_a), to_apply=inner
}}
ENTRY e {{
  a0 = f32[4] parameter(0)
  negate_0 = f32[4] negate(a0)
  start = ((f32[4]), ()) async-start(negate_0), calls=callee
  negate_1 = f32[4] negate(a0)
{links}
  ROOT add = f32[4] add(done, a0)
}}
"
    )
}

#[test]
fn an_asynchronous_computation_runs_at_the_first_link_that_has_all_operands() {
    let module = read(&late(
        "  update = ((f32[4], f32[4]), f32[4]) async-update(start, negate_1), calls=callee
  done = f32[4] async-done(update), calls=callee",
    ));
    let all = analyse(&module);
    let times = ["negate_1", "callee_a", "callee_b", "inner_param", "call", "update", "done"];
    assert_eq!(times.map(|name| all.time(name)), [3, 4, 5, 6, 8, 9, 10]);
    assert_eq!(all.range("negate_0"), (1, 10), "the links keep what they bound");
    assert_eq!(all.range("inner_negate"), (7, 11));
}

#[test]
fn an_update_that_binds_too_little_runs_nothing() {
    let text = late(
        "  negate_2 = f32[4] negate(a0)
  update1 = ((f32[4], f32[4]), ()) async-update(start, negate_1), calls=callee
  update2 = ((f32[4], f32[4], f32[4]), f32[4]) async-update(update1, negate_2), calls=callee
  done = f32[4] async-done(update2), calls=callee",
    );
    let module = read(&text.replace(
        "  callee_b = f32[4] parameter(1)\n",
        "  callee_b = f32[4] parameter(1)\n  callee_c = f32[4] parameter(2)\n",
    ));
    let all = analyse(&module);
    let times = ["update1", "callee_a", "call", "update2", "done"];
    assert_eq!(times.map(|name| all.time(name)), [5, 6, 11, 12, 13]);
}

#[test]
fn a_result_that_is_bound_late_runs_the_computation_late() {
    let module = read(&late(
        "  update1 = ((f32[4], f32[4]), ()) async-update(start, negate_1), calls=callee
  update2 = ((f32[4], f32[4]), f32[4]) async-update(update1), calls=callee
  done = f32[4] async-done(update2), calls=callee",
    ));
    let all = analyse(&module);
    let times = ["update1", "callee_a", "call", "update2", "done"];
    assert_eq!(times.map(|name| all.time(name)), [4, 5, 9, 10, 11]);
    assert_eq!(all.positions("inner_negate"), ["call", "done", "inner_negate", "update2{1}"]);
}

#[test]
fn what_is_bound_at_the_done_runs_just_before_it() {
    let module = read(&late("  done = f32[4] async-done(start, negate_1), calls=callee"));
    let all = analyse(&module);
    assert_eq!(["callee_a", "call", "done"].map(|name| all.time(name)), [4, 8, 9]);
    assert_eq!(all.names_at("callee_b"), ["negate_1"]);
    assert_eq!(all.names_at("done"), ["inner_negate"]);
}

#[test]
fn what_a_call_takes_dies_inside_it() {
    let module = read(
        "HloModule m, is_scheduled=true
inner {
  c = f32[8] parameter(0)
  ROOT n = f32[8] negate(c)
}
ENTRY main {
  a = f32[8] parameter(0)
  b = f32[8] add(a, a)
  call = f32[8] call(b), to_apply=inner
  d = f32[8] add(call, a)
  ROOT e = f32[8] add(call, d)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.range("a"), (0, 7));
    assert_eq!(all.range("b"), (1, 3));
    assert_eq!(all.range("n"), (3, 6));
    assert_eq!(all.range("d"), (5, 6));
    assert_eq!(all.range("e"), (6, 7));
}

#[test]
fn a_computation_that_is_called_twice_is_flattened_once() {
    let module = read(
        "HloModule m, is_scheduled=true
inner {
  c = f32[8] parameter(0)
  ROOT n = f32[8] negate(c)
}
ENTRY e {
  a = f32[8] parameter(0)
  x = f32[8] call(a), to_apply=inner
  ROOT y = f32[8] call(x), to_apply=inner
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.ranges.end, 5);
    assert_eq!(["a", "c", "n", "x", "y"].map(|name| all.time(name)), [0, 1, 2, 3, 4]);
}

#[test]
fn constants_that_are_tuples_have_ranges() {
    let module = read(
        "HloModule m, is_scheduled=true\nENTRY e {\n  k = (f32[], f32[]) constant((1, 2))\n  ROOT g = f32[] get-tuple-element(k), index=0\n}\n",
    );
    let all = analyse(&module);
    assert_eq!(all.range("k{}"), (0, 1));
    assert_eq!(all.range("k{0}"), (0, 2));
    assert_eq!(all.range("k{1}"), (0, 0));
}

#[test]
fn a_dimension_without_a_bound_leaves_the_peak_open() {
    let module = read(
        "HloModule m, is_scheduled=true\nENTRY e {\n  p = f32[?,4] parameter(0)\n  q = f32[<=8,4] parameter(1)\n  ROOT n = f32[?,4] negate(p)\n}\n",
    );
    let all = analyse(&module);
    assert_eq!(all.range("p"), (0, 3));
    assert_eq!(peak_moment(&all), None);
    assert!(!all.values.values[all.born("p")].bounded);
    let bounded = &all.values.values[all.born("q")];
    assert!(bounded.bounded && bounded.size == 128, "a bound counts as the size");
}

#[test]
fn the_page_about_dimensions_without_a_bound_shows_one() {
    let page = Code::HloUnbounded.page();
    let example = page.split_once("```hlo\n").and_then(|(_, rest)| rest.split_once("```"));
    let module = read(example.expect("an example").0);
    let error = analyse(&module).sized().expect_err("an error");
    assert_eq!(error.code, Code::HloUnbounded);
    assert!(error.message.starts_with("`x` has"), "{}", error.message);
    let bounded = read("HloModule m\nENTRY e {\n  ROOT a = f32[<=4] parameter(0)\n}\n");
    assert_eq!(analyse(&bounded).sized(), Ok(()));
}

#[test]
fn text_without_a_schedule_may_use_values_before_it_makes_them() {
    let module = read(
        "HloModule m\nENTRY e {\n  ROOT s = f32[2] add(n, a)\n  n = f32[2] negate(a)\n  a = f32[2] parameter(0)\n}\n",
    );
    let all = analyse(&module);
    assert_eq!(["a", "n", "s"].map(|name| all.time(name)), [0, 1, 2]);
    assert_eq!(all.range("n"), (1, 2));
}

#[test]
fn branches_in_an_asynchronous_computation_live_until_it_is_done() {
    let module = read(
        "HloModule m, is_scheduled=true
yes {
  x = f32[2] parameter(0)
  ny = f32[2] negate(x)
  ROOT ey = f32[2] exponential(ny)
}
no {
  ROOT y = f32[2] parameter(0)
}
work {
  c = pred[] parameter(0)
  v = f32[2] parameter(1)
  ROOT r = f32[2] conditional(c, v, v), true_computation=yes, false_computation=no
}
ENTRY e {
  pc = pred[] parameter(0)
  pv = f32[2] parameter(1)
  s = ((pred[], f32[2]), f32[2]) async-start(pc, pv), calls=work
  n = f32[2] negate(pv)
  d = f32[2] async-done(s), calls=work
  ROOT out = f32[2] add(n, d)
}
",
    );
    let all = analyse(&module);
    assert!(all.range("ny").1 >= all.time("d"));
    assert_eq!(all.time("x"), 4);
    assert_eq!(all.ranges.end, 13);
}

#[test]
fn a_branch_starts_where_it_is_called() {
    let module = read(
        "HloModule m, is_scheduled=true
yes {
  x = f32[2] parameter(0)
  ROOT ny = f32[2] negate(x)
}
no {
  y = f32[2] parameter(0)
  ROOT nn = f32[2] exponential(y)
}
ENTRY e {
  c = pred[] parameter(0)
  p = f32[2] parameter(1)
  q = f32[2] negate(p)
  ROOT r = f32[2] conditional(c, p, q), branch_computations={yes, no}
}
",
    );
    let all = analyse(&module);
    assert_eq!(["x", "ny", "y", "nn", "r"].map(|name| all.time(name)), [3, 4, 5, 6, 7]);
    // One group: each ends where the next begins, the first at the end of its branch.
    assert_eq!(all.range("ny"), (4, 5));
    assert_eq!(all.range("nn"), (6, 7));
    assert_eq!(all.range("r"), (7, 8));
    assert_eq!(all.range("q"), (2, 7));
}
