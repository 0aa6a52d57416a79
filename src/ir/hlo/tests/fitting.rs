//! What is said of modules whose parts do not fit each other.

use super::messages::{WHILE, entry, first, said};
use super::read;
use crate::diag::Code;

#[test]
fn operands_that_do_not_fit_are_refused() {
    let all = "  p = f32[4] parameter(0)\n  q = f32[8] parameter(1)\n  s = s32[] parameter(2)\n  t = (f32[4], s32[]) parameter(3)\n  k = token[] parameter(4)\n";
    for (line, message) in [
        ("f32[4] add(p)", "`x` has 1 operands, but `add` takes 2 operands"),
        ("f32[4] negate(p, p)", "`x` has 2 operands, but `negate` takes one operand"),
        (
            "f32[4] scatter(p, s, p, p)",
            "`x` has 4 operands, but `scatter` takes an odd number of operands",
        ),
        ("f32[4] get-tuple-element(p), index=0", "`x` takes an element of `p`, which is no tuple"),
        ("f32[4] get-tuple-element(t)", "`x` does not say which element it takes"),
        ("f32[4] get-tuple-element(t), index=2", "`t` has 2 elements: there is no element 2"),
        ("f32[4] get-tuple-element(t), index=-1", "`t` has 2 elements: there is no element -1"),
        (
            "f32[8] get-tuple-element(t), index=0",
            "the shape of `x` is f32[8], but element 0 of `t` is f32[4]",
        ),
        ("f32[4] tuple(p)", "the shape of `x` is f32[4], but `tuple` makes a tuple of 1"),
        ("(f32[4]) tuple(p, p)", "the shape of `x` is (f32[4]), but `tuple` makes a tuple of 2"),
        ("(f32[4], f32[4]) tuple(p, q)", "element 1 of `x` is f32[4], but operand 1 is f32[8]"),
        ("f32[8] copy(p)", "the shape of `x` is f32[8], but operand 0 is f32[4]"),
        ("f32[4] bitcast(t)", "the shape of `x` is f32[4], but operand 0 is (f32[4], s32[])"),
        ("f32[4] opt-barrier(q)", "the shape of `x` is f32[4], but operand 0 is f32[8]"),
        (
            "f32[4] dynamic-update-slice(q, p, s)",
            "the shape of `x` is f32[4], but operand 0 is f32[8]",
        ),
        (
            "(f32[4]) sort(p, q), dimensions={0}",
            "the shape of `x` is (f32[4]), but `sort` makes a tuple of 2",
        ),
        (
            "f32[4] copy-start(p)",
            "the shape of `x` is f32[4], but `copy-start` makes `(destination, source, context)`",
        ),
        (
            "(f32[8], f32[4], u32[]) copy-start(p)",
            "element 0 of `x` is f32[8], but operand 0 is f32[4]",
        ),
        ("f32[4] copy-done(p)", ""),
        ("f32[8] copy-done(t)", "the shape of `x` is f32[8], but element 0 of `t` is f32[4]"),
        (
            "(f32[4], f32[8]) all-gather-start(q)",
            "element 0 of `x` is f32[4], but operand 0 is f32[8]",
        ),
        ("f32[8] all-reduce-start(p)", "the shape of `x` is f32[8], but operand 0 is f32[4]"),
        ("f32[4] collective-permute-start(p)", ""),
        (
            "(f32[8], u32[], token[]) send(p, k)",
            "element 0 of `x` is f32[8], but operand 0 is f32[4]",
        ),
    ] {
        let error = entry(&format!("{all}  ROOT x = {line}"));
        assert!(
            matches!(error.code, Code::HloBadShape | Code::HloSyntax | Code::HloBadCall),
            "{line}: {error:?}"
        );
        assert!(message.is_empty() || error.message == message, "{line}: {error:?}");
    }
}

#[test]
fn layouts_and_memory_spaces_may_differ() {
    for line in [
        "f32[4]{0:S(5)} copy(p)",
        "(f32[4]{0:S(5)}) tuple(p)",
        "(f32[4]{0:S(5)}, f32[4]{0}, u32[]) copy-start(p)",
        "s32[2,2] bitcast(p)",
        "f32[2] dynamic-slice(p, s), dynamic_slice_sizes={2}",
        "f32[<=4] set-dimension-size(p, s), dimensions={0}",
        "(f32[4], s32[], f32[4], s32[]) collective-permute(p, s, p, s)",
        "s32[] collective-permute(p, s, p, s)",
    ] {
        let text = format!(
            "ENTRY e {{\n  p = f32[4]{{0}} parameter(0)\n  s = s32[] parameter(1)\n  ROOT x = {line}\n}}"
        );
        if let Err(errors) = read(&text) {
            panic!("{errors:?}\n{text}");
        }
    }
}

