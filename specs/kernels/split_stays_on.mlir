// UB needs the split restart; the L1 of the same function is then planned in split mode from the beginning
// rules: 4.2, 4.8(split), 4.9(2), 4.11, 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0] [131072] [131072] [163840] [131072] [0,221184] [0] [221184] [16384] [0] [32768]
// expect auto: ub optimal loop 196608
// expect auto: l1 feasible loop 466944
// expect auto: l0c feasible sequential 49152
// how: UB: as in split_restart.mlir (W1 with T = 2097152 bits), L1 and L0C: as in plain_outline_union_l1.mlir
// how: (L1: W1 with T = 6488064 bits), but split is still on:
// how: c over a and the head of b leaves two bounds: a#1 may start at the second one: L2@221184 (plain mode: 245760).
module {
  func.func @update_then_gram(%t_gm: memref<32768xf32, #hivm.address_space<gm>>, %p1_gm: memref<8192xf32, #hivm.address_space<gm>>, %p2_gm: memref<8192xf32, #hivm.address_space<gm>>, %a_gm: memref<64x1728xf16, #hivm.address_space<gm>>, %b_gm: memref<64x960xf16, #hivm.address_space<gm>>, %c_gm: memref<64x1920xf16, #hivm.address_space<gm>>, %g_gm: memref<64x64xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<MIX>} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ka = arith.constant 1728 : index
    %kb = arith.constant 960 : index
    %kc = arith.constant 1920 : index
    %table = memref.alloc() : memref<32768xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%t_gm : memref<32768xf32, #hivm.address_space<gm>>) outs(%table : memref<32768xf32, #hivm.address_space<ub>>)
    %lo = memref.subview %table[0] [16384] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>
    %hi = memref.subview %table[16384] [16384] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>
    %part = memref.subview %table[0] [8192] [1] : memref<32768xf32, #hivm.address_space<ub>> to memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>
    %wide = memref.alloc() : memref<16384xf32, #hivm.address_space<ub>>
    hivm.hir.vexp ins(%lo : memref<16384xf32, strided<[1]>, #hivm.address_space<ub>>) outs(%wide : memref<16384xf32, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%hi, %wide : memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>, memref<16384xf32, #hivm.address_space<ub>>) outs(%hi : memref<16384xf32, strided<[1], offset: 16384>, #hivm.address_space<ub>>)
    %p1 = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%p1_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%p1 : memref<8192xf32, #hivm.address_space<ub>>)
    %p2 = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.load ins(%p2_gm : memref<8192xf32, #hivm.address_space<gm>>) outs(%p2 : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vadd ins(%part, %p1 : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%part : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>)
    %mix = memref.alloc() : memref<8192xf32, #hivm.address_space<ub>>
    hivm.hir.vmul ins(%part, %p2 : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%mix : memref<8192xf32, #hivm.address_space<ub>>)
    hivm.hir.vsub ins(%mix, %p2 : memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) outs(%part : memref<8192xf32, strided<[1]>, #hivm.address_space<ub>>)
    hivm.hir.store ins(%table : memref<32768xf32, #hivm.address_space<ub>>) outs(%t_gm : memref<32768xf32, #hivm.address_space<gm>>)
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>
      annotation.mark %a {hivm.multi_buffer = 2 : i32} : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<64x1728xf16, #hivm.address_space<gm>>) outs(%a : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>)
      %gram_a = memref.alloc() : memref<4x4x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 {b_transpose} ins(%a, %a, %true, %c64, %ka, %c64 : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>, memref<108x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%gram_a : memref<4x4x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%gram_a : memref<4x4x16x16xf32, #hivm.address_space<cc>>) outs(%g_gm : memref<64x64xf32, #hivm.address_space<gm>>)
    }
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<60x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%b_gm : memref<64x960xf16, #hivm.address_space<gm>>) outs(%b : memref<60x4x16x16xf16, #hivm.address_space<cbuf>>)
      %gram_b = memref.alloc() : memref<4x4x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 {b_transpose} ins(%b, %b, %true, %c64, %kb, %c64 : memref<60x4x16x16xf16, #hivm.address_space<cbuf>>, memref<60x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%gram_b : memref<4x4x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%gram_b : memref<4x4x16x16xf32, #hivm.address_space<cc>>) outs(%g_gm : memref<64x64xf32, #hivm.address_space<gm>>)
    }
    scf.for %k = %c0 to %n step %c1 {
      %c = memref.alloc() : memref<120x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%c_gm : memref<64x1920xf16, #hivm.address_space<gm>>) outs(%c : memref<120x4x16x16xf16, #hivm.address_space<cbuf>>)
      %gram_c = memref.alloc() : memref<4x4x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 {b_transpose} ins(%c, %c, %true, %c64, %kc, %c64 : memref<120x4x16x16xf16, #hivm.address_space<cbuf>>, memref<120x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%gram_c : memref<4x4x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%gram_c : memref<4x4x16x16xf32, #hivm.address_space<cc>>) outs(%g_gm : memref<64x64xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
