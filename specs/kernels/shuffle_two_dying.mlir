// vector add where both sources die at the same op: the seeded shuffle picks the in-place partner
// rules: 2.6, 2.7, 3.2, 4.13, B
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [0]
// expect auto: ub optimal sequential 16384
// how: seed 0, one generator. load x: live [x_gm,y_gm,z_gm,x]; load y: live [y_gm,z_gm,x,y]; vadd: live [z_gm,x,y,z].
// how: three shuffles of length 4 in a row; the third gives z_gm, x, z, y: x is killed before y.
// how: gen z pairs with the first kill in recorded order, x: z shares x's entry. x 0, y 8192.
module {
  func.func @shuffle_two_dying(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>, %z_gm: memref<2048xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
    %y = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%y_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%y : memref<2048xf32, #hivm.address_space<ub>>)
    %z = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.vadd ins(%x, %y : memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) outs(%z : memref<2048xf32, #hivm.address_space<ub>>)
    hivm.hir.store ins(%z : memref<2048xf32, #hivm.address_space<ub>>) outs(%z_gm : memref<2048xf32, #hivm.address_space<gm>>)
    return
  }
}
