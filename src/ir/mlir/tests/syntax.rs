//! What MLIR text may look like beside the forms of ops.

use super::{function, read};
use crate::ir::mlir::{Attr, Type};

#[test]
fn statements_end_where_the_next_one_starts() {
    let f = function(
        "func.func @f(%a: memref<4xf32>, %i: index) -> index\n    attributes {x} {\n  \
         hivm.hir.vadd\n    ins(%a, %a :\n  memref<4xf32>, memref<4xf32>)\n    outs(%a : memref<4xf32>) // why\n  \
         %0:2, %1 =\n    foo.bar %i,\n    %i {a = 1 : i64,\n b} : index -> (index, index), i32\n  \
         %2 = foo.loop %0#1 { %3 = foo.bar %1 : i32\n } { foo.end } {c = \"}\"} : i32\n  return %2 : i32\n}",
    );
    let names: Vec<&str> = f.ops.iter().map(|op| op.name.as_str()).collect();
    assert_eq!(names, ["hivm.hir.vadd", "foo.bar", "foo.loop", "foo.bar", "func.return"]);
    assert!(f.ops.iter().nth(2).is_some_and(|op| op.attrs.has("c") && op.regions.len() == 1));
}

#[test]
fn a_region_of_one_terminator_is_no_dictionary() {
    let f = function(
        "func.func @f() { foo.a { foo.yield }\n foo.b {foo.yes}\n foo.c { return }\n return }",
    );
    let regions: Vec<usize> = f.ops.iter().map(|op| op.regions.len()).collect();
    assert_eq!(regions, [1, 0, 0, 1, 0, 0]);
}

#[test]
fn sibling_regions_and_shadowing_results() {
    let f = function(
        "func.func @f(%p: i1) {\n  %0 = scf.if %p -> i32 {\n    %0 = arith.constant 1 : i32\n    \
         scf.yield %0 : i32\n  } else {\n    %0 = arith.constant 2 : i32\n    scf.yield %0 : i32\n  }\n  \
         foo.use %0 : i32\n  return\n}",
    );
    let user = f.ops.iter().find(|op| op.name == "foo.use").expect("foo.use");
    let def = f.def_op(user.operands[0].value).expect("a result");
    assert_eq!(f.ops[def].name, "scf.if");
}

#[test]
fn later_blocks_may_define_what_earlier_ones_use() {
    let f = function(
        "func.func @f(%p: i1) {\n  cf.br ^bb2\n^bb1:\n  scf.if %p {\n    foo.use %late : i32\n  }\n  \
         foo.use %late : i32\n  return\n^bb2:\n  %late = arith.constant 1 : i32\n  cf.br ^bb1\n}",
    );
    let late = f.values.enumerate().find(|(_, v)| v.name == "late").expect("late").1;
    assert_eq!(late.uses.len(), 2);
    assert!(matches!(late.ty, Type::Scalar(_)));
    assert_eq!(f.values.len(), 2);
    let body = f.body.expect("a body");
    assert_eq!(f.regions[body].blocks.len(), 3);
}

#[test]
fn attributes() {
    let f = function(
        "#a = [1, #b]\n#b = #x.y<\"t\">\nfunc.func private @f() attributes {a = #a, b = -7 : i8, \
         \"c.d\" = \"q\\22\\n\", e = [true, unit], f = {g, h = 1.5e-3 : f32}, i = dense<[[1, 2], [3, 4]]> \
         : tensor<2x2xi8>, j = array<i64>, k = 0xFF : i32, l = @s::@t, m = memref<4xf32>, n = dense<1> : \
         tensor<2xi8>, o = #x.z<#b>, p = 0x7F800000 : f32, q = loc(\"f\":1:2), r = <\"x>\">}",
    );
    let get = |name: &str| f.attrs.get(name).cloned().unwrap_or_else(|| unreachable!("{name}"));
    let other = |text: &str| Attr::Other(text.to_owned());
    let ints = |list: &[i64]| Attr::Array(list.iter().map(|n| Attr::Int(*n)).collect());
    assert_eq!(get("a"), Attr::Array(vec![Attr::Int(1), other("#x.y<\"t\">")]));
    assert_eq!(get("b"), Attr::Int(-7));
    assert_eq!(get("c.d"), Attr::Str("q\"\n".to_owned()));
    assert_eq!(get("e"), Attr::Array(vec![Attr::Bool(true), Attr::Unit]));
    assert!(matches!(get("f"), Attr::Dict(d) if d.get("h") == Some(&other("1.5e-3 : f32"))));
    assert_eq!(get("i"), Attr::Array(vec![ints(&[1, 2]), ints(&[3, 4])]));
    assert_eq!(get("j"), ints(&[]));
    assert_eq!(get("k"), Attr::Int(255));
    assert_eq!(get("l"), other("@s::@t"));
    assert_eq!(get("m"), other("memref<4xf32>"));
    assert_eq!(get("n"), ints(&[1]));
    assert_eq!(get("o"), other("#x.z<#x.y<\"t\">>"));
    assert_eq!(get("p"), other("0x7F800000 : f32"));
    assert_eq!(get("q"), other("loc(\"f\":1:2)"));
    assert_eq!(get("r"), other("<\"x>\">"));
}

