// widen a tile, store it, and store the transposed narrow copy: the narrow tile becomes a double buffer
// rules: 4.1, 4.4, 4.7, 4.9(1), 4.10, 6(1), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,32768] [65536] [0,32768] [131072,163840]
// expect auto: ub feasible slot 196608
// how: 2x32K + 64K + 32K + 2x32K = 224 KB > 192 KB; wide (2-D widening) and narrow (2-D narrowing), vtranspose: no pairs.
// how: order D: src, src#1, wide, dst, dst#1; O: narrow. L3: 0, 32K, 64K, 128K, 160K: UB is full.
// how: narrow: L3 no (DMA), L2 no (same loop), L1: the bound of src is one bound, src#1 = 32768 != 0, same anchor loop,
// how: lives disjoint: narrow gets 0 and the additional slot 32768. W1 with T = 229376 B = 1835008 bits.
module {
  func.func @widen_and_transpose(%in_gm: memref<1024x128xf16, #hivm.address_space<gm>>, %wide_gm: memref<1024x128xf32, #hivm.address_space<gm>>, %t_gm: memref<1024x128xf16, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c1024 = arith.constant 1024 : index
    scf.for %row = %c0 to %c1024 step %c128 {
      %in_view = memref.subview %in_gm[%row, 0] [128, 128] [1, 1] : memref<1024x128xf16, #hivm.address_space<gm>> to memref<128x128xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>
      %wide_view = memref.subview %wide_gm[%row, 0] [128, 128] [1, 1] : memref<1024x128xf32, #hivm.address_space<gm>> to memref<128x128xf32, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>
      %t_view = memref.subview %t_gm[%row, 0] [128, 128] [1, 1] : memref<1024x128xf16, #hivm.address_space<gm>> to memref<128x128xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>
      %src = memref.alloc() : memref<128x128xf16, #hivm.address_space<ub>>
      annotation.mark %src {hivm.multi_buffer = 2 : i32} : memref<128x128xf16, #hivm.address_space<ub>>
      hivm.hir.load ins(%in_view : memref<128x128xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>) outs(%src : memref<128x128xf16, #hivm.address_space<ub>>)
      %wide = memref.alloc() : memref<128x128xf32, #hivm.address_space<ub>>
      hivm.hir.vcast ins(%src : memref<128x128xf16, #hivm.address_space<ub>>) outs(%wide : memref<128x128xf32, #hivm.address_space<ub>>) round_mode = <rint>
      %narrow = memref.alloc() : memref<128x128xf16, #hivm.address_space<ub>>
      hivm.hir.vcast ins(%wide : memref<128x128xf32, #hivm.address_space<ub>>) outs(%narrow : memref<128x128xf16, #hivm.address_space<ub>>) round_mode = <rint>
      hivm.hir.store ins(%wide : memref<128x128xf32, #hivm.address_space<ub>>) outs(%wide_view : memref<128x128xf32, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>)
      %dst = memref.alloc() : memref<128x128xf16, #hivm.address_space<ub>>
      annotation.mark %dst {hivm.multi_buffer = 2 : i32} : memref<128x128xf16, #hivm.address_space<ub>>
      hivm.hir.vtranspose ins(%narrow : memref<128x128xf16, #hivm.address_space<ub>>) outs(%dst : memref<128x128xf16, #hivm.address_space<ub>>) permutation = [1, 0]
      hivm.hir.store ins(%dst : memref<128x128xf16, #hivm.address_space<ub>>) outs(%t_view : memref<128x128xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>)
    }
    return
  }
}
