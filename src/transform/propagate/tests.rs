use super::super::testing::{check, id, read, space};
use super::*;
use crate::diag::Code;
use crate::ir::hlo::print;

fn main_run(module: &mut Module) -> bool {
    let report = run(module, &BTreeSet::new()).unwrap();
    check(module);
    assert_eq!(report.changed, !report.notes.is_empty());
    report.changed
}

/// The tags of an array, as notes print them.
fn tags(module: &Module, name: &str) -> String {
    Tags::of(&module.instructions[id(module, name)].shape).unwrap().to_string()
}

const PLAIN: &str = "HloModule m

f {
  fp0 = s32[6]{0} parameter(0)
  fp1 = s32[6]{0} parameter(1)
  fp2 = s32[6]{0} parameter(2)
  fa = s32[6]{0} add(fp0, fp1)
  ROOT froot = s32[6]{0} subtract(fa, fp2)
}

ENTRY e {
  p0 = s32[6]{0@0} parameter(0)
  p1 = s32[6]{0} parameter(1)
  p2 = s32[6]{0@2} parameter(2)
  ROOT x = s32[6]{0@r} fusion(p0, p1, p2), kind=kLoop, calls=f
}
";

fn plain(zero: &str, two: &str, root: &str) -> Module {
    read(&PLAIN.replace("@0", zero).replace("@2", two).replace("@r", root))
}

#[test]
fn without_memory_spaces_nothing_changes() {
    let mut module = plain("", "", "");
    let before = print(&module);
    assert!(!main_run(&mut module));
    assert_eq!(print(&module), before);
}

#[test]
fn parameters_and_root_get_the_spaces_outside() {
    let mut module = plain(":S(1)SC(0:3)", ":S(1)", ":S(1)");
    assert!(main_run(&mut module));
    assert_eq!(tags(&module, "fp0"), "S(1)SC(0:3)");
    assert_eq!(tags(&module, "fp1"), "S(0)");
    assert_eq!(tags(&module, "fp2"), "S(1)");
    assert_eq!(tags(&module, "fa"), "S(0)", "what is between is left");
    assert_eq!(tags(&module, "froot"), "S(1)");
    assert!(!main_run(&mut module), "a second run finds nothing");
}

#[test]
fn notes_name_what_changed() {
    let mut module = plain(":S(1)SC(0:3)", "", "");
    let report = run(&mut module, &BTreeSet::new()).unwrap();
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["`fp0`{} of `f`: S(0) -> S(1)SC(0:3)"]);
}

#[test]
fn spaces_inside_that_nobody_asks_for_go() {
    let text = PLAIN.replace("@0", "").replace("@2", "").replace("@r", "");
    let text = text.replace("fp0 = s32[6]{0}", "fp0 = s32[6]{0:S(5)SC(0:2)}");
    let mut module = read(&text);
    assert!(main_run(&mut module));
    assert_eq!(tags(&module, "fp0"), "S(0)");
}

#[test]
fn elements_of_a_tuple_are_propagated_one_by_one() {
    let mut module = read(
        "HloModule m

f {
  q0 = s32[6]{0} parameter(0)
  q1 = s32[6]{0} parameter(1)
  a = s32[6]{0} add(q0, q1)
  b = s32[6]{0} subtract(q0, q1)
  ROOT t = (s32[6]{0}, s32[6]{0}) tuple(a, b)
}

ENTRY e {
  p0 = s32[6]{0} parameter(0)
  p1 = s32[6]{0} parameter(1)
  ROOT x = (s32[6]{0:S(1)SC(0:3)}, s32[6]{0}) fusion(p0, p1), kind=kLoop, calls=f
}
",
    );
    assert!(main_run(&mut module));
    assert_eq!((space(&module, "t", &[0]), space(&module, "t", &[1])), (1, 0));
    assert_eq!((tags(&module, "a"), tags(&module, "b")), ("S(1)SC(0:3)".into(), "S(0)".into()));
}

#[test]
fn nested_fusions_get_what_their_operands_have() {
    let mut module = read(
        "HloModule m

inner {
  ip = s32[3,2]{0,1} parameter(0)
  ib = s32[6]{0} bitcast(ip)
  ROOT ir = s32[6]{0} negate(ib)
}

f {
  fp = s32[3,2]{0,1} parameter(0)
  fq = s32[6]{0} parameter(1)
  nested = s32[6]{0} fusion(fp), kind=kLoop, calls=inner
  ROOT fr = s32[6]{0} add(nested, fq)
}

ENTRY e {
  p0 = s32[3,2]{0,1:S(1)} parameter(0)
  p1 = s32[6]{0:S(1)} parameter(1)
  ROOT x = s32[6]{0:S(1)} fusion(p0, p1), kind=kLoop, calls=f
}
",
    );
    assert!(main_run(&mut module));
    for name in ["fp", "fq", "ip", "fr"] {
        assert_eq!(space(&module, name, &[]), 1, "{name}");
    }
    for name in ["ib", "ir", "nested"] {
        assert_eq!(space(&module, name, &[]), 0, "{name}");
    }
}

