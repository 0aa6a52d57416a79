// a later view of the stored tile hides its store from the reachability search: no veto
// rules: 3.2(11), 3.4, 4.1, 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0,8192] [0,8192] [0,8192]
// expect auto: ub feasible sequential 34816
// how: users of y, newest first: the subview: the search returns what it finds behind it (a vabs): no store: pair (y,x).
// how: head dies y at the vabs, head is single: pair (head,y). One entry with 2 slots.
module {
  func.func @exp_and_head(%x_gm: memref<2048xf32, #hivm.address_space<gm>>, %y_gm: memref<2048xf32, #hivm.address_space<gm>>, %h_gm: memref<512xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      annotation.mark %x {hivm.multi_buffer = 2 : i32} : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.load ins(%x_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%x : memref<2048xf32, #hivm.address_space<ub>>)
      %y = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
      annotation.mark %y {hivm.multi_buffer = 2 : i32} : memref<2048xf32, #hivm.address_space<ub>>
      hivm.hir.vexp ins(%x : memref<2048xf32, #hivm.address_space<ub>>) outs(%y : memref<2048xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%y : memref<2048xf32, #hivm.address_space<ub>>) outs(%y_gm : memref<2048xf32, #hivm.address_space<gm>>)
      %y_head = memref.subview %y[0] [512] [1] : memref<2048xf32, #hivm.address_space<ub>> to memref<512xf32, strided<[1]>, #hivm.address_space<ub>>
      %head = memref.alloc() : memref<512xf32, #hivm.address_space<ub>>
      hivm.hir.vabs ins(%y_head : memref<512xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%head : memref<512xf32, #hivm.address_space<ub>>)
      hivm.hir.store ins(%head : memref<512xf32, #hivm.address_space<ub>>) outs(%h_gm : memref<512xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
