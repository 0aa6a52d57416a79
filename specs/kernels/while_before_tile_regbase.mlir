// the kernel of while_before_tile.mlir in the other pass: an alias of the sibling region keeps the tile alive
// rules: 7(1), 2.1, 2.3, 4.3
// target: Ascend910B1
// pass: regbase
// expect hivm: [0] [8192]
// expect auto: ub optimal sequential 16384
// how: tile is defined in the before-region, the vabs stands in the after-region: not dead there: no pair. Sequential.
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
