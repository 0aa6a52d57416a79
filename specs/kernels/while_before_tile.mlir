// a tile loaded in the before-region of a while and passed on through the condition
// rules: 2.1, 2.3, 2.7, 3.2(8), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [0]
// expect auto: ub feasible sequential 16384
// how: v <- tile at the condition. The other users of tile stand in the earlier region and vabs has the same parent op (the while):
// how: v and tile are dead after the vabs: killed, pair (act,tile). The result is linked only after both regions.
module {
  func.func @until_limit(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.while (%i = %c0) : (index) -> (index, memref<2048xf32, #hivm.address_space<ub>>) {
      %tile = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%tile : memref<2048xf32, #hivm.address_space<ub>>)
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %tile : index, memref<2048xf32, #hivm.address_space<ub>>
    } do {
    ^bb0(%k: index, %v: memref<2048xf32, #hivm.address_space<ub>>):
      %act = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%v : memref<2048xf32, #hivm.address_space<ub>>) outs(%act : memref<2048xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%act : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    hivm.hir.store ins(%r#1 : memref<2048xf32, #hivm.address_space<ub>>) outs(%x_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
