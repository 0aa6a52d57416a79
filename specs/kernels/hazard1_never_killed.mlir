// a tile whose last use is memref.dim is never killed and conflicts with nothing
// rules: 2.4, 2.8, 10.2(1), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [0]
// expect auto: ub infeasible 262144
// how: at the store of a the dim is still to come: not dead; memref.dim has no kill check: end = -1. b: L0@0 on top of a.
// how: 128 + 128 KB, W1 with T = 2097152 bits. Unsound: loading b destroys a before its store.
module {
  func.func @dim_last(%a_gm: memref<32768xf32, #hivm.address_space<gm>>, %b_gm: memref<32768xf32, #hivm.address_space<gm>>, %limit: index) -> i1 attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%a_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%a : memref<32768xf32, #hivm.address_space<ub>>)
    %b = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%b_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%b : memref<32768xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%b : memref<32768xf32, #hivm.address_space<ub>>) outs(%b_gm : memref<32768xf32, #hivm.address_space<gm>>)
    hivm.hir.store ins(%a : memref<32768xf32, #hivm.address_space<ub>>) outs(%a_gm : memref<32768xf32, #hivm.address_space<gm>>)
    %len = memref.dim %a, %c0 : memref<32768xf32, #hivm.address_space<ub>>
    %more = arith.cmpi slt, %len, %limit : index
    return %more : i1
  }
}
