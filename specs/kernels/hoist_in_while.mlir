// a double buffer allocated in the middle of a while body: the cast moves to the front of the after-region
// rules: 2.1, 2.9(1), 4.1, 6(1), 6(2), 6(4)
// target: Ascend910B1
// pass: base
// expect hivm: [0,4096]
// expect auto: ub optimal sequential 8192
// how: one entry of 4096 B and its extra slot. The cast and its mark move right behind ^bb0.
module {
  func.func @drain_queue(%x_gm: memref<1024xf32, #hivm.address_space<gm>>, %y_gm: memref<1024xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %last = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%k: index):
      %next = arith.addi %k, %c1 : index
      %tile = memref.alloc() : memref<1024xf32, #hivm.address_space<ub>>
      annotation.mark %tile {hivm.multi_buffer = 2 : i32} : memref<1024xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<1024xf32, #hivm.address_space<gm>>) outs(%tile : memref<1024xf32, #hivm.address_space<ub>>)
      hivm.hir.vexp ins(%tile : memref<1024xf32, #hivm.address_space<ub>>) outs(%tile : memref<1024xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%tile : memref<1024xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<1024xf32, #hivm.address_space<gm>>)
      scf.yield %next : index
    }
    return
  }
}
