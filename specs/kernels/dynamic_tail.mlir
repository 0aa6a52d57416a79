// last, partial tile: dynamic sizes only on views of static buffers
// rules: 1.6, 2.3, 3.2(1), 3.2(7), 3.2(8), 4.3
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [0] [0]
// expect auto: ub optimal sequential 8320
// how: expd pairs with x through the views (same type). vmul with broadcast: `?x64` of the result equals `?x64` of expd's view: pair (out,expd).
// how: weight (128 B) is smaller than the result. Entries x 8192, weight 128.
module {
  func.func @dynamic_tail(%x_gm: memref<?x64xf32, #hivm.address_space<gm>>, %w_gm: memref<?x1xf32, #hivm.address_space<gm>>, %y_gm: memref<?x64xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %m = memref.dim %x_gm, %c0 : memref<?x64xf32, #hivm.address_space<gm>>
    %x = memref.alloc() : memref<32x64xf32, #hivm.address_space<ub>>
    %x_v = memref.subview %x[0, 0] [%m, 64] [1, 1] : memref<32x64xf32, #hivm.address_space<ub>> to memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    hivm.hir.load ins(%x_gm : memref<?x64xf32, #hivm.address_space<gm>>) outs(%x_v : memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>)
    %weight = memref.alloc() : memref<32x1xf32, #hivm.address_space<ub>>
    %weight_v = memref.subview %weight[0, 0] [%m, 1] [1, 1] : memref<32x1xf32, #hivm.address_space<ub>> to memref<?x1xf32, strided<[1, 1]>, #hivm.address_space<ub>>
    hivm.hir.load ins(%w_gm : memref<?x1xf32, #hivm.address_space<gm>>) outs(%weight_v : memref<?x1xf32, strided<[1, 1]>, #hivm.address_space<ub>>)
    %expd = memref.alloc() : memref<32x64xf32, #hivm.address_space<ub>>
    %expd_v = memref.subview %expd[0, 0] [%m, 64] [1, 1] : memref<32x64xf32, #hivm.address_space<ub>> to memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%x_v : memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>) outs(%expd_v : memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>)
    %out = memref.alloc() : memref<32x64xf32, #hivm.address_space<ub>>
    %out_v = memref.subview %out[0, 0] [%m, 64] [1, 1] : memref<32x64xf32, #hivm.address_space<ub>> to memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%expd_v, %weight_v : memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>, memref<?x1xf32, strided<[1, 1]>, #hivm.address_space<ub>>) outs(%out_v : memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>) broadcast = [1]
    hivm.hir.store ins(%out_v : memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>) outs(%y_gm : memref<?x64xf32, #hivm.address_space<gm>>)
    return
  }
}
