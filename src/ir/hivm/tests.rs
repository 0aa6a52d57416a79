//! Pipes and scalar lowering of ops as they are written.

use super::{HwPipe, PipeError, lowers_to_scalar_loops, macro_pipes, pipe_of};
use crate::diag::FileId;
use crate::ir::mlir::{Function, Op, parse};

/// A function of `%a`, `%b`, `%c` of those types (`A>`, `B>`, `C>` in the text) that begins with
/// an op.
fn with_op(text: &str, types: [&str; 3]) -> Function {
    let [a, b, c] = types;
    let text = text.replace("A>", a).replace("B>", b).replace("C>", c);
    let text = format!("func.func @f(%a: {a}, %b: {b}, %c: {c}, %s: i32) {{\n{text}\nreturn\n}}");
    let mut parsed = parse(FileId(0), &text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    parsed.file.chunks.remove(0).functions.remove(0)
}

fn first(function: &Function) -> &Op {
    &function.ops[crate::ir::mlir::OpId(0)]
}

fn ub(ty: &str) -> String {
    format!("memref<{ty}, #hivm.address_space<ub>>")
}

/// Scalar on 910B, on a reg-based chip.
fn scalar(text: &str, types: [&str; 3]) -> [bool; 2] {
    let [a, b, c] = types.map(ub);
    let function = with_op(text, [&a, &b, &c]);
    [false, true].map(|reg| lowers_to_scalar_loops(&function, first(&function), reg, false))
}

fn binary(op: &str, attrs: &str, ty: &str) -> [bool; 2] {
    let text = format!("hivm.hir.{op} ins(%a, %b : A>, B>) outs(%c : C>) {attrs}");
    scalar(&text, [ty, ty, ty])
}

#[test]
fn arithmetic_of_64_bits_is_scalar() {
    for op in ["vadd", "vsub", "vmul", "vdiv", "vmin", "vmax"] {
        assert_eq!(binary(op, "", "8xi64"), [true, true], "{op}");
        assert_eq!(binary(op, "", "8xi32"), [false, false], "{op}");
    }
    assert_eq!(binary("vand", "", "8xi64"), [false, false]);
    let text = "hivm.hir.vadd ins(%a, %b : A>, B>) outs(%c : C>)";
    let ty = ub("8xf32");
    let function = with_op(text, [&ty, &ty, &ty]);
    assert!(lowers_to_scalar_loops(&function, first(&function), true, true));
}

#[test]
fn shifts_by_a_buffer_are_scalar() {
    assert_eq!(binary("vshl", "", "8xi32"), [true, true]);
    assert_eq!(binary("vshr", "", "8xi32"), [true, false]);
    let by_scalar = "hivm.hir.vshl ins(%a, %s : A>, i32) outs(%c : C>)";
    assert_eq!(scalar(by_scalar, ["8xi32"; 3]), [false, false]);
}

#[test]
fn remainders_and_wide_products_are_scalar() {
    for op in ["vmod", "vmulext", "vmulextui"] {
        assert_eq!(binary(op, "", "8xi32"), [true, true], "{op}");
        assert_eq!(binary(op, "", "8xi16"), [false, false], "{op}");
    }
}

#[test]
fn comparisons_of_integers_are_scalar_except_equality_of_32_bits() {
    assert_eq!(binary("vcmp", "", "8xi32"), [false, false]);
    assert_eq!(binary("vcmp", "compare_mode = <ne>", "8xi32"), [false, false]);
    assert_eq!(binary("vcmp", "compare_mode = <lt>", "8xi32"), [true, true]);
    assert_eq!(binary("vcmp", "", "8xi16"), [true, true]);
    assert_eq!(binary("vcmp", "compare_mode = <lt>", "8xf32"), [false, false]);
}

#[test]
fn some_reductions_are_scalar_without_registers() {
    let reduce = |kind: &str, ty: &str, out: &str, dim: u32| {
        let text =
            format!("hivm.hir.vreduce <{kind}> ins(%a : A>) outs(%b : B>) reduce_dims = [{dim}]");
        scalar(&text, [ty, out, ty])[0]
    };
    assert!(reduce("sum", "4x8xi64", "4x1xi64", 1));
    assert!(!reduce("sum", "4x8xi32", "4x1xi32", 1));
    assert!(reduce("max_with_index_left", "4x8xi32", "4x1xi32", 1));
    assert!(!reduce("max_with_index_left", "4x8xf32", "4x1xf32", 1));
    assert!(reduce("max_with_index_right", "4x8xf32", "4x1xf32", 1));
    assert!(!reduce("max_with_index_right", "4x8xf32", "1x8xf32", 0));
    assert!(reduce("max_with_index_left", "4x8x2xf32", "4x1x2xf32", 1));
}

#[test]
fn sums_along_the_last_dimension_are_scalar_without_registers() {
    let sum = |ty: &str, dim: u32| {
        let text = format!("hivm.hir.vcumsum ins(%a : A>) outs(%b : B>) cum_dims = [{dim}]");
        scalar(&text, [ty; 3])
    };
    assert_eq!(sum("4x8xf32", 1), [true, false]);
    assert_eq!(sum("4x8xf32", 0), [false, false]);
    assert_eq!(sum("4x8xi64", 0), [true, true]);
    assert_eq!(sum("8xi64", 0), [true, false]);
}

#[test]
fn the_pipe_of_a_copy_follows_its_spaces() {
    let pipe = |from: &str, to: &str| {
        let [from, to] = [from, to].map(|s| format!("memref<8xf32, #hivm.address_space<{s}>>"));
        let text = "hivm.hir.copy ins(%a : A>) outs(%b : B>)";
        let function = with_op(text, [&from, &to, "i1"]);
        pipe_of(&function, first(&function))
    };
    assert_eq!(pipe("ub", "ub"), Ok(Some(HwPipe::V)));
    assert_eq!(pipe("cc", "gm"), Ok(Some(HwPipe::Fix)));
    assert_eq!(pipe("gm", "cbuf"), Ok(Some(HwPipe::Mte2)));
    assert_eq!(pipe("ub", "cbuf"), Ok(Some(HwPipe::Mte3)));
    assert_eq!(pipe("gm", "ub"), Err(PipeError::Unknown));
}

#[test]
fn macro_ops_have_two_pipes_and_none_alone() {
    let ty = ub("8xf32");
    let text = "hivm.hir.mmadL1 ins(%a, %b : A>, B>) outs(%c : C>)";
    let function = with_op(text, [&ty, &ty, &ty]);
    assert_eq!(pipe_of(&function, first(&function)), Ok(None));
    assert_eq!(macro_pipes("hivm.hir.mmadL1"), Some((HwPipe::Mte1, HwPipe::M)));
    assert_eq!(macro_pipes("hivm.hir.matmul"), Some((HwPipe::Mte2, HwPipe::Mte3)));
    assert_eq!(macro_pipes("hivm.hir.vadd"), None);
}

#[test]
fn a_custom_op_names_its_pipe() {
    let ty = ub("8xf32");
    let pipe = |attrs: &str| {
        let text = format!("hivm.hir.custom {attrs} \"name\" ins(%a : A>) outs(%b : B>)");
        let function = with_op(&text, [&ty, &ty, &ty]);
        pipe_of(&function, first(&function))
    };
    assert_eq!(pipe("{hivm.pipe = #hivm.pipe<PIPE_V>}"), Ok(Some(HwPipe::V)));
    assert_eq!(pipe("{hivm.vf_mode = #hivm.vf_mode<SIMD>}"), Err(PipeError::Unassigned));
}
