// one matmul tile: L1 operands in fractal layout, L0C result, fixpipe to GM
// rules: 1.4, 2.4, 4.1, 4.3, 4.5
// target: Ascend910B1
// pass: base
// expect hivm: [0] [65536] [0]
// expect auto: l1 optimal sequential 131072
// expect auto: l0c optimal sequential 65536
// how: scopes cbuf and cc are planned separately, in order of first appearance; both sequential. a 65536, b 65536 in L1; acc 65536 in L0C.
module attributes {hacc.target = #hacc.target<"Ascend910B1">} {
  func.func @matmul_tile(%a_gm: memref<128x256xf16, #hivm.address_space<gm>>, %b_gm: memref<256x128xf16, #hivm.address_space<gm>>, %c_gm: memref<128x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = arith.constant true
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %a_l1 = memref.alloc() : memref<16x8x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<128x256xf16, #hivm.address_space<gm>>) outs(%a_l1 : memref<16x8x16x16xf16, #hivm.address_space<cbuf>>)
    %b_l1 = memref.alloc() : memref<8x16x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%b_gm : memref<256x128xf16, #hivm.address_space<gm>>) outs(%b_l1 : memref<8x16x16x16xf16, #hivm.address_space<cbuf>>)
    %acc = memref.alloc() : memref<8x8x16x16xf32, #hivm.address_space<cc>>
    hivm.hir.mmadL1 ins(%a_l1, %b_l1, %true, %c128, %c256, %c128 : memref<16x8x16x16xf16, #hivm.address_space<cbuf>>, memref<8x16x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc : memref<8x8x16x16xf32, #hivm.address_space<cc>>)
    hivm.hir.fixpipe {enable_nz2nd} ins(%acc : memref<8x8x16x16xf32, #hivm.address_space<cc>>) outs(%c_gm : memref<128x128xf32, #hivm.address_space<gm>>)
    return
  }
}
