// two matmul loops after each other, double-buffered accumulators do not fit L0C together
// rules: 4.2, 4.5, 4.8, 4.9(2), 4.4, 1.5, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [8192] [0,81920] [24576] [36864] [32768,81920]
// expect auto: l1 feasible sequential 53248
// expect auto: l0c feasible loop 131072
// how: L1 is sequential: 0, 8192, 24576, 36864. L0C: acc1 2x32768 + acc2 2x49152 = 163840 > 131072; fixpipe sources are DMA: T = 163840.
// how: W1 with T = 163840 B = 1310720 bits. List order (no reorder in L0C): acc1@0, acc2 L3@32768, acc1#1 L3@81920 (up to 114688), acc2#1: L3 no.
// how: L2: bound acc1 too small and acc2 (own life) in the way; acc1#1@81920 belongs to another loop, 32768 + 16384 rest is enough: @81920.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @two_matmul_loops(%a1_gm: memref<64x64xf16, #hivm.address_space<gm>>, %b1_gm: memref<64x128xf16, #hivm.address_space<gm>>, %c1_gm: memref<64x128xf32, #hivm.address_space<gm>>,
                              %a2_gm: memref<96x64xf16, #hivm.address_space<gm>>, %b2_gm: memref<64x128xf16, #hivm.address_space<gm>>, %c2_gm: memref<96x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %a1 = memref.alloc() : memref<4x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%a1_gm : memref<64x64xf16, #hivm.address_space<gm>>) outs(%a1 : memref<4x4x16x16xf16, #hivm.address_space<cbuf>>)
      %b1 = memref.alloc() : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%b1_gm : memref<64x128xf16, #hivm.address_space<gm>>) outs(%b1 : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>)
      %acc1 = memref.alloc() : memref<8x4x16x16xf32, #hivm.address_space<cc>>
      annotation.mark %acc1 {hivm.multi_buffer = 2 : i32} : memref<8x4x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 ins(%a1, %b1, %true, %c64, %c64, %c128 : memref<4x4x16x16xf16, #hivm.address_space<cbuf>>, memref<8x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc1 : memref<8x4x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%acc1 : memref<8x4x16x16xf32, #hivm.address_space<cc>>) outs(%c1_gm : memref<64x128xf32, #hivm.address_space<gm>>)
    }
    scf.for %j = %c0 to %c8 step %c1 {
      %a2 = memref.alloc() : memref<4x6x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%a2_gm : memref<96x64xf16, #hivm.address_space<gm>>) outs(%a2 : memref<4x6x16x16xf16, #hivm.address_space<cbuf>>)
      %b2 = memref.alloc() : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%b2_gm : memref<64x128xf16, #hivm.address_space<gm>>) outs(%b2 : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>)
      %acc2 = memref.alloc() : memref<8x6x16x16xf32, #hivm.address_space<cc>>
      annotation.mark %acc2 {hivm.multi_buffer = 2 : i32} : memref<8x6x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 ins(%a2, %b2, %true, %c96, %c64, %c128 : memref<4x6x16x16xf16, #hivm.address_space<cbuf>>, memref<8x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc2 : memref<8x6x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%acc2 : memref<8x6x16x16xf32, #hivm.address_space<cc>>) outs(%c2_gm : memref<96x128xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
