// three Gram matrices over different loops in L1: the plain outline keeps one bound over two old ones
// rules: 4.1, 4.4, 4.8(place), 4.9(2), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: [0,245760] [0] [221184] [16384] [0] [32768]
// expect auto: l1 feasible loop 466944
// expect auto: l0c feasible sequential 49152
// how: L1: a 2x216K (loop 1), b 120K (loop 2), c 240K (loop 3); list a, b, c, a#1. a@0, b L3@221184, c: L3 no, L2 over a and the head of b: @0.
// how: plain mode: one bound [0,240K), so a#1 starts at the tail behind it: L2@245760 (split mode would offer 221184).
// how: L0C: three accumulators of 16384, sequential. W1 with T = 811008 B = 6488064 bits.
module {
  func.func @gram(%a_gm: memref<64x1728xf16, #hivm.address_space<gm>>, %b_gm: memref<64x960xf16, #hivm.address_space<gm>>, %c_gm: memref<64x1920xf16, #hivm.address_space<gm>>, %ga_gm: memref<64x64xf32, #hivm.address_space<gm>>, %gb_gm: memref<64x64xf32, #hivm.address_space<gm>>, %gc_gm: memref<64x64xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ka = arith.constant 1728 : index
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>
      annotation.mark %a {hivm.multi_buffer = 2 : i32} : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<64x1728xf16, #hivm.address_space<gm>>) outs(%a : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>)
      %gram_a = memref.alloc() : memref<4x4x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 {b_transpose} ins(%a, %a, %true, %c64, %ka, %c64 : memref<108x4x16x16xf16, #hivm.address_space<cbuf>>, memref<108x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%gram_a : memref<4x4x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%gram_a : memref<4x4x16x16xf32, #hivm.address_space<cc>>) outs(%ga_gm : memref<64x64xf32, #hivm.address_space<gm>>)
    }
    %kb = arith.constant 960 : index
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<60x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%b_gm : memref<64x960xf16, #hivm.address_space<gm>>) outs(%b : memref<60x4x16x16xf16, #hivm.address_space<cbuf>>)
      %gram_b = memref.alloc() : memref<4x4x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 {b_transpose} ins(%b, %b, %true, %c64, %kb, %c64 : memref<60x4x16x16xf16, #hivm.address_space<cbuf>>, memref<60x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%gram_b : memref<4x4x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%gram_b : memref<4x4x16x16xf32, #hivm.address_space<cc>>) outs(%gb_gm : memref<64x64xf32, #hivm.address_space<gm>>)
    }
    %kc = arith.constant 1920 : index
    scf.for %k = %c0 to %n step %c1 {
      %c = memref.alloc() : memref<120x4x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%c_gm : memref<64x1920xf16, #hivm.address_space<gm>>) outs(%c : memref<120x4x16x16xf16, #hivm.address_space<cbuf>>)
      %gram_c = memref.alloc() : memref<4x4x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 {b_transpose} ins(%c, %c, %true, %c64, %kc, %c64 : memref<120x4x16x16xf16, #hivm.address_space<cbuf>>, memref<120x4x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%gram_c : memref<4x4x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%gram_c : memref<4x4x16x16xf32, #hivm.address_space<cc>>) outs(%gc_gm : memref<64x64xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
