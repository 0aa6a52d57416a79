// one tile larger than the UB
// rules: 4.2, 4.12, 4.14
// target: Ascend910B1
// pass: base
// expect hivm: error: ub overflow, requires 2097152 bits while 1572864 bits available!
// expect auto: ub infeasible 262144
// how: act pairs with x (vabs in place), so there is one entry of 65536 f32 = 262144 B = 2097152 bits: overflow with N = need.
module {
  func.func @oversize_tile(%x_gm: memref<65536xf32, #hivm.address_space<gm>>, %y_gm: memref<65536xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<65536xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<65536xf32, #hivm.address_space<gm>>) outs(%x : memref<65536xf32, #hivm.address_space<ub>>)
    %act = memref.alloc() : memref<65536xf32, #hivm.address_space<ub>>
    hivm.hir.vabs ins(%x : memref<65536xf32, #hivm.address_space<ub>>) outs(%act : memref<65536xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%act : memref<65536xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<65536xf32, #hivm.address_space<gm>>)
    return
  }
}