#[test]
fn a_nested_fusion_that_is_the_root_gets_the_space_outside() {
    let mut module = read(
        "HloModule m

inner {
  ip = s32[6]{0} parameter(0)
  in = s32[6]{0} negate(ip)
  ROOT ib = s32[3,2]{0,1} bitcast(in)
}

f {
  fp = s32[6]{0} parameter(0)
  fn = s32[6]{0} negate(fp)
  ROOT nested = s32[3,2]{0,1} fusion(fn), kind=kLoop, calls=inner
}

ENTRY e {
  p = s32[6]{0:S(1)} parameter(0)
  ROOT x = s32[3,2]{0,1:S(1)} fusion(p), kind=kLoop, calls=f
}
",
    );
    assert!(main_run(&mut module));
    for name in ["fp", "nested", "ib"] {
        assert_eq!(space(&module, name, &[]), 1, "{name}");
    }
    for name in ["fn", "ip", "in"] {
        assert_eq!(space(&module, name, &[]), 0, "{name}");
    }
}

#[test]
fn nothing_flows_through_a_bitcast() {
    let mut module = read(
        "HloModule m

f {
  fp = s32[6]{0} parameter(0)
  ROOT fb = s32[3,2]{0,1} bitcast(fp)
}

ENTRY e {
  p = s32[6]{0:S(1)} parameter(0)
  ROOT x = s32[3,2]{0,1} fusion(p), kind=kLoop, calls=f
}
",
    );
    assert!(main_run(&mut module));
    assert_eq!((space(&module, "fp", &[]), space(&module, "fb", &[])), (1, 0));
}

#[test]
fn one_computation_can_be_propagated_by_itself() {
    let mut module = read(
        "HloModule m

f {
  fp = (s32[6]{0:S(1)}, s32[6]{0}) parameter(0)
  fg = s32[6]{0} get-tuple-element(fp), index=0
  ROOT fn = s32[6]{0} negate(fg)
}

ENTRY e {
  p = (s32[6]{0}, s32[6]{0}) parameter(0)
  ROOT x = s32[6]{0} fusion(p), kind=kLoop, calls=f
}
",
    );
    let f = module.instructions[id(&module, "fp")].computation;
    assert!(run_on_computation(&mut module, f).unwrap().changed);
    assert_eq!((space(&module, "fp", &[0]), space(&module, "fg", &[])), (1, 1));
    assert_eq!(space(&module, "fn", &[]), 0);
    assert_eq!(space(&module, "p", &[0]), 0, "callers are not asked");
}

#[test]
fn one_computation_reaches_its_nested_fusions_and_what_its_root_is_made_of() {
    let mut module = read(
        "HloModule m

inner {
  ip = s32[6]{0} parameter(0)
  ROOT ir = s32[6]{0} negate(ip)
}

f {
  fp = s32[6]{0:S(1)} parameter(0)
  nested = s32[6]{0} fusion(fp), kind=kLoop, calls=inner
  fn = s32[6]{0} negate(nested)
  ROOT ft = (s32[6]{0:S(1)}, s32[6]{0}) tuple(fn, nested)
}

ENTRY e {
  p = s32[6]{0} parameter(0)
  ROOT x = (s32[6]{0}, s32[6]{0}) fusion(p), kind=kLoop, calls=f
}
",
    );
    let f = module.instructions[id(&module, "fp")].computation;
    assert!(run_on_computation(&mut module, f).unwrap().changed);
    assert_eq!((space(&module, "ip", &[]), space(&module, "fn", &[])), (1, 1));
    assert_eq!((space(&module, "ir", &[]), space(&module, "nested", &[])), (0, 0));
}