#[test]
fn dones_without_their_start_are_refused() {
    for line in [
        "f32[4] copy-done(n)",
        "f32[4] all-reduce-done(n)",
        "f32[4] async-done(n)",
        "f32[4] call-done(n)",
        "f32[4] all-gather-done(n)",
    ] {
        let error =
            entry(&format!("  p = f32[4] parameter(0)\n  n = f32[4] negate(p)\n  ROOT x = {line}"));
        assert_eq!(error.code, Code::HloBadCall, "{line}");
        assert!(error.message.starts_with("`x` ends what `n` should have started"), "{error:?}");
    }
}

#[test]
fn loops_that_do_not_fit_are_refused() {
    for (from, to, message) in [
        (", body=body", "", "`w` does not say what it calls"),
        ("body=body", "body={body, cond}", "`body` of `w` must name one computation"),
        (
            "pred[] constant(true)",
            "s32[] constant(1)",
            "the condition `cond` gives s32[], not pred[]",
        ),
        ("n = f32[4] negate(p)", "n = f32[8] iota()", "`body` gives f32[8], but `w` needs f32[4]"),
        (
            "cond { p = f32[4]",
            "cond { p = f32[8]",
            "parameter 0 of `cond` is f32[8], but the operand of `w` is f32[4]",
        ),
        (
            "cond { p = f32[4] parameter(0)",
            "cond { ",
            "`cond` has 0 parameters, but `w` gives it 1",
        ),
        ("w = f32[4]", "w = f32[8]", ""),
    ] {
        assert!(WHILE.contains(from));
        let error = first(&WHILE.replace(from, to));
        let expected = if message.is_empty() { Code::HloBadShape } else { Code::HloBadCall };
        assert_eq!(error.code, expected, "{error:?}");
        assert!(message.is_empty() || error.message == message, "{error:?}");
    }
}

#[test]
fn branches_calls_and_fusions_that_do_not_fit_are_refused() {
    let head = "f { a = f32[4] parameter(0) }\ng { a = f32[4] parameter(0)\n b = f32[4] parameter(1) }\nENTRY e {\n  p = f32[4] parameter(0)\n  s = s32[] parameter(1)\n  ROOT x = ";
    for (line, code, message) in [
        ("f32[4] conditional(s, p)", Code::HloBadCall, "`x` does not say what its branches are"),
        (
            "f32[4] conditional(s, p), true_computation=f",
            Code::HloBadCall,
            "`x` does not say what its branches are",
        ),
        (
            "f32[4] conditional(s, p), branch_computations={f, f}",
            Code::HloBadCall,
            "`x` has 2 branches, but 1 operands behind the first",
        ),
        (
            "f32[4] conditional(s, p), branch_computations={g}",
            Code::HloBadCall,
            "`g` has 2 parameters, but `x` gives it 1",
        ),
        (
            "f32[4] conditional(p, p), branch_computations={f}",
            Code::HloBadShape,
            "`x` chooses its branch by f32[4], not by pred[] or s32[]",
        ),
        (
            "f32[8] conditional(s, p), branch_computations={f}",
            Code::HloBadCall,
            "`f` gives f32[4], but `x` needs f32[8]",
        ),
        (
            "f32[4] call(p), to_apply=g",
            Code::HloBadCall,
            "`g` has 2 parameters, but `x` gives it 1",
        ),
        (
            "f32[4] call(s), to_apply=f",
            Code::HloBadCall,
            "parameter 0 of `f` is f32[4], but operand 0 of `x` is s32[]",
        ),
        ("f32[4] fusion(p), kind=kLoop", Code::HloBadCall, "`x` does not say what it calls"),
        (
            "f32[8] fusion(p), kind=kLoop, calls=f",
            Code::HloBadCall,
            "`f` gives f32[4], but `x` needs f32[8]",
        ),
    ] {
        let error = first(&format!("{head}{line}\n}}"));
        assert_eq!(said(&error), (code, message));
    }
}

