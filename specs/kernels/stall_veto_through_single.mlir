// load tile and store tile are double buffers, a single tile between them inherits the slots: veto all the same
// rules: 3.2(11), 3.4, 4.1, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0,16384] [0,16384] [8192,24576]
// expect auto: ub feasible sequential 32768
// how: (mid,x): mid single: accepted. (y,mid): mid counts as multi through its pair, y reaches a store, mid reaches a load through the pair: veto.
// how: list x (with mid), y, x#1, y#1 of 8192 B.
module {
  func.func @exp_abs(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
      %mid = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%mid : memref<2048xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      annotation.mark %y {hivm.multi_buffer = 2 : i32} : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%mid : memref<2048xf32, #hivm.address_space<ub>>) outs(%y : memref<2048xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