#[test]
fn an_update_in_place_takes_its_operand_along() {
    let mut module = read(
        "HloModule m

inner {
  ip = bf16[1,8]{1,0} parameter(0)
  big = bf16[4,8]{1,0} broadcast(ip), dimensions={0,1}
  ROOT ic = bf16[4,8]{1,0} copy(big)
}

f {
  fp = bf16[1,8]{1,0} parameter(0)
  fi = s32[] parameter(1)
  made = bf16[4,8]{1,0} fusion(fp), kind=kLoop, calls=inner
  ROOT fu = bf16[4,8]{1,0} dynamic-update-slice(made, fp, fi, fi)
}

ENTRY e {
  p = bf16[1,8]{1,0} parameter(0)
  i = s32[] parameter(1)
  ROOT x = bf16[4,8]{1,0:S(1)} fusion(p, i), kind=kLoop, calls=f
}
",
    );
    assert!(main_run(&mut module));
    for name in ["fu", "made", "ic"] {
        assert_eq!(space(&module, name, &[]), 1, "{name}");
    }
    for name in ["big", "ip", "fp"] {
        assert_eq!(space(&module, name, &[]), 0, "{name}");
    }
}

#[test]
fn forwarding_ops_carry_the_space() {
    let mut module = read(
        "HloModule m

f {
  fp = (s32[6]{0}, (s32[6]{0}, s32[6]{0})) parameter(0)
  fo = (s32[6]{0}, (s32[6]{0}, s32[6]{0})) opt-barrier(fp)
  fg = (s32[6]{0}, s32[6]{0}) get-tuple-element(fo), index=1
  fc = (s32[6]{0}, s32[6]{0}) copy(fg)
  fa = s32[6]{0} get-tuple-element(fc), index=1
  fz = s32[6]{0} get-tuple-element(fo), index=0
  ROOT ft = (s32[6]{0}, s32[6]{0}) tuple(fa, fz)
}

ENTRY e {
  p = (s32[6]{0}, (s32[6]{0}, s32[6]{0:S(1)})) parameter(0)
  ROOT x = (s32[6]{0:S(1)}, s32[6]{0}) fusion(p), kind=kLoop, calls=f
}
",
    );
    assert!(main_run(&mut module));
    for (name, index) in [
        ("fp", &[1, 1][..]),
        ("fo", &[1, 1]),
        ("fg", &[1]),
        ("fc", &[1]),
        ("fa", &[]),
        ("ft", &[0]),
    ] {
        assert_eq!(space(&module, name, index), 1, "{name}");
    }
    assert_eq!((space(&module, "fp", &[1, 0]), space(&module, "fz", &[])), (0, 0));
}

#[test]
fn threads_that_are_not_asked_for_are_left() {
    let text = "HloModule m

callee {
  cp = s32[6]{0} parameter(0)
  ROOT cn = s32[6]{0} negate(cp)
}, execution_thread=\"other\"

f {
  fp = s32[6]{0} parameter(0)
  fa = s32[6]{0} abs(fp)
  ROOT fc = s32[6]{0} call(fa), to_apply=callee
}, execution_thread=\"other\"

wrapped {
  p = s32[6]{0} parameter(0)
  ROOT x = s32[6]{0:S(1)} fusion(p), kind=kLoop, calls=f
}, execution_thread=\"other\"

ENTRY e {
  q = s32[6]{0} parameter(0)
  s = ((s32[6]{0}), s32[6]{0:S(1)}, u32[]) async-start(q), calls=wrapped, async_execution_thread=\"other\"
  ROOT d = s32[6]{0:S(1)} async-done(s)
}
";
    let mut module = read(text);
    let before = module.clone();
    let report = run(&mut module, &BTreeSet::from(["main".to_owned()])).unwrap();
    assert!(!report.changed);
    assert_eq!(module, before);
    assert!(main_run(&mut module));
    assert_eq!((space(&module, "fc", &[]), space(&module, "cn", &[])), (1, 1));
    assert_eq!((space(&module, "cp", &[]), space(&module, "fa", &[])), (0, 0));
}

#[test]
fn spaces_that_disagree_are_findings_with_the_way_inwards() {
    let text = "HloModule m

inner {
  ip = s32[6]{0} parameter(0)
  ROOT ir = s32[6]{0} negate(ip)
}

f {
  fp = s32[6]{0} parameter(0)
  ROOT nested = s32[6]{0} fusion(fp), kind=kLoop, calls=inner
}

ENTRY e {
  p = s32[6]{0:S(5)} parameter(0)
  ROOT x = s32[6]{0:S(5)} fusion(p), kind=kLoop, calls=f
}
";
    let mut module = read(text);
    let found = findings(&module);
    let codes: Vec<Code> = found.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::HloSpaceMismatch; 2]);
    assert_eq!(found[0].labels.len(), 4, "operand, fusion, parameter, nested parameter");
    assert!(found[0].message.contains("`p`{} lies in memory space 5"), "{}", found[0].message);
    assert!(found[1].message.starts_with("fusion `x`{}"), "{}", found[1].message);
    assert!(main_run(&mut module));
    assert_eq!(findings(&module), []);
}
