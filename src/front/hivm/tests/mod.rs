//! What the reader of HIVM text promises.

use super::{PassOptions, read};
use crate::diag::Sources;
use crate::front::spec::targets::Embedded;

#[test]
fn loops_and_branches_without_results_are_named_by_their_line() {
    let ub = "memref<16xf32, #hivm.address_space<ub>>";
    let text = format!(
        "func.func @f(%n: index, %c: i1) {{\n%c0 = arith.constant 0 : index\n\
         %c1 = arith.constant 1 : index\nscf.for %i = %c0 to %n step %c1 {{\n\
         scf.if %c {{\n%x = memref.alloc() : {ub}\n\
         hivm.hir.vabs ins(%x : {ub}) outs(%x : {ub})\n}}\n}}\nreturn\n}}\n"
    );
    let mut sources = Sources::default();
    let file = sources.add("case.mlir", text);
    let read = read(&mut sources, file, None, &PassOptions::default(), &mut Embedded);
    let function = &read.expect("readable").read.problem.functions[0];
    let loops: Vec<&str> = function.loops.iter().map(|l| l.name.as_str()).collect();
    let branches: Vec<&str> = function.branches.iter().map(|b| b.name.as_str()).collect();
    assert_eq!((loops, branches), (vec!["scf.for at line 4"], vec!["scf.if at line 5"]));
}