#[test]
fn nested_modules_chunks_and_what_is_skipped() {
    let parsed = read(
        "module @outer attributes {a} {\n  module {\n    func.func @inner() {\n      return\n    }\n  }\n  \
         memref.global @g : memref<4xf32>\n  gpu.module @k {\n    gpu.func @f() {\n      gpu.return\n    }\n  }\n  \
         func.func @f() {\n    return\n  }\n}\n// -----\n\"builtin.module\"() ({\n  \"func.func\"() <{\
         function_type = (i32, memref<4xf32>) -> (), sym_name = \"decl\"}> ({\n  }) : () -> ()\n}) {b} : () -> ()\n\
         {-# dialect_resources: { } #-}\n// -----\n",
    );
    assert_eq!(parsed.file.chunks.len(), 2);
    let [first, second] = &parsed.file.chunks[..] else { unreachable!() };
    let levels: Vec<(&str, bool)> =
        first.functions.iter().map(|f| (f.name.as_str(), f.top_level)).collect();
    assert_eq!(levels, [("inner", false), ("f", true)]);
    assert!(first.attrs.has("a") && second.attrs.has("b"));
    assert_eq!(second.functions[0].inputs.len(), 2);
    assert!(second.functions[0].body.is_none());
}

#[test]
fn the_body_starts_behind_the_label_of_its_block() {
    let text = "func.func @f() {\n^bb0:\n  return\n}";
    let start = function(text).body_start.expect("a body").start as usize;
    assert_eq!(&text[..start], "func.func @f() {\n^bb0:");
}

#[test]
fn several_statements_of_one_line() {
    let f = function(
        "func.func @f(%p: i1, %n: index) -> i32 { %0 = arith.constant 1 : i32 %1:2 = foo.a %0 : i32 -> (i32, i32) \
         scf.for %i = %n to %n step %n { foo.b %i } %2 = arith.addi %0, %1#1 : i32 return %2 : i32 }",
    );
    let names: Vec<&str> = f.ops.iter().map(|op| op.name.as_str()).collect();
    let expected = ["arith.constant", "foo.a", "scf.for", "foo.b", "arith.addi", "func.return"];
    assert_eq!(names, expected);
}

#[test]
fn loops_of_other_dialects() {
    let f = function(
        "#map = affine_map<(d0) -> (d0)>\nfunc.func @f(%n: index, %x: f32, %t: tensor<4xf32>) {\n  \
         affine.for %i = 0 to 16 {\n    foo.a %i\n  }\n  \
         %0 = affine.for %i = max #map(%n) to min #map(%n) step 2 iter_args(%acc = %x) -> (f32) {\n    \
         affine.yield %acc : f32\n  }\n  \
         affine.parallel (%i, %j) = (0, 0) to (%n, 4) {\n    foo.b %i, %j\n  }\n  \
         %1 = scf.forall (%i, %j) = (0, %n) to (8, %n) step (1, 1) shared_outs(%o = %t) -> (tensor<4xf32>) {\n    \
         scf.forall.in_parallel {\n      tensor.parallel_insert_slice %o into %o[%i] [1] [1] : tensor<4xf32> into \
         tensor<4xf32>\n    }\n  } {mapping = [#gpu.block<x>]}\n  \
         %2 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {\n    scf.reduce(%x : f32) {\n    \
         ^bb0(%l: f32, %r: f32):\n      %s = arith.addf %l, %r : f32\n      scf.reduce.return %s : f32\n    }\n  }\n  \
         %3 = scf.index_switch %n -> f32\n  case 2 {\n    scf.yield %x : f32\n  }\n  default {\n    scf.yield %x : f32\n  \
         }\n  return\n}",
    );
    let of = |name: &str| f.ops.iter().filter(|op| op.name == name).collect::<Vec<_>>();
    let args = |op: &crate::ir::mlir::Op| f.blocks[f.regions[op.regions[0]].blocks[0]].args.len();
    assert_eq!(of("affine.for").iter().map(|op| args(op)).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(of("affine.for")[1].operands.len(), 3);
    assert_eq!(args(of("affine.parallel")[0]), 2);
    assert_eq!((args(of("scf.forall")[0]), of("scf.forall")[0].attrs.has("mapping")), (3, true));
    assert_eq!((args(of("scf.parallel")[0]), of("scf.parallel")[0].operands.len()), (1, 4));
    let switch = of("scf.index_switch")[0];
    assert_eq!(switch.regions.len(), 2);
    assert_eq!(f.ty(switch.results[0]), &Type::Scalar(crate::ir::mlir::Scalar::Float(32)));
}

#[test]
fn unlisted_hivm_ops() {
    let f = function(
        "func.func @f(%a: memref<4xf32>, %k: i64) {\n  hivm.hir.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n  \
         hivm.hir.wait_flag[<PIPE_MTE2>, <PIPE_V>, %k]\n  hivm.hir.pipe_barrier[<PIPE_ALL>]\n  \
         hivm.hir.sync_block_set[<CUBE>, <PIPE_FIX>, <PIPE_S>] flag = 1\n  \
         %0 = hivm.hir.convert_layout %a {x = 1 : i32} : (memref<4xf32>) -> memref<2x2xf32>\n  \
         %1 = hivm.hir.local_load ins(%a : memref<4xf32>) -> memref<4xf32>\n  hivm.hir.dcci(<all>, %a : memref<4xf32>)\n  \
         hivm.hir.unheard_of ins(%a : memref<4xf32>) outs(%a : memref<4xf32>) temp_buffer(%a : memref<4xf32>) deep = 2\n  \
         return\n}",
    );
    let counts: Vec<usize> = f.ops.iter().map(|op| op.operands.len()).collect();
    assert_eq!(counts, [0, 1, 0, 0, 1, 1, 1, 3, 0]);
    let dims =
        |at: usize| f.ops.iter().nth(at).map(|op| f.ty(op.results[0]).dims().map(<[_]>::len));
    assert_eq!((dims(4), dims(5)), (Some(Some(2)), Some(Some(1))));
}
