// the kernel of hazard3_lost_condition.mlir in the other pass: the flag is updated, the plan is sound
// rules: 2.3, 3.1, 7(2)
// target: Ascend910B1
// pass: regbase
// expect hivm: [0] [16384] [32768]
// expect auto: ub optimal sequential 49152
// how: the select's link turns the pair (a,b) conditional: not merged; both are excluded from op in-place. Sequential.
module {
  func.func @pick_twice(%a_gm: memref<4096xf32, #hivm.address_space<gm>>, %b_gm: memref<4096xf32, #hivm.address_space<gm>>, %y_gm: memref<4096xf32, #hivm.address_space<gm>>, %f: i1, %g: i1) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %a = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%a : memref<4096xf32, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<4096xf32, #hivm.address_space<gm>>) outs(%b : memref<4096xf32, #hivm.address_space<ub>>)
    %r = scf.if %f -> (memref<4096xf32, #hivm.address_space<ub>>) {
      scf.yield %a : memref<4096xf32, #hivm.address_space<ub>>
    } else {
      scf.yield %b : memref<4096xf32, #hivm.address_space<ub>>
    }
    %s = arith.select %g, %a, %b : memref<4096xf32, #hivm.address_space<ub>>
    %sum = memref.alloc() : memref<4096xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%r, %s : memref<4096xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) outs(%sum : memref<4096xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%sum : memref<4096xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<4096xf32, #hivm.address_space<gm>>)
    return
  }
}
