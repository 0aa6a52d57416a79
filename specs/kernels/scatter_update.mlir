// scaled sparse update: scatter_store writes GM, reads two UB tiles
// rules: 2.4, 3.2(1), 3.2(2), 4.3
// target: Ascend950PR_9589
// pass: base
// expect hivm: [0] [8192] [0]
// expect auto: ub optimal sequential 16384
// how: vmul by a scalar kills grad: pair (scaled,grad). scatter_store is destination-style but no structured op; its base is in GM.
// how: entries grad 8192 (with scaled), index 8192.
module attributes {hacc.target = #hacc.target<"Ascend950PR_9589">} {
  func.func @scatter_update(%grad_gm: memref<2048xf32, #hivm.address_space<gm>>, %index_gm: memref<2048xi32, #hivm.address_space<gm>>, %base_gm: memref<65536xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %lr = arith.constant 1.000000e-03 : f32
    %grad = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%grad_gm : memref<2048xf32, #hivm.address_space<gm>>) outs(%grad : memref<2048xf32, #hivm.address_space<ub>>)
    %index = memref.alloc() : memref<2048xi32, #hivm.address_space<ub>>
    hivm.hir.load ins(%index_gm : memref<2048xi32, #hivm.address_space<gm>>) outs(%index : memref<2048xi32, #hivm.address_space<ub>>)
    %scaled = memref.alloc() : memref<2048xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%grad, %lr : memref<2048xf32, #hivm.address_space<ub>>, f32) outs(%scaled : memref<2048xf32, #hivm.address_space<ub>>)
    hivm.hir.scatter_store ins(%scaled, %index : memref<2048xf32, #hivm.address_space<ub>>, memref<2048xi32, #hivm.address_space<ub>>) outs(%base_gm : memref<65536xf32, #hivm.address_space<gm>>)
    return
  }
}