#[test]
fn parameters_have_the_numbers_from_zero() {
    let error = entry("  a = f32[] parameter(0)\n  b = f32[] parameter(2)");
    assert_eq!(said(&error), (Code::HloBadParameter, "`e` has no parameter 1, but 2"));
    let error = entry("  a = f32[] parameter(0)\n  b = f32[] parameter(0)");
    assert_eq!(said(&error), (Code::HloBadParameter, "two parameters of `e` have the number 0"));
    assert_eq!(entry("  a = f32[] parameter(4294967295)").code, Code::HloBadParameter);
}

#[test]
fn aliases_that_the_shapes_do_not_allow_are_refused() {
    let body = "\nENTRY e {\n  p = f32[4] parameter(0)\n  q = (f32[4], f32[8]) parameter(1)\n  g = f32[4] get-tuple-element(q), index=0\n  ROOT t = (f32[4], (f32[4]), f32[4]) tuple(p, i, p)\n  i = (f32[4]) tuple(g)\n}";
    for (header, message) in [
        (
            "input_output_alias={ {3}: (0, {}) }",
            "the output is (f32[4], (f32[4]), f32[4]) and has no part {3}",
        ),
        ("input_output_alias={ {0}: (2, {}) }", "there is no parameter 2: `e` has 2"),
        (
            "input_output_alias={ {0}: (1, {2}) }",
            "parameter 1 is (f32[4], f32[8]) and has no part {2}",
        ),
        ("input_output_alias={ {1}: (0, {}) }", "the alias of output {1} is about a tuple"),
        (
            "input_output_alias={ {0}: (1, {1}) }",
            "output {0} has 16 bytes, but parameter 1 at {1} has 32",
        ),
        ("input_output_alias={ {0}: (0, {}), {0}: (1, {0}) }", "output {0} is aliased twice"),
        (
            "input_output_alias={ {0}: (0, {}), {2}: (0, {}) }",
            "two outputs are aliased with parameter 0",
        ),
        ("input_output_alias={ {0}: (0, {}, sometimes) }", "`sometimes` is no kind of alias"),
        (
            "input_output_alias={ {0}: (0, {}) }, buffer_donor={ (0, {}) }",
            "parameter 0 is a donor and has an alias",
        ),
        ("buffer_donor={ (7, {}) }", "there is no parameter 7: `e` has 2"),
    ] {
        let error = first(&format!("HloModule m, {header}\n{body}"));
        assert_eq!(said(&error), (Code::HloBadAlias, message));
    }
    let good = "HloModule m, input_output_alias={ {0}: (0, {}), {1,0}: (1, {0}) }, buffer_donor={ (1, {1}) }\n";
    assert!(read(&format!("{good}{body}")).is_ok());
}

#[test]
fn results_on_operands_that_are_not_there_are_refused() {
    for (annotation, message) in [
        ("{{0}: (0, {})}", "`x` has no output {0}"),
        ("{{}: (1, {})}", "`x` has no operand 1 at {}"),
        ("{{}: (0, {0})}", "`x` has no operand 0 at {0}"),
        ("{{}}", "`output_to_operand_aliasing` of `x` cannot be read"),
    ] {
        let error = entry(&format!(
            "  p = f32[4] parameter(0)\n  ROOT x = f32[4] custom-call(p), output_to_operand_aliasing={annotation}"
        ));
        assert_eq!(said(&error), (Code::HloBadAlias, message));
    }
}

#[test]
fn cycles_are_walked_once() {
    let error = entry(
        "  a = f32[] negate(b)\n  b = f32[] negate(c)\n  c = f32[] add(d, a)\n  d = f32[] constant(1)",
    );
    assert_eq!(error.code, Code::HloCycle);
    assert_eq!(error.labels.len(), 3);
    let error = entry("  a = f32[] constant(1), control-predecessors={a}");
    assert_eq!(said(&error), (Code::HloCycle, "`a` waits for itself"));
}

#[test]
fn only_scheduled_text_must_be_in_the_order_of_execution() {
    let text = "f { ROOT n = f32[] negate(p)\n  p = f32[] parameter(0)\n}\nENTRY e {\n  b = f32[] fusion(a), kind=kLoop, calls=f\n  a = f32[] parameter(0)\n}";
    assert!(read(text).is_ok());
    let error = first(&format!("HloModule m, is_scheduled=true\n{text}"));
    assert_eq!(error.code, Code::HloCycle);
    assert!(
        error.message.starts_with("`b` runs before `a`, which it needs"),
        "the fusion has no order: {error:?}"
    );
    let text = "HloModule m, is_scheduled=true\nENTRY e {\n  a = f32[] constant(1), control-predecessors={b}\n  b = f32[] constant(2)\n}";
    assert_eq!(first(text).code, Code::HloCycle);
}
