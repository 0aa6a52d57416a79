// L1 operands of two matmuls: level 1 copies a slot address that belongs to the unlimited trial plan
// rules: 4.1, 4.6, 4.7, 4.9(1), 4.10, 10.2(7), D(8), 4.14(W1)
// target: Ascend910B1
// pass: base
// expect hivm: unsound [0] [122880,286720] [0] [286720] [122880,552960] [49152]
// expect auto: l1 optimal lifetime 450560
// expect auto: l0c feasible sequential 90112
// how: list w 120K, a 160K, h 100K, e 160K, a#1 160K. T plan: 0, 122880, 286720, 389120, a#1@552960: 716800 B > 512 KB.
// how: w@0, a@122880, h@286720 (L3); e: rest 132K too small, L2 no; L1 on a: its other slot still carries 552960 from the T plan:
// how: accepted, slot never placed. a#1: L0@286720 over h and the rest. W1 with T = 716800 B = 5734400 bits.
// how: Unsound: the second slot of e lies behind the end of L1 (524288).
module {
  func.func @two_products(%w_gm: memref<640x96xf16, #hivm.address_space<gm>>, %a_gm: memref<128x640xf16, #hivm.address_space<gm>>, %h_gm: memref<640x80xf16, #hivm.address_space<gm>>, %e_gm: memref<128x640xf16, #hivm.address_space<gm>>,
                          %c1_gm: memref<128x96xf32, #hivm.address_space<gm>>, %c2_gm: memref<128x80xf32, #hivm.address_space<gm>>, %n: index) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c80 = arith.constant 80 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %c640 = arith.constant 640 : index
    %w = memref.alloc() : memref<6x40x16x16xf16, #hivm.address_space<cbuf>>
    hivm.hir.nd2nz {dst_continuous} ins(%w_gm : memref<640x96xf16, #hivm.address_space<gm>>) outs(%w : memref<6x40x16x16xf16, #hivm.address_space<cbuf>>)
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<40x8x16x16xf16, #hivm.address_space<cbuf>>
      annotation.mark %a {hivm.multi_buffer = 2 : i32} : memref<40x8x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%a_gm : memref<128x640xf16, #hivm.address_space<gm>>) outs(%a : memref<40x8x16x16xf16, #hivm.address_space<cbuf>>)
      %acc1 = memref.alloc() : memref<6x8x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 ins(%a, %w, %true, %c128, %c640, %c96 : memref<40x8x16x16xf16, #hivm.address_space<cbuf>>, memref<6x40x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc1 : memref<6x8x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%acc1 : memref<6x8x16x16xf32, #hivm.address_space<cc>>) outs(%c1_gm : memref<128x96xf32, #hivm.address_space<gm>>)
      %h = memref.alloc() : memref<5x40x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%h_gm : memref<640x80xf16, #hivm.address_space<gm>>) outs(%h : memref<5x40x16x16xf16, #hivm.address_space<cbuf>>)
      %e = memref.alloc() : memref<40x8x16x16xf16, #hivm.address_space<cbuf>>
      hivm.hir.nd2nz {dst_continuous} ins(%e_gm : memref<128x640xf16, #hivm.address_space<gm>>) outs(%e : memref<40x8x16x16xf16, #hivm.address_space<cbuf>>)
      %acc2 = memref.alloc() : memref<5x8x16x16xf32, #hivm.address_space<cc>>
      hivm.hir.mmadL1 ins(%e, %h, %true, %c128, %c640, %c80 : memref<40x8x16x16xf16, #hivm.address_space<cbuf>>, memref<5x40x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index) outs(%acc2 : memref<5x8x16x16xf32, #hivm.address_space<cc>>)
      hivm.hir.fixpipe {enable_nz2nd} ins(%acc2 : memref<5x8x16x16xf32, #hivm.address_space<cc>>) outs(%c2_gm : memref<128x80xf32, #hivm.address_space<gm>>)
    }
    return
  }
}
