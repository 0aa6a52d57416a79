// the accumulator tile exceeds L0C
// rules: 4.2, 4.12, 4.14, 1.5
// target: Ascend910B1
// pass: base
// expect hivm: error: cc overflow, requires 2097152 bits while 1048576 bits available!
// expect auto: l1 optimal sequential 65536
// expect auto: l0c infeasible 262144
// how: L1 fits sequentially; acc 256x256 f32 = 262144 B is the only cc entry: N = need = 2097152 bits.
module {
  func.func @big_l0c(%a_gm: memref<256x64xf16, #hivm.address_space<gm>>, %b_gm: memref<64x256xf16, #hivm.address_space<gm>>, %c_gm: memref<256x256xf32, #hivm.address_space<gm>>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = arith.constant true
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a_l1 = memref.alloc() : memref<4x16x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<256x64xf16, #hivm.address_space<gm>>) outs(%a_l1 : memref<4x16x16x16xf16, #hivm.address_space<cbuf>>)
    %b_l1 = memref.alloc() : memref<16x4x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%b_gm : memref<64x256xf16, #hivm.address_space<gm>>) outs(%b_l1 : memref<16x4x16x16xf16, #hivm.address_space<cbuf>>)
    %acc = memref.alloc() : memref<16x16x16x16xf32, #hivm.address_space<cc>>
    hivm.hir.mmadL1 ins(%a_l1, %b_l1, %true, %c256, %c64, %c256 : memref<4x16x16x16xf16, #hivm.address_space<cbuf>>, memref<16x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc : memref<16x16x16x16xf32, #hivm.address_space<cc>>)
    hivm.hir.fixpipe {enable_nz2nd} ins(%acc : memref<16x16x16x16xf32, #hivm.address_space<cc>>) outs(%c_gm : memref<256x256xf32, #hivm.address_space<gm>>)
    return
  }
}
