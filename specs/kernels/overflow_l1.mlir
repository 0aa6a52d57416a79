// matmul operands exceed L1
// rules: 4.2, 4.4, 4.12, 4.14, 1.5
// target: Ascend910B1
// pass: base
// expect hivm: error: cbuf overflow, requires 5242880 bits while 4194304 bits available!
// expect auto: l1 infeasible 655360
// expect auto: l0c optimal sequential 32768
// how: a 512x512 f16 = 524288 B and b 512x128 f16 = 131072 B are both read by the mmadL1. N = 655360 B = 5242880 bits. cc is never planned.
module {
  func.func @big_l1(%a_gm: memref<512x512xf16, #hivm.address_space<gm>>, %b_gm: memref<512x128xf16, #hivm.address_space<gm>>, %c_gm: memref<64x128xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = arith.constant true
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %a_l1 = memref.alloc() : memref<32x32x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<512x512xf16, #hivm.address_space<gm>>) outs(%a_l1 : memref<32x32x16x16xf16, #hivm.address_space<cbuf>>)
    %b_l1 = memref.alloc() : memref<8x32x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%b_gm : memref<512x128xf16, #hivm.address_space<gm>>) outs(%b_l1 : memref<8x32x16x16xf16, #hivm.address_space<cbuf>>)
    %acc = memref.alloc() : memref<8x4x16x16xf32, #hivm.address_space<cc>>
    hivm.hir.mmadL1 ins(%a_l1, %b_l1, %true, %c64, %c512, %c128 : memref<32x32x16x16xf16, #hivm.address_space<cbuf>>, memref<8x32x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc : memref<8x4x16x16xf32, #hivm.address_space<cc>>)
    hivm.hir.fixpipe {enable_nz2nd} ins(%acc : memref<8x4x16x16xf32, #hivm.address_space<cc>>) outs(%c_gm : memref<64x128xf32, #hivm.address_space<gm>>)
    return
  }
}
