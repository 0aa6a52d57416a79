// matmul over K with double-buffered L1 operands and an L0C accumulator
// rules: 2.5, 2.9(1), 4.1, 4.3, 6(4)
// target: Ascend910B3
// pass: base
// expect hivm: [0] [0,81920] [16384,98304]
// expect auto: l1 optimal sequential 163840
// expect auto: l0c optimal sequential 65536
// how: acc is first written inside the loop, but used after it: its life starts at the loop begin.
// how: L1 entries a 16384, b 65536, then the extra slots a#1, b#1 at the end of the list: 0, 16384, 81920, 98304.
// how: cc is its own scope: acc 0. Both casts are hoisted to the loop top, b in front of a.
module {
  func.func @matmul_k_loop(%a_gm: memref<64x2048xf16, #hivm.address_space<gm>>, %b_gm: memref<2048x256xf16, #hivm.address_space<gm>>, %c_gm: memref<64x256xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %acc = memref.alloc() : memref<16x4x16x16xf32, #hivm.address_space<cc>>
    scf.for %k = %c0 to %c16 step %c1 {
      %first = arith.cmpi eq, %k, %c0 : index
      %off = arith.muli %k, %c128 : index
      %a_src = memref.subview %a_gm[0, %off] [64, 128] [1, 1] : memref<64x2048xf16, #hivm.address_space<gm>> to memref<64x128xf16, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>>
      %b_src = memref.subview %b_gm[%off, 0] [128, 256] [1, 1] : memref<2048x256xf16, #hivm.address_space<gm>> to memref<128x256xf16, strided<[256, 1], offset: ?>, #hivm.address_space<gm>>
      %a_l1 = memref.alloc() : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>
      annotation.mark %a_l1 {hivm.multi_buffer = 2 : i32} : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%a_src : memref<64x128xf16, strided<[2048, 1], offset: ?>, #hivm.address_space<gm>>) outs(%a_l1 : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>)
      %b_l1 = memref.alloc() : memref<16x8x16x16xf16, #hivm.address_space<cbuf>>
      annotation.mark %b_l1 {hivm.multi_buffer = 2 : i32} : memref<16x8x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%b_src : memref<128x256xf16, strided<[256, 1], offset: ?>, #hivm.address_space<gm>>) outs(%b_l1 : memref<16x8x16x16xf16, #hivm.address_space<cbuf>>)
      hivm.hir.mmadL1 ins(%a_l1, %b_l1, %first, %c64, %c128, %c256 : memref<8x4x16x16xf16, #hivm.address_space<cbuf>>, memref<16x8x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc : memref<16x4x16x16xf32, #hivm.address_space<cc>>)
    }
    hivm.hir.fixpipe {enable_nz2nd} ins(%acc : memref<16x4x16x16xf32, #hivm.address_space<cc>>) outs(%c_gm : memref<64x256xf32, #hivm.address_space<gm>>)
    return
  }
}
