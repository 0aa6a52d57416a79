// a double-buffered result in place of a single load tile: the tile becomes a double buffer
// rules: 3.2(11), 3.4(slots), 4.1, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0,8192] [0,8192]
// expect auto: ub optimal sequential 16384
// how: x is single: no veto; pair (act,x): the entry of x takes slots = max(2,1) = 2.
module {
  func.func @exp_double_result(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
      %act = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      annotation.mark %act {hivm.multi_buffer = 2 : i32} : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%act : memref<2048xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%act : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
